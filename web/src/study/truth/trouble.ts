/* Why a table could not be used, in the reader's language, and what can be done about it. */
import { en } from "../../words/truth/en";
import { part } from "../../words/part.svelte";
import { fileOf } from "./files";
import type { Verdict } from "./judge";

const say = part(en, {
  fr: () => import("../../words/truth/fr"),
  de: () => import("../../words/truth/de"),
  nl: () => import("../../words/truth/nl"),
  it: () => import("../../words/truth/it"),
});

/* The command that builds a table: "nonet solve kolem -o steps=4". */
function command(table: string): string {
  const [game, options] = table.split(":");
  return ["nonet solve", game, ...(options?.split(",") ?? []).map((option) => `-o ${option}`)].join(" ");
}

/* Null if there was no trouble. */
export const troubleText = ({ trouble, table }: Pick<Verdict, "trouble" | "table">): string | null =>
  trouble && table ? say.t(`trouble.${trouble}`, fileOf(table), command(table)) : null;
