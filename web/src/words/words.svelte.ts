/* The reader's language: chosen from the browser, kept when switched. English is always there; another
 * language is loaded when it is needed: the page's words, the engine's, the games' and their rules. */
import type { Engine, Game, Option } from "../engine/engine";
import { fetchStored, store } from "../game/storage";
import { en, values, type Key, type Words } from "./en";

/* Each language in its own words. */
export const languages = { en: "English", fr: "Français", de: "Deutsch", nl: "Nederlands", it: "Italiano" } as const;
export type Language = keyof typeof languages;

export interface Catalogue {
  page: Words;
  engine: Record<string, string>; // by the engine's keys
  games: Record<string, string>; // "ksar.summary", "ksar.box", "trix.camps" (what an option is about), "trix.camps.label", "trix.camps.corner"; "common.swap" for an option of many
}

/* The engine speaks English by itself. */
const english: Catalogue = { page: en, engine: {}, games: values };

const loaders: Partial<Record<Language, () => Promise<Catalogue>>> = {
  fr: async () => (await import("./fr")).catalogue,
  de: async () => (await import("./de")).catalogue,
  nl: async () => (await import("./nl")).catalogue,
  it: async () => (await import("./it")).catalogue,
};

export const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);

class Reader {
  language = $state<Language>("en");
  private catalogue = $state.raw<Catalogue>(english);
  private engine: Engine | null = null;

  /* The language that the browser prefers among ours, or that was chosen before. */
  preferred(): Language {
    const wanted = [fetchStored("language"), ...navigator.languages.map((tag) => tag.slice(0, 2))];
    return (wanted.find((tag) => typeof tag === "string" && tag in languages) as Language | undefined) ?? "en";
  }

  /* Fetches a language and speaks it from now on. */
  async learn(language: Language): Promise<void> {
    try {
      this.catalogue = (await loaders[language]?.()) ?? english;
      this.language = language;
    } catch {
      // It could not be fetched: the present language stays.
    }
    document.documentElement.lang = this.language;
    if (this.engine) this.engine.speak(this.catalogue.engine);
  }

  /* The reader's choice, at once and the next time. */
  async speak(language: Language): Promise<void> {
    store("language", language);
    await this.learn(language);
  }

  /* The engine speaks the reader's language too. */
  teach(engine: Engine): void {
    this.engine = engine;
    engine.speak(this.catalogue.engine);
  }

  /* What the engine says, for an engine elsewhere. */
  forEngine(): Record<string, string> {
    return this.catalogue.engine;
  }

  /* A text with {0}, {1} … filled in. */
  t(key: Key, ...values: (string | number)[]): string {
    return this.catalogue.page[key].replace(/\{(\d)\}/g, (_, i) => String(values[Number(i)] ?? ""));
  }

  summary(game: Game): string {
    return this.catalogue.games[`${game.id}.summary`] ?? game.summary;
  }

  box(game: Game): string {
    return capital(this.catalogue.games[`${game.id}.box`] ?? game.box);
  }

  /* Of an option of one game, or one that many games have. */
  private ofOption(game: string, what: string): string | undefined {
    return this.catalogue.games[`${game}.${what}`] ?? this.catalogue.games[`common.${what}`];
  }

  /* What people call an option, in a word or two. */
  label(game: string, option: Option): string {
    return this.ofOption(game, `${option.key}.label`) ?? capital(option.key);
  }

  /* What an option is about. */
  help(game: string, option: Option): string {
    return capital(this.ofOption(game, option.key) ?? option.help);
  }

  /* What people call a value of an option. */
  value(game: string, option: string, value: string): string {
    return this.ofOption(game, `${option}.${value}`) ?? value;
  }
}

export const words = new Reader();
