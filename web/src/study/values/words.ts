/* The words of this part. */
import { en } from "../../words/values/en";
import { part } from "../../words/part.svelte";

export const say = part(en, {
  fr: () => import("../../words/values/fr"),
  de: () => import("../../words/values/de"),
  nl: () => import("../../words/values/nl"),
  it: () => import("../../words/values/it"),
});
