/* Edits a draft of a position: a text that looks like one. */
import type { Piece, Scene } from "../../engine/engine";
import type { Bench } from "../worker";

export interface Question {
  lines: string; // that open a game: it gives the options, and where nothing else is given, the position
  text: string; // the draft, or empty
  edits: string[]; // as apps/wasm/editing.c takes them
  seed: number; // decides what nobody knows, where somebody wants to play on
}

/* A number beside the board. */
export interface Field {
  label: string;
  least: number;
  most: number;
  value: number;
  names: string[]; // of its values; none if they are numbers
}

export interface Draft {
  text: string;
  refused: number; // edits that could not be made
  turn: number;
  why: string; // why it is no position; empty if it is
  places: number[]; // that this is about,
  pieces: number[]; // and pieces, by their index in the scene
  position: {
    text: string; // with what is hidden drawn by lot
    dealt: boolean; // something was
    over: boolean;
    hands: string[]; // what is in them, where that follows from the board
  } | null;
  kinds: Piece[];
  drafted: number[]; // the kinds of the pieces in the scene
  fields: Field[];
  scene: Scene;
}

export async function job({ engine }: Bench, { lines, text, edits, seed }: Question): Promise<Draft> {
  engine.open(lines);
  return engine.ask<Draft>("study_edit", [text, ...edits].join("\n"), BigInt(seed));
}
