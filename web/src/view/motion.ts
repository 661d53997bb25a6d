/* Moves become visible from the difference of two scenes: what stands elsewhere slides there, what is new is
 * set down, what is gone is lifted off. Nothing moves for readers who want less motion. */
import type { Difference, Piece } from "../engine/engine";
import { NO_CHANGE } from "../game/difference";
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
/* Whether all of these are among the pieces. */
const hold = (pieces: Piece[], some: Piece[]) => some.every((piece) => pieces.some((other) => spotOf(other) === spotOf(piece)));

/* Gives the pieces of one scene after another names that stay with them. The change that led to a scene tells which is
 * which, also when it is taken back; where the last scene was another one, those that look alike are the same. */
export class Tracker {
  private known: Tracked[] = [];
  private count = 0;
  private last = NO_CHANGE;

  follow(pieces: Piece[], change: Difference = NO_CHANGE): Tracked[] {
    const { gone, placed, moved } = change;
    const back = this.last;
    this.last = change;
    const before = this.known.map(({ piece }) => piece);
    if (hold(before, gone) && hold(pieces, placed)) return this.match(pieces, gone, moved.map(([from, to]) => [gone[from]!, placed[to]!]));
    if (hold(before, back.placed) && hold(pieces, back.gone)) return this.match(pieces, back.placed, back.moved.map(([from, to]) => [back.placed[to]!, back.gone[from]!]));
    return this.match(pieces, [], []);
  }

  /* `away`: what is no longer where it was. `journeys`: where some of it is now. */
  private match(pieces: Piece[], away: Piece[], journeys: [from: Piece, to: Piece][]): Tracked[] {
    const idOf = (piece: Piece) => this.known.find((candidate) => spotOf(candidate.piece) === spotOf(piece))?.id;
    const arrived = new Map(journeys.map(([from, to]) => [spotOf(to), idOf(from)]));
    const loose = this.known.filter(({ piece }) => !hold(away, [piece]));
    const take = (fits: (candidate: Piece) => boolean) => {
      const index = loose.findIndex((candidate) => fits(candidate.piece));
      return index < 0 ? undefined : loose.splice(index, 1)[0]!.id;
    };
    // Those that stay come first, so that none of them is mistaken for one that moves.
    const ids = pieces.map((piece) => arrived.get(spotOf(piece)) ?? take((candidate) => spotOf(candidate) === spotOf(piece)));
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

/* A transition for what goes: what was pushed slides off in that way (y upwards, as on the board), anything else is lifted off. */
export function leave(node: Element, { from, way }: { from: number; way: Point | null }) {
  if (way === null) return lift(node, { from });
  return {
    duration: 2 * duration(),
    css: (t: number) => `opacity: ${Math.min(1, 2 * t)}; transform: translate(${(1 - t) * 1.2 * way.x}px, ${(t - 1) * 1.2 * way.y}px)`,
  };
}
