/* What a move changed (the engine says it): to mark it, to describe it and to play its sound. */
import type { Difference, GameEvent, Piece, Scene } from "../engine/engine";
import { capital, words } from "../words/words.svelte";
import { isAlike, isUnder, lost } from "./pieces";
import type { Tale } from "./table.svelte";

export const NO_CHANGE: Difference = { gone: [], placed: [], moved: [], left: [], events: [] };

/* Several moves as one: what left a place in any of them, and what came to one and is still there. */
export function joined(changes: Difference[]): Difference {
  const isSame = (a: Piece, b: Piece) => isAlike(a, b) && a.place === b.place && a.x === b.x && a.y === b.y && a.z === b.z;
  const all = structuredClone(NO_CHANGE);
  changes.forEach(({ gone, placed, moved, left, events }, i) => {
    const stays = placed.map((piece) => !changes.slice(i + 1).some((later) => later.gone.some((other) => isSame(piece, other))));
    const spot = (index: number) => all.placed.length + stays.slice(0, index).filter(Boolean).length;
    all.moved.push(...moved.filter(([, to]) => stays[to]).map(([from, to]): [number, number] => [all.gone.length + from, spot(to)]));
    all.left.push(...left.map((index) => all.gone.length + index));
    all.gone.push(...gone);
    all.placed.push(...placed.filter((_, index) => stays[index]));
    all.events.push(...events);
  });
  return all;
}

/* Events as sentences; the last one without its full stop. */
export const sentences = (events: GameEvent[]) => events.map(({ label }) => capital(label)).join(". ");

/* A move in words, with who made it, and its events. */
export const account = (name: string, { told, events }: Tale): string =>
  [words.t("told", name, told), ...(events.length > 0 ? [`${sentences(events)}.`] : [])].join(" ");

/* The cells that changed pieces stand or stood on. */
export function cellsOf(scene: Scene, { gone, placed }: Difference): Set<number> {
  const isChanged = (cell: Scene["places"][number]) =>
    [...gone, ...placed].some((piece) => isUnder(piece, { x: cell.x + cell.width / 2, y: cell.y + cell.depth / 2 }));
  return new Set(scene.places.flatMap((place, index) => (place.kind === "cell" && isChanged(place) ? [index] : [])));
}

/* The move in words: what stands where now and where it came from, and what is gone for good. */
export function tell(scene: Scene, move: string, change: Difference): string {
  const now = change.placed.map((piece, i) => {
    const from = change.gone[change.moved.find(([, to]) => to === i)?.[0] ?? -1];
    return from ? words.t("toldFrom", piece.label, scene.places[from.place]!.name) : piece.label;
  });
  const off = lost(change).map((piece) => piece.label);
  const what = now.join("; ") || scene.places.find((place) => place.name === move)?.label;
  if (off.length === 0) return what ?? move;
  return what ? words.t("toldGone", what, off.join(", ")) : words.t("toldOff", off.join(", "));
}

export type Sound = "place" | "slide" | "capture";

export function soundOf({ gone, placed }: Difference): Sound {
  return placed.length > gone.length ? "place" : placed.length === gone.length ? "slide" : "capture";
}
