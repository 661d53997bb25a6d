/* Dragging pieces with mouse or finger: pressed and moved a little, a piece comes along; let go, it is dropped.
 * Without a move it is a click like any other. */
import type { Piece } from "../engine/engine";
import type { Hand } from "../game/hand.svelte";
import { holdStill } from "./motion";

const ENOUGH = 6; // pixels
const ABOVE_FINGER = 44;

export interface Source {
  place: number | null; // what a hand touches to take it
  piece: Piece;
}

/* An attachment: `source` says what a press here would take, if anything. */
export function dragging(hand: Hand, source: (event: PointerEvent) => Source | null) {
  return (node: HTMLElement) => {
    let pressed: { x: number; y: number; id: number; source: Source } | null = null;
    let moving = false;

    const at = (event: PointerEvent) => hand.locate(event.clientX, event.clientY - (event.pointerType === "touch" ? ABOVE_FINGER : 0));

    function press(event: PointerEvent): void {
      const found = event.isPrimary && event.button === 0 ? source(event) : null;
      pressed = found && { x: event.clientX, y: event.clientY, id: event.pointerId, source: found };
      moving = false;
    }

    function move(event: PointerEvent): void {
      if (pressed === null || event.pointerId !== pressed.id) return;
      if (!moving && Math.hypot(event.clientX - pressed.x, event.clientY - pressed.y) > ENOUGH) {
        moving = true;
        node.setPointerCapture(event.pointerId);
        hand.pick(pressed.source.piece, pressed.source.place);
      }
      if (moving) hand.carry(at(event));
    }

    function release(event: PointerEvent): void {
      if (moving && pressed?.id === event.pointerId) {
        holdStill();
        hand.drop(at(event));
      }
      pressed = null;
    }

    function giveUp(): void {
      if (moving) hand.cancel();
      pressed = null;
      moving = false;
    }

    /* A drag ends in a click that nobody means. */
    function swallow(event: MouseEvent): void {
      if (!moving) return;
      event.stopPropagation();
      event.preventDefault();
      moving = false;
    }

    node.addEventListener("pointerdown", press);
    node.addEventListener("pointermove", move);
    node.addEventListener("pointerup", release);
    node.addEventListener("pointercancel", giveUp);
    node.addEventListener("click", swallow, true);
    return () => {
      node.removeEventListener("pointerdown", press);
      node.removeEventListener("pointermove", move);
      node.removeEventListener("pointerup", release);
      node.removeEventListener("pointercancel", giveUp);
      node.removeEventListener("click", swallow, true);
    };
  };
}
