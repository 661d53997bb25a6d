/* The pages about a game beside its table, by their names in the address. Each is fetched when somebody opens it. */
import type { Component } from "svelte";
import type { Engine, Game } from "../engine/engine";
import type { Route } from "../game/link";

export interface PageProps {
  engine: Engine;
  game: Game;
  route: Route;
}

export const pages: Record<string, () => Promise<{ default: Component<PageProps> }>> = {
  edit: () => import("./editor/EditorPage.svelte"),
  explore: () => import("./explorer/ExplorerPage.svelte"),
  bench: () => import("./bench/BenchPage.svelte"),
  learn: () => import("./lessons/LessonsPage.svelte"),
  review: () => import("./review/ReviewPage.svelte"),
  rules: () => import("../pages/RulesPage.svelte"),
  puzzles: () => import("./puzzles/Puzzles.svelte"),
};

/* Pages about all games, in the same way. */
export interface RoomProps {
  engine: Engine;
  games: Game[];
  route: Route;
}

export const rooms: Record<string, () => Promise<{ default: Component<RoomProps> }>> = {
  puzzles: () => import("./puzzles/Puzzles.svelte"),
  table: () => import("../online/FarPage.svelte"),
  lobby: () => import("../online/LobbyPage.svelte"),
  "lobby/open": () => import("../online/OpenTable.svelte"),
};
