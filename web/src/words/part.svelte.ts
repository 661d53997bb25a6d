/* The words of a part of the page that is fetched when somebody wants it: a folder here, with a file for each language.
 *
 *     import { en } from "../../words/lessons/en";
 *     const say = part(en, { fr: () => import("../../words/lessons/fr"), … });
 *     … await say.learn() … say.t("next") …
 *
 * English comes with the part, so there is always something to read. */
import { words, type Language } from "./words.svelte";

type Loaders<W> = Record<Exclude<Language, "en">, () => Promise<{ words: W }>>;

class Part<W extends Record<string, string>> {
  private texts = $state.raw<W>(null!);
  private learnt: Language = "en";

  constructor(
    private readonly english: W,
    private readonly loaders: Loaders<W>,
  ) {
    this.texts = english;
    $effect.root(() => {
      $effect(() => void this.learn());
    });
  }

  /* Fetches the reader's language; whatever cannot be fetched is said in English. */
  async learn(): Promise<void> {
    const language = words.language;
    if (language === this.learnt) return;
    const texts = language === "en" ? this.english : await this.loaders[language]().then((module) => module.words, () => this.english);
    if (language !== words.language) return;
    this.learnt = language;
    this.texts = texts;
  }

  /* A text with {0}, {1} … filled in. */
  t(key: keyof W & string, ...values: (string | number)[]): string {
    return this.texts[key]!.replace(/\{(\d)\}/g, (_, i) => String(values[Number(i)] ?? ""));
  }
}

export const part = <K extends string>(english: Record<K, string>, loaders: Loaders<Record<K, string>>) => new Part<Record<K, string>>(english, loaders);
