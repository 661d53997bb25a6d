/* Simple questions about pieces on a board, in its own lengths. */
import type { Difference, Piece } from "../engine/engine";

export interface Point {
  x: number;
  y: number;
}

export const isAlike = (a: Piece, b: Piece): boolean => a.shape === b.shape && a.material === b.material && a.owner === b.owner;

/* Whether a point of the board lies under a piece. */
export function isUnder(piece: Piece, { x, y }: Point): boolean {
  const angle = (piece.angle * Math.PI) / 180;
  const [dx, dy] = [x - piece.x, y - piece.y];
  const [along, across] = [dx * Math.cos(angle) + dy * Math.sin(angle), dy * Math.cos(angle) - dx * Math.sin(angle)];
  return 2 * Math.abs(along) <= piece.width && 2 * Math.abs(across) <= piece.depth;
}

export const apart = (a: Point, b: Point): number => Math.hypot(a.x - b.x, a.y - b.y);

/* Which way a piece was pushed out of the game: that of the piece that took its place. Null if none did. */
export function pushedOff({ gone, placed, moved, left }: Difference, piece: Point & { place: number }): Point | null {
  const isHere = (other: Piece) => other.place === piece.place && other.x === piece.x && other.y === piece.y;
  if (!left.some((index) => isHere(gone[index]!))) return null;
  const pusher = moved.find(([, to]) => isHere(placed[to]!));
  if (!pusher) return null;
  const [from, to] = [gone[pusher[0]]!, placed[pusher[1]]!];
  return { x: (to.x - from.x) / apart(from, to), y: (to.y - from.y) / apart(from, to) };
}

/* The pieces that leave the board for good. */
export function lost({ gone, moved }: Difference): Piece[] {
  return gone.filter((_, i) => !moved.some(([from]) => from === i));
}
