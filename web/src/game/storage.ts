/* What the browser keeps: games in progress and the reader's wishes. Storage may be full, blocked, or hold
 * anything: every access can fail, and the page goes on without. */
import type { Setup } from "./table.svelte";

const PREFIX = "nonet.";

export interface Kept {
  setup: Setup;
  game: string; // as Engine.keep gives it: sealed while it hides something
  over: boolean;
}

/* False where the browser would not take it. */
export function store(key: string, value: unknown): boolean {
  try {
    localStorage.setItem(PREFIX + key, JSON.stringify(value));
    return true;
  } catch {
    return false;
  }
}

export function fetchStored(key: string): unknown {
  try {
    return JSON.parse(localStorage.getItem(PREFIX + key) ?? "null");
  } catch {
    return null;
  }
}

export function forget(key: string): void {
  try {
    localStorage.removeItem(PREFIX + key);
  } catch {
    // Nothing could be kept there either.
  }
}

function isSetup(value: unknown): value is Setup {
  const setup = value as Setup | null;
  return (
    typeof setup === "object" &&
    setup !== null &&
    typeof setup.game === "string" &&
    typeof setup.options === "object" &&
    setup.options !== null &&
    Object.values(setup.options).every((option) => typeof option === "string") &&
    Array.isArray(setup.seats) &&
    setup.seats.every((seat) => Number.isInteger(seat) && seat >= 0 && seat <= 10)
  );
}

/* A game that was being played; "damaged" if something is there that cannot be one. */
export function keptGame(game: string): Kept | "damaged" | null {
  const value = fetchStored(`game.${game}`) as Kept | null;
  if (value === null) return null;
  return typeof value === "object" && typeof value.game === "string" && isSetup(value.setup) && value.setup.game === game
    ? value
    : "damaged";
}
