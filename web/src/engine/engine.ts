/* The C engine as the page sees it: one instance holds one game (apps/wasm/page.c). Texts go in and out
 * through two buffers in its memory; answers are JSON. */
import wasm from "../../build/nonet.wasm?url";
import plainWasm from "../../build/nonet-plain.wasm?url";
import { hasSimd } from "./simd";

export interface Option {
  key: string;
  kind: "choice" | "size" | "number" | "seed" | "letters";
  values: string;
  default: string | null;
  help: string;
  least?: number;
  most?: number;
  chance: boolean;
}

export interface Game {
  id: string;
  title: string;
  author: string;
  year: string;
  box: string;
  summary: string;
  minutes: number;
  players: number[];
  hidden: boolean;
  wide: boolean;
  editor: boolean; // its positions can be put down by hand
  options: Option[];
}

export interface Place {
  name: string;
  kind: "cell" | "floor" | "hand" | "button";
  owner: number;
  zone?: number; // the part of the board that a cell belongs to
  home?: number; // the player who has to bring pieces there
  x: number;
  y: number;
  width: number;
  depth: number;
  label: string;
}

export interface Piece {
  id?: number; // in a scene that is shown: stays with the piece from one such scene to the next
  place: number;
  shape: "tile" | "cross" | "disc" | "cuboid";
  material: string;
  owner: number;
  count: number;
  button?: number; // in a hand: the place that takes it
  lit: boolean;
  angle: number;
  x: number;
  y: number;
  z: number;
  width: number;
  depth: number;
  height: number;
  mark: string;
  label: string;
}

/* What counted at the end: a line from place to place. */
export interface Figure {
  owner: number;
  points: number;
  closed: boolean;
  places: number[];
  label: string;
}

export interface Scene {
  width: number;
  depth: number;
  tall: boolean; // height matters
  places: Place[];
  pieces: Piece[];
  figures: Figure[];
}

/* What opens a game: its options, the position it begins at if not the usual one, and the moves so far. */
export interface GameSetup {
  game: string;
  options: Record<string, string>;
  from?: string;
  moves: string[];
}

/* What a move did beyond what its mover touched, in words, and where. */
export interface GameEvent {
  label: string;
  places: number[];
}

/* A count that tells how the game stands: of a player, or of the whole table (0). The same ones in every position. */
export interface Standing {
  player: number;
  number: number;
  most?: number;
  material?: string;
  label: string;
}

/* What a move does: what differs on the board before and after it, and what there is to say about it. */
export interface Difference {
  gone: Piece[]; // left their places
  placed: Piece[]; // came to one
  moved: [number, number][]; // pairs: a piece of `gone`, and the same piece in `placed`
  left: number[]; // pieces of `gone` that left the game
  events: GameEvent[];
}

/* A legal move: its text, then the places a hand touches to make it. */
export type Move = [string, ...number[]];

export interface Position {
  ply: number;
  turn: number; // 0 once the game is over
  winners: number[];
  points: number[] | null;
  reason: string;
  secret?: string;
  count: number;
  moves: Move[] | null; // null where there are too many to list
  standings: Standing[];
  scene: Scene;
}

export interface Report {
  move: string;
  score: number;
  value: "win" | "draw" | "loss" | null; // null: not proven
  distance: number | null;
  margin: number | null;
  proof: string; // what proved the value; else "searched" or "estimated"
  nodes: number;
}

/* Why the engine refused something, in the reader's language. */
export class Refusal extends Error {}

interface Exports {
  memory: WebAssembly.Memory;
  _initialize(): void;
  page_input(): number;
  page_input_room(): number;
  page_output(): number;
  page_language(): number;
  page_shelf(): number;
  page_new(open: bigint, secret: bigint): number;
  page_observe(viewer: number, goesOn: number): number;
  page_end(): void;
  page_keep(number: bigint): number;
  page_restore(open: bigint, secret: bigint): number;
  page_position(viewer: number): number;
  page_scene(ply: number, viewer: number): number;
  page_history(from: number, to: number): number;
  page_show(ply: number, viewer: number): number;
  page_setup(): number;
  page_picture(viewer: number): number;
  page_box(): number;
  page_figure(): number;
  page_play(): number;
  page_why(): number;
  page_preview(viewer: number): number;
  page_difference(ply: number, viewer: number): number;
  page_spell(): number;
  page_undo(): number;
  page_redo(): number;
  page_tree(): number;
  page_node(): number;
  page_go(node: number): number;
  page_prune(node: number): number;
  page_wish(place: number, x: number, y: number, degrees: number): number;
  page_ghost(): number;
  page_nearest(): number;
  page_region(): number;
  page_region_rows(): number;
  page_region_words(): number;
  page_think(level: number, seed: bigint): number;
  page_advance(nodes: bigint): number;
  page_level_nodes(level: number): bigint;
  page_report(): number;
  page_bench(game: number, players: number, games: bigint, nodes: bigint, signature: bigint): bigint;
  page_bench_end(signature: bigint): bigint;
}

/* A game as the engine's lines: its id, its options, its moves. */
const linesOf = ({ game, options, moves }: GameSetup): string =>
  [game, ...Object.entries(options).map(([key, value]) => `${key}=${value}`), ...moves.map((move) => ` ${move}`)].join("\n");

/* Every seed is drawn independently: one tells nothing about another. */
export function randomNumber(): bigint {
  return crypto.getRandomValues(new BigUint64Array(1))[0]!;
}

/* The browser has no WebAssembly at all. */
export class NoEngine extends Error {}

/* There is no memory left for the engine: nothing is wrong with the request. */
export class NoMemory extends Error {}

/* The engine's answer is longer than its buffer. */
export class NoRoom extends Error {}

/* Whether an error leaves the engine in an unknown state, so that a new one is needed. */
export const isBreakdown = (error: unknown): error is Error =>
  error instanceof NoMemory || error instanceof NoRoom || (typeof WebAssembly === "object" && error instanceof WebAssembly.RuntimeError);

/* A module of the engine, ready to be called, and whether it is the slow one, without SIMD. */
export async function fetchModule(quick: string, plain: string): Promise<{ exports: WebAssembly.Exports; slow: boolean }> {
  if (typeof WebAssembly !== "object") throw new NoEngine();
  const slow = !hasSimd();
  const answer = await fetch(slow ? plain : quick);
  if (!answer.ok) throw new Error(`${answer.status} ${answer.statusText}`);
  const nothing = () => 0; // the engine neither reads nor writes files
  const { instance } = await WebAssembly.instantiateStreaming(answer, {
    wasi_snapshot_preview1: { fd_close: nothing, fd_seek: nothing, fd_write: nothing },
  });
  (instance.exports as unknown as Exports)._initialize();
  return { exports: instance.exports, slow };
}

export class Engine {
  protected readonly c: Exports;

  protected constructor(
    exports: WebAssembly.Exports,
    readonly slow: boolean, // the browser lacks SIMD, so everything takes longer
  ) {
    this.c = exports as unknown as Exports;
  }

  static async load(): Promise<Engine> {
    const { exports, slow } = await fetchModule(wasm, plainWasm);
    return new Engine(exports, slow);
  }

  protected put(text: string): void {
    const bytes = new TextEncoder().encode(text + "\0");
    if (bytes.length > this.c.page_input_room()) throw new Refusal("too long");
    new Uint8Array(this.c.memory.buffer).set(bytes, this.c.page_input());
  }

  protected answer(): string {
    const memory = new Uint8Array(this.c.memory.buffer);
    const start = this.c.page_output();
    return new TextDecoder().decode(memory.subarray(start, memory.indexOf(0, start)));
  }

  protected check(done: number): void {
    if (done) return;
    const why = this.answer();
    if (why === "memory") throw new NoMemory(why);
    throw why === "room" ? new NoRoom(why) : new Refusal(why);
  }

  /* The answer; null where the engine says, without a reason, that there is none. */
  protected found(done: number): string | null {
    if (!done && this.answer() === "") return null;
    this.check(done);
    return this.answer();
  }

  protected json<T>(done: number): T {
    this.check(done);
    return JSON.parse(this.answer()) as T;
  }

  /* Words of another language: a text for each of the engine's keys. */
  speak(words: Record<string, string>): void {
    this.put(Object.entries(words).map(([key, text]) => `${key}\t${text}`).join("\n"));
    this.check(this.c.page_language());
  }

  shelf(): Game[] {
    return this.json(this.c.page_shelf());
  }

  /* Sets up a game with these options; chance decides what they leave open. */
  begin(game: string, options: Record<string, string>, moves: string[] = []): void {
    this.put(linesOf({ game, options, moves }));
    this.check(this.c.page_new(randomNumber(), randomNumber()));
  }

  /* Sets up a game that hides something, as one viewer knows it: what they saw first, the moves, and what they see now.
   * Where it goes on with the game that is shown, pieces keep their ids. */
  observe(setup: GameSetup, first: string, seen: string, viewer: number, goesOn: boolean): void {
    this.put([first, seen, linesOf(setup)].join("\n"));
    this.check(this.c.page_observe(viewer, Number(goesOn)));
  }

  /* The game is over, though not by its rules: nothing is hidden any more. */
  end(): void {
    this.c.page_end();
  }

  /* The whole game as a text to keep; sealed while it hides something. */
  keep(): string {
    this.check(this.c.page_keep(randomNumber()));
    return this.answer();
  }

  restore(kept: string): void {
    this.put(kept);
    this.check(this.c.page_restore(randomNumber(), randomNumber()));
  }

  /* What a viewer may see. The viewer is a seat, or 0 for somebody without a seat. */
  position(viewer: number): Position {
    return this.json(this.c.page_position(viewer));
  }

  /* The scene before a move, counted from 0, and how the game stood there. */
  before(ply: number, viewer: number): Pick<Position, "scene" | "standings"> {
    return this.json(this.c.page_scene(ply, viewer));
  }

  /* The same scene, to be shown after the one that was asked for last: its pieces have ids. */
  show(ply: number, viewer: number): Pick<Position, "scene" | "standings"> {
    const { scene, standings, numbers } = this.json<{ scene: Scene; standings: Standing[]; numbers: number[] }>(this.c.page_show(ply, viewer));
    return { scene: { ...scene, pieces: scene.pieces.map((piece, i) => ({ ...piece, id: numbers[i]! })) }, standings };
  }

  /* The moves from one ply up to, but not including, another; plies count from 0. Each has the seat that made it. */
  history(from: number, to: number): [number, string][] {
    return this.json(this.c.page_history(from, to));
  }

  /* What opens the same game again, including what chance decided; refused while the game hides something. */
  setup(): GameSetup {
    return this.json(this.c.page_setup());
  }

  /* The position as an SVG picture. */
  picture(viewer: number): string {
    this.check(this.c.page_picture(viewer));
    return this.answer();
  }

  /* A typical position of a game as an SVG picture. */
  box(game: string): string {
    this.put(game);
    this.check(this.c.page_box());
    return this.answer();
  }

  /* The position that these lines of a set-up lead to as an SVG picture, in the reader's language. */
  figure(lines: string): string {
    this.put(lines);
    this.check(this.c.page_figure());
    return this.answer();
  }

  play(move: string): void {
    this.put(move);
    this.check(this.c.page_play());
  }

  /* Why a move is not legal; null if it is. */
  why(move: string): string | null {
    this.put(move);
    try {
      this.check(this.c.page_why());
      return null;
    } catch (error) {
      if (error instanceof Refusal) return error.message;
      throw error;
    }
  }

  /* What a legal move would change on the board, as far as the viewer can know. */
  preview(move: string, viewer: number): Difference | null {
    this.put(move);
    return JSON.parse(this.found(this.c.page_preview(viewer)) ?? "null");
  }

  /* What the ply-th move, from 1, changed on the board. */
  difference(ply: number, viewer: number): Difference {
    return this.json(this.c.page_difference(ply, viewer));
  }

  /* The text of the move that a hand tries by touching these places. */
  spell(places: number[]): string {
    this.put(places.join(" "));
    this.check(this.c.page_spell());
    return this.answer();
  }

  undo(): boolean {
    return this.c.page_undo() !== 0;
  }

  redo(): boolean {
    return this.c.page_redo() !== 0;
  }

  /* The variations as a tree: of each node its number, that of its parent (0: the first position) and the move to it.
   * The first child of a node continues its line. */
  tree(): [node: number, parent: number, move: string][] {
    return this.json(this.c.page_tree());
  }

  /* The number of the current position in that tree. */
  node(): number {
    return this.c.page_node();
  }

  go(node: number): boolean {
    return this.c.page_go(node) !== 0;
  }

  /* Removes a node and what follows it. */
  prune(node: number): boolean {
    return this.c.page_prune(node) !== 0;
  }

  /* Where there are too many moves to list: the move that lays down a piece from a place with its centre there. */
  wish(place: number, x: number, y: number, degrees: number): string | null {
    return this.found(this.c.page_wish(place, Math.round(x), Math.round(y), Math.round(degrees)));
  }

  /* The piece as such a move would lay it down. */
  ghost(move: string): Piece | null {
    this.put(move);
    return JSON.parse(this.found(this.c.page_ghost()) ?? "null");
  }

  /* The legal move nearest to the wanted one, of the same kind and angle. */
  nearest(wish: string): string | null {
    this.put(wish);
    return this.found(this.c.page_nearest());
  }

  /* Which centres are possible for a move of this kind and angle: a bit for each lattice point. */
  region(like: string): { rows: number; words: number; bits: BigUint64Array } | null {
    this.put(like);
    const at = this.c.page_region();
    if (at === 0) return null;
    const rows = this.c.page_region_rows();
    const words = this.c.page_region_words();
    return { rows, words, bits: new BigUint64Array(this.c.memory.buffer.slice(at, at + rows * words * 8)) };
  }

  think(level: number, seed: bigint): void {
    this.check(this.c.page_think(level, seed));
  }

  /* True once there is nothing left to think about. */
  advance(nodes: number): boolean {
    return this.c.page_advance(BigInt(nodes)) !== 0;
  }

  /* How many nodes a level looks at; 0 where it is limited by time alone. */
  levelNodes(level: number): number {
    return Number(this.c.page_level_nodes(level));
  }

  report(): Report {
    return this.json(this.c.page_report());
  }

  /* The signature of `nonet bench` with these numbers of games and nodes. */
  bench(games: number, nodes: number): string {
    let signature = 0n;
    this.shelf().forEach((game, index) => {
      signature = this.c.page_bench(index, game.players[0]!, BigInt(games), 0n, signature);
      for (const players of game.players)
        if (nodes > 0) signature = this.c.page_bench(index, players, 0n, BigInt(nodes), signature);
    });
    return BigInt.asUintN(64, this.c.page_bench_end(signature)).toString(16).padStart(16, "0");
  }
}
