/* A table on which moves are explored: anybody may play any move. Nothing is kept in the browser. */
import type { Engine, Game } from "../../engine/engine";
import { Table, type Setup } from "../../game/table.svelte";

export class Explored extends Table {
  private readonly secretive: boolean;

  constructor(engine: Engine, game: Game, setup: Setup) {
    super(engine, false, setup, () => {});
    this.secretive = game.hidden;
  }

  /* Where something is hidden, only what is open to all is shown. */
  override get viewer(): number {
    return this.secretive ? 0 : super.viewer;
  }
}
