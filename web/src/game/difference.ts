/* What a move changed, from the scenes before and after it: to mark it, to tell it and to let it sound. */
import type { Piece, Preview, Scene } from "../engine/engine";
import { words } from "../words/words.svelte";
import { isUnder, lost, origins } from "./pieces";

const lookOf = (piece: Piece) =>
  [piece.shape, piece.material, piece.owner, piece.x, piece.y, piece.z, piece.angle, piece.width, piece.depth].join(" ");

function onBoard(scene: Scene): Piece[] {
  return scene.pieces.filter((piece) => ["cell", "floor"].includes(scene.places[piece.place]!.kind));
}

/* The pieces that left their places on the board, and those that came to one. */
export function difference(before: Scene, after: Scene): Preview {
  const without = (pieces: Piece[], others: Piece[]) => {
    const looks = new Set(others.map(lookOf));
    return pieces.filter((piece) => !looks.has(lookOf(piece)));
  };
  return { gone: without(onBoard(before), onBoard(after)), placed: without(onBoard(after), onBoard(before)) };
}

/* The cells that they stand or stood on. */
export function cellsOf(scene: Scene, { gone, placed }: Preview): Set<number> {
  const isChanged = (cell: Scene["places"][number]) =>
    [...gone, ...placed].some((piece) => isUnder(piece, { x: cell.x + cell.width / 2, y: cell.y + cell.depth / 2 }));
  return new Set(scene.places.flatMap((place, index) => (place.kind === "cell" && isChanged(place) ? [index] : [])));
}

/* The move in words: what stands where now and where it came from, and what is gone for good. */
export function tell(scene: Scene, move: string, change: Preview): string {
  const before = origins(change);
  const now = change.placed.map((piece) => {
    const from = before.get(piece);
    return from ? words.t("toldFrom", piece.label, scene.places[from.place]!.name) : piece.label;
  });
  const off = lost(change).map((piece) => piece.label);
  const what = now.join("; ") || scene.places.find((place) => place.name === move)?.label;
  if (off.length === 0) return what ?? move;
  return what ? words.t("toldGone", what, off.join(", ")) : words.t("toldOff", off.join(", "));
}

export type Sound = "place" | "slide" | "capture";

export function soundOf({ gone, placed }: Preview): Sound {
  return placed.length > gone.length ? "place" : placed.length === gone.length ? "slide" : "capture";
}
