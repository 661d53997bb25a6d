/* The job that asks a book of openings about a position: the moves that it names, with their scores from -1000 to 1000
 * (apps/wasm/openings.c). */
import type { Bench } from "../worker";

export async function job({ engine }: Bench, { game, book }: { game: string; book: string }): Promise<Record<string, number>> {
  engine.restore(game);
  return engine.ask<Record<string, number>>("study_book_moves", book);
}
