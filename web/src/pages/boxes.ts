/* The picture on each game's box: drawn by the 3D view (scripts/boxes.mjs), or by the engine for a game that
 * has none there. */
import type { Engine } from "../engine/engine";

const pictures = import.meta.glob<string>("../boxes/*.webp", { import: "default", eager: true });

export function boxPicture(engine: Engine, game: string): string {
  return (pictures[`../boxes/${game}.webp`] ??= `data:image/svg+xml,${encodeURIComponent(engine.box(game))}`);
}
