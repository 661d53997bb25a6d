/* The reader's language: chosen from the browser, kept when switched. */
import { en, type Key, type Words } from "./en";

export const languages = { en: "English" } as const;
export type Language = keyof typeof languages;

class Reader {
  language = $state<Language>("en");
  private catalogue = $state.raw<Words>(en);

  /* A text with {0}, {1} … filled in. */
  t(key: Key, ...values: (string | number)[]): string {
    return this.catalogue[key].replace(/\{(\d)\}/g, (_, i) => String(values[Number(i)] ?? ""));
  }
}

export const words = new Reader();
