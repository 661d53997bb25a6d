// The page's words, read from its sources, for tests that look for them.
import fs from "node:fs";
import path from "node:path";
import { root } from "./harness.mjs";

const catalogues = new Map();

function catalogue(language) {
  if (!catalogues.has(language)) {
    const text = fs.readFileSync(path.join(root, `web/src/words/${language}.ts`), "utf8");
    const words = new Map();
    for (const [, bare, quoted, value] of text.matchAll(/^ +(?:([A-Za-z]\w*)|"([^"]+)"): *\n? *("(?:[^"\\]|\\.)*")/gm)) if (!words.has(bare ?? quoted)) words.set(bare ?? quoted, JSON.parse(value));
    catalogues.set(language, words);
  }
  return catalogues.get(language);
}

/* A phrase as it stands, up to the first blank that is filled in. */
export function phrase(language, key) {
  const text = catalogue(language).get(key);
  if (text === undefined) throw new Error(`${language} has no "${key}"`);
  return text.split("{")[0].trim();
}

export const keys = (language) => [...catalogue(language).keys()];

/* What English and another language say in the same words, in lower case, the longest first. */
export function shared(language) {
  const english = catalogue("en");
  const same = new Set();
  for (const [key, text] of catalogue(language))
    if (english.get(key) === text) for (const part of text.toLowerCase().split(/\{\d\}/)) if (part.trim().length > 1) same.add(part.trim());
  return [...same].sort((a, b) => b.length - a.length);
}
