/* What the moves of the position that is shown are worth, while somebody wants to know. The judge says it; here is only
 * which position is asked about, and where on the board an answer belongs. */
import type { Engine } from "../../engine/engine";
import type { Table } from "../../game/table.svelte";
import { desk, Dropped } from "../desk";
import { judge, type JudgedMove, type Verdict } from "../truth/judge";
import type { Deduction } from "./deducing";
import { rowsOf, type Row } from "./worth";

/* What is shown at a place: the best of the moves that go on there, and whether a touch there completes it. */
export interface Mark {
  row: Row;
  isWhole: boolean;
}

/* Best play from a position on, as far as it is known. */
export interface Line {
  game: string; // that leads to the position
  line: string[];
}

const LONGER = 60; // seconds, for somebody who wants to know more

export class Values {
  verdict = $state.raw<Verdict | null>(null);
  deduction = $state.raw<Deduction | null>(null);
  failed = $state<string | null>(null);
  /* The judge has done what it was asked for; if the verdict is not settled, it could go on. */
  done = $state(false);
  private asking: AbortController | null = null;

  constructor(
    private readonly table: Table,
    private readonly engine: Engine,
  ) {}

  /* The game up to the position that is shown, as a text for the judge; null where there is nothing to judge. Where
   * something is hidden, only the seat at the screen is told, and only about the present. */
  readonly game: string | null = $derived.by(() => {
    const { position, lookingAt, hidden, viewer, turn } = this.table;
    if (turn === 0) return null;
    if (hidden) return lookingAt === null && viewer === position.turn ? this.engine.keep() : null;
    const lines = this.engine.keep().trimEnd().split("\n");
    const first = lines.findIndex((line) => line.startsWith(" "));
    return lines.slice(0, lookingAt === null || first < 0 ? undefined : first + lookingAt).join("\n");
  });

  readonly rows: Row[] = $derived.by(() => (this.verdict === null ? [] : rowsOf(this.verdict)));

  private readonly rowOf: Map<JudgedMove, Row> = $derived.by(() => new Map(this.rows.flatMap((row) => row.twins.map((move) => [move, row] as const))));

  /* By place: the moves come best first, so the first one at a place is the best one there. */
  private marksAfter(touched: number[]): Map<number, Mark> {
    const marks = new Map<number, Mark>();
    for (const move of this.verdict?.moves ?? []) {
      const place = move.places[touched.length];
      if (!move.judged || place === undefined || marks.has(place) || touched.some((other, i) => move.places[i] !== other)) continue;
      marks.set(place, { row: this.rowOf.get(move)!, isWhole: move.places.length === touched.length + 1 });
    }
    return marks;
  }

  private get touched(): number[] {
    return this.table.lookingAt === null ? this.table.touched : [];
  }

  /* On the board: where the next touch can be. */
  readonly marks: Map<number, Mark> = $derived.by(
    () => new Map([...this.marksAfter(this.touched)].filter(([place]) => this.table.scene.places[place]?.kind === "cell")),
  );

  /* On buttons also what could have been touched instead, as the table understands such a touch: the last one counts. */
  readonly tags: Map<number, Mark> = $derived.by(
    () => new Map([...this.touched.keys(), this.touched.length].flatMap((step) => [...this.marksAfter(this.touched.slice(0, step))])),
  );

  /* Begins to judge what is shown now. */
  async begin(): Promise<void> {
    this.stop();
    this.verdict = null;
    this.deduction = null;
    this.failed = null;
    this.done = false;
    const { game } = this;
    if (this.table.hidden && this.table.viewer > 0) await this.deduce();
    if (game !== null && game === this.game) await this.ask(game);
  }

  stop(): void {
    this.asking?.abort();
    this.asking = null;
  }

  /* Goes on for longer, where that finds out more. */
  async deepen(): Promise<void> {
    this.done = false;
    if (this.game !== null) await this.ask(this.game, LONGER);
  }

  private async ask(game: string, seconds?: number): Promise<void> {
    const asking = (this.asking = new AbortController());
    const take = (verdict: Verdict) => {
      if (asking.signal.aborted) return;
      // After an interruption the search begins again: nothing that was known better is forgotten.
      if (verdict.settled || verdict.nodes >= (this.verdict?.nodes ?? 0)) this.verdict = verdict;
    };
    try {
      take(await judge(game, { progress: take, signal: asking.signal, ...(seconds && { seconds }) }));
      this.done ||= !asking.signal.aborted;
    } catch (error) {
      if (!(error instanceof Dropped) && !asking.signal.aborted) this.failed = (error as Error).message;
    }
  }

  /* Best play after a move of the verdict, that move first. Null where it cannot be told: what is hidden from the seat at
   * the screen would be known to the next one. */
  async lineFrom(move: JudgedMove): Promise<Line | null> {
    const { game, verdict } = this;
    if (game === null || verdict === null) return null;
    const isBest = verdict.line[0] === move.text;
    if (isBest && (this.done || this.table.hidden)) return { game, line: verdict.line };
    if (this.table.hidden) return null;
    // The worker does one thing at a time: what it was asked before waits.
    this.stop();
    const { line } = await judge(`${game}\n ${move.text}`, { seconds: 2 });
    if (game === this.game && !this.done) void this.ask(game);
    return { game, line: [move.text, ...line] };
  }

  private async deduce(): Promise<void> {
    const seat = this.table.viewer;
    try {
      const deduction = await desk.ask<Deduction>("deduce", { game: this.engine.keep(), seat });
      if (seat === this.table.viewer) this.deduction = deduction;
    } catch (error) {
      this.failed = (error as Error).message;
    }
  }
}
