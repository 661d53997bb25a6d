/* Simple questions about pieces on a board, in its own lengths. */
import type { Piece, Preview } from "../engine/engine";

export interface Point {
  x: number;
  y: number;
}

export const isAlike = (a: Piece, b: Piece): boolean => a.shape === b.shape && a.material === b.material && a.owner === b.owner;

/* Whether a point of the board lies under a piece that stands along its lines. */
export const isUnder = (piece: Piece, { x, y }: Point): boolean =>
  2 * Math.abs(x - piece.x) <= piece.width && 2 * Math.abs(y - piece.y) <= piece.depth;

/* Where pieces that came to a place were before, if they only moved. */
export function origins({ gone, placed }: Preview): Map<Piece, Piece> {
  const left = [...gone];
  const found = new Map<Piece, Piece>();
  for (const piece of placed) {
    const index = left.findIndex((other) => isAlike(piece, other));
    if (index >= 0) found.set(piece, left.splice(index, 1)[0]!);
  }
  return found;
}

/* The pieces that leave the board for good. */
export function lost(change: Preview): Piece[] {
  const moved = new Set(origins(change).values());
  return change.gone.filter((piece) => !moved.has(piece));
}
