/* A hint says a little at a time: where to look, which piece to take, and the move itself. Where a move leaves nothing to
 * choose but its last touch, there are only two steps. Where there is but one move, nobody has to look for it. */
import type { Difference, Move, Place, Position } from "../../engine/engine";
import type { Notice } from "../../game/table.svelte";
import { touchable } from "../../game/touching";
import { UNIT } from "../../view/shapes";
import { say } from "./words";

/* Half of a row of values: the half that has this one. An odd row's halves share the middle. */
function halfAround(values: number[], value: number): Set<number> {
  const all = [...new Set(values)].sort((a, b) => a - b);
  const half = Math.ceil(all.length / 2);
  return new Set(all.indexOf(value) < all.length / 2 ? all.slice(0, half) : all.slice(-half));
}

/* The quarter of the board's cells that has this one. */
function quarterAround(places: Place[], target: number): number[] {
  const cells = places.flatMap((place, index) => (place.kind === "cell" ? [index] : []));
  const [columns, rows] = [halfAround(cells.map((cell) => places[cell]!.x), places[target]!.x), halfAround(cells.map((cell) => places[cell]!.y), places[target]!.y)];
  return cells.filter((cell) => columns.has(places[cell]!.x) && rows.has(places[cell]!.y));
}

/* From corner to corner. */
function corners(places: Place[], cells: number[]): [string, string] {
  const sorted = cells.map((cell) => places[cell]!).sort((a, b) => a.x + a.y - b.x - b.y);
  return [sorted[0]!.name, sorted.at(-1)!.name];
}

type Part = (said: string) => Notice;
const notice = (text: string, marks: number[], place: number | null = null): Notice => ({ text, place, kind: "hint", marks });

/* Where the move does something: a quarter of the board or of the floor, or beside it. */
function where({ scene }: Position, move: Move | null, change: Difference): Part {
  const { places } = scene;
  const isCell = (place: number | undefined) => places[place ?? -1]?.kind === "cell";
  const target = [move?.at(-1) as number | undefined, ...change.placed.map(({ place }) => place)].find(isCell);
  const lying = change.placed.find(({ place }) => places[place]!.kind === "floor");
  if (target !== undefined) {
    const cells = quarterAround(places, target);
    return (said) => notice(say.t("hintWhere", said, ...corners(places, cells)), cells);
  }
  if (!lying) return (said) => notice(say.t("hintBeside", said), []);
  const quarter = (at: number, whole: number) => (at < whole / 2 ? [0, whole / 2] : [whole / 2, whole]).map((edge) => Math.round(edge / UNIT));
  const [left, right] = quarter(lying.x, scene.width);
  const [near, far] = quarter(lying.y, scene.depth);
  return (said) => notice(say.t("hintFloor", said, left!, right!, near!, far!), []);
}

/* The first choice that the move makes, unless it is its last one. */
function which({ scene, moves }: Position, move: Move | null, change: Difference): Part | null {
  const { places, pieces } = scene;
  if (move === null) {
    const kinds = pieces.filter((piece) => places[piece.place]!.kind === "hand");
    const kind = kinds.find(({ height }) => height === change.placed[0]?.height);
    return kinds.length < 2 || !kind ? null : (said) => notice(say.t("hintWhich", said, places[kind.place]!.label), []);
  }
  const touches = move.slice(1) as number[];
  const step = touches.findIndex((_, i) => touchable(moves!, touches.slice(0, i)).size > 1);
  if (step < 0 || step === touches.length - 1) return null;
  const place = touches[step]!;
  const isCell = places[place]!.kind === "cell";
  const top = pieces.filter((piece) => piece.place === place || piece.button === place).reduce<(typeof pieces)[number] | null>((a, b) => (a === null || b.z > a.z ? b : a), null);
  return (said) => notice(say.t("hintWhich", said, isCell ? (top?.label ?? places[place]!.name) : places[place]!.label), isCell ? [place] : [], isCell ? place : null);
}

function steps(position: Position, move: Move | null, change: Difference): Notice[] {
  if (position.count === 1) return [];
  const parts = [where(position, move, change), which(position, move, change)].filter((part) => part !== null);
  return parts.map((part, i) => part(say.t("hintStep", i + 1, parts.length + 1)));
}

/* The steps before the move is said, in the reader's language. */
export async function gradual(): Promise<typeof steps> {
  await say.learn();
  return steps;
}
