/* What is known of the moves of a position: what each is worth, how many of the replies err, and by which number its
 * games are counted. The judge says the first two, row after row, for as long as somebody wants to know. */
import type { Position } from "../../engine/engine";
import { desk, Dropped } from "../desk";
import { judge, judgeAll, type Verdict } from "../truth/judge";
import { rowsOf, type Worth } from "../values/worth";
import { repliesOf, type Replies } from "./replies";

/* A move, with those that are equal by symmetry. In a game with too many moves to list it stands for a group. */
export interface Row {
  move: string;
  twins: string[]; // all of them
  letter: string;
  worth: Worth | null; // null: not judged
  chances: number[] | null;
  key: string; // by which its games are counted; empty for none
}

/* The position to explore. */
export interface Asked {
  game: string; // its lines, for the judge
  position: Position;
  players: number;
  isSecret: boolean; // what moves are worth depends on what is hidden: nobody is told
  examples: Record<string, string>; // of groups, where moves cannot be listed
  fetchBook: () => Promise<string | null>; // of openings; null where there is none
}

const REPLY_SECONDS = 1; // for the replies to a move, where no table knows them
const MANY = 24; // rows: more at a time would keep the page and the worker busy

export class Exploring {
  rows = $state.raw<Row[]>([]);
  verdict = $state.raw<Verdict | null>(null);
  replies = $state.raw<Map<string, Replies>>(new Map());
  /* The moves that the book of openings names, with their scores. */
  book = $state.raw<Map<string, number>>(new Map());
  /* How many rows are shown: the replies to the others are not judged. */
  most = $state(MANY);
  /* What the worker does: it judges the moves, then the replies to them. */
  phase = $state<"moves" | "replies" | "done">("moves");
  failed = $state<string | null>(null);
  private asking: AbortController | null = null;
  private asked: Asked | null = null;
  private keys = new Map<string, string>();

  async begin(asked: Asked): Promise<void> {
    this.stop();
    this.asked = asked;
    this.keys = new Map();
    this.rows = [];
    this.verdict = null;
    this.replies = new Map();
    this.book = new Map();
    this.failed = null;
    this.most = MANY;
    this.phase = "moves";
    await this.attempt(async (signal) => {
      await this.number((asked.position.moves ?? []).map(([text]) => text), signal);
      this.show();
      if (asked.isSecret || asked.position.turn === 0) return;
      await this.readBook(asked, signal);
      await this.judgeMoves(asked, signal);
      await this.judgeReplies(asked, signal);
    });
  }

  /* Shows more rows. */
  async more(): Promise<void> {
    this.most += MANY;
    if (this.phase === "done" && !this.asked!.isSecret) await this.attempt((signal) => this.judgeReplies(this.asked!, signal));
  }

  private async attempt(what: (signal: AbortSignal) => Promise<void>): Promise<void> {
    const { signal } = (this.asking = new AbortController());
    try {
      await what(signal);
    } catch (error) {
      if (!(error instanceof Dropped) && !signal.aborted) this.failed = (error as Error).message;
    }
    if (!signal.aborted) this.phase = "done";
  }

  stop(): void {
    this.asking?.abort();
    this.asking = null;
  }

  /* Finds the numbers of moves. */
  private async number(moves: string[], signal: AbortSignal): Promise<void> {
    if (moves.length === 0) return;
    const keys = await desk.ask<string[]>("openings", { game: this.asked!.game, moves }, { signal });
    moves.forEach((move, i) => this.keys.set(move, keys[i]!));
  }

  /* Without its book, everything else is there. */
  private async readBook({ game, fetchBook }: Asked, signal: AbortSignal): Promise<void> {
    try {
      const book = await fetchBook();
      if (book !== null) this.book = new Map(Object.entries(await desk.ask<Record<string, number>>("book", { game, book }, { signal })));
    } catch (error) {
      if (error instanceof Dropped) throw error;
      if (!signal.aborted) this.failed = (error as Error).message;
    }
  }

  private async judgeMoves({ game, position }: Asked, signal: AbortSignal): Promise<void> {
    const take = (verdict: Verdict) => {
      if (signal.aborted) return;
      this.verdict = verdict;
      this.show();
    };
    const verdict = await judge(game, { signal, line: false, progress: position.moves === null ? () => {} : take });
    if (position.moves === null) await this.number(verdict.moves.map(({ text }) => text), signal);
    take(verdict);
  }

  /* Judges the replies to the rows that are shown. Where moves cannot be listed there is nothing to count. */
  private async judgeReplies({ game, position, players }: Asked, signal: AbortSignal): Promise<void> {
    const moves = this.rows.slice(0, this.most).flatMap(({ move }) => (this.replies.has(move) ? [] : [move]));
    if (position.moves === null || moves.length === 0) return;
    this.phase = "replies";
    await judgeAll(moves.map((move) => `${game}\n ${move}`), {
      seconds: REPLY_SECONDS,
      line: false,
      signal,
      progress: ({ index, verdict }) => {
        if (!signal.aborted) this.replies = new Map(this.replies).set(moves[index]!, repliesOf(verdict, players));
      },
    });
  }

  /* The rows by what is known so far. */
  private show(): void {
    const { position, examples } = this.asked!;
    if (this.verdict !== null && position.moves !== null) {
      this.rows = rowsOf(this.verdict).map(({ move, twins, letter, worth }) => ({
        move: move.text,
        twins: twins.map(({ text }) => text),
        letter,
        worth,
        chances: move.chances,
        key: this.keys.get(move.text) ?? "",
      }));
      return;
    }
    // The first of each group stands for it. Moves that were judged come first, best first.
    const found: Row[] = [];
    const add = (move: string, key: string, judged: Partial<Row> = {}) => {
      const same = key === "" ? undefined : found.find((row) => row.key === key);
      if (!same) found.push({ move, twins: [move], letter: "", worth: null, chances: null, key, ...judged });
      else if (position.moves !== null) same.twins.push(move);
    };
    if (this.verdict !== null)
      for (const { move, worth } of rowsOf(this.verdict)) add(move.text, this.keys.get(move.text) ?? "", { worth, chances: move.chances });
    for (const [move] of position.moves ?? []) add(move, this.keys.get(move) ?? "");
    if (position.moves === null && position.ply === 0) for (const [key, move] of Object.entries(examples)) add(move, key);
    this.rows = found;
  }
}
