/* Moves become visible from one scene to the next: what stands elsewhere slides there, what is new is set down, what is
 * gone is lifted off. The ids of pieces tell which is which; the engine gives them. Nothing moves for readers who want less motion. */
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
