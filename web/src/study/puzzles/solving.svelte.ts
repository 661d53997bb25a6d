/* A puzzle on the board: what is right and wrong stands in the puzzle, so nothing is computed here. A right move is
 * answered, a wrong one refuted move by move, and the solution can be shown in the same way. */
import type { Engine } from "../../engine/engine";
import type { Seat, Tale } from "../../game/table.svelte";
import { Table } from "../../game/table.svelte";
import type { Follows, Puzzle, Step, Wrong } from "./lists";

/* The other side plays as well as possible: it sits there as the strongest computer, but the puzzle moves for it. */
const OPPONENT: Seat = 10;
const PAUSE = 600; // milliseconds before an answer, so that people can follow

class PuzzleTable extends Table {
  made: (move: string) => void = () => {};

  override play(move: string): boolean {
    const done = super.play(move);
    if (done) this.made(move);
    return done;
  }
}

/* asking: it is the solver's turn; answering: the other side is about to move; showing: moves are shown that nobody
 * made, a refutation or the solution; solved: that's it. */
export type Phase = "asking" | "answering" | "showing" | "solved";

export class Solving {
  readonly table: Table;
  phase = $state<Phase>("asking");
  number = $state(0); // of the step
  /* A mistake was made, or the solution was asked for. */
  failed = $state(false);
  /* The mistake that is being refuted; null while the solution is shown. */
  mistake = $state.raw<{ move: string; wrong: Wrong } | null>(null);
  /* What has been shown so far, and what is still to be shown. */
  shown = $state.raw<Tale[]>([]);
  left = $state.raw<string[]>([]);
  /* The last right move wins, but not as fast as possible. */
  slower = $state(false);

  private asked = 0; // the ply of that step
  private timer = 0;

  constructor(
    engine: Engine,
    readonly puzzle: Puzzle,
    private readonly ended: (solved: boolean) => void, // told once: solved without a mistake, or failed
  ) {
    const { game, options, from, turn } = puzzle;
    engine.begin(game, { ...options, from });
    const seats = Array.from({ length: Number(options.players ?? 2) }, (_, seat) => (seat + 1 === turn ? 0 : OPPONENT));
    const table = new PuzzleTable(engine, false, { game, options: { ...options, from }, seats }, () => {});
    table.pause(true);
    table.made = (move) => this.judge(move);
    this.table = table;
  }

  get step(): Step {
    return this.puzzle.steps[this.number]!;
  }

  private fail(): void {
    if (!this.failed) this.ended(false);
    this.failed = true;
  }

  private judge(move: string): void {
    if (this.phase !== "asking") return;
    const follows = this.step.right[move];
    const wrong = this.step.wrong[move];
    if (follows) {
      this.slower = this.puzzle.themes.includes("win") && follows.length === 0 && !this.table.over;
      if (follows.length === 0) return this.solve();
      this.phase = "answering";
      this.timer = window.setTimeout(() => this.answer(...follows), PAUSE);
    } else if (wrong) {
      this.mistake = { move, wrong };
      this.show(wrong.slice(2) as string[]);
    }
  }

  private answer(move: string, next: number): void {
    this.table.play(move);
    this.number = next;
    this.asked = this.table.position.ply;
    this.phase = "asking";
  }

  private solve(): void {
    this.phase = "solved";
    this.table.locked = true;
    if (!this.failed) this.ended(true);
  }

  private show(moves: string[]): void {
    this.phase = "showing";
    this.table.locked = true;
    this.shown = [];
    this.left = moves;
    this.fail();
  }

  /* The next move of what is shown. */
  showNext(): void {
    const [move, ...rest] = this.left;
    if (move === undefined) return;
    this.table.play(move);
    this.shown = [...this.shown, ...this.table.news.moves];
    this.left = rest;
  }

  /* Back to the step at which it went wrong. */
  tryAgain(): void {
    while (this.table.position.ply > this.asked) this.table.undo();
    this.table.locked = false;
    this.table.letGo();
    this.mistake = null;
    this.shown = [];
    this.left = [];
    this.phase = "asking";
  }

  /* The fastest way, from this step on. */
  showSolution(): void {
    const line: string[] = [];
    for (let step: Step | undefined = this.step; step; ) {
      const [move, follows]: [string, Follows] = Object.entries(step.right)[0]!;
      line.push(move, ...follows.slice(0, 1).map(String));
      step = follows.length > 0 ? this.puzzle.steps[follows[1]!] : undefined;
    }
    this.tryAgain();
    this.show(line);
    this.showNext();
  }

  close(): void {
    clearTimeout(this.timer);
    this.table.close();
  }
}
