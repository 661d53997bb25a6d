// The bench for designers: its figures are those of the native program for the same seeds, however many workers play;
// the exact solution is that of `nonet probe`; by keys, on a phone, for screen readers, in five languages.
import fs from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { assert, LANGUAGES, LOCALES, native, PHONE, root, temporary, test, until } from "./harness.mjs";
import { button, Keyboard, listen, Mouse } from "./player.mjs";

const axe = fs.readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/* Two settings of a quick game, few games, weak players. */
const SMALL = "#/quadrangle/bench?a.level=1&b.level=1&games=20&seed=7";
const A = ["quadrangle", "-o", "rectangles=any"];
const B = ["quadrangle", "-o", "rectangles=upright"];
const trial = async (setting, ...words) => JSON.parse(await native("trial", ...setting, "--json", ...words));
const small = (setting) => trial(setting, "--games", "20", "--level", "1", "--seed", "7");

const done = (page) => page.locator('[data-bench="done"]').waitFor({ timeout: 60000 });
const said = (page) => page.locator("[data-bench]").innerText();
async function run(page) {
  await page.locator(button("run")).waitFor();
  await new Mouse(page).press(button("run"));
  await done(page);
}
/* The button comes once it is known that there is a table. */
async function solve(page) {
  await page.locator(button("exact")).waitFor();
  await new Mouse(page).press(button("exact"));
  await page.locator("[data-proven]").waitFor({ timeout: 30000 });
}

async function saved(page, what) {
  const [download] = await Promise.all([page.waitForEvent("download"), page.locator(button(what)).click()]);
  const file = temporary(download.suggestedFilename());
  await download.saveAs(file);
  return fs.readFileSync(file, "utf8");
}

/* Tables that are wider than the card they stand in. */
const cut = (page) =>
  page.locator("section:has(table)").evaluateAll((cards) => cards.filter((card) => card.querySelector("table").getBoundingClientRect().right > card.getBoundingClientRect().right).map((card) => card.textContent.slice(0, 60)));

/* The members of what the native program says that are figures. */
const figures = ({ setting, level, seed, ...rest }) => rest;

/* What the tables of the page say: the figure, then a cell for each setting and one for the difference. */
const shown = (page) =>
  page.locator("tr[data-figure]").evaluateAll((rows) => Object.fromEntries(rows.map((row) => [row.dataset.figure, [...row.querySelectorAll("td")].map((cell) => cell.textContent.replace(/\s+/g, " ").trim())])));

/* Numbers with three decimals, rounded as in school. */
const rounded = (number, digits) => (Math.round((Math.round(number * 1000) * 10 ** digits) / 1000) / 10 ** digits).toFixed(digits);
const percent = ({ value, low, high }) => `${rounded(100 * value, 0)} % (${rounded(100 * low, 0)} to ${rounded(100 * high, 0)})`;
const number = ({ value, low, high }) => `${rounded(value, 1)} (${rounded(low, 1)} to ${rounded(high, 1)})`;

const words = (language) => {
  const text = fs.readFileSync(path.join(root, `web/src/words/bench/${language}.ts`), "utf8");
  return Object.fromEntries([...text.matchAll(/^ {2}"?([\w.]+)"?: "(.*)",$/gm)].map(([, key, value]) => [key, value]));
};

export function register() {
  for (const processors of [1, 4])
    test(`with ${processors} processors: the figures of nonet trial, in tables and files`, async (stage) => {
      const page = await stage.open();
      await page.addInitScript((count) => Object.defineProperty(navigator, "hardwareConcurrency", { value: count }), processors);
      await page.goto(`${stage.address}${SMALL}`);
      await page.reload();
      const workers = [];
      page.on("worker", (worker) => workers.push(worker.url()));
      await run(page);
      const [a, b] = [await small(A), await small(B)];
      // One for the figures, and as many for games as there are processors to spare.
      assert.ok(workers.length <= Math.max(processors - 1, 1) + 1 && workers.length >= Math.max(processors - 1, 1), `${workers.length} workers`);
      const { settings } = JSON.parse(await saved(page, "save-all"));
      assert.deepEqual(settings[0].figures, figures(a));
      assert.deepEqual(settings[1].figures, figures(b));
      const numbers = (records) => records.map((record) => Number(record.split("\t")[0])).sort((x, y) => x - y);
      for (const { games } of settings) assert.deepEqual(numbers(games), Array.from({ length: 20 }, (_, i) => i), "every game once");
      const rows = await shown(page);
      for (const [key, of, write] of [
        ["player 1", (one) => one.shares[0], percent],
        ["player 2", (one) => one.shares[1], percent],
        ["draws", (one) => one.drawn, percent],
        ["plies", (one) => one.length, number],
        ["branching", (one) => one.branching, number],
        ["decided", (one) => one.decided, percent],
        ["lead changes", (one) => one.lead_changes, number],
      ])
        assert.deepEqual(rows[key].slice(0, 2), [write(of(a)), write(of(b))], key);
      const lines = (await saved(page, "save-table")).trim().split("\n").map((line) => line.split(","));
      const line = lines.find((one) => one[1] === "B" && one[5] === "plies");
      assert.deepEqual(line, ["quadrangle", "B", "rectangles=upright swap=no", "1", "7", "plies", ...["value", "low", "high"].map((part) => String(b.length[part])), "20", ""]);
      assert.ok(lines.every((one) => one.length === 11));
      const swap = lines.find((one) => one[1] === "A" && one[5] === "swap after 1");
      assert.equal(swap?.at(-1) ?? "", a.swaps[0].moves.join(" "));
      if (swap) assert.deepEqual(rows["swap after 1"][0], `${percent(a.swaps[0].chooser)} ${a.swaps[0].moves[0]}, ${a.swaps[0].first.games} games`);
    });

  test("clear differences are those that chance does not explain", async (stage) => {
    const page = await stage.open("#/trix/bench?a.level=1&b.level=6&b.camps=corner&games=20");
    await run(page);
    const [a, b] = await Promise.all([1, 6].map((level) => trial(["trix"], "--games", "20", "--level", String(level), "--seed", "1")));
    const rows = await shown(page);
    const half = (one, other) => (one.value < other.value ? one.high - one.value : one.value - one.low);
    for (const [key, of] of [["plies", (one) => one.length], ["branching", (one) => one.branching], ["draws", (one) => one.drawn], ["player 1", (one) => one.shares[0]]]) {
      const [x, y] = [of(a), of(b)];
      const clear = Math.abs(x.value - y.value) > Math.hypot(half(x, y), half(y, x));
      assert.equal(rows[key][2], clear ? "clear" : "not clear", key);
    }
    // The longer games of beginners are told in words.
    assert.match(await said(page), /^40 games are played\. Clear differences: .*Length/);
  });

  test("the exact solution is that of nonet probe", async (stage) => {
    const page = await stage.open(SMALL);
    await solve(page);
    for (const [setting, words_] of [A, B].entries()) {
      const { plies } = await trial(words_, "--exact");
      for (const row of plies) {
        const cells = await page.locator(`[data-openings="${setting}-${row.plies}"] td:not([aria-hidden])`).allInnerTexts();
        assert.deepEqual(cells.map((cell) => Number(cell.replace(/\D/g, ""))), [row.lines.win, row.lines.draw, row.lines.loss]);
      }
      const start = JSON.parse(await native("probe", ...words_));
      const verdict = await page.locator(`[data-verdict="${setting}"]`).innerText();
      assert.ok(verdict.startsWith(`Setting ${"AB"[setting]}: player ${start.value === "win" ? 1 : 2} wins in ${start.distance} plies with best play.`), verdict);
      // The opening that is named is drawn, and no shorter one is.
      const [, count, moves] = /A swap after (\d) plies makes it fair: .* such as (.*)\.$/.exec(verdict);
      assert.equal(moves.split(" ").length, Number(count));
      assert.equal(JSON.parse(await native("probe", ...words_, ...moves.split(" "))).value, "draw");
      for (const { plies: shorter, lines } of plies) if (shorter < Number(count)) assert.equal(lines.draw, 0);
    }
    const { settings } = JSON.parse(await saved(page, "save-all"));
    assert.deepEqual(settings[0].openings, (await trial(A, "--exact")).plies);
    assert.equal(settings[0].figures, null, "no games were played");
  });

  test("no button where nothing is solved; a message where only one setting is", async (stage) => {
    const page = await stage.open("#/chasm/bench?a.players=2&b.players=3&games=20");
    await solve(page);
    assert.equal(await page.getByText("Setting B: there is no table of exact values.").count(), 1);
    assert.match(await page.locator('[data-verdict="0"]').innerText(), /drawn with best play/);
    const open = await stage.open("#/chasm/bench?a.players=3&b.players=4");
    await open.locator(button("run")).waitFor();
    await new Promise((resolve) => setTimeout(resolve, 500));
    assert.equal(await open.locator(button("exact")).count(), 0);
  });

  test("stopping keeps what was played", async (stage) => {
    const page = await stage.open("#/kolem/bench?games=1000&a.level=3&b.level=3");
    const hand = new Mouse(page);
    const heard = await listen(page);
    await hand.press(button("run"));
    await until("some games", async () => Number(await page.locator("[data-progress]").getAttribute("data-progress").catch(() => 0)) > 3, 40);
    assert.match(await page.locator(".progress").innerText(), /^\d+ of 2000 games, about \d+ (s|min) left$/);
    await hand.press(button("stop"));
    await done(page);
    const [, count] = /^Stopped after (\d+) of 2000 games\. What was played counts\.$/.exec(await said(page));
    assert.ok((await heard()).some((text) => text.startsWith("Stopped after")), "a screen reader is told");
    const { settings } = JSON.parse(await saved(page, "save-all"));
    assert.equal(settings[0].games.length + settings[1].games.length, Number(count));
    assert.equal(settings[0].figures.games, settings[0].games.length);
    assert.ok((await page.locator("tr[data-figure]").count()) > 0);
    assert.equal(await page.locator(button("run")).count(), 1, "it can be played again");
  });

  test("what cannot be played is refused at the field", async (stage) => {
    const page = await stage.open("#/ksar/bench?games=20");
    const hand = new Mouse(page);
    const refused = async () => (await hand.press(button("run")), page.locator("[role=alert]").innerText());
    await page.locator(button("a-option-frame-width")).fill("99");
    assert.match(await refused(), /Width: only whole numbers from 3 to/);
    assert.equal(await page.evaluate(() => document.activeElement.dataset.do), "a-option-frame-width");
    await page.locator(button("a-option-frame-width")).fill("10");
    await page.locator(button("games")).fill("5");
    assert.match(await refused(), /Games for each setting: only whole numbers from 20 to 1000/);
    await page.locator(button("games")).fill("20");
    await page.locator(button("b-option-frame-width")).fill("10");
    await page.locator(button("b-option-frame-depth")).fill("10");
    assert.match(await refused(), /Both settings are the same/);
    // An address that makes no sense is a form with the usual values.
    const odd = await stage.open("#/trix/bench?games=x&seed=-1&a.level=77&a.camps=nowhere&b.goal=");
    assert.equal(await odd.locator(button("games")).inputValue(), "200");
    assert.equal(await odd.locator(button("a-level")).inputValue(), "3");
    assert.equal(await odd.locator(button("a-option-camps")).inputValue(), "corner");
  });

  test("an engine that does not arrive is told; the next try goes on", async (stage) => {
    let broken = true;
    const context = await stage.context();
    stage.allowed = /failed:|net::ERR|Failed to load/;
    await context.route(/study[^/]*\.wasm/, (route) => (broken ? route.abort("failed") : route.continue()));
    const page = await stage.open(SMALL, { context });
    await new Mouse(page).press(button("run"));
    await page.locator("[role=alert]").waitFor();
    assert.match(await page.locator("[role=alert]").innerText(), /^The games could not be played: ./);
    assert.equal(await page.locator("tr[data-figure]").count(), 0);
    broken = false;
    await run(page);
    assert.equal(await page.locator("[role=alert]").count(), 0);
    assert.match(await said(page), /^40 games are played/);
  });

  test("from the set-up by keys alone, and again from the address", async (stage) => {
    const page = await stage.open("#/trix");
    const hand = new Keyboard(page);
    await hand.reach(button("bench"));
    await hand.key("Enter"); // it is a link
    await page.locator(button("run")).waitFor();
    await hand.set(button("a-level"), "1");
    await hand.set(button("b-level"), "1");
    await hand.type(button("games"), "20");
    const heard = await listen(page);
    await hand.press(button("run"));
    await done(page);
    assert.equal(await page.evaluate(() => document.activeElement.dataset.do), "run", "the focus stays");
    const spoken = await heard();
    assert.ok(spoken.some((text) => text === "The computers are playing.") && spoken.some((text) => text.startsWith("40 games are played.")), spoken.join(" / "));
    const rows = await shown(page);
    await page.reload();
    await run(page);
    assert.deepEqual(await shown(page), rows, "the same address, the same games");
  });

  test("Masker: figures only, nothing of any deal", async (stage) => {
    const page = await stage.open("#/masker/bench?a.level=1&b.level=1&b.variant=3d&b.players=2&games=20");
    await run(page);
    const all = await saved(page, "save-all");
    assert.doesNotMatch(all, /[RYGBVWN]{8}/);
    assert.equal(await page.getByText("A swap needs two players").count(), 1);
    assert.deepEqual(JSON.parse(all).settings[0].figures, figures(await trial(["masker"], "--games", "20", "--level", "1", "--seed", "1")));
  });

  for (const language of LANGUAGES.filter((one) => one !== "en"))
    test(`in ${language}`, async (stage) => {
      const page = await stage.open(SMALL, { ...PHONE, locale: LOCALES[language] });
      await solve(page);
      await run(page);
      const [own, english] = [words(language), words("en")];
      const text = await page.locator("article").evaluate((article) => article.textContent);
      const parts = (sentence) => sentence.split(/\{\d\}/).map((part) => part.trim()).filter((part) => part.length > 3);
      const keys = Object.keys(own).filter((key) => /^(title|about|about\..*|group\..*|setting|level|games|seedAbout|play|exact|exactTitle|exactAbout|figures|intervals|difference|firstWins|startIn|swapFair|saveTable|saveAll)$/.test(key));
      assert.ok(keys.length > 25);
      for (const key of keys) {
        for (const part of parts(own[key])) assert.ok(text.includes(part), `${key}: ${part}`);
        if (own[key] !== english[key]) for (const part of parts(english[key]).filter((one) => one.length > 8)) assert.ok(!text.includes(part), `English: ${part}`);
      }
      assert.ok(parts(own.done).every((part) => text.includes(part)));
      assert.deepEqual(await cut(page), [], "tables fit");
    });

  for (const [name, wishes] of [
    ["light", {}],
    ["dark", { colorScheme: "dark" }],
    ["on a phone", PHONE],
  ])
    test(`axe-core finds no barrier, ${name}`, async (stage) => {
      const page = await stage.open(SMALL, wishes);
      await solve(page);
      await run(page);
      assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), "nothing is wider than the screen");
      assert.deepEqual(await cut(page), [], "tables fit");
      const low = await page.locator("article :is(button, select, input, a)").evaluateAll((all) => all.filter((one) => one.getBoundingClientRect().height < 44).map((one) => one.outerHTML));
      assert.deepEqual(low, [], "targets of 44 pixels");
      // The pictures are for those who see them; the tables have heads for those who do not.
      assert.equal(await page.locator("article svg:not([aria-hidden] svg):not([aria-hidden])").count(), 0);
      assert.equal(await page.locator("article table:not(:has(caption))").count(), 0);
      await page.evaluate(axe);
      const { violations } = await page.evaluate(() => globalThis.axe.run(document, { resultTypes: ["violations"] }));
      assert.deepEqual(violations.map(({ id, nodes }) => `${id}: ${nodes[0].html}`), []);
    });
}
