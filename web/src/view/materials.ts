/* Woods and stains: the ground, the grain, and how strongly it shows. The pattern of a wood is drawn once
 * (Woods.svelte) and used by every piece of it. */
export interface Material {
  ground: string;
  grain: string;
  strength: number;
  striped?: boolean;
  ink: string; // legible on it
  side: string; // what the light does not reach
}

const DARK = "#2a1a0c";
const LIGHT = "#fff4e0";

export const materials: Record<string, Material> = {
  maple: { ground: "#efd9ae", grain: "#b98d52", strength: 0.34, ink: DARK, side: "#b08f65" },
  zebrano: { ground: "#d8b478", grain: "#5a3a1c", strength: 0.72, striped: true, ink: DARK, side: "#9f7645" },
  padouk: { ground: "#b0482b", grain: "#5e1d10", strength: 0.44, ink: LIGHT, side: "#822f18" },
  walnut: { ground: "#5f412c", grain: "#2a180d", strength: 0.6, ink: LIGHT, side: "#462a19" },
  red: { ground: "#cb372c", grain: "#74150f", strength: 0.34, ink: LIGHT, side: "#962419" },
  yellow: { ground: "#f2c230", grain: "#a8740a", strength: 0.36, ink: DARK, side: "#b3801b" },
  green: { ground: "#4f9448", grain: "#1d4a1c", strength: 0.38, ink: LIGHT, side: "#3a6129" },
  blue: { ground: "#2f66b8", grain: "#0f2c5e", strength: 0.42, ink: LIGHT, side: "#22436a" },
  violet: { ground: "#7c4a9c", grain: "#381a50", strength: 0.42, ink: LIGHT, side: "#5b305a" },
  white: { ground: "#f7f4ec", grain: "#bdb29c", strength: 0.34, ink: DARK, side: "#b6a188" },
  black: { ground: "#35302d", grain: "#0d0b0a", strength: 0.6, ink: LIGHT, side: "#271f1a" },
  natural: { ground: "#dfb880", grain: "#94642f", strength: 0.46, ink: DARK, side: "#a5794a" },
  hidden: { ground: "#8f887f", grain: "#57514a", strength: 0.3, ink: DARK, side: "#695949" },
  floor: { ground: "#a9855a", grain: "#6b4a2a", strength: 0.22, ink: DARK, side: "#6b4a2a" },
};

export const material = (name: string): Material => materials[name] ?? materials.natural!;
