/* The words of the bench. */
import { part } from "../../words/part.svelte";
import { en } from "../../words/bench/en";

export const say = part(en, {
  fr: () => import("../../words/bench/fr"),
  de: () => import("../../words/bench/de"),
  nl: () => import("../../words/bench/nl"),
  it: () => import("../../words/bench/it"),
});
