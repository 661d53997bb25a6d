/* The words of this part. */
import { en } from "../../words/explorer/en";
import { part } from "../../words/part.svelte";

export const say = part(en, {
  fr: () => import("../../words/explorer/fr"),
  de: () => import("../../words/explorer/de"),
  nl: () => import("../../words/explorer/nl"),
  it: () => import("../../words/explorer/it"),
});
