/* What a move changed, from the scenes before and after it: to mark it, to tell it and to let it sound. */
import type { Piece, Preview, Scene } from "../engine/engine";
import { words } from "../words/words.svelte";
import { isUnder, lost } from "./pieces";

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

/* The move in words: what stands where now, and what is gone for good. */
export function tell(scene: Scene, move: string, { gone, placed }: Preview): string {
  const what = placed.map((piece) => piece.label).join(", ") || (scene.places.find((place) => place.name === move)?.label ?? move);
  const off = lost({ gone, placed }).map((piece) => piece.label);
  return off.length === 0 ? what : words.t("toldGone", what, off.join(", "));
}

export type Sound = "place" | "slide" | "capture";

export function soundOf({ gone, placed }: Preview): Sound {
  return placed.length > gone.length ? "place" : placed.length === gone.length ? "slide" : "capture";
}
