/* The rows of a review, as `nonet analyse --json` gives them (docs/analysis.md), where they stand in their lanes, and
 * what is said of them. */
import type { Trouble } from "../truth/judge";
import type { Side } from "../../game/names";
import { say } from "./words";

export interface Choice {
  legal: number;
  keeps: number | null; // null where it is not proven of all
}

/* What a position leads to, from the side of a player. */
export interface Outlook {
  player: number;
  value: "win" | "draw" | "loss" | null; // null: not proven
  distance: number | null;
  margin: number | null;
  proof: string;
  score: number;
  lane: number | null; // the player who wins, 0: nobody, null: not judged
  chances: number[] | null; // with more than two players: thousandths of a win
  replies: Choice;
}

export interface Row extends Outlook, Choice {
  number: number;
  move: string;
  judged: boolean;
  loss: number | null;
  mark: "" | "!" | "?" | "??";
  turned: boolean;
  slower: number;
  line: string[]; // best play after it
  best: { move: string; value: Outlook["value"]; line: string[] };
}

export interface PlayerTally {
  player: number;
  kept: number;
  of: number;
  chance: number;
  number: number | null;
  accuracy: number | null;
  counted: number;
}

/* What a review tells at a time: its rows from some ply on. */
export interface Part {
  measure: "exact" | "expected";
  players: PlayerTally[];
  start?: Outlook;
  moves: Row[];
  table: string; // the name of the game's table
  trouble: Trouble | null; // why it is not used, if it should be
}

export type Known = "proven" | "searched" | "estimated";
export const knownOf = ({ proof }: Outlook): Known => (proof === "searched" || proof === "estimated" ? proof : "proven");

/* The lanes from left to right. Of two players, nobody stands between them; of more, last. */
export const lanesOf = (players: number): number[] => (players === 2 ? [1, 0, 2] : [...Array.from({ length: players }, (_, i) => i + 1), 0]);

const WON = 1000; // the score of a win, and all chances together
const AHEAD = 667; // a score that counts as one

/* The longest distance and the largest margin of a game: they fill a lane. */
export interface Scale {
  distance: number;
  margin: number;
}
export function scaleOf(all: Outlook[]): Scale {
  const most = (numbers: (number | null)[]) => Math.max(1, ...numbers.map((number) => Math.abs(number ?? 0)));
  return { distance: most(all.map(({ distance }) => distance)), margin: most(all.map(({ margin }) => margin)) };
}

/* How far from the sure end of its lane something stands, from 0 to 1. */
function remoteness({ value, distance, margin, score }: Outlook, scale: Scale): number {
  if (value === null) return (WON - Math.abs(score)) / (WON - AHEAD);
  if (margin !== null) return 1 - Math.abs(margin) / scale.margin;
  return distance === null ? 0.5 : distance / scale.distance;
}

/* Which share of the replies would lose; null where that is not known. */
export const risk = ({ lane, replies: { legal, keeps } }: Outlook): number | null => (lane === 0 && keeps !== null && legal > 0 ? (legal - keeps) / legal : null);

/* Between -1 and 1 where nobody wins: nearer to the player for whom things look well. */
function lean(outlook: Outlook): number {
  const share = outlook.value === null ? outlook.score / AHEAD : (risk(outlook) ?? 0);
  return outlook.player === 1 ? -share : share;
}

/* Where the dot stands, in percent of the width of all lanes; null where nothing is known. */
export function placeOf(outlook: Outlook, lanes: number[], scale: Scale): number | null {
  if (outlook.lane === null) return null;
  const width = 100 / lanes.length;
  const lane = lanes.indexOf(outlook.lane);
  const inside = (share: number) => (lane + 0.22 + 0.56 * Math.min(Math.max(share, 0), 1)) * width;
  if (outlook.chances !== null) return inside(Math.max(...outlook.chances) / WON);
  if (outlook.lane === 0) return inside(0.5 + lean(outlook) / 2);
  const far = remoteness(outlook, scale);
  return inside(outlook.lane === 1 ? far : 1 - far);
}

/* Points of the first player less those of the second at the end; null where that is not proven. */
export const marginOf = ({ player, margin }: Outlook): number | null => (margin === null ? null : player === 1 ? margin : -margin);

const percent = (score: number) => Math.round(((score + WON) * 100) / (2 * WON));

/* Who wins, in words. */
export function worth(outlook: Outlook, sides: Side[]): string {
  const name = (player: number) => sides[player - 1]!.name;
  const { lane, value, distance, margin, score, player, chances } = outlook;
  if (lane === null) return say.t("unknown");
  if (chances !== null) return chances.map((share, i) => say.t("expects", name(i + 1), Math.round((share * 100) / WON))).join(", ");
  if (value === null) return lane === 0 ? say.t("even", percent(score), name(player)) : say.t("ahead", name(lane), percent(Math.abs(score)));
  if (lane === 0) return say.t("drawn");
  if (margin !== null) return say.t("winsBy", name(lane), Math.abs(margin));
  return distance === null ? say.t("wins", name(lane)) : say.t("winsIn", name(lane), distance);
}

/* The same with how it is known, and which replies would lose. */
export function outlookInWords(outlook: Outlook, sides: Side[]): string {
  const { legal, keeps } = outlook.replies;
  const share = risk(outlook);
  return [
    worth(outlook, sides),
    ...(outlook.lane === null ? [] : [say.t(knownOf(outlook))]),
    ...(share === null || outlook.value === null ? [] : [say.t("repliesLose", legal - keeps!, legal)]),
  ].join(", ");
}

/* What the move gave away. */
export function lossInWords({ player, best }: Row, sides: Side[]): string {
  return say.t(best.value === "win" ? "lostWin" : best.value === "draw" ? "lostDraw" : "lostChances", sides[player - 1]!.name);
}

/* What a screen reader is told of a row. */
export function rowInWords(row: Row, sides: Side[]): string {
  const kept = row.keeps === null ? [] : [say.t("keptSpoken", row.keeps, row.legal)];
  return [
    outlookInWords(row, sides),
    ...kept,
    ...(row.turned ? [lossInWords(row, sides)] : []),
    ...(row.slower > 0 ? [say.t("slower", row.slower)] : []),
  ].join(". ");
}

/* How well a player played. */
export function tallyInWords({ player, kept, of, chance, number, accuracy, counted }: PlayerTally, measure: Part["measure"], sides: Side[]): string {
  const name = sides[player - 1]!.name;
  if (measure === "exact") return of === 0 ? say.t("nothingToSpoil", name) : say.t("exact", name, kept, of, chance.toFixed(1), number!);
  return counted === 0 ? say.t("nothingCounted", name) : say.t("expected", name, accuracy!.toFixed(1), counted);
}
