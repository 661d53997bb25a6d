/* The page's handle on the worker that studies. Whatever happens to the worker, the caller is told: by an answer, or by
 * an error. After an error the next question goes to a new worker. */
import { words } from "../words/words.svelte";
import type { Answer, Message } from "./worker";

interface Asked {
  resolve: (answer: never) => void;
  reject: (error: Error) => void;
  progress?: ((news: never) => void) | undefined;
}

/* The question was dropped by the one who asked it. */
export class Dropped extends Error {}

export class Desk {
  private worker: Worker | null = null;
  private readonly asked = new Map<number, Asked>();
  private last = 0;

  private start(): Worker {
    const worker = new Worker(new URL("./worker.ts", import.meta.url), { type: "module" });
    worker.onmessage = ({ data }: MessageEvent<Answer>) => {
      const asked = this.asked.get(data.id);
      if (!asked) return;
      if ("news" in data) return asked.progress?.(data.news as never);
      this.asked.delete(data.id);
      if ("error" in data) asked.reject(new Error(data.error));
      else asked.resolve(data.answer as never);
    };
    worker.onerror = (event) => this.fail(event.message || "the worker does not load");
    return worker;
  }

  private fail(why: string): void {
    this.worker?.terminate();
    this.worker = null;
    const all = [...this.asked.values()];
    this.asked.clear();
    for (const { reject } of all) reject(new Error(why));
  }

  /* The worker is not needed any more. */
  close(): void {
    this.fail("closed");
  }

  /* Asks for a job (worker.ts). `progress` is told what the job has to say before it is done. */
  ask<T>(job: string, question: unknown, { progress, signal }: { progress?: (news: never) => void; signal?: AbortSignal } = {}): Promise<T> {
    if (signal?.aborted) return Promise.reject(new Dropped());
    this.worker ??= this.start();
    const id = ++this.last;
    return new Promise<T>((resolve, reject) => {
      this.asked.set(id, { resolve, reject, progress });
      signal?.addEventListener("abort", () => {
        if (!this.asked.delete(id)) return;
        this.worker?.postMessage({ drop: id } satisfies Message);
        reject(new Dropped());
      });
      this.worker!.postMessage({ id, job, question, words: words.forEngine() } satisfies Message);
    });
  }
}

export const desk = new Desk();
