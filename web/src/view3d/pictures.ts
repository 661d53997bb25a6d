/* What is drawn upon the wood: marks of what can be touched, was touched or has changed, and letters. Each
 * is a small picture, made once. */
import { CanvasTexture, SRGBColorSpace } from "three";
import type { Region } from "../game/laying.svelte";

const SIDE = 128;

function picture(draw: (context: CanvasRenderingContext2D) => void): CanvasTexture {
  const canvas = document.createElement("canvas");
  canvas.width = canvas.height = SIDE;
  draw(canvas.getContext("2d")!);
  const texture = new CanvasTexture(canvas);
  texture.colorSpace = SRGBColorSpace;
  texture.anisotropy = 2;
  return texture;
}

const frame = (colour: string, rim: string, wash: string) => (c: CanvasRenderingContext2D) => {
  const line = (inset: number, width: number, style: string) => {
    c.beginPath();
    c.roundRect(inset, inset, SIDE - 2 * inset, SIDE - 2 * inset, 16);
    c.lineWidth = width;
    c.strokeStyle = style;
    c.stroke();
  };
  c.beginPath();
  c.roundRect(8, 8, SIDE - 16, SIDE - 16, 14);
  c.fillStyle = wash;
  c.fill();
  line(9, 16, rim);
  line(9, 10, colour);
};

const looks = {
  /* A ring with gaps: no piece looks like that. */
  next: (c: CanvasRenderingContext2D) => {
    c.lineCap = "round";
    for (const [width, style] of [[26, "rgb(58 28 0 / 0.85)"], [14, "#fff6d8"]] as const)
      for (let quarter = 0; quarter < 4; quarter++) {
        c.beginPath();
        c.arc(64, 64, 48, (quarter + 0.22) * (Math.PI / 2), (quarter + 0.78) * (Math.PI / 2));
        c.lineWidth = width;
        c.strokeStyle = style;
        c.stroke();
      }
  },
  forbidden: (c: CanvasRenderingContext2D) => {
    c.fillStyle = "#fff";
    c.fillRect(0, 0, SIDE, SIDE);
    c.lineWidth = 12;
    c.strokeStyle = "#111";
    for (let at = -SIDE; at < 2 * SIDE; at += 32) c.stroke(new Path2D(`M${at} 0l${SIDE} ${SIDE}`));
  },
  touched: frame("#ffd447", "#3a1c00", "rgb(255 212 71 / 0.18)"),
  focus: frame("#7db4ff", "#10284f", "rgb(125 180 255 / 0.12)"),
  gone: (c: CanvasRenderingContext2D) => {
    c.lineCap = "round";
    for (const [width, style] of [[26, "#fff4e0"], [14, "#8a1010"]] as const) {
      c.lineWidth = width;
      c.strokeStyle = style;
      c.stroke(new Path2D("M24 24L104 104M104 24L24 104"));
    }
  },
  changed: (c: CanvasRenderingContext2D) => {
    c.shadowColor = "rgb(255 220 130)";
    c.shadowBlur = 14;
    c.fillStyle = "rgb(255 220 130 / 0.5)";
    c.beginPath();
    c.roundRect(16, 16, SIDE - 32, SIDE - 32, 12);
    c.fill();
  },
  /* The shadow right around the foot of a piece. */
  shade: (c: CanvasRenderingContext2D) => {
    c.shadowColor = c.fillStyle = "rgb(20 8 0)";
    c.shadowBlur = 22;
    c.beginPath();
    c.roundRect(24, 24, SIDE - 48, SIDE - 48, 6);
    c.fill();
  },
  roundShade: (c: CanvasRenderingContext2D) => {
    const fade = c.createRadialGradient(64, 64, 44, 64, 64, 63);
    fade.addColorStop(0, "rgb(20 8 0)");
    fade.addColorStop(1, "rgb(20 8 0 / 0)");
    c.fillStyle = fade;
    c.fillRect(0, 0, SIDE, SIDE);
  },
};
export type Look = keyof typeof looks;

const made = new Map<string, CanvasTexture>();

function once(key: string, make: () => CanvasTexture): CanvasTexture {
  let texture = made.get(key);
  if (!texture) made.set(key, (texture = make()));
  return texture;
}

/* A frame and a tint around what is a player's goal. */
export const goal = (colour: string): CanvasTexture => once(`goal ${colour}`, () => picture(frame(colour, "#2d1a0d", `${colour}66`)));

export const look = (name: Look): CanvasTexture => once(name, () => picture(looks[name]));

/* A short text burnt into the wood. */
export const letters = (text: string, ink: string): CanvasTexture =>
  once(`${ink} ${text}`, () =>
    picture((c) => {
      c.font = `600 ${text.length > 1 ? 72 : 92}px Georgia, "DejaVu Serif", serif`;
      c.textAlign = "center";
      c.textBaseline = "middle";
      c.fillStyle = ink;
      c.fillText(text, SIDE / 2, SIDE / 2 + 4);
    }),
  );

/* A picture to draw hatches on, again and again. */
export function hatched(): { canvas: HTMLCanvasElement; texture: CanvasTexture } {
  const canvas = document.createElement("canvas");
  canvas.width = canvas.height = 512;
  const texture = new CanvasTexture(canvas);
  texture.colorSpace = SRGBColorSpace;
  return { canvas, texture };
}

/* Hatches where nothing is possible; its edge is a line. */
export function drawHatches(canvas: HTMLCanvasElement, region: Region): void {
  const [HATCH, VEIL, LINE] = [0x90001028, 0x48001028, 0xb0001028];
  const size = canvas.width;
  const context = canvas.getContext("2d")!;
  const image = context.createImageData(size, size);
  const pixels = new Uint32Array(image.data.buffer);
  const point = (i: number) => Math.floor((i * region.side) / size);
  for (let j = 0; j < size; j++)
    for (let i = 0; i < size; i++) {
      const [column, row] = [point(i), point(size - 1 - j)];
      const possible = region.isPossible(column, row);
      const isEdge = possible && (!region.isPossible(Math.max(column - 1, 0), row) || !region.isPossible(column, Math.max(row - 1, 0)));
      pixels[j * size + i] = possible ? (isEdge ? LINE : 0) : (i + j) % 16 < 6 ? HATCH : VEIL;
    }
  context.putImageData(image, 0, 0);
}

/* Gives back what the graphics card keeps. */
export function releasePictures(): void {
  for (const texture of made.values()) texture.dispose();
}
