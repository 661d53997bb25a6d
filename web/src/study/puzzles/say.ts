/* The words about puzzles. */
import { en } from "../../words/puzzles/en";
import { part } from "../../words/part.svelte";

export const say = part(en, {
  fr: () => import("../../words/puzzles/fr"),
  de: () => import("../../words/puzzles/de"),
  nl: () => import("../../words/puzzles/nl"),
  it: () => import("../../words/puzzles/it"),
});
