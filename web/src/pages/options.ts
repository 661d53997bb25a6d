/* The options that people choose before a game. */
import type { Game, Option } from "../engine/engine";
import { words } from "../words/words.svelte";

export const askedOf = (game: Game): Option[] => game.options.filter(({ kind }) => kind === "choice" || kind === "size" || kind === "number");

/* All values of an option, of which one is picked; none where sizes are typed. */
export function valuesOf({ kind, values, least, most }: Option): string[] {
  if (kind === "number") return Array.from({ length: most! - least! + 1 }, (_, i) => String(least! + i));
  return kind === "choice" ? values.split("|") : [];
}

/* What was chosen the last time, if it can still be chosen; else what is usual. */
export function chosenOptions(game: Game, last: Record<string, string>): Record<string, string> {
  const kept = (option: Option): string | undefined => {
    const value = last[option.key];
    return value !== undefined && (option.kind === "size" ? /^\d+x\d+$/.test(value) : valuesOf(option).includes(value)) ? value : undefined;
  };
  return Object.fromEntries(askedOf(game).map((option) => [option.key, kept(option) ?? option.default ?? ""]));
}

/* The sides of a size. What is typed stays, and a game begins only with numbers that are possible. */
export const sideNames = ["width", "depth"] as const;

export function isPossible(option: Option, value: string): boolean {
  const number = Number(value);
  return value !== "" && Number.isInteger(number) && number >= option.least! && number <= option.most!;
}

/* Why a game cannot begin with these options; empty if it can. */
export function refusalOf(game: Game, options: Record<string, string>): string {
  if (options.swap === "yes" && Number(options.players ?? 2) > 2) return words.t("swapForTwo");
  return askedOf(game)
    .filter(({ kind }) => kind === "size")
    .flatMap((option) =>
      (options[option.key] ?? "").split("x").flatMap((value, side) => (isPossible(option, value) ? [] : [words.t("outOfRange", words.t(sideNames[side]!), option.least!, option.most!)])),
    )
    .join(" ");
}
