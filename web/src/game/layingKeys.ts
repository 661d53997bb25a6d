/* Keys for laying a piece freely: arrows move it (with Shift finely), comma and full stop turn it (with Shift
 * finely), N goes to another possible place. */
import type { Laying } from "./laying.svelte";

const STEP = 5000; // thousandths of a unit
const FINE = 500;

/* Does what a key asks for; false if it asks for nothing. `away` is 1, or -1 where the floor is seen from the
 * other side. */
export function layingKey(laying: Laying, event: KeyboardEvent, away: number): boolean {
  const step = away * (event.shiftKey ? FINE : STEP);
  const acts: Record<string, () => void> = {
    ArrowLeft: () => laying.moveBy(-step, 0),
    ArrowRight: () => laying.moveBy(step, 0),
    ArrowUp: () => laying.moveBy(0, step),
    ArrowDown: () => laying.moveBy(0, -step),
    ",": () => laying.turn(15),
    ".": () => laying.turn(-15),
    "<": () => laying.turn(1),
    ">": () => laying.turn(-1),
    ";": () => laying.turn(1),
    ":": () => laying.turn(-1),
    n: () => laying.another(),
    N: () => laying.another(),
  };
  acts[event.key]?.();
  return event.key in acts;
}
