/* The figures of two settings, arranged for plots and tables: a group is a plot, a row of it a line in its table. */
import { words } from "../../words/words.svelte";
import { differs, type Figures, type Interval } from "./figures";
import { say } from "./words";

export interface Row {
  key: string; // in files, in English
  label: string;
  of: (Interval | null)[]; // by setting
  clear: boolean | null; // whether the settings differ
  openings?: (string | null)[]; // that the figures are about
}

export interface Group {
  key: "balance" | "draws" | "length" | "branching" | "decided" | "leads" | "swap";
  percent: boolean;
  least: number; // where the plot begins
  most: number; // and ends
  even: number[]; // where an even game would be, of the different settings
  rows: Row[];
  notes: string[];
}

const row = (key: string, label: string, of: (Interval | null)[]): Row => ({ key, label, of, clear: differs(of[0] ?? null, of[1] ?? null) });

/* A number that is not less, so that there is room in the plot, and whose quarters are round. */
function roundUp(number: number): number {
  const power = 10 ** Math.floor(Math.log10(Math.max(number, 1)));
  return [1, 2, 4, 6, 8, 10].map((factor) => factor * power).find((round) => round >= number)!;
}

const greatest = (rows: Row[]) => roundUp(Math.max(0, ...rows.flatMap(({ of }) => of.map((interval) => interval?.high ?? 0))));

export function groupsOf(all: (Figures | null)[], names: string[]): Group[] {
  const seats = Math.max(...all.map((figures) => figures?.shares.length ?? 0));
  const of = (pick: (figures: Figures) => Interval | null | undefined) => all.map((figures) => (figures && pick(figures)) ?? null);
  const share = (key: Group["key"], rows: Row[], more: Partial<Group> = {}): Group => ({ key, percent: true, least: 0, most: 1, even: [], rows, notes: [], ...more });
  const number = (key: Group["key"], rows: Row[]): Group => ({ key, percent: false, least: 0, most: greatest(rows), even: [], rows, notes: [] });

  /* Teams get a whole win together. */
  const evenOf = ({ shares }: Figures) => Math.round((1000 * shares.reduce((sum, one) => sum + (one?.value ?? 0), 0)) / shares.length) / 1000;
  const even = [...new Set(all.flatMap((figures) => (figures ? [evenOf(figures)] : [])))];
  const balance = Array.from({ length: seats }, (_, i) => row(`player ${i + 1}`, words.t("player", i + 1), of(({ shares }) => shares[i])));
  if (even.length > 1) for (const one of balance) one.clear = null; // of two players, each gets more than of three
  const stopped = all.reduce((sum, figures) => sum + (figures?.stopped ?? 0), 0);

  const plies = Math.max(0, ...all.map((figures) => figures?.swaps.length ?? 0));
  const swaps = Array.from({ length: plies }, (_, i): Row => ({
    ...row(`swap after ${i + 1}`, i === 0 ? say.t("swapAfterOne") : say.t("swapAfter", i + 1), of((figures) => figures.swaps[i]?.chooser)),
    openings: all.map((figures) => figures?.swaps[i]?.moves.join(" ") ?? null),
  }));
  const rare = all.flatMap((figures, setting) => {
    const found = figures?.swaps.find(({ often }) => often === 0);
    return found ? [say.t("swapRare", names[setting]!, found.plies)] : [];
  });

  return [
    share("balance", balance, { even }),
    share("draws", [row("draws", say.t("draws"), of(({ drawn }) => drawn))], { notes: stopped > 0 ? [say.t("stoppedGames", stopped)] : [] }),
    number("length", [row("plies", say.t("length"), of(({ length }) => length))]),
    number("branching", [row("branching", say.t("branching"), of(({ branching }) => branching))]),
    share("decided", [row("decided", say.t("decided"), of(({ decided }) => decided))]),
    number("leads", [row("lead changes", say.t("leads"), of(({ lead_changes }) => lead_changes))]),
    share("swap", swaps.filter((one) => one.of.some((interval) => interval !== null)), { least: 0.5, even: [0.5], notes: plies === 0 ? [say.t("noSwap")] : rare }),
  ];
}

/* Numbers for people, in their language; millions in a word. */
const MANY = 10_000;
const shown = (value: number, digits: number) =>
  new Intl.NumberFormat(words.language, value < MANY ? { maximumFractionDigits: digits, minimumFractionDigits: digits } : { notation: "compact", maximumSignificantDigits: 3 }).format(value);

/* Figures have three decimals: 0.145 is 14.5, and not a little less. */
const inHundredths = (share: number) => Math.round(1000 * share) / 10;

/* The value, and the interval. */
export function valueInWords({ percent }: Group, interval: Interval | null): string[] {
  if (interval === null) return [say.t("unknown")];
  const [value, low, high] = [interval.value, interval.low, interval.high].map((number) => (percent ? shown(inHundredths(number), 0) : shown(number, number < 100 ? 1 : 0)));
  return [percent ? say.t("percent", value!) : value!, say.t("interval", low!, high!)];
}

export const tickInWords = ({ percent }: Group, value: number): string => (percent ? say.t("percent", shown(inHundredths(value), 0)) : shown(value, value % 1 === 0 ? 0 : value % 0.5 === 0 ? 1 : 2));
