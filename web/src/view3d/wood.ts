/* Wood, generated on the spot: the grain of every wood and stain as a texture, from noise and the colours of
 * view/materials.ts. How fibres, rings and pores run is computed once, for all; a wood says how strongly
 * each of them shows in it. In a texture, the grain runs along u. */
import { CanvasTexture, Color, MirroredRepeatWrapping, SRGBColorSpace } from "three";
import { material } from "../view/materials";

const SIDE = 512;

/* How a wood differs from others in more than colours. */
interface Growth {
  rings: number; // in a plank
  ring: number; // how strongly they show, 0 to 1
  fibre: number;
  pores: number;
  mottle: number; // clouds of light and dark
  bare: number; // how much of plain wood is seen through a stain
}

const usual: Growth = { rings: 9, ring: 0.5, fibre: 0.42, pores: 0.12, mottle: 0.16, bare: 0 };
const stain: Partial<Growth> = { rings: 8, ring: 0.6, fibre: 0.62, pores: 0.3, mottle: 0.2, bare: 0.5 };
const growths: Record<string, Partial<Growth>> = {
  maple: { rings: 7, ring: 0.34, fibre: 0.3, pores: 0.04, mottle: 0.12 },
  zebrano: { rings: 15, ring: 1.25, fibre: 0.3, pores: 0.2 },
  padouk: { rings: 8, ring: 0.55, fibre: 0.7, pores: 0.5, mottle: 0.22 },
  walnut: { rings: 8, ring: 0.85, fibre: 0.5, pores: 0.45, mottle: 0.26 },
  red: stain,
  yellow: stain,
  green: stain,
  blue: stain,
  violet: stain,
  white: { rings: 8, ring: 0.55, fibre: 0.5, pores: 0.1, mottle: 0.12, bare: 0.5 },
  black: { ring: 0.5, fibre: 0.6, pores: 0.3, mottle: 0.2, bare: 0.16 },
  natural: { rings: 8, ring: 0.55, fibre: 0.36, mottle: 0.14 },
  floor: { rings: 13, ring: 0.4, fibre: 0.5, pores: 0.1, mottle: 0.14 },
  rail: { rings: 7, ring: 0.7, fibre: 0.5, pores: 0.4, mottle: 0.2 },
  table: { rings: 9, ring: 0.35, fibre: 0.5, pores: 0.06, mottle: 0.16 },
};

/* Smooth noise from 0 to 1 that repeats only far away. */
function hash(x: number, y: number): number {
  let h = Math.imul(x, 374761393) ^ Math.imul(y, 668265263);
  h = Math.imul(h ^ (h >>> 13), 1274126177);
  return ((h ^ (h >>> 16)) >>> 0) / 4294967296;
}

function noise(x: number, y: number): number {
  const i = Math.floor(x);
  const j = Math.floor(y);
  const s = x - i;
  const t = y - j;
  const a = s * s * (3 - 2 * s);
  const b = t * t * (3 - 2 * t);
  const low = hash(i, j) + a * (hash(i + 1, j) - hash(i, j));
  const high = hash(i, j + 1) + a * (hash(i + 1, j + 1) - hash(i, j + 1));
  return low + b * (high - low);
}

/* What all planks share: how far across the rings a point lies, its fibre, its pores, its cloud. */
interface Plank {
  across: Float32Array;
  fibre: Float32Array;
  pores: Float32Array;
  mottle: Float32Array;
}

let plank: Plank | null = null;

/* Gives the page time to react between two pieces of work. */
export const breathe = (): Promise<void> => new Promise((resolve) => setTimeout(resolve));

async function grow(): Promise<Plank> {
  if (plank) return plank;
  const fresh = () => new Float32Array(SIDE * SIDE);
  const made: Plank = { across: fresh(), fibre: fresh(), pores: fresh(), mottle: fresh() };
  for (let j = 0; j < SIDE; j++) {
    if (j % 64 === 63) await breathe();
    for (let i = 0; i < SIDE; i++) {
      const at = j * SIDE + i;
      const u = i / SIDE;
      const v = j / SIDE;
      made.across[at] = v + 0.2 * (noise(u * 1.6, v * 1.9 + 7) - 0.5) + 0.05 * (noise(u * 5, v * 9 + 31) - 0.5);
      made.fibre[at] = 0.6 * noise(u * 9 + 3, v * 150) + 0.4 * noise(u * 26, v * 330 + 5);
      const pore = noise(u * 38 + 11, v * 240 + 3);
      made.pores[at] = pore > 0.78 ? (pore - 0.78) / 0.22 : 0;
      made.mottle[at] = 0.65 * noise(u * 2.2 + 17, v * 3 + 2) + 0.35 * noise(u * 11, v * 8 + 9) - 0.5;
    }
  }
  return (plank ??= made);
}

/* How dark a ring is at a distance: it darkens slowly and ends at once; no two are equally wide. */
function ringAt(distance: number, striped: boolean): number {
  const uneven = distance + 0.7 * noise(distance * 0.8, 3) + 0.25 * noise(distance * 2.3, 8);
  const part = uneven - Math.floor(uneven);
  const weight = 0.45 + 0.55 * hash(Math.floor(uneven), 5);
  if (striped) return weight * Math.min(1, Math.max(0, (Math.sin(part * Math.PI) - 0.45) * 3));
  return weight * (part < 0.92 ? part * part : (0.85 * (1 - part)) / 0.08);
}

const textures = new Map<string, CanvasTexture>();
const colours: Record<string, { ground: string; grain: string }> = {
  rail: { ground: "#6f4a31", grain: "#2a170c" },
  table: { ground: "#a98e70", grain: "#5e452f" },
  floor: { ground: "#c09a68", grain: "#6d4a28" },
};

/* The texture of a wood, drawn when it is first needed. */
export async function wood(name: string): Promise<CanvasTexture> {
  const known = textures.get(name);
  if (known) return known;
  const { across, fibre, pores, mottle } = await grow();
  const look = colours[name] ?? material(name);
  const growth = { ...usual, ...growths[name] };
  const striped = colours[name] === undefined && material(name).striped === true;
  const ground = new Color(look.ground).convertLinearToSRGB();
  const grain = new Color(look.grain).convertLinearToSRGB();
  const bare = new Color(material("natural").ground).convertLinearToSRGB();
  const canvas = document.createElement("canvas");
  canvas.width = canvas.height = SIDE;
  const context = canvas.getContext("2d")!;
  const image = context.createImageData(SIDE, SIDE);
  const pixels = new Uint32Array(image.data.buffer);
  // Rings by a table: a thousand distances are enough.
  const rings = Float32Array.from({ length: 1601 }, (_, i) => ringAt((i / 1000) * growth.rings, striped));
  for (let at = 0; at < pixels.length; at++) {
    const ring = rings[Math.round(Math.min(Math.max(across[at]! + 0.2, 0), 1.6) * 1000)]!;
    const dark = Math.min(1, Math.max(0, growth.ring * ring * 0.75 + growth.fibre * (fibre[at]! - 0.35) * 0.6 + growth.pores * pores[at]!));
    const light = 1 + growth.mottle * mottle[at]!;
    const through = growth.bare * (0.1 + 0.6 * fibre[at]! * (1 - ring));
    const mix = (part: "r" | "g" | "b") => {
      const stained = ground[part] + (bare[part] - ground[part]) * through;
      return Math.min((stained + (grain[part] - stained) * dark) * light * 255, 255);
    };
    pixels[at] = 0xff000000 | (mix("b") << 16) | (mix("g") << 8) | mix("r");
  }
  context.putImageData(image, 0, 0);
  const texture = new CanvasTexture(canvas);
  texture.wrapS = texture.wrapT = MirroredRepeatWrapping;
  texture.colorSpace = SRGBColorSpace;
  texture.anisotropy = 2;
  textures.set(name, texture);
  await breathe();
  return texture;
}

/* Gives back what the graphics card keeps; the drawings themselves stay for the next time. */
export function releaseWoods(): void {
  for (const texture of textures.values()) texture.dispose();
}
