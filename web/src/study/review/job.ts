/* The worker's job: reviews a game ply by ply, and tells the rows as they are finished. A review that was stopped can
 * go on where it was. */
import { nextPortion } from "../../engine/portion";
import type { StudyEngine } from "../engine";
import { bringMissing, giveUp, isFar, TableTrouble, troubleOf, useTable } from "../truth/table";
import type { Trouble } from "../truth/judge";
import type { Bench } from "../worker";
import type { Part } from "./rows";

export interface ReviewQuestion {
  lines: string; // of the game, as StudyEngine.open takes them
  first: number; // the ply to begin at
  nodes: number; // for each position
  hindsight: boolean;
  told: number; // rows that the page has already, from a review that was stopped
  aside: boolean; // a short review of a move; that of the game stays where it is
}

/* As enum review_status in engine/study/review.h. */
const WORKING = 0;
const WAITING = 1;
const NO_MEMORY = 3;

const SLICE = 25; // milliseconds, between two looks at who still wants the answer
const SEED = 1n; // the same review every time

let held = ""; // which game is being reviewed
let trouble: Trouble | null = null; // with its table

/* Begins a review, or finds the one that was stopped; the row to go on with. */
async function begin(engine: StudyEngine, { told, aside, ...asked }: ReviewQuestion): Promise<number> {
  const { lines, first, nodes, hindsight } = asked;
  const which = Number(aside);
  if (!aside && told > 0 && held === JSON.stringify(asked) && engine.number("review_finished", null, which) === told) return told;
  engine.open(lines);
  const name = engine.text("study_table_name");
  // Without its table a game is reviewed by search; what is not proven is shown so, and the reader is told why.
  trouble = null;
  await useTable(engine, name).catch((error: unknown) => {
    if (!(error instanceof TableTrouble)) throw error;
    ({ trouble } = error);
  });
  engine.must("review_begin", which, first, BigInt(nodes), SEED, Number(hindsight), Number(isFar(name)));
  if (!aside) held = JSON.stringify(asked);
  return first;
}

export async function job({ engine, progress, dropped }: Bench, question: ReviewQuestion): Promise<void> {
  const which = Number(question.aside);
  let told = await begin(engine, question);
  let portion = 64;
  for (let status = WORKING; status === WORKING || status === WAITING; ) {
    const begun = performance.now();
    status = WORKING;
    while (status === WORKING && performance.now() < begun + SLICE) {
      const before = performance.now();
      status = engine.number("review_go_on", null, which, BigInt(portion));
      const spent = performance.now() - before;
      portion = nextPortion(portion, spent, SLICE / 8, SLICE / 2);
    }
    if (status === NO_MEMORY) throw new Error("memory");
    const finished = engine.number("review_finished", null, which);
    if (finished > told) {
      const { trouble: damage, ...part } = engine.ask<Omit<Part, "table" | "trouble"> & { trouble?: string }>("review_tell", null, which, told);
      if (damage !== undefined) trouble ??= troubleOf(damage);
      progress({ ...part, table: engine.text("study_table_name"), trouble } satisfies Part);
      told = finished;
    }
    if (await dropped()) return;
    if (status === WAITING)
      await bringMissing(engine).catch(async (error: unknown) => {
        if (!(error instanceof TableTrouble)) throw error;
        await giveUp(engine, engine.text("study_table_name"), error.trouble);
        told = await begin(engine, { ...question, told: 0 }); // by search
      });
  }
}
