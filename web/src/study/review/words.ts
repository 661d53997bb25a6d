/* The words of the review. */
import { part } from "../../words/part.svelte";
import { en } from "../../words/review/en";

export const say = part(en, {
  fr: () => import("../../words/review/fr"),
  de: () => import("../../words/review/de"),
  nl: () => import("../../words/review/nl"),
  it: () => import("../../words/review/it"),
});
