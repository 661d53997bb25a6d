/* A game in the address: #/trix?camps=corner&goal=three&seats=0,3&moves=a1b2,d4c3 */
import type { Setup } from "./table.svelte";

export interface Route {
  game: string; // empty: the shelf
  options: Record<string, string>;
  seats: number[] | null;
  moves: string[] | null; // null where the link holds no game
}

export function readRoute(hash: string): Route {
  const [path, query = ""] = hash.replace(/^#?\/?/, "").split("?", 2);
  const options: Record<string, string> = {};
  let seats: number[] | null = null;
  let moves: string[] | null = null;
  for (const [key, value] of new URLSearchParams(query)) {
    if (key === "moves") moves = value === "" ? [] : value.split(";");
    else if (key === "seats") seats = value.split(",").map(Number).map((seat) => (seat >= 0 && seat <= 10 ? Math.floor(seat) : 0));
    else options[key] = value;
  }
  return { game: path ?? "", options, seats, moves };
}

export function writeRoute(setup: Setup, moves: string[]): string {
  const query = new URLSearchParams({ ...setup.options, seats: setup.seats.join(","), moves: moves.join(";") });
  return `#/${setup.game}?${query}`;
}
