/* The page's handle on the worker that thinks. */
import type { Report } from "./engine";
import type { Answer, Message } from "./worker";

export class Thinker {
  private worker: Worker | null = null;
  private waiting = new Map<number, { resolve: (report: Report) => void; reject: (error: Error) => void }>();
  private last = 0;

  private start(): Worker {
    const worker = new Worker(new URL("./worker.ts", import.meta.url), { type: "module" });
    worker.onmessage = (event: MessageEvent<Answer>) => {
      const waiting = this.waiting.get(event.data.id);
      this.waiting.delete(event.data.id);
      if ("report" in event.data) waiting?.resolve(event.data.report);
      else {
        waiting?.reject(new Error(event.data.error));
        this.fail(new Error(event.data.error));
      }
    };
    worker.onerror = (event) => this.fail(new Error(event.message));
    return worker;
  }

  /* It cannot go on; whoever asks again gets another worker. */
  private fail(error: Error): void {
    const waiting = [...this.waiting.values()];
    this.drop();
    for (const { reject } of waiting) reject(error);
  }

  think(game: string, level: number, seed: bigint, seconds = 2): Promise<Report> {
    this.worker ??= this.start();
    const id = ++this.last;
    const answer = new Promise<Report>((resolve, reject) => this.waiting.set(id, { resolve, reject }));
    this.worker.postMessage({ id, game, level, seed, seconds } satisfies Message);
    return answer;
  }

  /* Move now: the answer comes at once, with what was found so far. */
  hurry(): void {
    this.worker?.postMessage({ stop: true } satisfies Message);
  }

  /* Forget it: no answer is wanted any more. */
  drop(): void {
    this.worker?.terminate();
    this.worker = null;
    this.waiting.clear();
  }
}
