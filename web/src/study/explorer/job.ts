/* The job that finds the numbers by which openings are counted: of each move, that of the position after it; empty where
 * there is none (apps/wasm/openings.c). */
import type { Bench } from "../worker";

export async function job({ engine }: Bench, { game, moves }: { game: string; moves: string[] }): Promise<string[]> {
  engine.restore(game);
  return engine.ask<string[]>("study_opening_keys", moves.join("\n"));
}
