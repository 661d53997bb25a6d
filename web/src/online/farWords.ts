/* The words of a table at which people in different places play. */
import { en } from "../words/fartable/en";
import { part } from "../words/part.svelte";

export const say = part(en, {
  fr: () => import("../words/fartable/fr"),
  de: () => import("../words/fartable/de"),
  nl: () => import("../words/fartable/nl"),
  it: () => import("../words/fartable/it"),
});

/* A conditional line: "If a1b2: c3d4 – b2b3 – d4d3". */
export const lineText = ([first = "", ...rest]: string[]): string => say.t("promiseLine", first, rest.length > 0 ? rest.join(" – ") : "…");

/* What people can say to each other. */
export const PHRASES = ["phrase0", "phrase1", "phrase2", "phrase3", "phrase4", "phrase5", "phrase6", "phrase7", "phrase8", "phrase9", "phrase10", "phrase11"] as const;

/* What somebody else offers. */
export const OFFERS = { draw: "offersDraw", "take-back": "offersTakeBack", rematch: "offersRematch" } as const;
