/* A run: two settings of a game, played by as many workers as the machine has processors to spare. A game follows from
 * its number and the seed, so it makes no difference which worker plays it. */
import { desk, Desk, Dropped } from "../desk";
import type { Exact, Played, PlayQuestion, Question, Setting } from "./job";
import type { Figures } from "./figures";

const MOST_WORKERS = 16;
const PAUSE = 700; // milliseconds between two looks at the figures while games are played

export interface Wish {
  settings: (Setting & { players: number })[];
  games: number; // of each setting
  seed: string;
}

export class Run {
  working = $state(false);
  done = $state(0); // games, of all settings
  secondsLeft = $state<number | null>(null);
  figures = $state.raw<(Figures | null)[]>([]);
  records: string[][] = [];
  readonly all: number;
  private workers: Desk[] = [];
  private counting: Promise<void> = Promise.resolve();
  private counted = 0; // when
  private begun = 0;

  constructor(readonly wish: Wish) {
    this.all = wish.games * wish.settings.length;
    this.records = wish.settings.map(() => []);
    this.figures = wish.settings.map(() => null);
  }

  /* Plays until all games are played, or until it is stopped. What was played stays. */
  async play(): Promise<void> {
    const { settings, games, seed } = this.wish;
    const count = Math.min(Math.max((navigator.hardwareConcurrency || 2) - 1, 1), MOST_WORKERS, games);
    this.workers = Array.from({ length: count }, () => new Desk());
    this.working = true;
    this.begun = this.counted = performance.now();
    try {
      await Promise.all(
        this.workers.map((worker, first) => {
          const numbers = Array.from({ length: Math.ceil((games - first) / count) }, (_, i) => first + i * count);
          const question: PlayQuestion = { do: "play", settings: settings.map(({ lines, level }) => ({ lines, level })), seed, numbers };
          return worker.ask("bench", question, { progress: (news: Played[]) => this.take(news) });
        }),
      );
    } catch (error) {
      if (this.working) throw error; // else it was stopped
    } finally {
      this.end();
      await this.counting;
      await this.count();
    }
  }

  stop(): void {
    this.working = false;
    this.end();
  }

  private end(): void {
    this.working = false;
    for (const worker of this.workers) worker.close();
    this.workers = [];
  }

  private take(news: Played[]): void {
    for (const { setting, record } of news) this.records[setting]!.push(record);
    this.done += news.length;
    const now = performance.now();
    if (this.done > 0) this.secondsLeft = ((now - this.begun) / 1000 / this.done) * (this.all - this.done);
    if (now - this.counted < PAUSE) return;
    this.counted = now;
    this.counting = this.counting.then(() => this.count());
  }

  /* Figures of what was played so far. */
  private async count(): Promise<void> {
    this.figures = await Promise.all(
      this.records.map((records, i) =>
        records.length === 0 ? null : ask<Figures>({ do: "figures", records: records.join("\n"), players: this.wish.settings[i]!.players }),
      ),
    );
  }
}

const ask = <T>(question: Question, signal?: AbortSignal): Promise<T> => desk.ask<T>("bench", question, signal ? { signal } : {});

/* Whether a table of exact values exists for a setting. */
export const isSolved = (lines: string): Promise<boolean> => ask<boolean>({ do: "known", lines });

/* What the table says about its openings; null where nobody wants to know any more. */
export const solve = (lines: string, signal: AbortSignal): Promise<Exact> =>
  ask<Exact>({ do: "exact", lines }, signal).catch((error: unknown) => {
    if (error instanceof Dropped) return null;
    throw error;
  });
