/* The puzzles that the page ships: an index of all of them, and a list for each game, fetched when somebody wants it.
 * scripts/puzzles.py makes them; docs/puzzles.md says what stands in them. */
import index from "./lists/index.json";

const VERSION = 1;

export const THEMES = ["only", "save", "win", "quiet"] as const;
export type Theme = (typeof THEMES)[number];
export type Outcome = "win" | "draw" | "loss";

/* What follows a right move: nothing, and the puzzle is solved; or the answer to it, and the number of the next step. */
export type Follows = [] | [answer: string, next: number];
/* What is wrong with a move: its value, with the plies to the end or the margin in points, and best play after it. */
export type Wrong = [value: Outcome, number: number, ...line: string[]];

/* A decision of the solver: every legal move is right or wrong. */
export interface Step {
  right: Record<string, Follows>;
  wrong: Record<string, Wrong>;
}

export interface Puzzle {
  game: string;
  options: Record<string, string>;
  from: string; // the position
  turn: number;
  value: Outcome;
  distance: number | null; // plies to the end of a win
  margin: number | null; // in points, where there are points
  themes: Theme[];
  level: number | null; // the lowest level that solves it; null if nobody measured it
  steps: Step[];
}

/* Which puzzle of which list. */
export interface Ref {
  game: string;
  number: number;
}
export interface Listed extends Ref {
  level: number;
  themes: Theme[];
}

/* All puzzles of all games, in the order of the lists. */
export const all: Listed[] = Object.entries(index.games).flatMap(([game, { levels, themes }]) =>
  [...levels].map((level, number) => ({
    game,
    number,
    level: parseInt(level, 16),
    themes: THEMES.filter((_, bit) => (parseInt(themes[number]!, 16) >> bit) & 1),
  })),
);

/* A list that arrived is not what it should be. */
export class DamagedList extends Error {}

const isTexts = (value: unknown): value is Record<string, string> =>
  typeof value === "object" && value !== null && Object.values(value).every((text) => typeof text === "string");

function isStep(value: unknown, steps: number): boolean {
  const step = value as Step | null;
  if (typeof step?.right !== "object" || typeof step.wrong !== "object" || step.right === null || step.wrong === null) return false;
  return (
    Object.keys(step.right).length > 0 &&
    Object.values(step.right).every(
      (follows) => Array.isArray(follows) && (follows.length === 0 || (typeof follows[0] === "string" && Number.isInteger(follows[1]) && follows[1] > 0 && follows[1] < steps)),
    ) &&
    Object.values(step.wrong).every(
      (wrong) => Array.isArray(wrong) && ["win", "draw", "loss"].includes(wrong[0]) && typeof wrong[1] === "number" && wrong.slice(2).every((move) => typeof move === "string"),
    )
  );
}

/* Whether something that was fetched or stored is a puzzle. The engine decides whether its position is one. */
export function isPuzzle(value: unknown): value is Puzzle {
  const puzzle = value as Puzzle | null;
  return (
    typeof puzzle === "object" &&
    puzzle !== null &&
    typeof puzzle.game === "string" &&
    typeof puzzle.from === "string" &&
    Number.isInteger(puzzle.turn) &&
    isTexts(puzzle.options) &&
    (puzzle.value === "win" || puzzle.value === "draw") &&
    Array.isArray(puzzle.themes) &&
    puzzle.themes.every((theme) => THEMES.includes(theme)) &&
    Array.isArray(puzzle.steps) &&
    puzzle.steps.length > 0 &&
    puzzle.steps.every((step) => isStep(step, puzzle.steps.length))
  );
}

const addresses = import.meta.glob<string>(["./lists/*.json", "!./lists/index.json"], { query: "?url", import: "default", eager: true });
const fetched = new Map<string, Puzzle[]>();

async function list(game: string): Promise<Puzzle[]> {
  const known = fetched.get(game);
  if (known) return known;
  const answer = await fetch(addresses[`./lists/${game}.json`]!);
  if (!answer.ok) throw new Error(`${answer.status} ${answer.statusText}`);
  const text = await answer.text();
  let found: { version?: number; game?: string; puzzles?: object[] } | null;
  try {
    found = JSON.parse(text);
  } catch {
    throw new DamagedList(game);
  }
  if (found?.version !== VERSION || found.game !== game || !Array.isArray(found.puzzles)) throw new DamagedList(game);
  const puzzles = found.puzzles.map((puzzle) => ({ ...puzzle, game }));
  if (!puzzles.every(isPuzzle)) throw new DamagedList(game);
  fetched.set(game, puzzles);
  return puzzles;
}

export async function fetchPuzzle({ game, number }: Ref): Promise<Puzzle> {
  const puzzle = (await list(game))[number];
  if (!puzzle) throw new DamagedList(game);
  return puzzle;
}
