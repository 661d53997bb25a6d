/* A count as people read it: "7", "2 of 3", or without end. */
import type { Standing } from "../engine/engine";
import { words } from "../words/words.svelte";

export const ENDLESS = 255;

const figure = (number: number) => (number === ENDLESS ? "∞" : String(number));

export function counted({ number, most }: Pick<Standing, "number" | "most">): string {
  return most === undefined ? figure(number) : words.t("countOf", figure(number), figure(most));
}
