/* What a move changed (the engine says it): to mark it, to describe it and to play its sound. */
import type { Difference, Scene } from "../engine/engine";
import { words } from "../words/words.svelte";
import { isUnder, lost } from "./pieces";

export const NO_CHANGE: Difference = { gone: [], placed: [], moved: [], left: [], events: [] };

/* The cells that changed pieces stand or stood on. */
export function cellsOf(scene: Scene, { gone, placed }: Difference): Set<number> {
  const isChanged = (cell: Scene["places"][number]) =>
    [...gone, ...placed].some((piece) => isUnder(piece, { x: cell.x + cell.width / 2, y: cell.y + cell.depth / 2 }));
  return new Set(scene.places.flatMap((place, index) => (place.kind === "cell" && isChanged(place) ? [index] : [])));
}

/* The move in words: what stands where now and where it came from, and what is gone for good. */
export function tell(scene: Scene, move: string, change: Difference): string {
  const now = change.placed.map((piece, i) => {
    const from = change.gone[change.moved.find(([, to]) => to === i)?.[0] ?? -1];
    return from ? words.t("toldFrom", piece.label, scene.places[from.place]!.name) : piece.label;
  });
  const off = lost(change).map((piece) => piece.label);
  const what = now.join("; ") || scene.places.find((place) => place.name === move)?.label;
  if (off.length === 0) return what ?? move;
  return what ? words.t("toldGone", what, off.join(", ")) : words.t("toldOff", off.join(", "));
}

export type Sound = "place" | "slide" | "capture";

export function soundOf({ gone, placed }: Difference): Sound {
  return placed.length > gone.length ? "place" : placed.length === gone.length ? "slide" : "capture";
}
