/* Moves become visible from the difference of two scenes: what stands elsewhere slides there, what is new is
 * set down, what is gone is lifted off. Nothing moves for readers who want less motion. */
import type { Piece } from "../engine/engine";
import type { Point } from "../game/pieces";
import { settings } from "../settings.svelte";

const MILLISECONDS = 220;

let stillUntil = 0;

/* What a hand has carried there itself does not move again. */
export function holdStill(): void {
  stillUntil = performance.now() + 60;
}

export function duration(): number {
  const still = performance.now() < stillUntil || settings.still;
  return still ? 0 : MILLISECONDS;
}

export interface Tracked {
  id: number;
  piece: Piece;
}

const kindOf = (piece: Piece) => `${piece.shape} ${piece.material} ${piece.owner}`;
const spotOf = (piece: Piece) => `${kindOf(piece)} ${piece.x} ${piece.y} ${piece.z} ${piece.angle}`;

/* Gives the pieces of one scene after another names that stay with them. */
export class Tracker {
  private known: Tracked[] = [];
  private count = 0;

  follow(pieces: Piece[]): Tracked[] {
    const loose = [...this.known];
    const take = (fits: (candidate: Piece) => boolean) => {
      const index = loose.findIndex((candidate) => fits(candidate.piece));
      return index < 0 ? undefined : loose.splice(index, 1)[0]!.id;
    };
    // Those that stay come first, so that none of them is mistaken for one that moves.
    const ids = pieces.map((piece) => take((candidate) => spotOf(candidate) === spotOf(piece)));
    pieces.forEach((piece, i) => {
      const apart = (other: Piece) => Math.hypot(other.x - piece.x, other.y - piece.y);
      loose.sort((a, b) => apart(a.piece) - apart(b.piece));
      ids[i] ??= take((candidate) => kindOf(candidate) === kindOf(piece)) ?? this.count++;
    });
    this.known = pieces.map((piece, i) => ({ id: ids[i]!, piece }));
    return this.known;
  }
}

/* An action for something drawn around a point: when the point moves, it slides there. */
export function slide(node: SVGGElement, at: Point) {
  let last = at;
  return {
    update(next: Point) {
      const [x, y] = [last.x - next.x, last.y - next.y];
      last = next;
      if (x === 0 && y === 0) return;
      node.animate([{ transform: `translate(${x}px, ${y}px)` }, { transform: "none" }], { duration: duration(), easing: "ease-out" });
    },
  };
}

/* A transition for what comes from above and goes there; `from` is how high that is. */
export function lift(_node: Element, { from }: { from: number }) {
  return {
    duration: duration(),
    css: (t: number) => `opacity: ${t}; transform: translateY(${(t - 1) * from}px)`,
  };
}
