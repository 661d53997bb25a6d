/* What the hand whose turn it is can do next, as a key of the page's words; null where nobody is asked. */
import type { Table } from "./table.svelte";

export type Step = "stepTake" | "stepPiece" | "stepCell" | "stepBoth" | "stepChoose" | "stepLay";

export function stepOf(table: Table): Step | null {
  if (!table.waiting) return null;
  if (table.position.moves === null) return "stepLay";
  const { places, pieces } = table.position.scene;
  const next = [...table.next];
  const cells = next.filter((place) => places[place]!.kind === "cell");
  if (cells.length === 0) return next.some((place) => table.takes(place) || places[place]!.kind === "hand") ? "stepTake" : "stepChoose";
  const occupied = cells.filter((place) => pieces.some((piece) => piece.place === place)).length;
  if (table.touched.length > 0 || occupied === 0) return "stepCell";
  return occupied === cells.length ? "stepPiece" : "stepBoth";
}
