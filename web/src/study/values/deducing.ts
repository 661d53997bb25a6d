/* The job that finds out what a seat can deduce (apps/wasm/deducing.c). */
import type { Bench } from "../worker";

/* One of the secrets that a player may have been dealt. */
export interface Secret {
  text: string;
  material: string;
  deals: number; // of those that are left
  since: number | null; // sure since so many moves; null: not sure
}

export interface Deduction {
  deals: number;
  players: Secret[][];
}

export async function job({ engine }: Bench, { game, seat }: { game: string; seat: number }): Promise<Deduction> {
  engine.restore(game);
  return engine.ask<Deduction>("study_deduce", null, seat);
}
