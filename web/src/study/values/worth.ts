/* What a move is worth, as a sign, a number and words. */
import type { JudgedMove, Verdict } from "../truth/judge";
import { say } from "./words";

export type Kind = "win" | "draw" | "loss" | "open";

export interface Worth {
  kind: Kind; // open: not proven
  known: JudgedMove["known"];
  number: string; // short, for a sign
  words: string; // with how it is known
}

/* The share of the win that this player may expect, in percent. */
export const percentOf = (shares: number[], player: number) => Math.round((100 * shares[player - 1]!) / Math.max(shares.reduce((sum, share) => sum + share, 0), 1));

export const percent = (share: number) => say.t("percent", share);

const SIGNS: Record<Kind, string> = { win: "▲", draw: "=", loss: "▼", open: "≈" };
export const signOf = ({ kind }: { kind: Kind }) => SIGNS[kind];

/* A margin always has its sign. */
const signed = (margin: number) => (margin > 0 ? `+${margin}` : `−${-margin}`);

function judged({ value, distance, margin, score, chances }: JudgedMove, turn: number): [Kind, number: string, words: string] {
  // Among several players, only a win is forced against all others.
  if (chances !== null && value !== "win") {
    const share = percent(percentOf(chances, turn));
    return ["open", share, say.t("expects", share)];
  }
  if (value === null) {
    const share = percent(Math.round((score + 1000) / 20));
    return ["open", share, say.t("expects", share)];
  }
  if (value === "draw") return ["draw", "", say.t("draw")];
  if (margin !== null) return [value, signed(margin), say.t("worth", say.t(value), say.t(Math.abs(margin) === 1 ? "marginOne" : "margin", signed(margin)))];
  if (distance === null) return [value, "", say.t(value)];
  return [value, String(distance), say.t(value === "win" ? "winIn" : "lossIn", distance)];
}

export function worthOf(move: JudgedMove, turn: number): Worth {
  const [kind, number, text] = judged(move, turn);
  const known = kind === "open" && move.known === "proven" ? "estimated" : move.known;
  return { kind, known, number, words: say.t("worth", text, say.t(known)) };
}

/* Moves that are equal by symmetry. One of them stands for all, always the same one, however the search orders them. */
export interface Row {
  move: JudgedMove;
  twins: JudgedMove[]; // all of them
  letter: string; // that marks them on the board; empty for a move without twins
  worth: Worth;
}

/* Greek, since the names of places have Latin letters. */
const LETTERS = "αβγδεζηθικλμνξοπρστυφχψω";

export function rowsOf({ moves, turn }: Verdict): Row[] {
  const groups = new Map<number, JudgedMove[]>();
  moves.forEach((move) => move.judged && groups.set(move.twin, [...(groups.get(move.twin) ?? []), move]));
  let letters = 0;
  return [...groups.values()].map((twins) => {
    const index = twins.length > 1 ? letters++ : -1;
    const round = Math.floor(index / LETTERS.length);
    const letter = index < 0 ? "" : LETTERS[index % LETTERS.length]! + (round > 0 ? round + 1 : "");
    twins.sort((a, b) => (a.text < b.text ? -1 : 1));
    return { move: twins[0]!, twins, letter, worth: worthOf(twins[0]!, turn) };
  });
}
