/* The tabs of this browser: they talk to each other, and one of them leads. A browser opens only six connections to a
 * server that speaks HTTP/1.1, so only the leader has a stream.
 *
 * The leader holds a Web Lock, which passes to another tab when it closes. Browsers have locks only for pages that come
 * by HTTPS or from this computer. Elsewhere a tab claims to lead: the claim with the highest term counts, and of equal
 * ones that of the tab with the greater id. */
import { newId } from "./api";

type Note<Message> = { from: string } & ({ says: Message } | { claims: number } | { seeks: true } | { leaves: true });

const QUIET = 300; // milliseconds without an answer after which there is no leader

export interface TabsOwner<Message> {
  hear(message: Message, from: string): void;
  lead(leads: boolean): void; // this tab begins or ceases to lead
  follow(): void; // another tab has begun to
}

export class Tabs<Message> {
  readonly id = newId();
  leads = false;
  private readonly channel: BroadcastChannel;
  private waiting = new AbortController(); // for the lock
  private term = 0; // the highest that was heard of
  private seeking: ReturnType<typeof setTimeout> | undefined;

  constructor(
    private readonly name: string,
    private readonly owner: TabsOwner<Message>,
  ) {
    this.channel = new BroadcastChannel(name);
    this.channel.onmessage = ({ data }: MessageEvent<Note<Message>>) => this.receive(data);
    if (this.hasLocks) {
      this.lock(false);
    } else {
      this.seek();
      window.addEventListener("pagehide", () => this.leads && (this.step(false), this.post({ leaves: true })));
      window.addEventListener("pageshow", ({ persisted }) => persisted && this.seek());
    }
  }

  say(message: Message): void {
    this.post({ says: message });
  }

  /* Takes the lead from a tab that does not answer: the browser has put it to sleep. */
  takeOver(): void {
    if (this.hasLocks) this.lock(true);
    else this.claim(this.term + 1);
  }

  private get hasLocks(): boolean {
    return (navigator.locks as LockManager | undefined) !== undefined;
  }

  private post(note: { says: Message } | { claims: number } | { seeks: true } | { leaves: true }): void {
    this.channel.postMessage({ from: this.id, ...note });
  }

  private receive(note: Note<Message>): void {
    if ("says" in note) this.owner.hear(note.says, note.from);
    else if ("claims" in note) this.hearClaim(note.claims, note.from);
    else if ("leaves" in note) this.seek(Math.random() * QUIET);
    else if (this.leads) this.post({ claims: this.term });
  }

  private step(leads: boolean): void {
    if (leads === this.leads) return;
    this.leads = leads;
    this.owner.lead(leads);
  }

  private lock(steal: boolean): void {
    this.waiting.abort();
    const waiting = (this.waiting = new AbortController());
    const hold = (): Promise<void> => {
      this.claim(0);
      return new Promise(() => {});
    };
    navigator.locks.request(this.name, steal ? { steal } : { signal: waiting.signal }, hold).catch(() => {
      // Another tab has taken it: wait for the next turn.
      if (waiting !== this.waiting) return;
      this.step(false);
      this.lock(false);
    });
  }

  private claim(term: number): void {
    clearTimeout(this.seeking);
    this.term = term;
    this.step(true);
    this.post({ claims: term });
  }

  private hearClaim(term: number, from: string): void {
    clearTimeout(this.seeking);
    if (!this.hasLocks && this.leads) {
      if (term < this.term || (term === this.term && from < this.id)) return this.post({ claims: this.term });
      this.step(false);
    }
    this.term = Math.max(this.term, term);
    if (!this.leads) this.owner.follow();
  }

  private seek(pause = 0): void {
    clearTimeout(this.seeking);
    this.seeking = setTimeout(() => {
      this.post({ seeks: true });
      this.seeking = setTimeout(() => this.claim(this.term + 1), QUIET);
    }, pause);
  }
}
