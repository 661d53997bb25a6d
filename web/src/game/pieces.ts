/* Simple questions about pieces on a board, in its own lengths. */
import type { Difference, Piece } from "../engine/engine";

export interface Point {
  x: number;
  y: number;
}

export const isAlike = (a: Piece, b: Piece): boolean => a.shape === b.shape && a.material === b.material && a.owner === b.owner;

/* Whether a point of the board lies under a piece that stands along its lines. */
export const isUnder = (piece: Piece, { x, y }: Point): boolean =>
  2 * Math.abs(x - piece.x) <= piece.width && 2 * Math.abs(y - piece.y) <= piece.depth;

/* The pieces that leave the board for good. */
export function lost({ gone, moved }: Difference): Piece[] {
  return gone.filter((_, i) => !moved.some(([from]) => from === i));
}
