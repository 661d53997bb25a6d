/* A table on a server and the game on it, as this page knows them. The server decides; what it says is the truth:
 *
 * - `far` is what it said, kept up to date by its events.
 * - The game on the board follows `far`. A move of one's own is shown before the server has told it, unless something is
 *   hidden. If the server says otherwise, the board goes back to what the server says.
 * - While the reader plans what to answer, hands move for everybody, and the server is told nothing. */
import { isBreakdown, type Engine, type Game } from "../engine/engine";
import { FAR, Table, type Authority, type Verdict } from "../game/table.svelte";
import { FarRefusal, MOST_PLIES, newId, type FarEvent, type FarTable, type Offer, type OfferKind, type Server, type Wish } from "./api";

/* Nobody can follow moves that come without a pause. */
const PACE = 300;
/* So long gone, a player can be claimed to have left; where there is no clock, only after a day. */
const ABSENCE = 120_000;
const LONG_ABSENCE = 86_400_000;

/* The names that the server gives to tables; it refuses to look for another. */
const NAME = /^(?!0{13})[0-7][0-9a-hjkmnp-tv-z]{12}$/;

const pass = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));

/* What is told besides moves, for people to read and to hear. */
export type News = Exclude<FarEvent, { event: "table" | "missing" | "present" | "promised" | "moved" }>;

export interface Wishes {
  verdict: (far: FarTable) => Verdict; // how a game ended that its rules did not end
  tell: (news: News) => void;
  refused: (refusal: FarRefusal) => string; // why, in the reader's language
  complain: (text: string) => void;
}

export class FarGame implements Authority {
  far = $state.raw<FarTable | null>(null);
  table = $state.raw<Table | null>(null);
  missing = $state(false);
  /* The engine of this page cannot follow the server: they are of different versions. */
  lost = $state(false);
  /* Offers that the reader has agreed to, while others have not. */
  agreed = $state.raw<string[]>([]);

  /* What the reader plans from here on, while they do: moves of all players. */
  planned = $state.raw<string[] | null>(null);

  /* A move of one's own that the server has not told yet. */
  private sent = $state.raw<{ ply: number; move: string } | null>(null);
  /* What is left on each clock at `since`, and whose runs. */
  private times = $state.raw<{ left: number[]; running: number; since: number }>({ left: [], running: 0, since: 0 });
  private absentSince = new Map<number, number>();
  private shownAt = 0;
  private isFollowing = false;
  private secretive = false; // the board shows a game that hides something
  private wasWaiting = false; // the hand at the board could move
  private closed = false;
  private hush: () => void = () => {};

  constructor(
    private readonly server: Server,
    private readonly engine: Engine,
    private readonly games: Game[],
    readonly id: string,
    private readonly wishes: Wishes,
  ) {
    if (NAME.test(id)) this.listen();
    else this.missing = true;
  }

  /* From the whole table on, as the visitor that the server knows now. */
  private listen(): void {
    this.hush();
    this.hush = this.server.listen(this.id, (event) => this.hear(event));
  }

  close(): void {
    this.closed = true;
    this.hush();
    this.table?.close();
  }

  get game(): Game | undefined {
    return this.games.find(({ id }) => id === this.far?.game);
  }

  get you(): number {
    return this.far?.you ?? 0;
  }

  get isYourTurn(): boolean {
    return this.far?.phase === "playing" && this.you > 0 && this.table?.position.turn === this.you && this.sent === null && this.planned === null;
  }

  get isUnderWay(): boolean {
    return this.far !== null && this.far.phase !== "waiting";
  }

  lets(seat: number): boolean {
    if (this.planned !== null) return this.planned.length < MOST_PLIES;
    return this.far?.phase === "playing" && seat === this.you && this.sent === null;
  }

  /* ---- What the server says ---- */

  private hear(event: FarEvent): void {
    if (this.closed) return;
    if (event.event === "missing") {
      this.missing = true;
    } else if (event.event === "table") {
      this.take(event);
    } else if (event.event === "present") {
      this.update({ seats: this.seatsWith((seat, i) => ({ ...seat, present: event.seats.includes(i + 1) })) });
      this.noteAbsence();
    } else if (event.event === "promised") {
      this.update({ lines: event.lines });
    } else if (this.far !== null && event.number > this.far.number) {
      this.happen(event);
      this.update({ number: event.number });
      if (event.event !== "moved") this.wishes.tell(event);
    }
    this.follow();
  }

  /* The whole table, unless it is older than what is known. */
  private take(far: FarTable): void {
    const known = this.far;
    if (known !== null && far.number < known.number) return;
    this.far = far;
    this.missing = false;
    if (known !== null && (known.moves.length !== far.moves.length || far.phase !== "playing")) this.planned = null;
    if (this.sent !== null && (far.moves.length > this.sent.ply || far.phase === "over")) this.sent = null;
    this.times = { left: far.seats.map(({ left }) => left ?? 0), running: far.running ?? 0, since: performance.now() };
    this.noteAbsence();
    // Another seat sees another board, and what is hidden is seen when the game begins.
    const begins = known?.phase === "waiting" && far.phase !== "waiting" && far.first !== undefined;
    if (known !== null && (known.you !== far.you || begins)) this.table = null;
    if (this.table === null) this.lay(far);
    // Whoever was at this table when the next one was laid goes there.
    if (known !== null && known.next === undefined && far.next !== undefined) this.wishes.tell({ event: "followed", table: far.table, number: far.number, next: far.next });
  }

  private update(change: Partial<FarTable>): void {
    if (this.far !== null) this.far = { ...this.far, ...change };
  }

  private seatsWith(change: (seat: FarTable["seats"][number], index: number) => FarTable["seats"][number]): FarTable["seats"] {
    return this.far?.seats.map(change) ?? [];
  }

  private happen(event: News | Extract<FarEvent, { event: "moved" }>): void {
    const far = this.far!;
    switch (event.event) {
      case "sat":
        return this.update({ seats: this.seatsWith((seat, i) => (i + 1 === event.seat ? { ...seat, name: event.name } : seat)) });
      case "stood":
        if (event.seat === this.you) this.listen();
        return this.update({ seats: this.seatsWith((seat, i) => (i + 1 !== event.seat ? seat : seat.left === undefined ? {} : { left: seat.left })) });
      case "began":
        return this.update({ phase: "playing" });
      case "moved":
        return this.moved(event);
      case "offered":
        return this.update({ offers: [...far.offers, { offer: event.offer, seat: event.seat, ply: event.ply, id: event.id }] });
      case "withdrawn":
      case "declined":
      case "accepted":
        return this.update({ offers: far.offers.filter(({ id }) => id !== event.id) });
      case "undone":
        this.sent = this.planned = null;
        return this.update({ moves: far.moves.slice(0, event.ply), offers: [] });
      case "paired":
        return this.update(this.scored(event.winners.map((seat) => 3 - seat), true));
      case "ended":
        this.sent = this.planned = null;
        return this.update({ ...this.scored(event.winners, false), phase: "over", ending: event.ending, winners: event.winners, offers: [], ...(event.seat > 0 ? { by: event.seat } : {}) });
      case "regained":
        // Somebody came with the key of this seat: the server says who this visitor is now.
        if (event.seat === this.you) this.listen();
        return;
      case "followed":
        return this.update({ next: event.next });
    }
  }

  /* The score of a pair after one more game, with its winners as they sit here. */
  private scored(winners: number[], isTwin: boolean): Partial<FarTable> {
    const pair = this.far?.pair;
    if (pair === undefined) return {};
    const halves = pair.halves.map((old, i) => old + (winners.includes(i + 1) ? 3 - winners.length : 0));
    return { pair: { ...pair, over: pair.over || isTwin, halves } };
  }

  /* How many moves chance made. */
  get opening(): number {
    return this.far?.pair?.opening ?? 0;
  }

  private moved({ seat, ply, move, left, seen }: Extract<FarEvent, { event: "moved" }>): void {
    const far = this.far!;
    if (ply !== far.moves.length) return this.listen(); // something was missed
    this.planned = null;
    this.update({ moves: [...far.moves, move], offers: [], ...(seen === undefined ? {} : { seen }) });
    if (this.sent?.ply === ply) this.sent = null;
    const { running, since } = this.times;
    this.times = { left: this.times.left.map((old, i) => (i + 1 === seat ? left : old)), running: running === seat ? 0 : running, since };
  }

  /* ---- The board ---- */

  private lay(far: FarTable): void {
    const { game } = this;
    this.lost = game === undefined;
    if (game === undefined) return;
    try {
      this.open(far, false);
    } catch (error) {
      if (isBreakdown(error)) throw error;
      this.lost = true;
      return;
    }
    const isHere = !game.hidden || far.phase !== "waiting";
    const seats = far.seats.map((_, i) => (i + 1 === far.you && isHere ? 0 : FAR));
    this.table = new Table(this.engine, game.hidden, { game: far.game, options: far.options, seats }, () => {}, this);
  }

  /* Puts the game as it stands into the engine. */
  private open({ game, options, moves, first, seen, phase, you = 0 }: FarTable, goesOn: boolean): void {
    // Before the game begins, whoever sits sees what everybody sees.
    if (first !== undefined) this.engine.observe({ game, options, moves }, first, seen ?? first, phase === "waiting" ? 0 : you, goesOn);
    else this.engine.begin(game, options, moves);
    if (phase === "over") this.engine.end();
  }

  /* The moves that the board should show: those of the server, and one's own before the server has told it, or what the
   * reader plans. */
  private wanted(): string[] {
    const { moves } = this.far!;
    if (this.planned !== null) return [...moves, ...this.planned];
    return this.sent !== null && this.sent.ply === moves.length && !this.table!.hidden ? [...moves, this.sent.move] : moves;
  }

  /* Brings the board to what the server says, move by move, so that people can follow. */
  private async follow(): Promise<void> {
    if (this.isFollowing) return;
    this.isFollowing = true;
    try {
      for (let rest = this.step(); rest > 0 && !this.closed; rest = this.step()) await pass(rest);
    } catch (error) {
      if (isBreakdown(error)) throw error;
      this.lost = true;
    } finally {
      this.isFollowing = false;
    }
  }

  /* One step towards it. Returns how long to wait before the next; 0: there is none. */
  private step(): number {
    const { far, table } = this;
    if (far === null || table === null || this.closed) return 0;
    const wanted = this.wanted();
    const shown = table.history.map(([, move]) => move);
    const isBehind = wanted.length !== shown.length || wanted.some((move, i) => move !== shown[i]);
    if (isBehind) {
      const isNext = wanted.length > shown.length && shown.every((move, i) => move === wanted[i]);
      // What was missed for long, or in a window that nobody sees, is shown at once.
      const isPaced = isNext && wanted.length - shown.length < 5 && !document.hidden && !table.hidden;
      const early = this.shownAt + PACE - performance.now();
      const isLast = !isPaced || wanted.length === shown.length + 1;
      table.locked = !isLast || (isPaced && early > 0);
      if (isPaced && early > 0) return early;
      table.follow(isPaced ? wanted.slice(0, shown.length + 1) : wanted, table.hidden ? () => this.open(far, true) : undefined);
      this.shownAt = performance.now();
      if (!isLast) return PACE;
    } else {
      table.locked = false;
      if (table.hidden && this.secretive && far.first === undefined) table.follow(wanted, () => this.open(far, false)); // it is over: no secrets any more
      else if (table.waiting && !this.wasWaiting) table.reconsider();
    }
    this.secretive = far.first !== undefined;
    this.wasWaiting = table.waiting;
    if (far.phase === "over" && far.ending !== "rules") this.judge();
    if (this.planned === null) this.run(far.phase === "playing" ? table.position.turn : 0);
    return 0;
  }

  /* How the game ended, in the reader's language. */
  judge(): void {
    const { far, table } = this;
    if (far?.phase === "over" && far.ending !== "rules" && table !== null) table.verdict = this.wishes.verdict(far);
  }

  /* ---- What people here do ---- */

  play(move: string): void {
    const far = this.far!;
    if (this.planned !== null) {
      this.planned = [...this.planned, move];
      return;
    }
    const { running, since } = this.times;
    const spent = running === this.you ? { spent: Math.round(performance.now() - since) } : {};
    const ply = far.moves.length;
    this.sent = { ply, move };
    this.wasWaiting = false;
    this.shownAt = performance.now();
    this.run(this.table!.position.turn);
    void this.send({ wish: "move", seat: this.you, ply, id: newId(), move, ...spent });
  }

  private async send(wish: Extract<Wish, { wish: "move" }>): Promise<void> {
    try {
      await this.server.ask(this.id, wish);
    } catch (error) {
      const text = this.refusal(error);
      if (this.sent?.ply === wish.ply && this.sent.move === wish.move) this.sent = null;
      await this.follow();
      if (this.table !== null && !this.closed) this.table.notice = { text, place: null, kind: "refused" };
    }
  }

  /* Why it was refused. A refusal may come with the table as it stands. */
  private refusal(error: unknown): string {
    if (!(error instanceof FarRefusal)) throw error;
    if (error.table !== undefined && !this.closed) this.take(error.table);
    return this.wishes.refused(error);
  }

  /* Asks for something else than a move. False if it was refused, which the reader is told. */
  async ask(wish: Exclude<Wish, { wish: "move" }>): Promise<boolean> {
    try {
      await this.server.ask(this.id, wish);
      return true;
    } catch (error) {
      this.wishes.complain(this.refusal(error));
      await this.follow();
      return false;
    }
  }

  offer(offer: OfferKind): void {
    void this.ask({ wish: "offer", seat: this.you, offer, id: newId(), ply: this.far!.moves.length });
  }

  answer(wish: "accept" | "decline" | "withdraw", { offer, id, ply }: Offer): void {
    if (wish === "accept") {
      this.agreed = [...this.agreed, id];
      void this.ask({ wish, seat: this.you, offer, id, ply });
    } else void this.ask({ wish, seat: this.you, offer, id });
  }

  /* ---- Conditional moves ---- */

  /* Whether the reader can say now what they will answer. */
  get mayPromise(): boolean {
    const { far, table, you } = this;
    if (far?.phase !== "playing" || far.clock.kind !== "move" || you === 0 || table === null || table.hidden || this.sent !== null) return false;
    return (table.history[far.moves.length]?.[0] ?? table.position.turn) !== you;
  }

  /* Begins to plan, or goes on from some line; null: to the game as it stands. */
  plan(line: string[] | null): void {
    this.planned = line;
    void this.follow();
  }

  /* The planned line, up to the last move of one's own. */
  get plannedLine(): string[] {
    const { far, table, you } = this;
    if (far === null || table === null || this.planned === null) return [];
    const seats = table.history.slice(far.moves.length).map(([seat]) => seat);
    return this.planned.slice(0, seats.lastIndexOf(you) + 1);
  }

  /* Adds the planned line to what was promised. Another answer to the same takes the place of the old one. */
  async keepPlan(): Promise<void> {
    const { far, table, you, plannedLine } = this;
    const seats = table!.history.slice(far!.moves.length).map(([seat]) => seat);
    const others = (far!.lines ?? []).filter((old) => {
      const common = plannedLine.findIndex((move, i) => move !== old[i]);
      return common >= 0 && common < old.length && seats[common] !== you;
    });
    if (await this.promise([...others, plannedLine])) this.plan(null);
  }

  promise(lines: string[][]): Promise<boolean> {
    return this.ask({ wish: "promise", seat: this.you, ply: this.far!.moves.length, id: newId(), lines });
  }

  /* ---- Clocks, and who is there ---- */

  /* From now on the clock of this seat runs, and no other. */
  private run(seat: number): void {
    const now = performance.now();
    const { left, running, since } = this.times;
    const turn = this.far?.clock.kind === "none" ? 0 : seat;
    if (turn === running) return;
    this.times = { left: left.map((old, i) => (i + 1 === running ? old - (now - since) : old)), running: turn, since: now };
  }

  get running(): number {
    return this.times.running;
  }

  /* Milliseconds on the clock of a seat; null where there is no clock. */
  left(seat: number, now: number): number | null {
    if (this.far === null || this.far.clock.kind === "none") return null;
    const { left, running, since } = this.times;
    return Math.max(0, left[seat - 1]! - (running === seat ? Math.max(0, now - since) : 0));
  }

  private noteAbsence(): void {
    this.far?.seats.forEach(({ name, present }, i) => {
      if (name === undefined || present) this.absentSince.delete(i + 1);
      else if (!this.absentSince.has(i + 1)) this.absentSince.set(i + 1, performance.now());
    });
  }

  /* Whether the player whose turn it is has been away for so long that the reader can claim it. */
  canClaim(now: number): boolean {
    const turn = this.table?.position.turn ?? 0;
    const since = this.absentSince.get(turn);
    const kind = this.far?.clock.kind;
    const isPossible = this.far?.phase === "playing" && this.you > 0 && turn !== this.you && kind !== "move";
    return isPossible && since !== undefined && now - since > (kind === "none" ? LONG_ABSENCE : ABSENCE);
  }
}
