/* Lessons as they are written down in docs/lessons, with their texts in the reader's language; and how far somebody got. */
import { fetchStored, store } from "../../game/storage";
import type { Language } from "../../words/words.svelte";

/* What is said if a try meets a goal. */
export interface Remark {
  when: string;
  say: string;
}

export interface Step {
  id: string;
  options?: Record<string, string>;
  from?: string;
  moves?: string[];
  say: string;
  mark?: string[]; // names of places
  goal: string;
  wrong?: Remark[]; // answers to tries that miss the goal
  notes?: Remark[]; // on moves in a whole game
  hints?: string[];
  replies?: string[] | { level: number };
}

export type Texts = Record<string, string>;

const lessons = import.meta.glob<Step[]>("../../../../docs/lessons/*.json", { import: "steps" });
const texts = import.meta.glob<Texts>("../../../../docs/lessons/words/*/*.json", { import: "default" });

export const stepsOf = (game: string): Promise<Step[]> => lessons[`../../../../docs/lessons/${game}.json`]!();

export const textsOf = (game: string, language: Language): Promise<Texts> => texts[`../../../../docs/lessons/words/${language}/${game}.json`]!();

export const levelOf = ({ replies }: Step): number => (replies && "level" in replies ? replies.level : 0);

/* The steps that were finished, by their ids. */
export function finished(game: string): string[] {
  const kept = fetchStored(`lessons.${game}`);
  return Array.isArray(kept) ? kept.filter((id) => typeof id === "string") : [];
}

export const keepFinished = (game: string, ids: string[]): boolean => store(`lessons.${game}`, ids);
