/* The worker's jobs for the bench: it plays games of a run, makes figures of records, and asks tables about openings. */
import { nextPortion } from "../../engine/portion";
import { bringMissing, giveUp, isKnown, TableTrouble, useTable } from "../truth/table";
import type { Bench } from "../worker";
import type { Figures, Openings } from "./figures";

export interface Setting {
  lines: string; // the game and its options, as StudyEngine.open takes them
  level: number;
}

/* Plays the games of these numbers, in this order, each with all settings. News are the records. */
export interface PlayQuestion {
  do: "play";
  settings: Setting[];
  seed: string;
  numbers: number[];
}
export interface Played {
  setting: number;
  record: string;
}
export type Question =
  | PlayQuestion
  | { do: "figures"; records: string; players: number }
  | { do: "known"; lines: string } // whether there is a table
  | { do: "exact"; lines: string };
export type Exact = Openings | "trouble" | null; // null: there is no table

/* As enum trial_status in engine/study/trial.h. */
const WORKING = 0;
const DONE = 1;
/* As enum balance_status in engine/study/balance.h. */
const LOOKING = 0;
const WAITING = 1;
const LOOKED = 2;

const SLICE = 20; // milliseconds between two looks at the messages
const TELL = 200; // milliseconds between two news

async function play({ engine, progress, dropped }: Bench, { settings, seed, numbers }: PlayQuestion): Promise<void> {
  let news: Played[] = [];
  let told = performance.now();
  let nodes = 64;
  for (const number of numbers)
    for (const [setting, { lines, level }] of settings.entries()) {
      if (!engine.number("bench_begin", lines, level, BigInt(seed))) throw new Error(engine.answered());
      engine.must("bench_game", number);
      for (let status = WORKING; status === WORKING; ) {
        const until = performance.now() + SLICE;
        while (status === WORKING && performance.now() < until) {
          const before = performance.now();
          status = engine.number("bench_go_on", null, BigInt(nodes));
          const spent = performance.now() - before;
          nodes = nextPortion(nodes, spent, SLICE / 4, SLICE);
        }
        if (status !== WORKING && status !== DONE) throw new Error("memory");
        if (await dropped()) return;
      }
      news.push({ setting, record: engine.text("bench_record") });
      if (performance.now() - told > TELL) {
        progress(news);
        news = [];
        told = performance.now();
      }
    }
  progress(news);
}

async function exact({ engine, dropped }: Bench, lines: string): Promise<Exact> {
  engine.open(lines);
  const name = engine.text("study_table_name");
  try {
    if (!(await useTable(engine, name))) return null;
    engine.must("bench_exact");
    for (let status = LOOKING; ; ) {
      const until = performance.now() + SLICE;
      while (status === LOOKING && performance.now() < until) status = engine.number("bench_exact_go_on", null, 20);
      if (await dropped()) return null;
      if (status === WAITING) {
        await bringMissing(engine);
        status = LOOKING;
      } else if (status === LOOKED) return engine.ask<Openings>("bench_exact_tell");
      else if (status !== LOOKING) throw new TableTrouble("damaged");
    }
  } catch (error) {
    if (!(error instanceof TableTrouble)) throw error;
    await giveUp(engine, name, error.trouble);
    return "trouble";
  } finally {
    engine.number("bench_exact_end");
  }
}

export async function job(bench: Bench, question: Question): Promise<unknown> {
  const { engine } = bench;
  if (question.do === "play") return play(bench, question);
  if (question.do === "figures") return engine.ask<Figures>("bench_figures", question.records, question.players);
  if (question.do === "exact") return exact(bench, question.lines);
  engine.open(question.lines);
  return isKnown(engine.text("study_table_name"));
}
