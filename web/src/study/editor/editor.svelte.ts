/* A position that somebody puts down. The engine knows what can be put where, and what is wrong with it; here is only
 * what was done, so that it can be undone. */
import { type Engine, type Game, type Piece } from "../../engine/engine";
import { isUnder } from "../../game/pieces";
import { desk } from "../desk";
import type { Draft, Question } from "./job";

export type { Draft };

/* The pieces over a cell, by their index, the highest last; also those that only reach onto it. */
export function standingOn({ scene }: Draft, place: number): number[] {
  const { x, y, width, depth } = scene.places[place]!;
  const middle = { x: x + width / 2, y: y + depth / 2 };
  return [...scene.pieces.keys()].filter((i) => isUnder(scene.pieces[i]!, middle)).sort((a, b) => scene.pieces[a]!.z - scene.pieces[b]!.z);
}

/* What a touch of a cell means, with a kind in the hand, or -1 to take away: the same touch again takes away what it put
 * there; on a pile it puts another one. Null: nothing. */
export function touchOf(draft: Draft, tool: number, place: number): { put: number } | { take: number } | null {
  const top = standingOn(draft, place).at(-1);
  const isPile = draft.kinds.some(({ count }) => count > 1);
  const isAgain = top !== undefined && !isPile && (draft.drafted[top] === tool || draft.scene.pieces[top]!.place !== place);
  if (tool >= 0 && !isAgain) return { put: tool };
  return top === undefined ? null : { take: top };
}

export class Editor {
  draft = $state.raw<Draft | null>(null);
  /* What could not be done, in the engine's words. */
  trouble = $state("");
  past = $state.raw<string[]>([]);
  future = $state.raw<string[]>([]);
  private readonly seed = crypto.getRandomValues(new Uint32Array(1))[0]!;
  private queue: Promise<void> = Promise.resolve();
  private readonly ids = new Map<string, number>();

  constructor(
    private readonly engine: Engine,
    private readonly game: Game,
    readonly options: Record<string, string>,
  ) {}

  private linesOf(from: string | undefined, moves: string[]): string {
    const began = from === undefined ? [] : [`from=${from}`];
    return [this.game.id, ...Object.entries(this.options).map(([key, value]) => `${key}=${value}`), ...began, ...moves.map((move) => ` ${move}`)].join("\n");
  }

  /* One after another, in the order in which they were asked for. Resolves when it is shown. */
  private ask(question: (now: Draft | null) => Partial<Question>, after: (before: string | null) => void = () => {}): Promise<void> {
    this.queue = this.queue.then(async () => {
      try {
        const { text = "", edits = [], lines = this.linesOf(undefined, []) } = question(this.draft);
        const before = this.draft?.text ?? null;
        const draft = await desk.ask<Draft>("edit", { lines, text, edits, seed: this.seed } satisfies Question);
        this.trouble = "";
        this.adopt(draft);
        if (draft.text !== before) after(before);
      } catch (error) {
        this.trouble = (error as Error).message;
      }
    });
    return this.queue;
  }

  /* A piece that stays where it is, stays the same one. */
  private numbered(pieces: Piece[], kinds: number[]): Piece[] {
    const seen = new Map<string, number>();
    return pieces.map((piece, i) => {
      const key = [kinds[i], piece.place, piece.x, piece.y, piece.z, piece.angle].join(" ");
      const times = (seen.get(key) ?? 0) + 1;
      seen.set(key, times);
      const name = `${key} ${times}`;
      if (!this.ids.has(name)) this.ids.set(name, this.ids.size);
      return { ...piece, id: this.ids.get(name)! };
    });
  }

  private adopt(draft: Draft): void {
    // Where pieces may lie anywhere, the page's own engine says where there is room.
    if (this.game.wide && draft.position) this.begin(draft);
    this.draft = { ...draft, scene: { ...draft.scene, pieces: this.numbered(draft.scene.pieces, draft.drafted) } };
  }

  /* The position becomes the engine's game. */
  begin(draft: Draft): void {
    this.engine.begin(this.game.id, { ...this.options, from: draft.position!.text });
  }

  private remember = (before: string | null): void => {
    if (before === null) return;
    this.past = [...this.past, before];
    this.future = [];
  };

  /* The draft of a link, or a game's position; if that fails, the first position. */
  async open(from: string | undefined, moves: string[]): Promise<void> {
    if (moves.length > 0) await this.ask(() => ({ lines: this.linesOf(from, moves) }));
    else if (from !== undefined) await this.read(from);
    const { trouble } = this;
    if (this.draft === null) await this.ask(() => ({}));
    this.trouble ||= trouble;
  }

  /* An edit, or what makes one of the draft as it is when all earlier edits are done. */
  edit(edit: string | ((now: Draft) => string)): Promise<void> {
    return this.ask((now) => ({ text: now!.text, edits: [typeof edit === "string" ? edit : edit(now!)] }), this.remember);
  }

  first(): Promise<void> {
    return this.ask(() => ({}), this.remember);
  }

  /* A text may have been broken into lines on its way here. */
  read(text: string): Promise<void> {
    return this.ask(() => ({ text: text.trim().replace(/\s+/g, " ") }), this.remember);
  }

  /* In another language. */
  relabel(): Promise<void> {
    return this.ask((now) => ({ text: now!.text }));
  }

  undo(): Promise<void> {
    return this.ask(() => ({ text: this.past.at(-1)! }), (before) => {
      this.past = this.past.slice(0, -1);
      this.future = [before!, ...this.future];
    });
  }

  redo(): Promise<void> {
    return this.ask(() => ({ text: this.future[0]! }), (before) => {
      this.future = this.future.slice(1);
      this.past = [...this.past, before!];
    });
  }
}

