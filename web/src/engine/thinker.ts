/* The page's handle on the worker that thinks. Whatever happens to the worker, the caller is told: by an
 * answer, or by an error. After an error the next question goes to a new worker. */
import type { Report } from "./engine";
import type { Answer, Message } from "./worker";

/* Seconds of silence after which a worker is given up. It thinks for two of them, and may have to be loaded. They are
 * counted one by one, so that time in which the machine sleeps does not count. */
const PATIENCE = 20;

interface Asked {
  id: number;
  resolve: (report: Report) => void;
  reject: (error: Error) => void;
}

export class Thinker {
  private worker: Worker | null = null;
  private asked: Asked | null = null;
  private last = 0;
  private watch: ReturnType<typeof setInterval> | undefined;

  private start(): Worker {
    const worker = new Worker(new URL("./worker.ts", import.meta.url), { type: "module" });
    worker.onmessage = ({ data }: MessageEvent<Answer>) => {
      if (data.id !== this.asked?.id) return;
      if ("error" in data) return this.fail(data.error);
      const { resolve } = this.asked;
      this.rest();
      resolve(data.report);
    };
    worker.onerror = (event) => this.fail(event.message || "the worker does not load");
    return worker;
  }

  private rest(): void {
    clearInterval(this.watch);
    this.asked = null;
  }

  private fail(why: string): void {
    const asked = this.asked;
    this.drop();
    asked?.reject(new Error(why));
  }

  /* A new question replaces one that is not answered yet: the old one gets no answer. */
  async think(game: string, level: number, seed: bigint, seconds = 2): Promise<Report> {
    this.rest();
    this.worker ??= this.start();
    const id = ++this.last;
    const answer = new Promise<Report>((resolve, reject) => (this.asked = { id, resolve, reject }));
    let silence = 0;
    this.watch = setInterval(() => ++silence === PATIENCE && this.fail("the worker is silent"), 1000);
    this.worker.postMessage({ id, game, level, seed, seconds } satisfies Message);
    return answer;
  }

  /* Move now: the answer comes at once, with what was found so far. */
  hurry(): void {
    this.worker?.postMessage({ stop: true } satisfies Message);
  }

  /* Forget it: no answer is wanted any more. */
  drop(): void {
    this.rest();
    this.worker?.terminate();
    this.worker = null;
  }
}
