/* Game records (docs/record.md): a whole game as a JSON file. The engine checks options and moves; only the
 * shape is checked here. */
import type { GameSetup } from "../engine/engine";

/* `from` is among the options, as Engine.begin wants it. */
export interface GameRecord extends GameSetup {
  seats: number[];
}

export function writeRecord(
  setup: GameSetup,
  levels: number[],
  result: { winners: number[]; points: number[] | null; reason: string } | null,
): string {
  const seats = levels.map((level) => ({ kind: level === 0 ? "human" : `level-${level}` }));
  const { winners, points, reason } = result ?? {};
  return JSON.stringify({
    format: "nonet-game",
    version: 1,
    ...setup,
    seats,
    ...(result ? { result: { winners, ...(points ? { points } : {}), reason } } : {}),
  });
}

/* Null for anything that is not a record. */
export function readRecord(text: string): GameRecord | null {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return null;
  }
  const record = value as Record<string, unknown>;
  const texts = (list: unknown): list is string[] => Array.isArray(list) && list.every((item) => typeof item === "string");
  if (typeof record !== "object" || record === null || record.format !== "nonet-game" || record.version !== 1) return null;
  const { game, options = {}, from, moves } = record;
  if (typeof game !== "string" || !texts(moves) || (from !== undefined && typeof from !== "string")) return null;
  if (typeof options !== "object" || options === null || !texts(Object.values(options))) return null;
  const kinds = Array.isArray(record.seats) ? record.seats.map((seat) => String((seat as { kind?: unknown })?.kind)) : [];
  const seats = kinds.map((kind) => Number(/^level-(10|[1-9])$/.exec(kind)?.[1] ?? 0));
  return { game, options: { ...(options as Record<string, string>), ...(from !== undefined ? { from } : {}) }, seats, moves };
}
