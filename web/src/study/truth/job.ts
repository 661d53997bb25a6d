/* The job `judge`: what every move of a position is worth. A table if there is one, else the search, which goes deeper
 * for some seconds. */
import { nextPortion } from "../../engine/portion";
import type { Bench } from "../worker";
import type { JudgeOptions, Trouble, Verdict } from "./judge";
import { bringMissing, giveUp, isKnown, TableTrouble, troubleOf, useTable } from "./table";

type Question = JudgeOptions & ({ lines: string } | { games: string[] });
type Said = Omit<Verdict, "settled" | "table" | "trouble"> & { trouble: string | null };

/* As enum judge_status in engine/study/judge.h. */
const WAITING = 1;
const SETTLED = 2;

const PROOF_NODES = 2_000_000n; // for a proof by search, before only the player goes on
const SECONDS = 4;
const SLICE = 15; // milliseconds between two looks at the messages
const TELL = 250; // milliseconds between two verdicts
const SEED = 1n; // the same position is judged in the same way

/* The position was dropped by the one who asked. */
export class Unwanted extends Error {}

/* Judges the position of a game, for this job and for others that need verdicts. */
export async function judgeGame({ engine, dropped }: Bench, lines: string, { seconds = SECONDS, line = true }: JudgeOptions, tell?: (verdict: Verdict) => void): Promise<Verdict> {
  engine.restore(lines);
  const name = engine.text("study_table_name");
  const table = isKnown(name) ? name : null;
  let trouble: Trouble | null = null;

  const failed = (error: unknown): void => {
    if (!(error instanceof TableTrouble)) throw error;
    trouble = error.trouble;
  };
  const begin = () => engine.must("study_judge", PROOF_NODES, 0n, SEED, line ? 0 : 1);
  const verdict = (settled: boolean): Verdict => {
    const said = engine.ask<Said>("study_verdict");
    return { ...said, settled, table, trouble: trouble ?? (said.trouble ? troubleOf(said.trouble) : null) };
  };

  await useTable(engine, name).catch(failed);
  begin();
  const start = performance.now();
  let told = start;
  let complete = !tell || !table; // by a table, the values of the moves are told before the line is followed
  let nodes = 64;
  for (;;) {
    const before = performance.now();
    const status = engine.number("study_advance", null, BigInt(nodes));
    const spent = performance.now() - before;
    nodes = nextPortion(nodes, spent, SLICE / 2, SLICE * 2);
    if (status === SETTLED || performance.now() - start > 1000 * seconds) {
      const last = verdict(status === SETTLED);
      if (last.trouble && !trouble) await giveUp(engine, name, last.trouble);
      return last;
    }
    if (status === WAITING) {
      await bringMissing(engine).catch(async (error: unknown) => {
        failed(error);
        await giveUp(engine, name, trouble!);
        begin(); // by the search
      });
    } else if (tell && (!complete || performance.now() - told > TELL)) {
      const news = verdict(false);
      if (complete || news.moves.every(({ judged }) => judged)) {
        tell(news);
        complete = true;
        told = performance.now();
      }
    }
    if (await dropped()) throw new Unwanted();
  }
}

export async function job(bench: Bench, question: Question): Promise<Verdict | Verdict[]> {
  if ("lines" in question) return judgeGame(bench, question.lines, question, bench.progress);
  const verdicts: Verdict[] = [];
  for (const lines of question.games) {
    verdicts.push(await judgeGame(bench, lines, question));
    bench.progress({ index: verdicts.length - 1, verdict: verdicts.at(-1)! });
  }
  return verdicts;
}
