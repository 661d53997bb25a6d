/* What the browser keeps: games in progress and the reader's settings. Storage may be full, blocked, or hold
 * anything: every access can fail, and the page works without it. */
import type { Setup } from "./table.svelte";

const PREFIX = "nonet.";

/* Rises when what is kept changes its shape. */
const VERSION = 1;

export interface Kept {
  setup: Setup;
  game: string; // as Engine.keep gives it: sealed while it hides something
  over: boolean;
}

/* What the browser refused to store, kept while the page is open. */
const unsaved = new Map<string, string>();

/* False where the browser refused to store it. */
export function store(key: string, value: unknown): boolean {
  const text = JSON.stringify(value);
  try {
    localStorage.setItem(PREFIX + key, text);
    unsaved.delete(key);
    return true;
  } catch {
    unsaved.set(key, text);
    return false;
  }
}

/* Null where there is nothing, undefined where there is something that cannot be read. */
export function fetchStored(key: string): unknown {
  let text: string | null;
  try {
    text = unsaved.get(key) ?? localStorage.getItem(PREFIX + key);
  } catch {
    return null;
  }
  try {
    return JSON.parse(text ?? "null");
  } catch {
    return undefined;
  }
}

function forget(key: string): void {
  unsaved.delete(key);
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

/* The last game with this box, and the one before it, which was left unfinished. */
export type Shelf = "game" | "left";

export function keepGame(kept: Kept, shelf: Shelf = "game"): boolean {
  return store(`${shelf}.${kept.setup.game}`, { version: VERSION, ...kept });
}

/* "damaged" if something is there that cannot be a game, or is of another version. */
export function keptGame(game: string, shelf: Shelf = "game"): Kept | "damaged" | null {
  const value = fetchStored(`${shelf}.${game}`) as (Kept & { version: number }) | null | undefined;
  if (value === null) return null;
  return typeof value === "object" &&
    value.version === VERSION &&
    typeof value.game === "string" &&
    isSetup(value.setup) &&
    value.setup.game === game
    ? { setup: value.setup, game: value.game, over: value.over === true }
    : "damaged";
}

export function forgetGame(game: string, shelf: Shelf = "game"): void {
  forget(`${shelf}.${game}`);
}

/* Who played, how strong, and by which rules: offered again the next time. */
export function rememberSetup(setup: Setup): void {
  store(`setup.${setup.game}`, setup);
}

export function rememberedSetup(game: string): Setup {
  const value = fetchStored(`setup.${game}`);
  return isSetup(value) && value.game === game ? value : { game, options: {}, seats: [] };
}
