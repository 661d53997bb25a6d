/* A table with a game on it: who sits where, what is touched, whose turn it is, what can be taken back.
 * It owns an engine with the game and a thinker for the computers, and knows no particular game. */
import { isBreakdown, Refusal, type Engine, type Difference, type GameEvent, type Position, type Scene, type Standing, randomNumber, type Report } from "../engine/engine";
import { Thinker } from "../engine/thinker";
import { words } from "../words/words.svelte";
import { joined, NO_CHANGE, tell } from "./difference";
import { hurried, instead, movesAfter, named, touchable } from "./touching";

/* 0 for a person, the level of a computer, or FAR. */
export type Seat = number;

/* A seat at which somebody plays elsewhere: this page neither moves nor thinks for it. */
export const FAR = -1;

/* Decides at a table where some play elsewhere; at others, the table decides by itself. */
export interface Authority {
  readonly isUnderWay: boolean; // the game has begun
  lets(seat: number): boolean; // whether a hand may make a move for this seat now
  play(move: string): void; // is told every move of a hand, and says what comes of it by Table.follow
}

/* How a game ended that its rules did not end. Where nobody won, `result` says so. */
export interface Verdict {
  winners: number[];
  reason: string;
  result?: string;
}

export interface Setup {
  game: string;
  options: Record<string, string>;
  seats: Seat[];
}

/* A message at a place of the board, or about the whole game. */
export interface Notice {
  text: string;
  place: number | null;
  kind: "refused" | "hint";
  move?: string; // that a hint suggests, once it says all
  marks?: number[]; // places that a hint is about
}

/* A move in words: the seat that made it, what it changed, and what happened besides. */
export interface Tale {
  seat: number;
  told: string;
  events: GameEvent[];
}

/* What a hand tries: a move, or touches that do not make one. */
export type Attempt = { move: string } | { touches: number[] };

/* What has just happened, for screen readers: moves that were made, or taken back. */
export interface News {
  takenBack: boolean;
  moves: Tale[];
}
const NOTHING: News = { takenBack: false, moves: [] };

/* Nobody can follow moves that come without a pause. */
const pass = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));

export class Table {
  readonly setup: Setup;
  position = $state.raw<Position>(null!);
  history = $state.raw<[number, string][]>([]);
  /* The ply that is looked at, or null: the present. */
  lookingAt = $state<number | null>(null);
  touched = $state.raw<number[]>([]);
  notice = $state.raw<Notice | null>(null);
  news = $state.raw<News>(NOTHING);
  /* Events are shown at their places until a hand touches something, or for a while. */
  remarking = $state(false);
  thinking = $state(false);
  /* Where people share the screen in a game with secrets: the seat that is looking, 0 while the screen is handed over. */
  shownTo = $state(0);
  undone = $state(0);
  /* A game between computers can be paused. */
  paused = $state(false);
  /* The computer could not think: nothing happens until it is asked again. */
  stuck = $state(false);
  /* Moves are being shown, and nobody's hand may touch anything. */
  locked = $state(false);

  /* Set where the game ended, but not by its rules. */
  verdict = $state.raw<Verdict | null>(null);

  /* Places that somebody points out, such as a lesson. */
  marked = $state.raw<number[]>([]);
  /* Is told every move before it is made, and what a hand tries otherwise. */
  watch: (attempt: Attempt) => void = () => {};

  /* The ways chosen by buttons, the last one first: the default until somebody chooses another. */
  private usual = $state.raw<number[]>([]);
  private readonly thinker = new Thinker();
  /* What a hint says step by step, in this position, and how much of it has been said. */
  private advice: { steps: Notice[]; said: number } | null = null;
  private thoughts = 0; // how many were begun or given up: only the last one counts

  /* `keep` is called with the game's text after every change, to store it. */
  constructor(
    private readonly engine: Engine,
    readonly hidden: boolean,
    setup: Setup,
    private readonly keep: (kept: string, over: boolean, setup: Setup) => void,
    private readonly authority: Authority | null = null,
  ) {
    this.setup = $state(setup);
    this.position = engine.position(0);
    this.shownTo = this.sharedSecret ? 0 : this.firstPerson;
    this.refresh();
  }

  get people(): number {
    return this.setup.seats.filter((seat) => seat === 0).length;
  }

  private get firstPerson(): number {
    return this.setup.seats.indexOf(0) + 1;
  }

  /* Whether people who may not see each other's side share this screen. */
  get sharedSecret(): boolean {
    return this.hidden && this.people > 1;
  }

  get over(): boolean {
    return this.position.turn === 0 || this.verdict !== null;
  }

  /* Nobody's turn has come before a game has begun. */
  get isUnderWay(): boolean {
    return this.authority?.isUnderWay ?? true;
  }

  get winners(): number[] {
    return (this.verdict ?? this.position).winners;
  }

  get reason(): string {
    return (this.verdict ?? this.position).reason;
  }

  /* A person is to move, and looks at the present. */
  get waiting(): boolean {
    const { turn } = this.position;
    const isHere = this.authority ? this.authority.lets(turn) : this.setup.seats[turn - 1] === 0;
    return !this.over && !this.locked && this.lookingAt === null && isHere && !this.handOver;
  }

  /* The screen must be passed on before anybody may look. */
  get handOver(): boolean {
    const turn = this.position.turn;
    return this.sharedSecret && turn !== 0 && this.setup.seats[turn - 1] === 0 && this.shownTo !== turn;
  }

  /* The seat for which the board is drawn. */
  get viewer(): number {
    return this.over || !this.handOver ? this.shownTo : 0;
  }

  readonly next: Set<number> = $derived.by(() =>
    this.waiting && this.position.moves ? touchable(this.position.moves, this.touched) : new Set(),
  );

  private readonly shown: Pick<Position, "scene" | "standings"> = $derived.by(() => this.engine.show(this.lookingAt ?? this.position.ply, this.viewer));

  /* The scene that is shown: the present one, or that of a move looked back at; and how the game stands in it. */
  get scene(): Scene {
    return this.shown.scene;
  }

  get standings(): Standing[] {
    return this.shown.standings;
  }

  /* Whose turn it is in that scene; 0 once the game is over. */
  get turn(): number {
    return this.lookingAt === null ? this.position.turn : this.history[this.lookingAt]![0];
  }

  /* The first scene of the game, as the viewer may see it. */
  readonly first: Scene = $derived.by(() => (void this.position, this.engine.before(0, this.viewer).scene));

  /* What the ply-th move changed on the board; nothing before the first. */
  changeBy(ply: number): Difference {
    return ply > 0 ? this.engine.difference(ply, this.viewer) : NO_CHANGE;
  }

  /* The ply of the last move by the reader, or by a person if people share a screen without secrets; 0 if there is none. */
  private get ownPly(): number {
    const reader = this.sharedSecret ? (this.handOver ? this.position.turn : this.shownTo) : 0;
    return this.history.map(([seat]) => (reader > 0 ? seat === reader : this.setup.seats[seat - 1] === 0)).lastIndexOf(true) + 1;
  }

  /* What is marked on the board: the move looked at; else all that the others did since the reader's last move. */
  readonly change: Difference = $derived.by(() => {
    const { ply } = this.position;
    if (this.lookingAt !== null) return this.changeBy(this.lookingAt);
    const first = this.people > 0 && this.ownPly < ply ? this.ownPly + 1 : ply;
    return first === ply ? this.changeBy(ply) : joined(this.plies(first).map((other) => this.changeBy(other)));
  });

  /* What there is to tell: the move looked at; else the reader's last move and what the others did since. Nothing after
   * moves were taken back. */
  readonly story: Tale[] = $derived.by(() => {
    const { ply } = this.position;
    if (this.lookingAt !== null) return this.lookingAt > 0 ? [this.tale(this.lookingAt)] : [];
    if (this.news.takenBack) return [];
    return this.plies(this.people > 0 ? Math.max(this.ownPly, 1) : Math.max(ply, 1)).map((other) => this.tale(other));
  });

  /* From one ply to the last. */
  private plies(first: number): number[] {
    return Array.from({ length: this.position.ply - first + 1 }, (_, i) => first + i);
  }

  /* Where nothing can be done but one thing, what was said of the game as a whole tells why. */
  readonly why: GameEvent[] = $derived.by(() =>
    this.waiting && this.position.count === 1 ? this.changeBy(this.position.ply).events.filter(({ places }) => places.length === 0) : [],
  );

  /* Whether a button stands for a piece in a hand, not for what to do with it. */
  takes(place: number): boolean {
    return this.position.scene.pieces.some((piece) => piece.button === place);
  }

  private isWay = (place: number) => this.position.scene.places[place]!.kind === "button" && !this.takes(place);

  /* The buttons among which one is chosen before the move is complete, such as the ways in which a piece can
   * stand; and the kinds of pieces that can be taken. */
  readonly ways: number[] = $derived.by(() => this.alternatives(this.isWay));
  readonly kinds: number[] = $derived.by(() => this.alternatives((place) => this.takes(place)));

  private alternatives(fits: (place: number) => boolean): number[] {
    const moves = this.waiting ? this.position.moves : null;
    if (!moves) return [];
    for (let step = this.touched.length; step >= 0; step--) {
      const found = instead(moves, this.touched, step).filter((place) => fits(place) && named(moves, [...this.touched.slice(0, step), place]) === null);
      if (found.length > 1) return found;
    }
    return [];
  }

  /* Makes the touches that leave no choice, and those that repeat an earlier choice of a way. */
  private settled(touched: number[]): number[] {
    const moves = this.position.moves!;
    const all = hurried(moves, touched, (place) => this.position.scene.places[place]!.kind !== "cell");
    const next = [...touchable(moves, all)];
    if (next.length < 2 || !next.every((place) => this.isWay(place) && named(moves, [...all, place]) === null)) return all;
    return this.settled([...all, this.usual.find((place) => next.includes(place)) ?? next[0]!]);
  }

  /* What is touched before anybody has touched anything. */
  private untouched(): number[] {
    return this.waiting && this.position.moves ? this.settled([]) : [];
  }

  /* What a move would change on the board. */
  preview(move: string): Difference | null {
    return this.engine.preview(move, this.viewer);
  }

  /* The moves that one more touch completes, with the place it touches. */
  readonly completions: { place: number; move: string }[] = $derived.by(() => {
    const moves = this.waiting ? this.position.moves : null;
    return movesAfter(moves ?? [], this.touched)
      .filter((move) => move.length === this.touched.length + 2)
      .map((move) => ({ place: move.at(-1) as number, move: move[0] }));
  });

  /* What one of the moves that begin with these touches would change. */
  example(touched: number[]): Difference | null {
    const move = movesAfter(this.position.moves ?? [], touched)[0];
    return move === undefined ? null : this.preview(move[0]);
  }

  /* The ply-th move in words; where the screen is shared, only what everybody may know. */
  private tale(ply: number): Tale {
    const [seat, move] = this.engine.history(ply - 1, ply)[0]!;
    const viewer = this.sharedSecret ? 0 : this.viewer;
    const change = this.engine.difference(ply, viewer);
    return { seat, told: tell(this.engine.before(ply, viewer).scene, move, change), events: change.events };
  }

  private refresh(): void {
    // Whose turn it is decides who may look: the last player must not see it as the next one, nor the other way round.
    this.position = this.engine.position(0);
    if (this.viewer > 0) this.position = this.engine.position(this.viewer);
    const known = this.history.slice(0, this.position.ply);
    this.history = [...known, ...this.engine.history(known.length, this.position.ply)];
    this.lookingAt = null;
    this.stuck = false;
    this.advice = null;
    this.touched = this.untouched();
    this.keep(this.engine.keep(), this.over, $state.snapshot(this.setup));
    if (this.computerIsNext) void this.letComputerMove();
  }

  private get computerIsNext(): boolean {
    return !this.over && !this.paused && (this.setup.seats[this.position.turn - 1] ?? 0) > 0;
  }

  /* What the computer is thinking about is no longer wanted. */
  private interrupt(): void {
    this.thinker.drop();
    this.thoughts++;
    this.thinking = false;
  }

  /* The same position, said in another language. */
  relabel(): void {
    this.position = this.engine.position(this.viewer);
    this.notice = null;
    this.advice = null;
    this.news = NOTHING;
  }

  pause(paused: boolean): void {
    this.paused = paused;
    this.stuck = false;
    this.interrupt();
    if (this.computerIsNext) void this.letComputerMove();
  }

  /* Now only the person whose turn it is looks at the screen. */
  takeOver(): void {
    this.shownTo = this.position.turn;
    this.remarking = true;
    this.refresh();
  }

  private async letComputerMove(): Promise<void> {
    const thought = ++this.thoughts;
    this.thinking = true;
    try {
      const level = this.setup.seats[this.position.turn - 1]!;
      const [report] = await Promise.all([this.ask(level), pass(this.people > 0 ? 300 : 700)]);
      // Interrupted or left meanwhile: nobody wants this move any more.
      if (thought !== this.thoughts) return;
      this.thinking = false;
      this.play(report.move);
    } catch (error) {
      if (isBreakdown(error)) throw error;
      if (thought !== this.thoughts) return;
      this.thinking = false;
      this.stuck = true;
    }
  }

  private ask(level: number): Promise<Report> {
    return this.thinker.think(this.engine.keep(), level, randomNumber());
  }

  hurry(): void {
    this.thinker.hurry();
  }

  play(move: string): boolean {
    // A hint that is still being computed comes too late.
    if (this.thinking) this.interrupt();
    this.watch({ move });
    // Nobody here knows what a move leads to where something is hidden.
    if (this.authority && this.hidden) {
      this.touched = [];
      this.notice = null;
      this.authority.play(move);
      return true;
    }
    try {
      this.engine.play(move);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      this.notice = { text: error.message, place: this.touched.at(-1) ?? null, kind: "refused" };
      this.touched = [];
      return false;
    }
    this.notice = null;
    this.undone = 0;
    this.news = { takenBack: false, moves: [this.tale(this.position.ply + 1)] };
    this.remarking = true;
    this.refresh();
    this.authority?.play(move);
    return true;
  }

  /* Goes to where these moves lead, because the authority says so: takes back what is not among them, makes the others,
   * and tells it. Where something is hidden, `open` puts the game as it is now into the engine. A reader who looks back
   * goes on doing so. */
  follow(moves: string[], open?: () => void): void {
    const looking = this.lookingAt;
    const { ply } = this.position;
    const differs = moves.findIndex((move, i) => this.history[i]?.[1] !== move);
    const common = Math.min(differs < 0 ? moves.length : differs, ply);
    const takenBack = this.plies(common + 1).map((other) => this.tale(other));
    this.history = this.history.slice(0, common);
    if (open) open();
    else {
      for (let back = ply; back > common; back--) this.engine.prune(this.engine.node());
      for (const move of moves.slice(common)) this.engine.play(move);
    }
    this.position = this.engine.position(this.viewer);
    const made = this.plies(common + 1).map((other) => this.tale(other));
    if (made.length + takenBack.length > 0) {
      this.news = made.length > 0 ? { takenBack: false, moves: made } : { takenBack: true, moves: takenBack };
      this.remarking = made.length > 0;
      this.notice = null;
    }
    this.refresh();
    if (looking !== null && looking < this.position.ply) this.lookingAt = looking;
  }

  /* A hand touches a place: another step towards a move, another beginning, or a try that is refused. */
  touch(place: number): void {
    if (!this.waiting || !this.position.moves) return;
    const moves = this.position.moves;
    this.notice = null;
    this.remarking = false;
    if (this.isWay(place)) this.usual = [place, ...this.usual.filter((other) => other !== place)];
    // A touch replaces an earlier one of the same kind. The same touch again cancels it, but a way is always chosen.
    for (let step = this.touched.length; step >= 0; step--) {
      const before = this.touched.slice(0, step);
      if (this.touched[step] === place) {
        if (!this.isWay(place)) this.touched = this.settled(before);
        return;
      }
      if (!touchable(moves, before).has(place)) continue;
      const move = named(moves, [...before, place]);
      if (move !== null) this.play(move);
      else {
        this.touched = this.settled([...before, place]);
        this.watch({ touches: this.touched });
      }
      return;
    }
    this.refuse(place);
  }

  /* Says why the touches so far cannot continue here. */
  refuse(place: number): void {
    const text = this.whyNot(place);
    this.watch({ touches: [...this.touched, place] });
    if (text !== null) this.notice = { text, place, kind: "refused" };
  }

  private whyNot(place: number): string | null {
    if (this.next.size > 0 && [...this.next].every((other) => this.takes(other))) return words.t("takeFirst");
    const touched = [...this.touched, place];
    const why = (places: number[]) => this.engine.why(this.engine.spell(places));
    if (this.position.moves!.some((move) => move.length === touched.length + 1)) return why(touched);
    // A move needs more touches. If all of them fail for the same reason, this place is the cause.
    const { places } = this.position.scene;
    const reasons = new Set(places.flatMap(({ kind }, other) => (kind === "cell" && other !== place ? [why([...touched, other])] : [])));
    return reasons.size === 1 ? [...reasons][0]! : words.t("immobile", places[place]!.name);
  }

  letGo(): void {
    this.touched = this.untouched();
    this.notice = null;
    this.remarking = false;
  }

  /* Whether a hand may move has changed. */
  reconsider(): void {
    this.touched = this.untouched();
  }

  /* Back to the last decision of a person. */
  undo(): void {
    this.interrupt();
    const moves: News["moves"] = [];
    do {
      if (this.position.ply === 0) break;
      moves.unshift(this.tale(this.position.ply));
      this.engine.undo();
      this.position = this.engine.position(this.viewer);
    } while ((this.setup.seats[this.position.turn - 1] ?? 0) > 0 && this.people > 0);
    this.undone += moves.length;
    this.news = { takenBack: true, moves };
    this.remarking = false;
    // Somebody who only watches wants to look at the earlier position.
    if (this.people === 0) this.paused = true;
    if (this.sharedSecret) this.shownTo = 0;
    this.notice = null;
    this.refresh();
  }

  redo(): void {
    this.interrupt();
    const moves: News["moves"] = [];
    do {
      if (!this.engine.redo()) break;
      this.undone--;
      this.position = this.engine.position(this.viewer);
      moves.push(this.tale(this.position.ply));
    } while (this.undone > 0 && (this.setup.seats[this.position.turn - 1] ?? 0) > 0);
    this.news = { takenBack: false, moves };
    this.notice = null;
    this.remarking = true;
    this.refresh();
  }

  lookAt(ply: number | null): void {
    this.lookingAt = ply === null || ply >= this.position.ply ? null : Math.max(ply, 0);
    this.notice = null;
    this.remarking = true;
    const shown = this.lookingAt ?? this.position.ply;
    this.news = shown === 0 ? NOTHING : { takenBack: false, moves: [this.tale(shown)] };
  }

  /* To a position of the tree of variations. */
  go(node: number): void {
    this.interrupt();
    if (!this.engine.go(node)) return;
    this.notice = null;
    this.undone = 0;
    this.remarking = true;
    this.history = [];
    this.refresh();
    const { ply } = this.position;
    this.news = ply === 0 ? NOTHING : { takenBack: false, moves: [this.tale(ply)] };
  }

  /* Gives a seat to somebody else: a person takes over from a computer, or the other way round. */
  seat(player: number, seat: Seat): void {
    this.interrupt();
    this.setup.seats[player - 1] = seat;
    if (!this.sharedSecret) this.shownTo = this.firstPerson;
    this.refresh();
  }

  /* Says a little more every time: where to look, what to take, and then the move. */
  async hint(): Promise<void> {
    if (this.thinking || !this.waiting) return;
    if (this.advice !== null) return this.adviseMore();
    const thought = ++this.thoughts;
    this.thinking = true;
    const report = await this.ask(10).catch(() => null);
    // The steps are fetched when somebody wants the first hint. Without them the move is said at once.
    const gradual = await import("../study/values/hint").then((module) => module.gradual(), () => null);
    if (thought !== this.thoughts) return;
    this.thinking = false;
    if (!this.waiting) return;
    if (report === null) {
      this.notice = { text: words.t("stuck"), place: null, kind: "refused" };
      return;
    }
    const move = this.position.moves?.find((m) => m[0] === report.move);
    const change = this.preview(report.move) ?? NO_CHANGE;
    const text = words.t("hintIs", tell(this.position.scene, report.move, change));
    const last: Notice = { text, place: (move?.at(-1) as number | undefined) ?? null, kind: "hint", move: report.move };
    this.advice = { steps: [...(gradual?.(this.position, move ?? null, change) ?? []), last], said: 0 };
    this.adviseMore();
  }

  /* The last step is said again as often as somebody asks. */
  private adviseMore(): void {
    const { steps, said } = this.advice!;
    this.notice = { ...steps[Math.min(said, steps.length - 1)]! };
    this.advice!.said = said + 1;
  }

  close(): void {
    this.interrupt();
  }
}
