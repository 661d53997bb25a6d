// Reviews of games: the rows are those of `nonet analyse`, a planted blunder is the loud one, it can be tried again,
// variations are kept and deleted; by mouse, by finger and by keys alone, in five languages, and for screen readers.
import fs from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { execFile } from "node:child_process";
import { engine } from "./engine.mjs";
import { assert, chance, LANGUAGES, LOCALES, native, nonet, PHONE, root, temporary, test, until } from "./harness.mjs";
import { button, Finger, Keyboard, listen, Mouse } from "./player.mjs";

const axe = fs.readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const NODES = "20000"; // as the page asks for, with its seed

/* What `nonet analyse` says of a game. */
function analysed(game, options, moves, ...words) {
  const record = JSON.stringify({ format: "nonet-game", version: 1, game, options, moves });
  return new Promise((resolve, reject) => {
    const child = execFile(nonet, ["analyse", "-", "--json", "--nodes", NODES, "--seed", "1", ...words], { maxBuffer: 1 << 26 }, (error, stdout) =>
      error ? reject(error) : resolve(JSON.parse(stdout)),
    );
    child.stdin.end(record);
  });
}

const address = (game, options, moves, page = "/review") =>
  `#/${game}${page}?${new URLSearchParams({ ...options, moves: moves.join(";") }).toString().replace(/%(2C|3B|40)/g, decodeURIComponent)}`;

async function open(stage, game, options, moves, wishes = {}) {
  const page = await stage.open(address(game, options, moves), wishes);
  await page.locator('[data-review="done"]').waitFor({ timeout: 60000 });
  return page;
}

/* The rows as they are shown. */
const shownRows = (page) =>
  page.locator("tr:has([data-row])").evaluateAll((all) =>
    all.slice(1).map((row) => ({
      lane: Number(row.querySelector(".dot")?.dataset.lane ?? NaN),
      known: ["proven", "searched", "estimated"].find((kind) => row.querySelector(".dot")?.classList.contains(kind)),
      keep: row.querySelector(".keep").textContent.trim(),
      loud: row.dataset.loud !== undefined,
      spoken: row.querySelector("[data-spoken]").textContent,
    })),
  );

/* A game of Quadrangle by best play, with one move that gives the win away. By the table of the native program. */
let plantedGame = null;
function planted() {
  plantedGame ??= (async () => {
    const moves = [];
    let blunder = 0;
    for (;;) {
      const { over } = JSON.parse(await native("position", "quadrangle", ...moves));
      if (over) break;
      const { value, moves: all } = JSON.parse(await native("probe", "quadrangle", ...moves));
      const wrong = all.find((move) => move.value !== value);
      if (blunder === 0 && moves.length >= 4 && value === "win" && wrong) {
        blunder = moves.length + 1;
        moves.push(wrong.move);
      } else moves.push(all[0].move);
    }
    const before = JSON.parse(await native("probe", "quadrangle", ...moves.slice(0, blunder - 1)));
    return { moves, blunder, right: before.moves.filter(({ value }) => value === before.value).map(({ move }) => move) };
  })();
  return plantedGame;
}

const words = (language) => {
  const text = fs.readFileSync(path.join(root, `web/src/words/review/${language}.ts`), "utf8");
  return Object.fromEntries([...text.matchAll(/^ {2}(\w+): "(.*)",$/gm)].map(([, key, value]) => [key, value]));
};
const status = (page) => page.locator("#status").innerText();
/* Rows lie in a box that scrolls by itself. */
async function press(hand, selector) {
  await hand.page.locator(selector).first().evaluate((element) => element.scrollIntoView({ block: "center" }));
  await hand.press(selector);
}
const row = (ply) => `[data-row="${ply}"]`;

/* A game of Trix that took long before somebody won. */
async function longGame(least) {
  const e = await engine();
  const random = chance(11);
  for (;;) {
    e.begin("trix");
    const moves = [];
    let position = e.position();
    for (; position.turn !== 0; position = e.position()) {
      moves.push(random.pick(position.moves)[0]);
      e.play(moves.at(-1));
    }
    if (moves.length >= least) return moves;
  }
}

export function register() {
  test("a long game by a table is reviewed to its end", async (stage) => {
    const moves = await longGame(250);
    const page = await open(stage, "trix", {}, moves);
    const rows = await shownRows(page);
    assert.equal(rows.length, moves.length);
    assert.ok(rows.every(({ known }) => known !== undefined), "every move has its dot");
  });

  for (const [game, options, count] of [
    ["quadrangle", {}, 9],
    ["trix", {}, 12],
    ["ksar", { frame: "5x5" }, 5],
    ["chasm", { players: "3" }, 6],
  ])
    test(`${game}: the rows are those of nonet analyse`, async (stage) => {
      if (options.players) stage.allowed = /404/; // nobody has put the far table there
      const e = await engine();
      const random = chance(5);
      const moves = [];
      e.begin(game, options);
      for (let i = 0; i < count && e.position().turn !== 0; i++) {
        moves.push(random.pick(e.position().moves)[0]);
        e.play(moves.at(-1));
      }
      const [page, review] = [await open(stage, game, options, moves), await analysed(game, options, moves)];
      const rows = await shownRows(page);
      assert.equal(rows.length, moves.length);
      review.moves.forEach((move, i) => {
        const { lane, known, keep, loud } = rows[i];
        assert.equal(lane, move.lane, `lane of move ${i + 1}`);
        assert.equal(known, ["searched", "estimated"].includes(move.proof) ? move.proof : "proven", `proof of move ${i + 1}`);
        assert.ok(keep.startsWith(move.keeps === null ? "–" : `${move.keeps} of ${move.legal}`), `${keep}, and not ${move.keeps} of ${move.legal}`);
        assert.equal(loud, move.turned, `move ${i + 1}`);
      });
      for (const player of review.players) {
        const line = await page.locator(`[data-player="${player.player}"]`).innerText();
        if (review.measure === "exact" && player.of > 0)
          assert.ok(line.endsWith(`kept ${player.kept} of ${player.of}, by chance it would have been ${player.chance.toFixed(1)}: ${player.number}`), line);
        else if (review.measure === "exact") assert.match(line, /nothing to spoil/);
        else assert.match(line, player.counted > 0 ? new RegExp(`${player.accuracy.toFixed(1)} % of a win kept, in ${player.counted} moves`) : /no move made a difference/);
      }
      assert.equal(await page.getByText("Not all values are proven").count(), review.measure === "exact" ? 0 : 1);
    });

  test("a planted blunder is the only loud row, and is spoken of", async (stage) => {
    const { moves, blunder, right } = await planted();
    const page = await open(stage, "quadrangle", {}, moves);
    const rows = await shownRows(page);
    assert.deepEqual(rows.flatMap(({ loud }, i) => (loud ? [i + 1] : [])), [blunder]);
    assert.match(rows[blunder - 1].spoken, /gave the win away$/);
    assert.ok(rows.every(({ spoken }) => /wins in \d+, proven\. \d+ of \d+ moves kept the result/.test(spoken)), JSON.stringify(rows));
    const heard = await listen(page);
    await press(new Mouse(page), row(blunder));
    assert.match(await status(page), new RegExp(`^${blunder}\\. ${moves[blunder - 1]}: Player [12].* wins in \\d+\\. Player [12].* gave the win away$`));
    assert.ok((await heard()).some((text) => text.includes("gave the win away")), "a screen reader is told");
    // The board shows that position.
    assert.match(await page.locator(`[data-name="${moves[blunder - 1]}"]`).getAttribute("aria-label"), /^piece of player/);
    assert.doesNotMatch(await page.locator(`[data-name="${moves[blunder]}"]`).getAttribute("aria-label"), /^piece of player/);
    // What was better is told when it is asked for, and not before.
    assert.ok(!(await page.locator("[data-review]").innerText()).includes("Better"));
    await press(new Mouse(page), button("better"));
    assert.ok((await heard()).some((text) => right.some((move) => text.startsWith(`Better: ${move}`))), "a better move is told");
  });

  test("try again: wrong, with its refutation, then right, then left", async (stage) => {
    const { moves, blunder, right } = await planted();
    const page = await open(stage, "quadrangle", {}, moves);
    const hand = new Mouse(page);
    const heard = await listen(page);
    const again = (phase) => page.locator(`[data-again="${phase}"]`).waitFor();
    await press(hand, `[data-do="try-again"][data-ply="${blunder}"]`);
    await again("asking");
    assert.match(await status(page), /to move\. Find a move that keeps the win\./);
    await hand.press(`[data-name="${moves[blunder - 1]}"]`);
    await again("wrong");
    assert.match(await status(page), new RegExp(`^${moves[blunder - 1]} does not keep it\\. The answer: [a-d][1-4]\\.`));
    const answer = /answer: ([a-d][1-4])/.exec(await status(page))[1];
    const probed = JSON.parse(await native("probe", "quadrangle", ...moves.slice(0, blunder)));
    assert.equal(probed.moves.find(({ move }) => move === answer).value, "win", "it refutes the move");
    await until("it to be among the puzzles", async () => (await status(page)).endsWith("It comes back tomorrow, among the puzzles."));
    const [{ puzzle }] = await page.evaluate(() => JSON.parse(localStorage.getItem("nonet.deck")));
    assert.deepEqual(Object.keys(puzzle.steps[0].right).sort(), [...right].sort(), "every move that keeps the result is right");
    assert.equal(puzzle.from, JSON.parse(await native("position", "quadrangle", ...moves.slice(0, blunder - 1))).text);
    await hand.press(button("once-more"));
    await again("asking");
    await hand.press(`[data-name="${right.at(-1)}"]`);
    await again("right");
    assert.match(await status(page), new RegExp(`^Right: ${right.at(-1)} keeps the result, as ${right.length} of \\d+ moves do\\.$`));
    assert.ok((await heard()).some((text) => text.startsWith("Right: ")), "a screen reader is told");
    await hand.press(button("leave"));
    assert.equal(await page.locator("[data-again]").count(), 0);
    assert.equal(await page.locator("[data-variation]").count(), 0, "tries are no variations");
  });

  test("variations are played, kept in the link, and deleted", async (stage) => {
    const { moves, right, blunder } = await planted();
    const page = await open(stage, "quadrangle", {}, moves);
    const hand = new Mouse(page);
    await press(hand, row(blunder - 1));
    await hand.press(`[data-name="${right[0]}"]`);
    await page.locator("[data-variation]").waitFor();
    assert.match(await page.locator("[data-variation]").innerText(), new RegExp(`${blunder}\\.\\s*${right[0]}`));
    const position = JSON.parse(await native("position", "quadrangle", ...moves.slice(0, blunder - 1), right[0]));
    await hand.press(`[data-name="${position.legal[0]}"]`);
    await until("a second move", async () => (await page.locator("[data-node]").count()) === 2);
    // Another one beside its second move.
    await press(hand, "[data-node]");
    await hand.press(`[data-name="${position.legal[1]}"]`);
    await until("a variation of the variation", async () => (await page.locator("[data-variation]").count()) === 2);
    // They come with the link.
    await page.evaluate(() => Object.defineProperty(navigator, "clipboard", { value: { writeText: () => Promise.reject() } }));
    await hand.press(button("link"));
    const link = await page.locator(button("link-text")).inputValue();
    assert.match(link, /#\/quadrangle\/review\?/);
    const other = await stage.open(link.slice(stage.address.length));
    await until("both variations", async () => (await other.locator("[data-variation]").count()) === 2);
    assert.equal(await other.locator("[data-node]").count(), 3);
    // Deleted, and the board is where they left the game.
    const deleting = new Mouse(other);
    await press(deleting, button("delete-variation"));
    await until("no variation", async () => (await other.locator("[data-variation]").count()) === 0);
    assert.equal(await other.locator(`${row(blunder - 1)}[aria-current]`).count(), 1);
    // The record holds the game.
    const [download] = await Promise.all([other.waitForEvent("download"), deleting.press(button("save-record"))]);
    const file = temporary("review.json");
    await download.saveAs(file);
    assert.match(await native("replay", file), /./);
    assert.deepEqual(JSON.parse(fs.readFileSync(file, "utf8")).moves, moves);
  });

  test("all of it by keys alone", async (stage) => {
    const { moves, blunder, right } = await planted();
    const page = await open(stage, "quadrangle", {}, moves);
    const hand = new Keyboard(page);
    const focus = () => page.evaluate(() => document.activeElement?.dataset.row);
    await hand.reach(row(moves.length));
    await hand.key("Home");
    assert.equal(await focus(), "0");
    await hand.key("ArrowDown");
    await hand.key("ArrowRight");
    assert.equal(await focus(), "2");
    assert.match(await status(page), new RegExp(`^2\\. ${moves[1]}: Player`));
    await hand.key("ArrowUp");
    assert.equal(await focus(), "1");
    await hand.key("End");
    assert.equal(await focus(), String(moves.length));
    await press(hand, `[data-do="try-again"]`);
    await page.locator('[data-again="asking"]').waitFor();
    await hand.press(`[data-name="${right[0]}"]`);
    await page.locator('[data-again="right"]').waitFor();
    await hand.press(button("leave"));
    await hand.reach(row(blunder));
    await hand.key("ArrowUp");
    await hand.press(`[data-name="${right[0]}"]`);
    await page.locator("[data-variation]").waitFor();
    await hand.press(button("delete-variation"));
    await until("it is gone", async () => (await page.locator("[data-variation]").count()) === 0);
  });

  test("stopped, and going on", async (stage) => {
    const e = await engine();
    const random = chance(9);
    const moves = [];
    e.begin("ksar");
    for (let i = 0; i < 5; i++) {
      moves.push(random.pick(e.position().moves)[0]);
      e.play(moves.at(-1));
    }
    const page = await stage.open(address("ksar", {}, moves));
    const hand = new Mouse(page);
    await hand.press(button("stop"));
    await page.locator(button("go-on")).waitFor();
    assert.match(await page.locator(".progress").innerText(), /Stopped after \d of 6 positions/);
    await hand.press(button("go-on"));
    await page.locator('[data-review="done"]').waitFor({ timeout: 60000 });
    const review = await analysed("ksar", {}, moves);
    assert.deepEqual((await shownRows(page)).map(({ lane }) => lane), review.moves.map(({ lane }) => lane));
  });

  test("Masker: as the seat knew it, with hindsight, and not before the end", async (stage) => {
    const e = await engine();
    const random = chance(3);
    e.begin("masker");
    while (e.position().turn !== 0) e.play(random.pick(e.position(e.position().turn).moves)[0]);
    const { options, moves } = e.setup();
    const page = await open(stage, "masker", options, moves);
    const lanes = async () => (await shownRows(page)).map(({ lane }) => lane);
    assert.deepEqual(await lanes(), (await analysed("masker", options, moves)).moves.map(({ lane }) => lane));
    await new Mouse(page).press(button("hindsight"));
    const hindsight = JSON.stringify((await analysed("masker", options, moves, "--hindsight")).moves.map(({ lane }) => lane));
    await until("the review with hindsight", async () => JSON.stringify(await lanes()) === hindsight, 60);
    const early = await stage.open(address("masker", options, moves.slice(0, -1)));
    assert.match(await early.locator("[role=alert]").first().innerText(), /it keeps secrets/);
  });

  test("without its table a game is reviewed by search, and the reader is told", async (stage) => {
    stage.allowed = /status 404|Failed to load resource/;
    const { moves } = await planted();
    const context = await stage.context();
    await context.route(/\.nonet-table/, (route) => route.fulfill({ status: 404 }));
    const page = await stage.open(address("quadrangle", {}, moves.slice(-3)), { context });
    await page.locator("[data-no-table]").waitFor();
    assert.match(await page.locator("[data-no-table]").innerText(), /is not here, so the moves are searched/);
    await page.locator('[data-review="done"]').waitFor({ timeout: 60000 });
  });

  test("from the end of a game, from its moves and from a record", async (stage) => {
    const { moves } = await planted();
    const page = await stage.open(address("quadrangle", {}, moves, ""));
    await page.locator("[data-ending]").waitFor();
    await new Mouse(page).press('[data-ending] [data-do="review"]');
    await page.locator('[data-review="done"]').waitFor({ timeout: 60000 });
    await page.goBack();
    await page.locator(button("review-moves")).waitFor({ state: "attached" });
    await new Mouse(page).press(button("review-moves"));
    await page.locator(row(moves.length)).waitFor();
    const file = temporary("game.json");
    fs.writeFileSync(file, JSON.stringify({ format: "nonet-game", version: 1, game: "quadrangle", options: {}, moves: moves.slice(0, 5) }));
    const other = await stage.open("#/quadrangle");
    await other.locator(button("load-record")).setInputFiles(file);
    await other.getByRole("button", { name: "Review" }).last().click();
    await other.locator(row(5)).waitFor();
    const long = await stage.open(address("quadrangle", {}, Array.from({ length: 1001 }, () => "a1")));
    assert.match(await long.locator("[role=alert]").first().innerText(), /up to 1000 moves/);
    const broken = await stage.open(address("quadrangle", {}, ["a1", "a1"]));
    assert.match(await broken.locator("[role=alert]").first().innerText(), /no playable game|cannot be played|a1/);
  });

  for (const language of LANGUAGES.filter((one) => one !== "en"))
    test(`in ${language}`, async (stage) => {
      const { moves, blunder } = await planted();
      const page = await open(stage, "quadrangle", {}, moves, { locale: LOCALES[language] });
      const [own, english] = [words(language), words("en")];
      const text = await page.locator("[data-review]").evaluate((panel) => panel.textContent);
      const parts = (sentence) => sentence.split(/\{\d\}/).map((part) => part.trim()).filter((part) => part.length > 3);
      for (const key of ["caption", "lanes", "winsIn", "keptSpoken", "showBetter", "accuracy", "signs", "tryAgain", "playAnything", "linkHolds"]) {
        for (const part of parts(own[key])) assert.ok(text.includes(part), `${key}: ${part}`);
        if (own[key] !== english[key]) for (const part of parts(english[key]).filter((one) => !parts(own[key]).some((other) => other.includes(one)))) assert.ok(!text.includes(part), `English: ${part}`);
      }
      await press(new Mouse(page), `[data-do="try-again"][data-ply="${blunder}"]`);
      await until("the question", async () => (await status(page)).endsWith(own.findWin.split("{0}")[1].trim()));
    });

  test("on a phone, by finger", async (stage) => {
    const { moves, blunder, right } = await planted();
    const page = await open(stage, "quadrangle", {}, moves, PHONE);
    const hand = new Finger(page);
    assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), "nothing is wider than the screen");
    const small = await page.locator("[data-review] :is(button, a)").evaluateAll((all) =>
      all.map((one) => [one.textContent, one.getBoundingClientRect()]).filter(([, { width, height }]) => width < 44 || height < 44).map(([text]) => text),
    );
    assert.deepEqual(small, [], "targets of 44 pixels");
    await press(hand, `[data-do="try-again"][data-ply="${blunder}"]`);
    await page.locator('[data-again="asking"]').waitFor();
    await hand.press(`[data-name="${right[0]}"]`);
    await page.locator('[data-again="right"]').waitFor();
  });

  for (const [name, wishes] of [
    ["light", {}],
    ["dark", { colorScheme: "dark" }],
    ["on a phone", PHONE],
  ])
    test(`axe-core finds no barrier, ${name}`, async (stage) => {
      const { moves, blunder, right } = await planted();
      const page = await open(stage, "quadrangle", {}, moves, wishes);
      const hand = new Mouse(page);
      await press(hand, row(blunder - 1));
      await hand.press(`[data-name="${right[0]}"]`);
      await page.locator("[data-variation]").waitFor();
      await press(hand, `[data-do="try-again"]`);
      await page.locator('[data-again="asking"]').waitFor();
      await page.evaluate(axe);
      const violations = await page.evaluate(async () => (await globalThis.axe.run(document, { resultTypes: ["violations"] })).violations);
      assert.deepEqual(violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html.slice(0, 120))]), []);
    });
}
