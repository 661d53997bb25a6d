/* What the engine says about games that were played to measure a game, and about openings: docs/bench.md. */

export interface Interval {
  value: number;
  low: number;
  high: number;
  games: number;
}

/* After so many plies, one player chooses a side. */
export interface Swap {
  plies: number;
  openings: number; // different ones that were played
  often: number; // of them, those that were played often enough to say something
  first: Interval | null; // of the fairest: the share of the win of player 1
  chooser: Interval | null; // of whoever chooses
  moves: string[];
}

export interface Figures {
  games: number;
  wins: number[];
  draws: number;
  stopped: number;
  shares: (Interval | null)[];
  drawn: Interval | null;
  length: Interval | null;
  branching: Interval | null;
  decided: Interval | null;
  lead_changes: Interval | null;
  swaps: Swap[];
}

export interface Outcomes {
  win: number; // for player 1
  draw: number;
  loss: number;
}

/* All openings of so many plies. */
export interface OpeningRow {
  plies: number;
  lines: Outcomes;
  positions: Outcomes;
  fairest: { value: "win" | "draw" | "loss"; distance: number | null; margin: number | null; moves: string[] };
}

export interface Openings {
  plies: OpeningRow[];
}

/* Whether chance hardly explains that two figures differ: the difference is greater than what the two errors make
 * together, each on the side of the other figure. */
export function differs(a: Interval | null, b: Interval | null): boolean | null {
  if (!a || !b || a.games < 2 || b.games < 2) return null;
  const [less, more] = a.value < b.value ? [a, b] : [b, a];
  return more.value - less.value > Math.hypot(less.high - less.value, more.value - more.low);
}
