/* The C engine as the page sees it: one instance holds one game (apps/wasm/page.c). Texts go in and out
 * through two buffers in its memory; answers are JSON. */
import wasm from "../../build/nonet.wasm?url";
import plainWasm from "../../build/nonet-plain.wasm?url";
import { hasSimd } from "./simd";

export interface Option {
  key: string;
  kind: "choice" | "size" | "seed" | "letters";
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
  options: Option[];
}

export interface Place {
  name: string;
  kind: "cell" | "floor" | "hand" | "button";
  owner: number;
  x: number;
  y: number;
  width: number;
  depth: number;
  label: string;
}

export interface Piece {
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

/* What a move would change on the board. */
export interface Preview {
  gone: Piece[];
  placed: Piece[];
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
  moves: Move[] | null; // null where they are too many to list
  scene: Scene;
}

export interface Report {
  move: string;
  known: "estimated" | "searched" | "proven";
  score: number;
  value?: "win" | "draw" | "loss";
  distance?: number | null;
  margin?: number | null;
  nodes: number;
}

/* Why the engine would not do something, in the reader's language. */
export class Refusal extends Error {}

interface Exports {
  memory: WebAssembly.Memory;
  _initialize(): void;
  page_input(): number;
  page_input_room(): number;
  page_output(): number;
  page_language(): number;
  page_phrases(): void;
  page_shelf(): void;
  page_new(open: bigint, secret: bigint): number;
  page_keep(number: bigint): number;
  page_restore(): number;
  page_position(viewer: number): void;
  page_scene(ply: number, viewer: number): void;
  page_history(): void;
  page_options(): void;
  page_picture(viewer: number): void;
  page_play(): number;
  page_why(): number;
  page_preview(viewer: number): number;
  page_spell(): void;
  page_undo(): number;
  page_redo(): number;
  page_wish(place: number, x: number, y: number, degrees: number): number;
  page_ghost(): number;
  page_nearest(): number;
  page_region(): number;
  page_region_rows(): number;
  page_region_words(): number;
  page_think(level: number, seed: bigint): number;
  page_advance(nodes: bigint): number;
  page_level_nodes(level: number): bigint;
  page_report(): void;
  page_bench(game: number, players: number, games: bigint, nodes: bigint, signature: bigint): bigint;
  page_bench_end(signature: bigint): bigint;
}

export function randomNumber(): bigint {
  return crypto.getRandomValues(new BigUint64Array(1))[0]!;
}

/* The browser knows no WebAssembly at all. */
export class NoEngine extends Error {}

export class Engine {
  private constructor(
    private readonly c: Exports,
    readonly slow: boolean, // the browser lacks SIMD, so everything takes longer
  ) {}

  static async load(): Promise<Engine> {
    if (typeof WebAssembly !== "object") throw new NoEngine();
    const slow = !hasSimd();
    const answer = await fetch(slow ? plainWasm : wasm);
    if (!answer.ok) throw new Error(`${answer.status} ${answer.statusText}`);
    const nothing = () => 0; // the engine neither reads nor writes files
    const { instance } = await WebAssembly.instantiateStreaming(answer, {
      wasi_snapshot_preview1: { fd_close: nothing, fd_seek: nothing, fd_write: nothing },
    });
    const c = instance.exports as unknown as Exports;
    c._initialize();
    return new Engine(c, slow);
  }

  private put(text: string): void {
    const bytes = new TextEncoder().encode(text + "\0");
    if (bytes.length > this.c.page_input_room()) throw new Refusal("too long");
    new Uint8Array(this.c.memory.buffer).set(bytes, this.c.page_input());
  }

  private answer(): string {
    const memory = new Uint8Array(this.c.memory.buffer);
    const start = this.c.page_output();
    return new TextDecoder().decode(memory.subarray(start, memory.indexOf(0, start)));
  }

  private check(done: number): void {
    if (!done) throw new Refusal(this.answer());
  }

  /* Words of another language: a text for each of the engine's keys. */
  speak(words: Record<string, string>): void {
    this.put(Object.entries(words).map(([key, text]) => `${key}\t${text}`).join("\n"));
    this.c.page_language();
  }

  shelf(): Game[] {
    this.c.page_shelf();
    return JSON.parse(this.answer());
  }

  /* Sets up a game with these options, chance deciding what they leave open. */
  begin(game: string, options: Record<string, string>, moves: string[] = []): void {
    const lines = [game, ...Object.entries(options).map(([key, value]) => `${key}=${value}`)];
    this.put([...lines, ...moves.map((move) => ` ${move}`)].join("\n"));
    this.check(this.c.page_new(randomNumber(), randomNumber()));
  }

  /* The whole game as a text to keep; sealed while it hides something. */
  keep(): string {
    this.check(this.c.page_keep(randomNumber()));
    return this.answer();
  }

  restore(kept: string): void {
    this.put(kept);
    this.check(this.c.page_restore());
  }

  /* What a viewer may see: a seat, or 0 for somebody who holds none. */
  position(viewer: number): Position {
    this.c.page_position(viewer);
    return JSON.parse(this.answer());
  }

  sceneBefore(ply: number, viewer: number): Scene {
    this.c.page_scene(ply, viewer);
    return JSON.parse(this.answer()).scene;
  }

  /* The moves so far, each with the seat that made it. */
  history(): [number, string][] {
    this.c.page_history();
    return JSON.parse(this.answer());
  }

  /* The options that set up the same game again, what chance decided included. */
  options(): Record<string, string> {
    this.c.page_options();
    return JSON.parse(this.answer());
  }

  /* The position as an SVG picture. */
  picture(viewer: number): string {
    this.c.page_picture(viewer);
    return this.answer();
  }

  play(move: string): void {
    this.put(move);
    this.check(this.c.page_play());
  }

  /* Why a move is not legal; null if it is. */
  why(move: string): string | null {
    this.put(move);
    return this.c.page_why() ? null : this.answer();
  }

  /* What a legal move would change on the board, as far as the viewer can know. */
  preview(move: string, viewer: number): Preview | null {
    this.put(move);
    return this.c.page_preview(viewer) ? JSON.parse(this.answer()) : null;
  }

  /* The text of what a hand tries that touches these places. */
  spell(places: number[]): string {
    this.put(places.join(" "));
    this.c.page_spell();
    return this.answer();
  }

  undo(): boolean {
    return this.c.page_undo() !== 0;
  }

  redo(): boolean {
    return this.c.page_redo() !== 0;
  }

  /* Where moves are too many to list: the move that lays down a piece from a place, its centre there. */
  wish(place: number, x: number, y: number, degrees: number): string | null {
    return this.c.page_wish(place, Math.round(x), Math.round(y), Math.round(degrees)) ? this.answer() : null;
  }

  /* The piece as such a move would lay it down. */
  ghost(move: string): Piece | null {
    this.put(move);
    return this.c.page_ghost() ? JSON.parse(this.answer()) : null;
  }

  /* The legal move nearest to one that is wished for, of the same kind and angle. */
  nearest(wish: string): string | null {
    this.put(wish);
    return this.c.page_nearest() ? this.answer() : null;
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

  /* How many nodes a level looks at; 0 where only time limits it. */
  levelNodes(level: number): number {
    return Number(this.c.page_level_nodes(level));
  }

  report(): Report {
    this.c.page_report();
    return JSON.parse(this.answer());
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
