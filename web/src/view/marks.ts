/* What is written on pieces: a letter for their wood or colour, in the reader's language, for those who cannot tell the
 * colours apart; plain wood has none. A cuboid can stand in several ways, and a number says how high it stands. */
import type { Piece } from "../engine/engine";
import { en, type Key } from "../words/en";
import { words } from "../words/words.svelte";
import { UNIT } from "./shapes";

export function letterOf(material: string): string {
  const key = `letter.${material}`;
  return key in en ? words.t(key as Key) : material === "hidden" ? "?" : "";
}

/* Whether the height is a number that people count: not where a unit is a millimetre. */
export const isCounted = (piece: Piece): boolean => piece.shape === "cuboid" && piece.height < 10 * UNIT;

/* In a hand a piece does not stand yet. */
export const markOf = (piece: Piece, stands: boolean): string =>
  letterOf(piece.material) + (stands && isCounted(piece) ? Math.round(piece.height / UNIT) : "");
