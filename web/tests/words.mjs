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

/* A phrase of a part of the page with its blanks filled in: textOf("values/de", "winIn", 5). */
export function textOf(file, key, ...values) {
  const text = catalogue(file).get(key);
  if (text === undefined) throw new Error(`${file} has no "${key}"`);
  return text.replace(/\{(\d)\}/g, (_, i) => String(values[Number(i)]));
}

export const keys = (language) => [...catalogue(language).keys()];

/* The engine's phrases of a game, and those of all games, in English: they stand in its sources, of which a game may have several. */
function phrasesOf(game) {
  const own = fs.readdirSync(path.join(root, "engine/games")).filter((file) => file === `${game}.c` || (file.startsWith(`${game}_`) && file.endsWith(".c")));
  const text = [...own.map((file) => `engine/games/${file}`), "engine/rules/phrases.c"].map((file) => fs.readFileSync(path.join(root, file), "utf8")).join("\n");
  const entry = /\{\s*"([a-z0-9]+\.[a-z0-9-]+)",\s*("(?:[^"\\]|\\.)*"(?:\s*"(?:[^"\\]|\\.)*")*)\s*\}/g;
  return [...text.matchAll(entry)].map(([, key, strings]) => [key, strings.match(/"(?:[^"\\]|\\.)*"/g).map((part) => JSON.parse(part)).join("")]);
}

/* Which phrase of a game an English sentence is, with its arguments: the one with the most words of its own. */
export function recognise(game, sentence) {
  const escaped = (text) => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
  const fitting = phrasesOf(game).flatMap(([key, english]) => {
    if (/^(\{\d\}|\W)*$/.test(english)) return []; // has no words
    const order = [...english.matchAll(/\{(\d)\}/g)].map((blank) => Number(blank[1]));
    const found = new RegExp(`^${english.split(/\{\d\}/).map(escaped).join("(.+)")}$`).exec(sentence);
    return found ? [{ key, values: Object.fromEntries(order.map((place, i) => [place, found[i + 1]])), own: english.replace(/\{\d\}/g, "").length }] : [];
  });
  fitting.sort((a, b) => b.own - a.own);
  return fitting[0] ?? null;
}

/* A sentence of the engine in another language: looked up and filled in here, word by word. */
export function translate(language, game, sentence) {
  const found = recognise(game, sentence);
  if (found === null || language === "en") return sentence;
  return catalogue(language)
    .get(found.key)
    .replace(/\{(\d)\}/g, (_, place) => translate(language, game, found.values[place]));
}

/* What English and another language say in the same words, in lower case, the longest first. */
export function shared(language) {
  const english = catalogue("en");
  const same = new Set();
  for (const [key, text] of catalogue(language))
    if (english.get(key) === text) for (const part of text.toLowerCase().split(/\{\d\}/)) if (part.trim().length > 1) same.add(part.trim());
  return [...same].sort((a, b) => b.length - a.length);
}
