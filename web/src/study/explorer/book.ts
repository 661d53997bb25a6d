/* The book of openings of a game, as the page ships it (docs/books.md): fetched when somebody explores the game. */
import type { Game } from "../../engine/engine";

const addresses = import.meta.glob<string>("../../../../books/*.nonet-book", { query: "?url", import: "default", eager: true });

/* Its text; null where there is none with these options. A book's name says which: ksar-frame_10x10.nonet-book. */
export async function fetchBook(game: Game, options: Record<string, string>): Promise<string | null> {
  const fits = ([path]: [string, string]) => {
    const [id, ...settings] = path.replace(/^.*\/|\.nonet-book$/g, "").split("-");
    return id === game.id && settings.every((setting) => game.options.some(({ key, default: usual }) => setting === `${key}_${options[key] ?? usual}`));
  };
  const found = Object.entries(addresses).find(fits);
  if (!found || options.swap === "yes") return null;
  const answer = await fetch(found[1]);
  if (!answer.ok) throw new Error(`${answer.status} ${answer.statusText}`);
  return answer.text();
}
