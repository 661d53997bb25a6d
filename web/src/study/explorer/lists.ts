/* How games of level 10 went, as the page ships it: a list for each game, fetched when somebody wants it.
 * scripts/openings.py makes them; docs/study.md says what stands in them. */
import type { Game } from "../../engine/engine";

const VERSION = 1;

/* How many games were won by whom: "1" by player 1, "12" by both, which is a draw. */
export type Tally = Record<string, number>;

/* The games with one setting of the options. */
export interface Setting {
  options: Record<string, string>; // also what was dealt, without secrets
  commands: string[]; // that played them
  games: number;
  openings: Record<string, Tally>; // by the number of the position
  examples?: Record<string, string>; // where moves cannot be listed: a move of each group
}

/* A list that arrived is not what it should be. */
export class DamagedList extends Error {}

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === "object" && value !== null && !Array.isArray(value);
const isTexts = (value: unknown): value is Record<string, string> => isRecord(value) && Object.values(value).every((text) => typeof text === "string");
const isTally = (value: unknown): value is Tally =>
  isRecord(value) && Object.entries(value).every(([winners, games]) => /^[1-4]+$/.test(winners) && Number.isInteger(games) && (games as number) > 0);

const isSetting = (value: unknown): value is Setting =>
  isRecord(value) &&
  isTexts(value.options) &&
  Array.isArray(value.commands) &&
  value.commands.every((command) => typeof command === "string") &&
  Number.isInteger(value.games) &&
  isRecord(value.openings) &&
  Object.values(value.openings).every(isTally) &&
  (value.examples === undefined || isTexts(value.examples));

const addresses = import.meta.glob<string>("./lists/*.json", { query: "?url", import: "default", eager: true });
const fetched = new Map<string, Setting[]>();

/* The settings of a game that were played; none where there is no list. */
export async function fetchSettings(game: string): Promise<Setting[]> {
  const known = fetched.get(game);
  const address = addresses[`./lists/${game}.json`];
  if (known || address === undefined) return known ?? [];
  const answer = await fetch(address);
  if (!answer.ok) throw new Error(`${answer.status} ${answer.statusText}`);
  const text = await answer.text();
  let list: unknown;
  try {
    list = JSON.parse(text);
  } catch {
    throw new DamagedList(game);
  }
  if (!isRecord(list) || list.version !== VERSION || list.game !== game || !Array.isArray(list.settings) || !list.settings.every(isSetting)) throw new DamagedList(game);
  fetched.set(game, list.settings);
  return list.settings;
}

/* The setting with these options; a deal that they leave open is the one that was played. */
export function settingOf(settings: Setting[], game: Game, options: Record<string, string>): Setting | null {
  const isDealt = game.options.some(({ key, chance }) => chance && options[key] !== undefined);
  const fits = (setting: Setting) =>
    game.options.every(({ key, chance, default: usual }) => {
      const played = setting.options[key];
      return played === undefined || (chance && !isDealt) || played === (options[key] ?? usual);
    });
  return settings.find(fits) ?? null;
}

/* All games of a tally. */
export const gamesOf = (tally: Tally): number => Object.values(tally).reduce((sum, games) => sum + games, 0);
