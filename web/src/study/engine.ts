/* The engine for studying: all that the page's engine does, and what apps/wasm/study.h lists. It is larger, so it is
 * fetched when somebody wants it, and it runs in a worker. */
import study from "../../build/study.wasm?url";
import plainStudy from "../../build/study-plain.wasm?url";
import { Engine, fetchModule } from "../engine/engine";

type Call = (...numbers: (number | bigint)[]) => number;

export class StudyEngine extends Engine {
  private readonly calls: Record<string, Call>;

  private constructor(exports: WebAssembly.Exports, slow: boolean) {
    super(exports, slow);
    this.calls = exports as Record<string, Call>;
  }

  static override async load(): Promise<StudyEngine> {
    const { exports, slow } = await fetchModule(study, plainStudy);
    return new StudyEngine(exports, slow);
  }

  /* Opens a game as page_new does, from its lines: the id, an option or `from` in each line, a space before each move. */
  open(lines: string): void {
    this.put(lines);
    this.check(this.c.page_new(1n, 2n));
  }

  /* Calls a function of the engine by its name, with a text for it or none; its answer as JSON. */
  ask<T>(name: string, text: string | null = null, ...numbers: (number | bigint)[]): T {
    if (text !== null) this.put(text);
    return this.json<T>(this.calls[name]!(...numbers));
  }

  /* The same for a function whose answer is a number, or nothing but true and false. */
  number(name: string, text: string | null = null, ...numbers: (number | bigint)[]): number {
    if (text !== null) this.put(text);
    return Number(this.calls[name]!(...numbers));
  }

  /* The same for a function whose answer is a text. */
  text(name: string, ...numbers: (number | bigint)[]): string {
    this.must(name, ...numbers);
    return this.answer();
  }

  /* Calls a function that has to do what is asked; throws the reason if it does not. */
  must(name: string, ...numbers: (number | bigint)[]): void {
    this.check(this.calls[name]!(...numbers));
  }

  /* What the last call answered. */
  answered(): string {
    return this.answer();
  }

  /* Bytes of the engine's memory. */
  bytes(at: number, size: number): Uint8Array {
    return new Uint8Array(this.c.memory.buffer, at, size);
  }
}
