/* A game in the address: #/trix?camps=corner&goal=three&seats=0,3&moves=a1b2;d4c3, the rules: #/trix/rules, or another
 * page about a game: #/trix/review?moves=…, or about all games: #/puzzles; #/table/7hq2m0c4xk9ta is one of many */
import type { GameSetup } from "../engine/engine";
import { pages, rooms } from "../study/pages";

export interface Route {
  game: string; // empty: the shelf, or a page about all games
  page: string; // about that game; empty: a table
  options: Record<string, string>; // `from` among them: the position that the game began at
  seats: number[] | null;
  moves: string[] | null; // null where the link has no game
}

export function readRoute(hash: string): Route {
  const [path = "", query = ""] = hash.replace(/^#?\/?/, "").split("?", 2);
  const [game = "", page, ...more] = path.split("/");
  const options: Record<string, string> = {};
  let seats: number[] | null = null;
  let moves: string[] | null = null;
  for (const [key, value] of new URLSearchParams(query)) {
    if (key === "moves") moves = value === "" ? [] : value.split(";");
    else if (key === "seats") seats = value.split(",").map(Number).map((seat) => (seat >= 0 && seat <= 10 ? Math.floor(seat) : 0));
    else options[key] = value;
  }
  if (Object.hasOwn(rooms, path)) return { game: "", page: path, options, seats, moves };
  if (Object.hasOwn(rooms, game) && page !== undefined && more.length === 0) return { game: "", page: game, options: { ...options, id: page }, seats, moves };
  const known = more.length === 0 && (page === undefined || Object.hasOwn(pages, page));
  return { game: known ? game : path, page: page ?? "", options, seats, moves };
}

export function writeRoute({ game, options, from, moves }: GameSetup, seats: number[], page = ""): string {
  const began: Record<string, string> = from === undefined ? {} : { from };
  const query = new URLSearchParams({ ...options, ...began, seats: seats.join(","), moves: moves.join(";") });
  // Characters that an address may hold unescaped keep the link of a long game short.
  return `#/${game}${page === "" ? "" : `/${page}`}?${query.toString().replace(/%(2C|3B|40|3A|2F)/g, decodeURIComponent)}`;
}
