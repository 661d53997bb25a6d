/* Judges a try, at the position before it, by the goals of a step. */
import type { Attempt } from "../../game/table.svelte";
import type { Bench } from "../worker";

export interface Question {
  game: string; // as Engine.keep gives it
  attempt: Attempt;
  goals: string[];
}

const PROOF = 30_000; // positions that a search for the worth of a move may look at

export interface Verdict {
  outcome: "refused" | "begun" | "legal";
  reason: string | null; // of a refusal, in the reader's language
  better: string | null; // if the move gave away the result that this one has
  met: boolean[]; // for each goal
}

export async function job({ engine }: Bench, { game, attempt, goals }: Question): Promise<Verdict> {
  engine.restore(game);
  const made = "move" in attempt ? `move ${attempt.move}` : `touch ${attempt.touches.join(" ")}`;
  return engine.ask<Verdict>("study_lesson_try", [made, ...goals].join("\n"), BigInt(PROOF));
}
