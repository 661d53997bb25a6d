/* A stream of server-sent events, read by fetch. It connects again whenever it ends, fails or is silent for too long,
 * with pauses that grow, and never gives up. */
import type { FarEvent } from "./api";

const PAUSE = 250; // milliseconds before another attempt; then twice as long each time,
const LONGEST_PAUSE = 10_000; // but not longer than this
const PATIENCE = 4000; // for the beginning of an answer: the browser may have taken a connection that is dead, too; then longer,
const LONGEST_PATIENCE = 16_000; // for slow networks
const LASTING = 5000; // a stream that was open as long as this has worked

export const pauseBefore = (attempt: number): number => Math.min(LONGEST_PAUSE, PAUSE * 2 ** Math.min(attempt, 10)) * (0.75 + Math.random() / 4);

export interface StreamOwner {
  wanted(): string; // tables with their cursors; empty: none
  begin(): void; // what was wanted last is heard from now on
  patience(): number; // milliseconds of silence after which the connection is dead
  hear(event: FarEvent): void;
  tell(connected: boolean): void; // also with every sign of life
}

export class Stream {
  private newest: AbortController | null = null;
  private heard: AbortController | null = null; // while a new one connects, the one before is still heard
  private heardAt = 0;
  private attempts = 0;
  private pausing: ReturnType<typeof setTimeout> | undefined;

  constructor(private readonly owner: StreamOwner) {}

  /* Connects, with what is wanted now. */
  renew(): void {
    clearTimeout(this.pausing);
    if (this.newest !== this.heard) this.newest?.abort();
    const query = this.owner.wanted();
    if (query === "") return this.stop();
    this.newest = new AbortController();
    void this.read(this.newest, query);
  }

  /* Hears nothing more. */
  stop(): void {
    clearTimeout(this.pausing);
    this.newest?.abort();
    this.heard?.abort();
    this.newest = this.heard = null;
  }

  /* The connection may be dead, or a pause needless. `silence`: how many milliseconds of it are usual. */
  check(silence: number): void {
    if (this.newest === null) return;
    if (this.newest !== this.heard) return this.renew();
    if (Date.now() - this.heardAt < silence) return;
    this.stop();
    this.renew();
  }

  private async read(own: AbortController, query: string): Promise<void> {
    let asked = 0; // seconds to wait
    let began = Infinity;
    let watchdog = setTimeout(() => own.abort(), Math.min(LONGEST_PATIENCE, PATIENCE * 2 ** Math.min(this.attempts, 10)));
    try {
      const response = await fetch(`api/stream?tables=${query}`, { cache: "no-store", signal: own.signal });
      asked = Number(response.headers.get("Retry-After")) || 0;
      if (!response.ok || !response.headers.get("Content-Type")?.startsWith("text/event-stream")) throw new Error(`status ${response.status}`);
      const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
      let rest = "";
      for (;;) {
        const { done, value } = await reader.read();
        if (done || own.signal.aborted) break;
        this.heardAt = Date.now();
        if (this.heard !== own) {
          began = this.heardAt;
          this.heard?.abort();
          this.heard = own;
          this.owner.begin();
        }
        const blocks = (rest + value).split("\n\n");
        rest = blocks.pop()!;
        for (const block of blocks) if (block.startsWith("data: ")) this.owner.hear(JSON.parse(block.slice(6)) as FarEvent);
        this.owner.tell(true);
        clearTimeout(watchdog);
        watchdog = setTimeout(() => own.abort(), this.owner.patience());
      }
    } catch {
      // Whatever it was: it is tried again.
    }
    clearTimeout(watchdog);
    own.abort();
    if (own !== this.newest) return; // another has taken its place
    if (own === this.heard) this.heard = null;
    this.attempts = Date.now() - began > LASTING ? 0 : this.attempts + 1;
    this.owner.tell(false);
    this.pausing = setTimeout(() => this.renew(), Math.max(pauseBefore(this.attempts), 1000 * asked));
  }
}
