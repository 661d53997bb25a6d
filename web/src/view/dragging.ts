/* Dragging pieces with mouse or finger: after a press and a small move, the piece follows; on release it is dropped.
 * Without a move it is an ordinary click. */
import type { Piece } from "../engine/engine";
import type { Hand } from "../game/hand.svelte";
import { holdStill } from "./motion";

const ENOUGH = 6; // pixels
const ABOVE_FINGER = 44;

export interface Source {
  place: number | null; // what a hand touches to take it
  piece: Piece;
}

/* Some people always click twice: the second click of a double click would undo the first. A finger does tap twice, to
 * show the place and to lay the piece. */
export function isMeant(click: MouseEvent): boolean {
  return click.detail < 2 || (click as PointerEvent).pointerType !== "mouse";
}

/* An attachment: `source` says what a press here would take, if anything. */
export function dragging(hand: Hand, source: (event: PointerEvent) => Source | null) {
  return (node: HTMLElement) => {
    let end = () => {}; // ends the present drag
    const press = (event: PointerEvent) => {
      const found = event.isPrimary && event.button === 0 ? source(event) : null;
      if (found) end = follow(hand, found, event);
    };
    node.addEventListener("pointerdown", press);
    return () => {
      node.removeEventListener("pointerdown", press);
      end();
    };
  };
}

/* From a press until it ends, wherever the pointer goes. */
function follow(hand: Hand, source: Source, pressed: PointerEvent): () => void {
  const watching = new AbortController();
  let moving = false;

  const at = (event: PointerEvent) =>
    hand.locate(event.clientX, event.clientY - (event.pointerType === "touch" ? ABOVE_FINGER : 0));

  function watch(type: "pointermove" | "pointerup" | "pointercancel", then: (event: PointerEvent) => void): void {
    const heed = (event: PointerEvent) => event.pointerId === pressed.pointerId && then(event);
    window.addEventListener(type, heed, { signal: watching.signal });
  }

  watch("pointermove", (event) => {
    // Released where the page could not see it: in another window, over a menu.
    if (event.buttons === 0) return end();
    if (!moving && Math.hypot(event.clientX - pressed.clientX, event.clientY - pressed.clientY) > ENOUGH) {
      moving = true;
      hand.pick(source.piece, source.place);
    }
    if (moving) hand.carry(at(event));
  });
  watch("pointerup", (event) => {
    watching.abort();
    if (!moving) return;
    holdStill();
    hand.drop(at(event));
    // A drag ends with a click that nobody intended.
    const swallow = (click: MouseEvent) => click.stopPropagation();
    window.addEventListener("click", swallow, { capture: true });
    setTimeout(() => window.removeEventListener("click", swallow, { capture: true }));
  });
  watch("pointercancel", end);
  const escape = (event: KeyboardEvent) => event.key === "Escape" && (end(), hand.table.letGo());
  window.addEventListener("keydown", escape, { signal: watching.signal });

  function end(): void {
    if (moving && !watching.signal.aborted) hand.cancel();
    watching.abort();
  }
  return end;
}
