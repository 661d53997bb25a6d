/* How many of the replies to a move err: they give away the result that the best reply has. */
import type { Verdict } from "../truth/judge";

export interface Replies {
  turn: number; // who replies; 0: nobody, the game is over
  count: number; // those that were judged; where that is exact, all of them
  err: number;
  isExact: boolean;
}

const RANKS = { loss: 0, draw: 1, win: 2 };
const MISTAKE = 200; // of a score from -1000 to 1000: a tenth of a win, as in reviews

export function repliesOf({ turn, moves }: Verdict, players: number): Replies {
  if (players === 2 && moves.every(({ known, value }) => known === "proven" && value !== null)) {
    const ranks = moves.map(({ value }) => RANKS[value!]);
    const best = Math.max(...ranks);
    return { turn, count: moves.length, err: ranks.filter((rank) => rank < best).length, isExact: true };
  }
  const scores = moves.filter(({ judged }) => judged).map(({ score }) => score);
  const best = Math.max(...scores);
  return { turn, count: scores.length, err: scores.filter((score) => best - score >= MISTAKE).length, isExact: false };
}
