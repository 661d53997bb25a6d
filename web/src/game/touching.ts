/* What a hand does: it touches places one after the other until they name a legal move. No game is known
 * here; a legal move says which places it touches. */
import type { Move } from "../engine/engine";

/* The moves that begin with these touches. */
export function movesAfter(moves: Move[], touched: number[]): Move[] {
  return moves.filter((move) => touched.every((place, i) => move[i + 1] === place));
}

/* The places that can be touched next. */
export function touchable(moves: Move[], touched: number[]): Set<number> {
  const places = new Set<number>();
  for (const move of movesAfter(moves, touched)) {
    const place = move[touched.length + 1];
    if (typeof place === "number") places.add(place);
  }
  return places;
}

/* The move that these touches name in full, if they do. */
export function named(moves: Move[], touched: number[]): string | null {
  const move = movesAfter(moves, touched).find((m) => m.length === touched.length + 1);
  return move ? move[0] : null;
}

/* Touches that leave no choice are made at once: the only kind of piece left to place, say. But nobody lifts a piece
 * from the board for somebody else: `mayHurry` says which places are touched like this. */
export function hurried(moves: Move[], touched: number[], mayHurry: (place: number) => boolean): number[] {
  const all = [...touched];
  for (;;) {
    const next = touchable(moves, all);
    // Never the last touch: a move is always somebody's decision.
    const isLast = movesAfter(moves, all).some((move) => move.length === all.length + 2);
    const [only, ...others] = next;
    if (only === undefined || others.length > 0 || isLast || !mayHurry(only)) return all;
    all.push(only);
  }
}

/* What could have been touched in place of one of these touches. */
export function instead(moves: Move[], touched: number[], step: number): number[] {
  return [...touchable(moves, touched.slice(0, step))];
}
