/* The words of the position editor. */
import { en } from "../../words/editor/en";
import { part } from "../../words/part.svelte";

export const say = part(en, {
  fr: () => import("../../words/editor/fr"),
  de: () => import("../../words/editor/de"),
  nl: () => import("../../words/editor/nl"),
  it: () => import("../../words/editor/it"),
});
