/* The server for tables, as the page uses it: requests that are tried until there is an answer, and one stream of what
 * happens, which the tabs of this browser share (tabs.ts, stream.ts).
 *
 * Every tab knows for each of its tables the number of the last event that it heard, its cursor, and tells the leading
 * tab. The leader connects with cursors that suit all, and passes on what it hears. So a tab may hear something again,
 * and leaves that out. */
import { FarRefusal, newId, type Connection, type FarEvent, type FarTable, type Listed, type Plan, type Server, type Wish } from "./api";
import { pauseBefore, Stream } from "./stream";
import { Tabs } from "./tabs";

const PATIENCE = 20_000; // milliseconds for an answer
const SILENCE = 30_000; // of a stream, after which it is dead,
const SILENCE_CLOCK = 10_000; // and while a clock runs: twice the time between heartbeats
const USUAL_SILENCE = 5000;
const LEADER_SILENCE = 40_000; // longer than a leader is ever silent
const LEADER_PATIENCE = 2000; // for its answer
const BEAT = 4000; // between signs of life of a leader, at least
const BEATS = 3; // that a tab may leave unanswered
const GATHERING = 40; // milliseconds in which wishes to listen are collected
const MOST_TABLES = 50; // of one stream

/* What a tab wants to hear of a table. */
interface Wanted {
  after: number | null; // its cursor; null: the whole table first
  ticks: boolean; // a clock runs there
}

/* Tabs to the leader, and the leader to tabs. `anew`: whatever was sent before may not have been heard. */
type Message = { wants: Record<string, Wanted>; anew: boolean } | { asks: true } | { heard: FarEvent } | { is: Connection };

interface Ear extends Wanted {
  listeners: Set<(event: FarEvent) => void>;
  clock: boolean; // the table has one
}

class Client implements Server {
  private stream = $state<Connection>("connecting");
  private stuck = $state(0); // requests that could not be sent
  private readonly ears = new Map<string, Ear>();
  private tabs: Tabs<Message> | null = null;
  private leaderAt = 0; // when it was heard last
  private readonly sleepers = new Set<() => void>();
  private introduced = false;

  // Where this tab leads:
  private readonly source = new Stream({
    wanted: () => this.wanted(),
    begin: () => this.asked.forEach((table) => this.whole.delete(table)),
    patience: () => ([...this.wants.values()].some(({ wants }) => Object.values(wants).some(({ ticks }) => ticks)) ? SILENCE_CLOCK : SILENCE),
    hear: (event) => this.spread(event),
    tell: (connected) => this.beat(connected ? "connected" : "lost"),
  });
  private readonly wants = new Map<string, { wants: Record<string, Wanted>; unanswered: number }>(); // by tab
  private readonly cursors = new Map<string, number | null>();
  /* Of these the whole is wanted from a stream that begins later: the one that is still heard was opened by a visitor
   * who did not have this seat yet. */
  private readonly whole = new Set<string>();
  private asked = new Set<string>(); // those of them that the newest stream asks for
  private beatAt = 0;
  private gathering: ReturnType<typeof setTimeout> | undefined;

  constructor() {
    window.addEventListener("online", () => this.wake(0));
    window.addEventListener("pageshow", ({ persisted }) => persisted && (this.want(true), this.wake(0)));
    window.addEventListener("pagehide", () => this.tabs?.say({ wants: {}, anew: false }));
    document.addEventListener("visibilitychange", () => document.visibilityState === "visible" && this.wake(USUAL_SILENCE));
  }

  get connection(): Connection {
    return this.stuck > 0 ? "lost" : this.stream;
  }

  // ---- Requests ----

  /* The answer to the first request of somebody unknown has their cookie. If it is lost, the request is tried again as
   * another stranger's; so that request must not take a seat. */
  private async introduce(): Promise<void> {
    if (!this.introduced) await this.send("me", {});
    this.introduced = true;
  }

  async open(plan: Omit<Plan, "id">): Promise<FarTable> {
    await this.introduce();
    const table = await this.send<FarTable>("tables", { ...plan, id: newId() });
    this.want(true); // the stream must be this visitor's, who may be new
    return table;
  }

  async ask(table: string, wish: Wish): Promise<number> {
    if (wish.wish === "sit") await this.introduce();
    const { number } = await this.send<{ number: number }>(`tables/${table}`, wish);
    if (wish.wish === "sit") this.hearWhole(table);
    return number;
  }

  async lobby(signal?: AbortSignal): Promise<Listed[]> {
    return (await this.send<{ tables: Listed[] }>("tables", null, signal)).tables;
  }

  async own(signal?: AbortSignal): Promise<Listed[]> {
    return (await this.send<{ tables: Listed[] }>("me", null, signal)).tables;
  }

  async key(table: string, seat: number): Promise<string> {
    return (await this.send<{ key: string }>(`tables/${table}/key?seat=${seat}`, null)).key;
  }

  async useKey(table: string, seat: number, key: string): Promise<FarTable> {
    await this.introduce();
    const answer = await this.send<FarTable>(`tables/${table}/key`, { seat, key });
    this.hearWhole(table);
    return answer;
  }

  /* The answer; a request that is not answered is tried again, with pauses that grow. */
  private async send<Answer>(path: string, body: object | null, signal?: AbortSignal): Promise<Answer> {
    let failed = false;
    try {
      for (let attempt = 0; ; attempt++) {
        const answer = await this.attempt<Answer>(path, body, signal);
        if ("answer" in answer) return answer.answer;
        if (!failed) this.stuck++;
        failed = true;
        await this.sleep(Math.max(pauseBefore(attempt), 1000 * answer.after), signal);
      }
    } finally {
      if (failed) this.stuck--;
    }
  }

  private async attempt<Answer>(path: string, body: object | null, signal?: AbortSignal): Promise<{ answer: Answer } | { after: number }> {
    const cut = new AbortController();
    const giveUp = () => cut.abort();
    const timer = setTimeout(giveUp, PATIENCE);
    signal?.addEventListener("abort", giveUp);
    const post = { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) };
    try {
      const response = await fetch(`api/${path}`, { ...(body === null ? {} : post), cache: "no-store", signal: cut.signal });
      if ([429, 502, 503, 504].includes(response.status)) return { after: Number(response.headers.get("Retry-After")) || 0 };
      // A server of files answers with a page of its own.
      if (!response.headers.get("Content-Type")?.startsWith("application/json")) throw new FarRefusal(404, "missing", "there are no tables here");
      const answer = (await response.json()) as { error: string; kind: string; table?: FarTable };
      if (!response.ok) throw new FarRefusal(response.status, answer.kind, answer.error, answer.table);
      return { answer: answer as Answer };
    } catch (error) {
      if (error instanceof FarRefusal || signal?.aborted) throw error;
      return { after: 0 };
    } finally {
      clearTimeout(timer);
      signal?.removeEventListener("abort", giveUp);
    }
  }

  /* Until it is time, or the network may be back. */
  private async sleep(ms: number, signal?: AbortSignal): Promise<void> {
    let awake = () => {};
    await new Promise<void>((resolve) => {
      awake = resolve;
      this.sleepers.add(awake);
      setTimeout(awake, ms);
      signal?.addEventListener("abort", awake);
    });
    this.sleepers.delete(awake);
    signal?.throwIfAborted();
  }

  /* The network may be back, or the computer awake. */
  private wake(silence: number): void {
    for (const awake of this.sleepers) awake();
    if (this.tabs === null) return;
    if (this.tabs.leads) this.source.check(silence);
    else this.askLeader();
  }

  // ---- Listening ----

  listen(table: string, hear: (event: FarEvent) => void): () => void {
    let ear = this.ears.get(table);
    if (ear === undefined) this.ears.set(table, (ear = { listeners: new Set(), after: null, ticks: false, clock: false }));
    ear.listeners.add(hear);
    ear.after = null;
    if (this.tabs === null) this.join();
    else this.want(true);
    return () => {
      ear.listeners.delete(hear);
      if (ear.listeners.size > 0 || this.ears.get(table) !== ear) return;
      this.ears.delete(table);
      this.want(false);
    };
  }

  /* The next thing to come is the whole table, as this visitor now may know it. */
  private hearWhole(table: string): void {
    const ear = this.ears.get(table);
    if (ear !== undefined) ear.after = null;
    this.want(true);
  }

  private join(): void {
    this.tabs = new Tabs<Message>(`nonet.tables.1 ${new URL(".", document.baseURI).pathname}`, {
      lead: (leads) => this.lead(leads),
      follow: () => this.follow(),
      hear: (message, from) => this.receive(message, from),
    });
    this.want(true);
    this.askLeader();
    setInterval(() => {
      if (!this.tabs!.leads && this.ears.size > 0 && Date.now() - this.leaderAt > LEADER_SILENCE) this.askLeader();
    }, LEADER_PATIENCE);
  }

  private want(anew: boolean): void {
    if (this.tabs === null) return;
    const wants = Object.fromEntries([...this.ears].map(([table, { after, ticks }]) => [table, { after, ticks }]));
    if (this.tabs.leads) this.note(this.tabs.id, wants, anew);
    else this.tabs.say({ wants, anew });
  }

  private receive(message: Message, from: string): void {
    if (this.tabs!.leads) {
      if ("wants" in message) this.note(from, message.wants, message.anew);
      else if ("asks" in message) {
        this.source.check(USUAL_SILENCE);
        this.tabs!.say({ is: this.stream });
      }
    } else if ("heard" in message) {
      this.leaderAt = Date.now();
      this.take(message.heard);
    } else if ("is" in message) {
      this.leaderAt = Date.now();
      this.stream = message.is;
      this.want(false); // so that the leader knows that this tab is still there
    }
  }

  /* Tells those who listen, unless they know it. */
  private take(event: FarEvent): void {
    const ear = this.ears.get(event.table);
    if (ear === undefined) return;
    if (event.event === "table") {
      ear.after = event.number;
      ear.clock = event.clock.kind !== "none";
      ear.ticks = ear.clock && event.phase === "playing";
    } else if (event.event === "present" || event.event === "promised") {
      if (ear.after === null) return;
    } else if (event.event !== "missing") {
      if (ear.after === null || event.number <= ear.after) return;
      ear.after = event.number;
      if (event.event === "began") ear.ticks = ear.clock;
      if (event.event === "ended") ear.ticks = false;
    }
    for (const hear of [...ear.listeners])
      try {
        hear(event);
      } catch (error) {
        reportError(error);
      }
  }

  /* A leader that does not answer sleeps: another must lead. */
  private askLeader(): void {
    const now = Date.now();
    this.leaderAt = Math.min(this.leaderAt, now - 1);
    this.tabs!.say({ asks: true });
    setTimeout(() => {
      if (!this.tabs!.leads && this.ears.size > 0 && this.leaderAt < now) this.tabs!.takeOver();
    }, LEADER_PATIENCE);
  }

  private follow(): void {
    this.leaderAt = Date.now();
    this.stream = "connecting";
    this.want(true);
  }

  // ---- Leading ----

  private lead(leads: boolean): void {
    this.wants.clear();
    this.cursors.clear();
    this.whole.clear();
    this.stream = "connecting";
    if (!leads) {
      clearTimeout(this.gathering);
      this.source.stop();
    }
    this.want(true);
  }

  /* What a tab wants, this one among them. */
  private note(tab: string, wants: Record<string, Wanted>, anew: boolean): void {
    const before = anew ? {} : (this.wants.get(tab)?.wants ?? {});
    const tables = this.tables();
    if (Object.keys(wants).length > 0) this.wants.set(tab, { wants, unanswered: 0 });
    else this.wants.delete(tab);
    let renews = anew;
    for (const [table, { after }] of Object.entries(wants)) {
      if (table in before) continue;
      if (after === null) this.wantWhole(table);
      const cursor = this.cursors.get(table);
      if (cursor === undefined || (cursor !== null && (after === null || after < cursor))) {
        // What has been passed on since must come again before anything new.
        if (cursor !== undefined && after !== null) this.source.stop();
        this.cursors.set(table, after);
        renews = true;
      }
    }
    const now = this.tables();
    for (const table of tables)
      if (!now.includes(table)) {
        this.cursors.delete(table);
        this.whole.delete(table);
      }
    if (!renews && now.join() === tables.join()) return;
    clearTimeout(this.gathering);
    this.gathering = setTimeout(() => this.source.renew(), GATHERING);
  }

  private wantWhole(table: string): void {
    this.whole.add(table);
    this.asked.delete(table); // a stream that connects just now is too early
  }

  private tables(): string[] {
    return [...new Set([...this.wants.values()].flatMap(({ wants }) => Object.keys(wants)))].sort().slice(0, MOST_TABLES);
  }

  private wanted(): string {
    this.asked = new Set(this.whole);
    return this.tables()
      .map((table) => (this.cursors.get(table) && !this.whole.has(table) ? `${table}:${this.cursors.get(table)}` : table))
      .join();
  }

  /* To all tabs, each thing once. */
  private spread(event: FarEvent): void {
    const cursor = this.cursors.get(event.table);
    if (cursor === undefined) return; // nobody wants it any more
    if ("number" in event) {
      if (event.event !== "table" && (cursor === null || event.number <= cursor)) return;
      if (!this.whole.has(event.table)) this.cursors.set(event.table, event.number);
    }
    this.tabs!.say({ heard: event });
    this.take(event);
    this.want(false); // whether a clock runs
  }

  /* A sign of life for the other tabs, who answer it; those who do not are gone. */
  private beat(connection: Connection): void {
    if (connection === this.stream && Date.now() - this.beatAt < BEAT) return;
    this.beatAt = Date.now();
    this.stream = connection;
    this.tabs!.say({ is: connection });
    for (const [tab, one] of [...this.wants]) {
      if (tab === this.tabs!.id) continue;
      if (one.unanswered++ >= BEATS) this.note(tab, {}, false);
    }
  }
}

export const server: Server & { lobby(signal?: AbortSignal): Promise<Listed[]>; own(signal?: AbortSignal): Promise<Listed[]> } = new Client();
