// Puzzles: solved and failed by mouse, keys and finger; today's, runs, what comes back, days in a row; and what can go
// wrong. What is right and wrong stands in the lists, which tests/puzzle_lists.c compares with the proof.
import fs from "node:fs";
import path from "node:path";
import { inspect } from "./accessible.mjs";
import { engine } from "./engine.mjs";
import { assert, LANGUAGES, LOCALES, PHONE, root, test, until } from "./harness.mjs";
import { fits, smallTargets } from "./phone.mjs";
import { at, button, Finger, Keyboard, listen, look, Mouse } from "./player.mjs";

const folder = path.join(root, "web/src/study/puzzles/lists");
const GAMES = Object.keys(JSON.parse(fs.readFileSync(path.join(folder, "index.json"), "utf8")).games);
const lists = new Map(GAMES.map((game) => [game, JSON.parse(fs.readFileSync(path.join(folder, `${game}.json`), "utf8")).puzzles.map((puzzle) => ({ ...puzzle, game }))]));
const DAY = 24 * 60 * 60 * 1000;
const FIRST = Date.UTC(2026, 4, 4, 12); // some day

const card = "[data-puzzle]";
const phase = (page) => page.locator(card).getAttribute("data-puzzle");
const on = (page, days) => page.clock.setFixedTime(FIRST + days * DAY);

/* The words of this part in a language, read from its sources. */
function word(language, key) {
  const text = fs.readFileSync(path.join(root, `web/src/words/puzzles/${language}.ts`), "utf8");
  const found = new RegExp(`^ +"?${key.replace(".", "\\.")}"?: ("(?:[^"\\\\]|\\\\.)*")`, "m").exec(text);
  return JSON.parse(found[1]);
}

/* The puzzle on the page, as it stands in the lists. */
async function puzzleOn(page) {
  await page.locator(card).waitFor();
  const [, game, query] = /^#\/(\w+)\?(.*)$/.exec(await page.locator(button("play-on")).getAttribute("href"));
  const { from, seats, moves, ...options } = Object.fromEntries(new URLSearchParams(query));
  assert.ok(seats.includes("0") && moves === "", "at its beginning");
  const found = lists.get(game).filter((puzzle) => puzzle.from === from && JSON.stringify(puzzle.options) === JSON.stringify(options));
  assert.equal(found.length, 1, `${game} ${from} is in the lists`);
  return found[0];
}

/* Opens a part of the puzzles, as if it were typed into the address. */
async function visit(page, stage, route) {
  await page.goto("about:blank");
  await page.goto(stage.address + route);
  await page.locator("main h1").waitFor();
}

/* The places that a hand touches for a move, after some moves. */
async function placesOf({ game, options, from }, moves, move) {
  const e = await engine();
  e.begin(game, { ...options, from }, moves);
  return e.position().moves.find(([text]) => text === move).slice(1);
}

/* Makes a move by hand. The page has already made the touches that leave no choice. */
async function make(page, hand, puzzle, moves, move) {
  const wanted = await placesOf(puzzle, moves, move);
  while (wanted.length > 0) {
    const { places } = await look(page);
    while (wanted.length > 0 && !places.includes(wanted[0])) wanted.shift();
    if (wanted.length > 0) await hand.press(at(wanted.shift()));
  }
}

/* Solves the puzzle from its beginning, by the moves that come first in the list, or last. */
async function solve(page, hand, { last = false } = {}) {
  const puzzle = await puzzleOn(page);
  const moves = [];
  for (let number = 0; ; ) {
    const choice = Object.entries(puzzle.steps[number].right);
    const [move, follows] = choice.at(last ? -1 : 0);
    await make(page, hand, puzzle, moves, move);
    if (follows.length === 0) break;
    moves.push(move, follows[0]);
    number = follows[1];
    await until("the answer", async () => (await phase(page)) === "asking" && Number(await page.locator(card).getAttribute("data-step")) === number);
  }
  await until("solved", async () => (await phase(page)) === "solved");
  return puzzle;
}

/* Makes a wrong move; one that loses, if there is one. */
async function fail(page, hand) {
  const puzzle = await puzzleOn(page);
  const wrong = Object.entries(puzzle.steps[0].wrong);
  const [move, facts] = wrong.find(([, [value]]) => value === "loss") ?? wrong[0];
  await make(page, hand, puzzle, [], move);
  await until("refuted", async () => (await phase(page)) === "showing");
  return { puzzle, move, facts };
}

export function register() {
  for (const [i, game] of GAMES.entries()) {
    test(`${game}: solved, failed, refuted move by move, and solved again`, async (stage) => {
      const page = await stage.open(`#/${game}/puzzles?do=practice`);
      const hand = i % 2 ? new Mouse(page) : new Keyboard(page);
      const first = await solve(page, hand);
      await hand.press(button("next-puzzle"));
      await until("another puzzle", async () => (await phase(page)) === "asking");
      // A mouse lays a large piece by its middle; a cell's name is for keys.
      const other = i % 2 || game === "ksar" ? new Keyboard(page) : new Mouse(page);
      const { puzzle, facts } = await fail(page, other);
      assert.notEqual(puzzle.from, first.from);
      const line = facts.slice(2);
      for (let shown = 1; shown <= line.length; shown++) {
        await other.press(button("show-next"));
        await until(`move ${shown} of the refutation`, async () => (await page.locator(`${card} ol li`).count()) === shown);
      }
      assert.equal(await page.locator(button("show-next")).count(), 0, "that is all of it");
      await other.press(button("try-again"));
      await until("the question again", async () => (await phase(page)) === "asking");
      await solve(page, other, { last: true });
      assert.equal(await page.locator(card).getAttribute("data-failed"), "true");
    });
  }

  test("a screen reader is told the question, right, wrong, why, and the end", async (stage) => {
    const page = await stage.open("#/trix/puzzles?do=practice&theme=win");
    const hand = new Mouse(page);
    const puzzle = await puzzleOn(page);
    assert.ok(puzzle.themes.includes("win"));
    const own = new RegExp(`^Player ${puzzle.turn} \\(\\w+\\) to move and win in ${(puzzle.distance + 1) / 2} moves\\.$`);
    assert.match((await look(page)).status, own);
    const heard = await listen(page);
    const { facts } = await fail(page, hand);
    const loss = Math.ceil((facts[1] - 1) / 2);
    const told = facts[0] === "draw" ? /Wrong: now it is only a draw/ : new RegExp(`Wrong: now Player ${3 - puzzle.turn} \\(\\w+\\) wins ${loss === 1 ? "with the next move" : `in ${loss} moves`}`);
    await until("the mistake to be said", async () => (await heard()).some((text) => told.test(text)));
    for (const [i] of facts.slice(2).entries()) {
      await hand.press(button("show-next"));
      const mover = i % 2 ? puzzle.turn : 3 - puzzle.turn;
      await until("the move to be said", async () => (await heard()).some((text) => text.startsWith(`Player ${mover}`)));
    }
    await hand.press(button("try-again"));
    await until("that it was taken back", async () => (await heard()).some((text) => /take|back/i.test(text)));
    await solve(page, hand);
    const all = await heard();
    assert.ok(all.some((text) => text.startsWith("Right!")), `right moves are confirmed: ${all}`);
    assert.ok(all.some((text) => text.startsWith("Solved!")), `the end is said: ${all}`);
  });

  test("the solution is shown move by move, and counts as a mistake", async (stage) => {
    const page = await stage.open("#/kudosu/puzzles?do=practice&theme=win");
    const hand = new Keyboard(page);
    const puzzle = await puzzleOn(page);
    await hand.press(button("solution"));
    for (let moves = 1; moves < puzzle.distance; moves++) await hand.press(button("show-next"));
    assert.equal(await page.locator(`${card} ol li`).count(), puzzle.distance, "to the end of the game");
    assert.equal((await look(page)).over, true);
    await visit(page, stage, "#/kudosu/puzzles");
    assert.equal(await page.locator("[data-deck]").getAttribute("data-deck"), "1");
  });

  test("play on from here, against a level", async (stage) => {
    const page = await stage.open("#/chasm/puzzles?do=practice");
    const { turn, from } = await puzzleOn(page);
    await page.locator(button("play-on-level")).selectOption("0");
    await page.locator(button("play-on")).click();
    await page.locator(button("undo")).waitFor();
    assert.match((await look(page)).status, new RegExp(`^Player ${turn} `), from);
  });

  test("today's puzzle is the same for everybody, and another one tomorrow", async (stage) => {
    const seen = [];
    for (const [days, locale] of [[0, "en-GB"], [0, "fr-FR"], [0.4, "en-GB"], [1, "en-GB"], [2, "en-GB"]]) {
      const page = await (await stage.context({ locale, timezoneId: locale === "fr-FR" ? "Pacific/Auckland" : "America/Los_Angeles" })).newPage();
      stage.watch(page);
      await on(page, days);
      await page.goto(`${stage.address}#/puzzles?do=today`);
      const { game, from } = await puzzleOn(page);
      seen.push(`${game} ${from}`);
      await page.close();
    }
    assert.equal(new Set(seen.slice(0, 3)).size, 1, "one day, two visitors");
    assert.equal(new Set(seen).size, 3, "three days");
  });

  test("today's puzzle is remembered as solved or tried", async (stage) => {
    const page = await (await stage.context()).newPage();
    stage.watch(page);
    await on(page, 0);
    for (const [days, good] of [[0, true], [1, false]]) {
      await on(page, days);
      await visit(page, stage, "#/puzzles?do=today");
      await (good ? solve : fail)(page, new Mouse(page));
      await visit(page, stage, "#/puzzles");
      assert.match(await page.locator("article").innerText(), good ? /Solved today/ : /Tried today/);
    }
    await on(page, 2);
    await visit(page, stage, "#/puzzles");
    assert.doesNotMatch(await page.locator("article").innerText(), /Solved today|Tried today/);
  });

  test("a run gets harder, ends at the first mistake, and the best one is remembered", async (stage) => {
    const page = await stage.open("#/mix3/puzzles?do=run");
    const hand = new Mouse(page);
    const least = Math.min(...lists.get("mix3").map(({ level }) => level));
    const levels = [];
    for (let solved = 0; solved < 3; solved++) {
      levels.push((await solve(page, hand)).level);
      assert.match(await page.locator("[data-note]").innerText(), new RegExp(`Solved in this run: ${solved + 1}`));
      await hand.press(button("next-puzzle"));
      await until("the next one", async () => (await phase(page)) === "asking");
    }
    const { puzzle } = await fail(page, hand);
    levels.push(puzzle.level);
    assert.equal(levels[0], least);
    assert.deepEqual(levels, [...levels].sort((a, b) => a - b));
    assert.match((await look(page)).status, /The run is over\. Solved: 3\. That is your best run\./);
    assert.equal(await page.locator(button("next-puzzle")).count(), 0);
    await hand.press(button("new-run"));
    await until("a new run", async () => (await phase(page)) === "asking");
    await fail(page, hand);
    assert.match((await look(page)).status, /Solved: 0\. Your best run: 3/);
    await visit(page, stage, "#/mix3/puzzles");
    assert.match(await page.locator("[data-best]").innerText(), /3/);
  });

  test("what was failed comes back after 1, 3, 7, 21 and 60 days, and sooner if it is failed again", async (stage) => {
    const page = await (await stage.context()).newPage();
    stage.watch(page);
    const hand = new Mouse(page);
    const due = async (days) => {
      await on(page, days);
      await visit(page, stage, "#/quadrangle/puzzles");
      return Number(await page.locator("[data-due]").getAttribute("data-due"));
    };
    await on(page, 0);
    await page.goto(`${stage.address}#/quadrangle/puzzles?do=practice&theme=win`);
    const { puzzle } = await fail(page, hand);
    let day = 0;
    const pass = async (days, good) => {
      assert.equal(await due(day + days - 1), 0, `not yet after ${days - 1} days`);
      day += days;
      assert.equal(await due(day), 1, `after ${days} days`);
      await page.locator(button("deck")).click();
      assert.equal((await puzzleOn(page)).from, puzzle.from);
      await (good ? solve : fail)(page, hand);
    };
    await pass(1, true);
    await pass(3, false);
    for (const days of [1, 3, 7, 21, 60]) await pass(days, true);
    assert.equal(await due(day + 1000), 0);
    assert.equal(await page.locator("[data-deck]").getAttribute("data-deck"), "0", "it is known for good");
  });

  test("days in a row: a missed day is forgiven, two are not, and they can be hidden", async (stage) => {
    const page = await (await stage.context()).newPage();
    stage.watch(page);
    const hand = new Mouse(page);
    const streak = async () => (await visit(page, stage, "#/kolem/puzzles"), Number(await page.locator("[data-streak]").getAttribute("data-streak")));
    for (const [day, before, after] of [[0, 0, 1], [1, 1, 2], [3, 2, 3], [6, 0, 1]]) {
      await on(page, day);
      assert.equal(await streak(), before, `on day ${day}`);
      await visit(page, stage, "#/kolem/puzzles?do=practice");
      await solve(page, hand);
      assert.equal(await streak(), after, `after day ${day}`);
    }
    await hand.press(button("hide-streak"));
    await visit(page, stage, "#/kolem/puzzles");
    assert.equal(await page.locator("[data-streak]").count(), 0);
  });

  test("a list that is missing or damaged: a message, and a way on", async (stage) => {
    stage.allowed = /failed:|net::ERR|Failed to load|status 404/;
    for (const [answer, message] of [[{ status: 404 }, "listMissing"], [{ body: '{"version":1,' }, "listDamaged"], [{ body: '{"version":99,"game":"kolem","puzzles":[]}' }, "listDamaged"]]) {
      let broken = true;
      const context = await stage.context();
      await context.route(/assets\/study\/kolem-[^/]*\.json/, (route) => (broken ? route.fulfill({ contentType: "application/json", ...answer }) : route.continue()));
      const page = await stage.open("#/kolem/puzzles?do=practice", { context });
      await page.locator("[role=alert]").waitFor();
      assert.ok((await page.locator("[role=alert]").innerText()).includes(word("en", message)));
      assert.equal(await page.locator(button("all-puzzles")).count(), 1);
      broken = false;
      await page.locator(button("retry")).click();
      await puzzleOn(page);
      await context.close();
    }
  });

  test("storage that is damaged or refuses: a message, and a way on", async (stage) => {
    const context = await stage.context();
    const page = await stage.open("#/trix/puzzles?do=practice", { context });
    await fail(page, new Mouse(page));
    await page.evaluate(() => {
      const deck = JSON.parse(localStorage.getItem("nonet.deck"));
      localStorage.setItem("nonet.deck", JSON.stringify([...deck, { puzzle: { game: "trix" } }, 7]));
      localStorage.setItem("nonet.puzzles", '{"days":"many","runs":[1],"today":3}');
    });
    await visit(page, stage, "#/trix/puzzles");
    assert.ok((await page.locator("[role=alert]").innerText()).includes(word("en", "deckDamaged")));
    assert.equal(await page.locator("[data-deck]").getAttribute("data-deck"), "1", "what is good is kept");
    await page.locator(button("repair")).click();
    await until("repaired", async () => (await page.locator("[role=alert]").count()) === 0);
    for (const text of ["{", "7", "null", '"x"', "{}"]) {
      await page.evaluate((broken) => localStorage.setItem("nonet.deck", broken), text);
      await visit(page, stage, "#/trix/puzzles");
      assert.equal(await page.locator("[role=alert]").count(), text === "null" ? 0 : 1, text);
    }
    const full = await stage.context();
    await full.addInitScript(() => {
      Storage.prototype.setItem = () => {
        throw new DOMException("full", "QuotaExceededError");
      };
    });
    const other = await stage.open("#/trix/puzzles?do=practice", { context: full });
    await fail(other, new Mouse(other));
    await until("the message", async () => (await other.locator(".trouble").count()) > 0);
    assert.ok((await other.locator(".trouble").innerText()).includes(word("en", "notStored")));
    await other.locator(button("try-again")).click();
    await solve(other, new Mouse(other));
  });

  test("without a network, once the page was there", async (stage) => {
    const context = await stage.context();
    const page = await stage.open("#/puzzles", { context });
    await page.evaluate(() => navigator.serviceWorker.ready.then(() => true));
    await until("control by the service worker", async () => {
      if (await page.evaluate(() => navigator.serviceWorker.controller !== null)) return true;
      await page.reload();
      await page.locator("main h1").waitFor();
      return false;
    });
    await context.setOffline(true);
    await visit(page, stage, "#/puzzles?do=today");
    await solve(page, new Mouse(page));
    await context.setOffline(false);
  }, { kept: true });

  test("games without puzzles say so, and unknown wishes do no harm", async (stage) => {
    const page = await stage.open("#/masker/puzzles");
    assert.ok((await page.locator("article").innerText()).includes("There are no puzzles of Masker"));
    await page.locator(button("all-games")).click();
    await page.locator(button("game-trix")).click();
    await page.locator(button("theme-quiet")).click();
    assert.ok((await puzzleOn(page)).themes.includes("quiet"));
    await visit(page, stage, "#/trix/puzzles?do=nothing&theme=none");
    assert.equal(await page.locator(button("run")).count(), 1);
    await visit(page, stage, "#/");
    await page.locator(button("puzzles")).click();
    await page.locator(button("today")).waitFor();
    await visit(page, stage, "#/trix");
    await page.locator(button("puzzles")).click();
    await page.locator(button("theme-only")).waitFor();
  });

  for (const language of LANGUAGES)
    test(`${language}: every word of it`, async (stage) => {
      const page = await stage.open("#/puzzles", { locale: LOCALES[language] });
      for (const key of ["about", "todayAbout", "runAbout", "deckAbout", "streakAbout", "theme.only", "about.quiet"]) await page.getByText(word(language, key)).first().waitFor();
      await visit(page, stage, "#/trix/puzzles?do=practice&theme=save");
      const status = (text) => text.split("{0}").at(-1).trim();
      await until("the question", async () => (await look(page)).status.includes(status(word(language, "askDraw"))));
      await fail(page, new Mouse(page));
      await until("that it was wrong", async () => (await look(page)).status.startsWith(word(language, "wrongLoss").split(/[:{]/)[0].trim()));
      assert.equal((await page.locator(button("show-next")).innerText()).trim(), word(language, "showWhy"));
      await page.locator(button("try-again")).click();
      await solve(page, new Mouse(page));
      await until("that it is solved", async () => (await look(page)).status.startsWith(word(language, "solved")));
      const other = LANGUAGES[(LANGUAGES.indexOf(language) + 1) % LANGUAGES.length];
      await page.locator(button("language")).selectOption(other);
      await until("another language", async () => (await look(page)).status.startsWith(word(other, "solved")));
    });

  test("on a phone by finger: in sight, large enough, nothing wider than the screen", async (stage) => {
    const page = await stage.open("#/puzzles", PHONE);
    await fits(page);
    assert.deepEqual(await smallTargets(page), []);
    for (const game of ["kudosu", "trix"]) {
      await visit(page, stage, `#/${game}/puzzles?do=practice`);
      await puzzleOn(page);
      await fits(page);
      assert.deepEqual(await smallTargets(page), []);
      const { board, height } = await page.evaluate(() => ({ board: document.querySelector(".board").getBoundingClientRect().bottom, height: innerHeight }));
      assert.ok(board <= height, "the whole board is in sight");
      await fail(page, new Finger(page));
      await page.locator(button("show-next")).tap();
      await page.locator(button("try-again")).tap();
      await page.evaluate(() => scrollTo(0, 0));
      await solve(page, new Finger(page));
      await fits(page);
    }
  });

  test("axe-core finds nothing", async (stage) => {
    const page = await stage.open("#/puzzles");
    for (const colorScheme of ["light", "dark"]) {
      await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
      await visit(page, stage, "#/puzzles");
      await inspect(page, `${colorScheme}: all puzzles`);
      await visit(page, stage, "#/trix/puzzles?do=practice");
      await puzzleOn(page);
      await inspect(page, `${colorScheme}: a puzzle`);
      await fail(page, new Mouse(page));
      await page.locator(button("show-next")).click();
      await inspect(page, `${colorScheme}: a refutation`);
      await page.locator(button("try-again")).click();
      await solve(page, new Mouse(page));
      await inspect(page, `${colorScheme}: a puzzle that is solved`);
    }
  });
}
