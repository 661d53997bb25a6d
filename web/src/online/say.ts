/* The words about finding each other, and what they say of a table. */
import { en } from "../words/online/en";
import { part } from "../words/part.svelte";
import { words } from "../words/words.svelte";
import type { Clock, FarSeat } from "./api";

export const say = part(en, {
  fr: () => import("../words/online/fr"),
  de: () => import("../words/online/de"),
  nl: () => import("../words/online/nl"),
  it: () => import("../words/online/it"),
});

/* "90 seconds", "10 minutes", "3 days": in the largest unit that fits. */
const UNITS = [
  ["day", 86_400_000],
  ["hour", 3_600_000],
  ["minute", 60_000],
  ["second", 1000],
] as const;
function duration(ms: number): string {
  const [unit, size] = UNITS.find(([, size]) => ms >= size && ms % size === 0) ?? UNITS.at(-1)!;
  return new Intl.NumberFormat(words.language, { style: "unit", unit, unitDisplay: "long", maximumFractionDigits: 1 }).format(ms / size);
}

export function clockWords(clock: Clock): string {
  if (clock.kind === "none") return say.t("clockNone");
  if (clock.kind === "move") return clock.pause ? say.t("clockIsPause", duration(clock.budget), duration(clock.pause)) : say.t("clockIsMove", duration(clock.budget));
  return clock.increment > 0 ? say.t("clockIsMore", duration(clock.budget), duration(clock.increment)) : say.t("clockIsGame", duration(clock.budget));
}

export function seatWords(seat: FarSeat): string {
  return seat.name ?? (seat.level === undefined ? say.t("vacant") : words.t("computerAt", seat.level));
}
