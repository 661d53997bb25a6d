/* A game's lessons being taken: the step on the table, what became of the last try, what is done. The engine for
 * studying judges every try; here it is only shown what follows from that. */
import type { Engine, Game } from "../../engine/engine";
import { Table, type Attempt } from "../../game/table.svelte";
import { desk } from "../desk";
import type { Question, Verdict } from "./job";
import { finished, keepFinished, levelOf, type Step } from "./lessons";

/* What the last try is told: a text of the lesson by its key, the engine's reason, or words of the page. */
export type Answer =
  | { kind: "wrong" | "note"; key: string }
  | { kind: "refused"; reason: string; key: string | null }
  | { kind: "right" | "played" | "notThis" | "ranOut" }
  | { kind: "gaveAway"; better: string }
  | { kind: "failed"; reason: string };

const SHOWN = 1300; // milliseconds that a wrong move stays on the board
const REPLY = 500; // milliseconds before somebody replies

const pass = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));

export class Lesson {
  at = $state(0);
  table = $state.raw<Table>(null!);
  answer = $state.raw<Answer | null>(null);
  hints = $state(0); // that are shown
  isSolved = $state(false);
  isFinished = $state(false); // the last step was left as it should be
  done = $state.raw<string[]>([]);

  private replied = 0; // how many of the listed replies were made
  private learner = 0;
  private begun = 0; // counts beginnings of steps: what an earlier one waited for is no longer wanted
  private isBusy = false; // a wrong move is shown, or a reply comes

  constructor(
    private readonly engine: Engine,
    private readonly game: Game,
    readonly steps: Step[],
  ) {
    this.done = finished(game.id).filter((id) => steps.some((step) => step.id === id));
    const first = steps.findIndex((step) => !this.done.includes(step.id));
    this.begin(Math.max(first, 0));
  }

  get step(): Step {
    return this.steps[this.at]!;
  }

  begin(at: number): void {
    this.table?.close();
    this.begun++;
    this.at = at;
    this.answer = null;
    this.hints = 0;
    this.isSolved = this.isFinished = this.isBusy = false;
    this.replied = 0;
    const { options = {}, from, moves = [], mark = [] } = this.step;
    const all = from === undefined ? options : { ...options, from };
    this.engine.begin(this.game.id, all, moves);
    const { turn, scene } = this.engine.position(0);
    const level = levelOf(this.step);
    const players = Number(options.players ?? this.game.players[0]);
    const seats = Array.from({ length: players }, (_, i) => (i + 1 === turn ? 0 : Math.max(level, 1)));
    const table = new Table(this.engine, this.game.hidden, { game: this.game.id, options: all, seats }, () => {});
    // The others reply as the step says, or by themselves in a whole game.
    table.paused = level === 0;
    table.marked = mark.map((name) => scene.places.findIndex((place) => place.name === name));
    table.watch = (attempt) => void this.judge(attempt);
    this.learner = turn;
    this.table = table;
  }

  /* The next step, or the end after the last one. */
  goOn(): void {
    if (this.at + 1 < this.steps.length) this.begin(this.at + 1);
    else this.isFinished = true;
  }

  showHint(): void {
    this.hints = Math.min(this.hints + 1, this.step.hints?.length ?? 0);
  }

  relabel(): void {
    this.table.relabel();
    if (this.answer?.kind === "refused") this.answer = null; // its reason is in another language
  }

  close(): void {
    this.begun++;
    this.table.close();
  }

  private async judge(attempt: Attempt): Promise<void> {
    const { step, begun, table } = this;
    const isGame = levelOf(step) > 0;
    if (this.isSolved || this.isBusy || (!isGame && table.position.turn !== this.learner)) return;
    const { ply, turn: mover } = table.position;
    const remarks = isGame ? (step.notes ?? []) : (step.wrong ?? []);
    const question: Question = { game: this.engine.keep(), attempt, goals: [step.goal, ...remarks.map(({ when }) => when)] };
    if (!isGame && "move" in attempt) this.isBusy = true;
    let verdict: Verdict;
    try {
      verdict = await desk.ask<Verdict>("lesson", question);
    } catch (error) {
      if (begun !== this.begun) return;
      this.answer = { kind: "failed", reason: (error as Error).message };
      if (!isGame) this.takeBack(ply);
      return;
    }
    if (begun !== this.begun) return;
    const said = remarks.find((_, i) => verdict.met[i + 1])?.say ?? null;
    if (verdict.met[0]) this.succeed();
    else if (isGame) this.remark(verdict, said, mover);
    else if (verdict.outcome === "legal") await this.go(said, ply);
    else {
      this.isBusy = false;
      if (verdict.reason !== null) this.answer = { kind: "refused", reason: verdict.reason, key: said };
      else if (said !== null) this.answer = { kind: "wrong", key: said };
    }
  }

  private succeed(): void {
    this.isSolved = true;
    this.isBusy = false;
    this.answer = { kind: levelOf(this.step) > 0 ? "played" : "right" };
    this.table.marked = [];
    if (!this.done.includes(this.step.id)) this.done = [...this.done, this.step.id];
    keepFinished(this.game.id, this.done);
  }

  /* On a move in a whole game. */
  private remark(verdict: Verdict, said: string | null, mover: number): void {
    if (verdict.better !== null && mover === this.learner) this.answer = { kind: "gaveAway", better: verdict.better };
    else if (said !== null) this.answer = { kind: "note", key: said };
    else if (verdict.outcome === "legal" && this.answer?.kind === "refused") this.answer = null;
  }

  /* After a legal move that does not reach the goal yet: a reply, or it is taken back. */
  private async go(said: string | null, ply: number): Promise<void> {
    const { begun, table } = this;
    const replies = Array.isArray(this.step.replies) ? this.step.replies : [];
    if (said !== null || replies.length === 0) {
      this.answer = said !== null ? { kind: "wrong", key: said } : { kind: "notThis" };
      await pass(SHOWN);
      if (begun === this.begun) this.takeBack(ply);
      return;
    }
    this.answer = null;
    while (table.position.turn !== this.learner && !table.over && this.replied < replies.length) {
      await pass(REPLY);
      if (begun !== this.begun) return;
      if (!table.play(replies[this.replied++]!)) break;
    }
    this.isBusy = false;
    if (table.position.turn === this.learner) return;
    this.answer = { kind: "ranOut" };
    this.isBusy = true;
    await pass(SHOWN);
    if (begun !== this.begun) return;
    this.takeBack(0);
    this.replied = 0;
  }

  private takeBack(ply: number): void {
    const first = Math.max(ply, this.step.moves?.length ?? 0);
    while (this.table.position.ply > first) this.table.undo();
    this.isBusy = false;
  }
}
