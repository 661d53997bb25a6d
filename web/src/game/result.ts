/* How a game ended, as the people at the table would say it, and what they may want to play next. */
import { words } from "../words/words.svelte";
import type { Side } from "./names";
import type { Seat, Table } from "./table.svelte";

export type Outcome = "won" | "lost" | "drawn" | null;

/* For the only person at the table; null where there are several, or none. */
export function outcomeOf({ winners, setup: { seats }, people }: Table): Outcome {
  if (people !== 1 || winners.length === 0) return null;
  if (winners.length === seats.length) return "drawn";
  return winners.includes(seats.indexOf(0) + 1) ? "won" : "lost";
}

export function resultOf(table: Table, sides: Side[]): string {
  const { winners, verdict } = table;
  if (verdict?.result !== undefined) return verdict.result;
  if (winners.length === sides.length) return words.t("draw");
  const outcome = outcomeOf(table);
  if (outcome !== null) return words.t(outcome === "won" ? "youWon" : "youLost");
  return words.t(winners.length === 1 ? "wins" : "winShared", winners.map((player) => sides[player - 1]!.name).join(", "));
}

/* Everybody plays what the player before them played. */
export const swapped = (seats: Seat[]): Seat[] => [seats.at(-1)!, ...seats.slice(0, -1)];

/* Computers that are harder to beat for a person who did not lose, else easier ones; null where there are none. */
export function nextLevels(table: Table): Seat[] | null {
  const outcome = outcomeOf(table);
  if (outcome === null) return null;
  const step = outcome === "lost" ? -1 : 1;
  const seats = table.setup.seats.map((seat) => (seat === 0 ? 0 : Math.min(Math.max(seat + step, 1), 10)));
  return seats.some((seat, i) => seat !== table.setup.seats[i]) ? seats : null;
}
