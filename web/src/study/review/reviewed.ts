/* A table on which a game is reviewed: anybody may play any move anywhere. Nothing is kept in the browser. */
import type { Engine, Game } from "../../engine/engine";
import { Table, type Setup } from "../../game/table.svelte";

export class Reviewed extends Table {
  /* Told of every move that is played on the board. */
  onplayed: (move: string) => void = () => {};
  private readonly secretive: boolean;

  constructor(engine: Engine, game: Game, setup: Setup) {
    super(engine, false, setup, () => {});
    this.secretive = game.hidden;
  }

  /* Where something was hidden, the board is seen as the seat to move saw it. */
  override get viewer(): number {
    return this.secretive ? this.position.turn : super.viewer;
  }

  override play(move: string): boolean {
    const done = super.play(move);
    if (done) this.onplayed(move);
    return done;
  }
}
