/* What every move of a position is worth, as the page asks for it. The worker finds out: job.ts. */
import { desk } from "../desk";

export interface JudgedMove {
  text: string;
  places: number[]; // that a hand touches
  judged: boolean; // the rest means something
  known: "proven" | "searched" | "estimated";
  value: "win" | "draw" | "loss" | null; // with more than two players, a loss means that all others together can prevent a win
  distance: number | null; // plies
  margin: number | null; // points
  score: number; // the result to expect, from -1000 to 1000
  by: string; // "table", "search", "mirror", "rules", or the name of a search
  chances: number[] | null; // with more than two players: of each, in thousandths of a win
  twin: number; // the first move in the list that is the same by symmetry; often the move itself
}

/* Why a table that exists could not be used; the search has taken its place. */
export type Trouble = "missing" | "unreachable" | "damaged" | "version";

export interface Verdict {
  turn: number; // 0: the game is over
  position: string | null; // its text; null where something is hidden
  by: string;
  depth: number;
  nodes: number;
  moves: JudgedMove[]; // best first
  line: string[]; // best play, as far as it is known
  settled: boolean; // nothing more is found out
  table: string | null; // the name of the game's table, if one is known to exist
  trouble: Trouble | null;
}

export interface JudgeOptions {
  seconds?: number; // for a position; by default 4. A table needs far less, and a proof often
  line?: boolean; // false: of the best line, only the first move is wanted. That takes fewer requests
}

/* Judges the position of a game, from its lines as page_new takes them or as the engine keeps them. `progress` is told
 * what is known while the search goes deeper. */
export function judge(
  lines: string,
  { progress, signal, ...options }: JudgeOptions & { progress?: (verdict: Verdict) => void; signal?: AbortSignal } = {},
): Promise<Verdict> {
  return desk.ask<Verdict>("judge", { lines, ...options }, {
    ...(progress && { progress }),
    ...(signal && { signal }),
  });
}

/* Judges many positions, one after the other; `progress` is told each when it is done. */
export function judgeAll(
  games: string[],
  { progress, signal, ...options }: JudgeOptions & { progress?: (news: { index: number; verdict: Verdict }) => void; signal?: AbortSignal } = {},
): Promise<Verdict[]> {
  return desk.ask<Verdict[]>("judge", { games, ...options }, {
    ...(progress && { progress }),
    ...(signal && { signal }),
  });
}
