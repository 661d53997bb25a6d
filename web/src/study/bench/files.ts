/* What can be downloaded: the figures as a table for any program, and all that was found out. */
import type { Exact } from "./job";
import type { Group } from "./groups";
import type { Run } from "./run.svelte";

export interface Described {
  name: string; // "A"
  options: Record<string, string>;
  level: number;
}

const quoted = (value: string | number) => (/[",\n]/.test(String(value)) ? `"${String(value).replace(/"/g, '""')}"` : String(value));

/* A line for each figure of each setting. */
export function writeTable(game: string, described: Described[], seed: string, groups: Group[], solved: Exact[]): string {
  const heads = described.map(({ name, options, level }) => [game, name, Object.entries(options).map(([key, value]) => `${key}=${value}`).join(" "), level, seed]);
  const lines: (string | number)[][] = [["game", "setting", "options", "level", "seed", "figure", "value", "low", "high", "games", "opening"]];
  for (const { rows } of groups)
    for (const { key, of, openings } of rows)
      of.forEach((interval, setting) => {
        if (interval) lines.push([...heads[setting]!, key, interval.value, interval.low, interval.high, interval.games, openings?.[setting] ?? ""]);
      });
  solved.forEach((openings, setting) => {
    if (openings === null || openings === "trouble") return;
    for (const { plies, lines: counts, fairest } of openings.plies)
      for (const kind of ["win", "draw", "loss"] as const)
        lines.push([...heads[setting]!, `openings of ${plies} plies: ${kind} of player 1`, counts[kind], "", "", "", kind === fairest.value ? fairest.moves.join(" ") : ""]);
  });
  return `${lines.map((line) => line.map(quoted).join(",")).join("\n")}\n`;
}

export function writeAll(game: string, described: Described[], seed: string, run: Run | null, solved: Exact[]): string {
  return JSON.stringify({
    game,
    seed,
    settings: described.map((setting, i) => ({
      ...setting,
      figures: run?.figures[i] ?? null,
      openings: solved[i] === "trouble" ? null : (solved[i]?.plies ?? null),
      games: run?.records[i] ?? [],
    })),
  });
}

export function save(name: string, type: string, content: string): void {
  const anchor = document.createElement("a");
  anchor.href = URL.createObjectURL(new Blob([content], { type }));
  anchor.download = name;
  anchor.click();
  setTimeout(() => URL.revokeObjectURL(anchor.href), 10000);
}
