// Five languages, complete. Every page is read twice, in English and in another language: a text that is the same
// in both was forgotten, unless it is a name, a number, a move, or a word that both languages share.
import fs from "node:fs";
import path from "node:path";
import { assert, chance, GAMES, isHidden, LANGUAGES, LOCALES, root, SHELF, test, until } from "./harness.mjs";
import { button, look, Mouse, move, playOut, setUp } from "./player.mjs";
import { phrase, shared } from "./words.mjs";

/* All that can be read or heard on a page. */
const texts = (page) =>
  page.evaluate(() => {
    const found = new Set();
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let node; (node = walker.nextNode()); ) {
      const element = node.parentElement;
      if (element.closest("script, style, noscript, code, [data-move], [lang]:not(html, .rules)")) continue;
      found.add(node.textContent.replace(/\s+/g, " ").trim());
    }
    for (const name of ["aria-label", "title", "alt", "placeholder", "aria-description", "aria-roledescription"])
      for (const element of document.querySelectorAll(`[${name}]`)) found.add(element.getAttribute(name).trim());
    found.add(document.title);
    found.delete("");
    return [...found];
  });

/* Words of the rules that happen to be the same. */
const SAME = {
  fr: ["notation", "options", "option", "directions", "rectangles", "rectangle"],
  de: ["notation"],
  nl: [],
  it: ["tris"],
};

/* What is left of a text without names, moves and words that both languages share: nothing, if it may be the same. */
const NAMES = new RegExp(`\\b(Nonet|${[...SHELF.values()].map((game) => game.title).join("|")})\\b`, "g");
const MOVES = /(?<![\p{L}\d])[A-Z]?([a-z]\d+)+(?![\p{L}\d])/gu;
function isCommon(text, language) {
  let rest = ` ${text.replace(NAMES, " ").replace(MOVES, " ").toLowerCase()} `;
  for (const word of [...SAME[language], ...shared(language)]) rest = rest.replaceAll(word, " ");
  return !/\p{L}{2}/u.test(rest);
}

/* A game that nobody has translated speaks English; one that ships in some language ships in all. */
const isTranslated = (game) => LANGUAGES.some((language) => fs.existsSync(path.join(root, "docs/rules", language, `${game}.md`)));

/* What the shelf says of those that are not. */
const ENGLISH = new Set([...SHELF.values()].filter((game) => !isTranslated(game.id)).flatMap(({ summary, box }) => [summary, `${box[0].toUpperCase()}${box.slice(1)}.`]));

/* The pages that are read, one after the other, the same way in each language. */
async function visit(stage, language, read) {
  const context = await stage.context({ locale: LOCALES[language] });
  const page = await stage.open("", { context });
  assert.equal(await page.evaluate(() => document.documentElement.lang), language);
  await page.locator(button("settings")).click();
  await read("the shelf", page);
  for (const game of GAMES.filter(isTranslated)) {
    await page.goto(`${stage.address}#/${game}`);
    await page.locator(button("play")).waitFor();
    await read(`the set-up of ${game}`, page);
    const hand = new Mouse(page);
    await setUp(page, hand, {});
    if (isHidden(game)) await read("the hand-over", page);
    const random = chance(21);
    for (let i = 0; i < 2; i++) await move(page, hand, random);
    if ((await look(page)).handOver) await hand.press(button("hand-over"));
    await read(`the table of ${game}`, page);
    await page.goto(`${stage.address}#/${game}/rules`);
    await page.locator("main h1").waitFor();
    await until("the rules", async () => (await page.locator("main").textContent()).length > 800);
    await read(`the rules of ${game}`, page);
  }
  return page;
}

export function register() {
  const english = new Map();
  let reading = null;
  const readEnglish = (stage) => (reading ??= visit(stage, "en", async (name, page) => english.set(name, new Set(await texts(page)))));

  for (const language of LANGUAGES.filter((name) => name !== "en")) {
    test(`${language}: every page is translated`, async (stage) => {
      const other = new Map();
      await readEnglish(stage);
      await visit(stage, language, async (name, page) => other.set(name, await texts(page)));
      const forgotten = [];
      for (const [name, found] of other) for (const text of found) if (english.get(name).has(text) && !ENGLISH.has(text) && !isCommon(text, language)) forgotten.push(`${name}: ${text}`);
      assert.deepEqual(forgotten, []);
      assert.equal(other.size, english.size);
    });

    test(`${language}: why a move is refused, and how a game ended`, async (stage) => {
      const said = {};
      for (const tongue of ["en", language]) {
        const page = await stage.open("#/trix", { locale: LOCALES[tongue] });
        const hand = new Mouse(page);
        await setUp(page, hand, {});
        await hand.press('[data-name="a1"]');
        await hand.press('[data-name="d4"]');
        const notice = page.locator(".board [data-notice]");
        await notice.waitFor();
        const refused = (await notice.textContent()).trim();
        await page.goto(`${stage.address}#/quadrangle?rectangles=any&seats=0,0&moves=a1;b2;d1;c3;a3;b1`);
        await until("the table", async () => (await look(page)).moves === 6);
        await hand.press('[data-name="d3"]');
        await until("the end", async () => (await page.locator("[role=grid] [aria-disabled=false]").count()) === 0);
        said[tongue] = { refused, result: (await look(page)).status };
      }
      assert.ok(said[language].refused.length > 5 && said[language].result.length > 5);
      assert.notEqual(said[language].refused, said.en.refused);
      assert.notEqual(said[language].result, said.en.result);
      assert.match(said.en.result, /Player 1.*wins.*rectangle/);
    });
  }

  test("the figures of the rules speak the reader's language; in English they are those of the repository", async (stage) => {
    const page = await stage.open("#/chasm/rules");
    const figures = async () => {
      await page.locator("figure img[src]").first().waitFor({ state: "attached" });
      return page.locator("figure img").evaluateAll((images) => images.map(({ src }) => decodeURIComponent(src.slice(src.indexOf(",") + 1))));
    };
    for (const game of GAMES.filter(isTranslated)) {
      await page.goto(`${stage.address}#/${game}/rules`);
      await page.locator("main h1", { hasText: SHELF.get(game).title }).waitFor();
      const files = fs.readdirSync(path.join(root, "docs/rules")).filter((name) => name.startsWith(`${game}-`) && name.endsWith(".svg"));
      // The native program may round the last digit of a length in another way.
      const words = (picture) => picture.replace(/\d+(\.\d)?/g, "0");
      assert.deepEqual((await figures()).map(words), files.sort().map((name) => words(fs.readFileSync(path.join(root, "docs/rules", name), "utf8"))));
    }
    await page.goto(`${stage.address}#/chasm/rules`);
    for (const language of LANGUAGES.filter((name) => name !== "en")) {
      await page.locator(button("language")).selectOption(language);
      await page.locator(`.rules[lang=${language}]`).waitFor();
      const drawn = (await figures()).join();
      assert.match(drawn, new RegExp(`>${phrase(language, "common.player")}\\s1<`), `${language} names the players`);
      assert.ok(!/player/.test(drawn), `nothing English is left in ${language}`);
    }
  });

  test("lengths have the decimal mark of the language", async (stage) => {
    for (const language of LANGUAGES) {
      const page = await stage.open("#/fullend", { locale: LOCALES[language] });
      const hand = new Mouse(page);
      await setUp(page, hand, {});
      await hand.press(button("another-place"));
      const spoken = page.locator(".spoken");
      await until("a place", async () => /\d\smm/.test(await spoken.textContent()));
      assert.match(await spoken.textContent(), language === "en" ? /\d\.\d\d\smm/ : /\d,\d\d\smm/);
    }
  });

  test("a language can be chosen in the middle of a game, and is kept", async (stage) => {
    const page = await stage.open("#/kolem");
    const hand = new Mouse(page);
    await setUp(page, hand, {});
    await move(page, hand, chance(1));
    for (const language of ["fr", "de", "nl", "it", "en", "de"]) {
      await page.locator(button("language")).selectOption(language);
      await until(language, async () => (await page.evaluate(() => document.documentElement.lang)) === language);
      assert.equal((await look(page)).moves, 1, "the game goes on");
    }
    await page.reload();
    await until("German", async () => (await page.evaluate(() => document.documentElement.lang)) === "de");
  });

  test("a language that the page does not speak: English", async (stage) => {
    const page = await stage.open("", { locale: "fi-FI" });
    assert.equal(await page.evaluate(() => document.documentElement.lang), "en");
  });
}
