/* A table on which moves are explored: anybody may play any move. Nothing is kept in the browser. */
import type { Engine, Game } from "../../engine/engine";
import { Table, type Setup } from "../../game/table.svelte";

/* Where something is hidden, only what is open to all is shown, from the first moment on. */
class OpenTable extends Table {
  override get viewer(): number {
    return 0;
  }
}

export const tableOf = (engine: Engine, game: Game, setup: Setup): Table => new (game.hidden ? OpenTable : Table)(engine, false, setup, () => {});
