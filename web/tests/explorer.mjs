// The explorer: values and shares of erring replies are those of `nonet probe`, the games are those of the records; by
// mouse, keys and finger, for screen readers, in five languages; with lists that are damaged or missing.
import { execFileSync } from "node:child_process";
import fs from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { assert, chance, LANGUAGES, LOCALES, native, nonet, PHONE, root, temporary, test, until } from "./harness.mjs";
import { button, Finger, Keyboard, listen, Mouse } from "./player.mjs";

const axe = fs.readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

const address = (game, options = {}, moves = []) => `#/${game}/explore?${new URLSearchParams({ ...options, moves: moves.join(";") })}`;
const done = (page) => page.locator('[data-explorer="done"]').waitFor({ timeout: 40000 });
async function open(stage, game, options, moves, wishes = {}) {
  const page = await stage.open(address(game, options, moves), wishes);
  await done(page);
  return page;
}

/* The rows as they are shown. */
const rowsOf = (page) =>
  page.locator("tr[data-row]").evaluateAll((all) =>
    all.map((row) => ({
      move: row.dataset.row,
      twins: [row.dataset.row, ...(row.querySelector("th small")?.textContent.replace(/^the same: /, "").split(", ") ?? [])],
      kind: row.querySelector("[data-worth]")?.dataset.worth,
      known: row.querySelector("[data-known]")?.dataset.known,
      number: row.querySelector("[data-worth] b")?.textContent,
      erring: row.querySelector("[data-erring]")?.dataset.erring,
      games: Number(row.querySelector("[data-games]").dataset.games),
      told: row.querySelector("[data-games] .hidden-text")?.textContent ?? "",
    })),
  );

const probe = async (game, moves) => JSON.parse(await native("probe", game, ...moves));
const rank = { loss: 0, draw: 1, win: 2 };

/* Slowly: how many of the replies to a move lead to less than the best one. */
async function erring(game, moves) {
  if (JSON.parse(await native("position", game, ...moves)).over) return "";
  const values = (await probe(game, moves)).moves.map(({ value }) => rank[value]);
  return `${values.filter((value) => value < Math.max(...values)).length}/${values.length}`;
}

/* Some moves from the start. */
async function randomMoves(game, count, seed) {
  const random = chance(seed);
  const moves = [];
  while (moves.length < count) moves.push(random.pick(JSON.parse(await native("position", game, ...moves)).legal));
  return moves;
}

/* A list of a few random games, and their records. */
function playedGames(game, count) {
  const folder = temporary("records");
  execFileSync(nonet, ["match", game, "random", "random", "--games", String(count), "--seed", "5", "--records", folder]);
  const files = fs.readdirSync(folder).sort().map((name) => path.join(folder, name));
  const setting = { commands: ["nonet match …"], ...JSON.parse(execFileSync(nonet, ["openings", ...files], { encoding: "utf8" })) };
  return { list: JSON.stringify({ version: 1, game, settings: [setting] }), records: files.map((file) => JSON.parse(fs.readFileSync(file, "utf8"))) };
}
const LIST = (game) => new RegExp(`/assets/study/${game}-[^/]*\\.json`);

const words = (language) => {
  const text = fs.readFileSync(path.join(root, `web/src/words/explorer/${language}.ts`), "utf8");
  return Object.fromEntries([...text.matchAll(/^ {2}(\w+): "(.*)",$/gm)].map(([, key, value]) => [key, value]));
};
const crumbs = (page) => page.locator("[data-explorer] nav button").allInnerTexts();

/* What the book of openings says of moves, as it is shown, and as `nonet think --book` has it. */
async function checkBook(stage, game, options, moves) {
  const page = await stage.open(address(game, options, moves));
  await page.locator("[data-book]").first().waitFor({ timeout: 40000 });
  const shown = await page.locator("tr[data-row]:has([data-book])").evaluateAll((rows) => rows.map((row) => [row.dataset.row, Number(row.querySelector("[data-book]").dataset.book)]));
  const flags = Object.entries(options).flatMap(([key, value]) => ["-o", `${key}=${value}`]);
  const thought = JSON.parse(await native("think", game, ...flags, "--book", "--time", "60", ...moves));
  assert(thought.nodes === 0 && shown.length > 0, `${game} ${moves}: ${shown.length} moves`);
  const scores = new Map(thought.moves.map(({ move, score }) => [move, score]));
  for (const [move, score] of shown) assert(scores.get(move) === score, `${game} ${moves} ${move}: ${score}, ${scores.get(move)}`);
}

export function register() {
  test("what the book of openings says is shown beside its moves", async (stage) => {
    await checkBook(stage, "ksar", {}, []);
    await checkBook(stage, "ksar", {}, ["2x3@i1"]);
    await checkBook(stage, "ksar", {}, ["3x2@a9"]);
  });

  for (const [game, plies] of [
    ["trix", 0],
    ["trix", 9],
    ["quadrangle", 5],
    ["kudosu", 4],
  ])
    test(`${game} after ${plies} moves: worth and replies are those of nonet probe`, async (stage) => {
      const moves = await randomMoves(game, plies, 4);
      const page = await open(stage, game, {}, moves);
      const rows = await rowsOf(page);
      const { moves: proven } = await probe(game, moves);
      assert.deepEqual(rows.flatMap(({ twins }) => twins).sort(), proven.map(({ move }) => move).sort(), "every legal move stands in one row");
      for (const { move, twins, kind, known, number, erring: shown } of rows) {
        for (const twin of twins) {
          const { value, distance } = proven.find((one) => one.move === twin);
          assert.deepEqual([kind, known, number], [value, "proven", value === "draw" ? "" : String(distance)], twin);
        }
        assert.equal(shown, await erring(game, [...moves, move]), `replies to ${move}`);
      }
      assert.ok(rows.every(({ kind }, i) => i === 0 || rank[rows[i - 1].kind] >= rank[kind]), "best first");
    });

  test("the games are those of the records", async (stage) => {
    const { list, records } = playedGames("quadrangle", 80);
    const page = await stage.open("#/quadrangle");
    await page.context().route(LIST("quadrangle"), (route) => route.fulfill({ contentType: "application/json", body: list }));
    await page.goto(stage.address + address("quadrangle"));
    await done(page);
    const distinct = [...new Map(records.map((record) => [record.moves.join(), record])).values()];
    const rows = await rowsOf(page);
    for (const { twins, games, told } of rows) {
      const same = distinct.filter(({ moves }) => twins.includes(moves[0]));
      assert.equal(games, same.length, twins.join());
      for (const [name, winners] of [
        ["Player 1 (maple) wins", "1"],
        ["drawn", "1,2"],
        ["Player 2 (walnut) wins", "2"],
      ]) {
        const count = same.filter(({ result }) => result.winners.join() === winners).length;
        assert.equal(told.includes(`${name}: ${count}`), count > 0, `${told}, and ${count} ${name}`);
      }
    }
    const [{ move, games }] = rows;
    await new Mouse(page).press(button(`play-${move}`));
    await until("the replies", async () => (await crumbs(page)).length === 2);
    await done(page);
    assert.equal((await rowsOf(page)).reduce((sum, row) => sum + row.games, 0), games, `all games after ${move} went on`);
    await page.context().unroute(LIST("quadrangle"));
  });

  test("there and back, by keys alone, and the address follows", async (stage) => {
    const page = await open(stage, "trix");
    const hand = new Keyboard(page);
    const heard = await listen(page);
    const [{ move }] = await rowsOf(page);
    await hand.reach(button(`play-${move}`));
    await hand.key("Enter");
    await until("the move is made", async () => (await crumbs(page)).join() === `Start,${move}`);
    assert.equal(await page.evaluate(() => document.activeElement.tagName), "H2", "the focus is before the next rows");
    await done(page);
    assert.ok((await heard()).some((text) => /rows of moves\. Best: /.test(text)), "a screen reader is told what is best");
    const next = (await rowsOf(page))[0].move;
    await hand.key("Tab");
    await hand.key("Enter");
    await until("the reply is made", async () => (await crumbs(page)).length === 3);
    assert.equal(new URLSearchParams(page.url().split("?")[1]).get("moves"), `${move};${next}`);
    await page.reload();
    await until("the same position", async () => (await crumbs(page)).join() === `Start,${move},${next}`);
    await hand.key("u");
    await until("one back", async () => (await crumbs(page)).length === 2);
    await hand.key("y");
    await until("again", async () => (await crumbs(page)).length === 3);
    await hand.reach(button("crumb-1"));
    await hand.key("Enter");
    await until("by the crumb", async () => (await crumbs(page)).length === 2);
    await hand.key("b");
    await until("the start", async () => (await crumbs(page)).length === 1);
    assert.equal(new URLSearchParams(page.url().split("?")[1]).get("moves"), "");
  });

  test("a real table: caption, headers, and words in every cell", async (stage) => {
    const page = await open(stage, "quadrangle");
    const table = page.locator("[data-explorer] table");
    assert.equal(await table.locator("caption").count(), 1);
    assert.deepEqual(await table.locator("thead th[scope=col]").allInnerTexts(), ["Move", "Worth", "Replies that err", "Level 10 games"]);
    const said = await table.locator("tbody tr").evaluateAll((rows) =>
      rows.map((row) => {
        const copy = row.cloneNode(true);
        copy.querySelectorAll("[aria-hidden=true]").forEach((one) => one.remove());
        return [...copy.children].map((cell) => [cell.getAttribute("scope"), cell.textContent.replace(/\s+/g, " ").trim()]);
      }),
    );
    for (const [[scope, move], [, worth], [, err], [, games]] of said) {
      assert.equal(scope, "row");
      assert.match(move, /^[a-d][1-4]/);
      assert.match(worth, /^wins in \d+, proven$/);
      assert.match(err, /^\d+% ?\d+ of 15$/);
      assert.match(games, /^\d+ games: /);
    }
  });

  test("other options, playing on, from a table and from a review", async (stage) => {
    const page = await open(stage, "quadrangle", {}, ["a1"]);
    const hand = new Mouse(page);
    await hand.set(button("option-rectangles"), "upright");
    await hand.press(button("choose"));
    await until("the other setting", async () => page.url().includes("rectangles=upright"));
    await done(page);
    assert.deepEqual(await crumbs(page), ["Start"]);
    const start = await probe("quadrangle", ["-o", "rectangles=upright"]);
    assert.equal((await rowsOf(page))[0].kind, start.value);
    const [{ move }] = await rowsOf(page);
    await hand.press(button(`play-${move}`));
    await until("a move", async () => (await crumbs(page)).length === 2);
    await hand.set(button("play-on-level"), "0");
    assert.match(await page.locator(button("play-on")).getAttribute("href"), new RegExp(`rectangles=upright&swap=no&seats=0,0&moves=${move}$`));
    await hand.press(button("play-on"));
    await page.locator("[data-move]").first().waitFor({ state: "attached" });
    await hand.press(button("explore-moves"));
    await until("back in the explorer", async () => (await crumbs(page)).join() === `Start,${move}`);
    assert.match(page.url(), /rectangles=upright/);
    const review = await stage.open(address("quadrangle", {}, ["a1", "b2", "c3"]).replace("/explore", "/review"));
    await review.locator('[data-row="2"]').click();
    await new Mouse(review).press(button("explore"));
    await until("from the review", async () => (await crumbs(review)).join() === "Start,a1,b2");
  });

  test("three players: chances", async (stage) => {
    const page = await open(stage, "chasm", { players: "3" });
    const cells = await page.locator("[data-worth-of]").allInnerTexts();
    assert.ok(cells.length > 0 && cells.every((text) => /Chances: Player 1.* \d+%, Player 2.* \d+%, Player 3.* \d+%/.test(text)), cells[0]);
    assert.ok((await rowsOf(page)).some(({ games }) => games > 0), "games of three");
  });

  test("Masker: only what is open to all", async (stage) => {
    const texts = [];
    for (const colours of ["RY", "GB"]) {
      const page = await stage.open("#/masker/explore");
      await done(page);
      const deal = new URLSearchParams(page.url().split("?")[1]).get("deal");
      assert.match(deal, /^[RYGBVWN]{36}$/, "the deal that was played");
      assert.ok((await rowsOf(page)).every(({ games }) => games > 0), "games of this deal");
      await page.goto(stage.address + address("masker", { deal, colours }));
      await page.reload();
      await done(page);
      texts.push(await page.locator("main").innerHTML());
      await new Mouse(page).press("tr[data-row] button");
      await until("a move", async () => (await crumbs(page)).length === 2);
      await done(page);
      assert.equal(await page.locator("[data-worth-of]").count(), 0, "no values: they depend on the discs");
      assert.equal(await page.locator('[data-do="hand-over"]').count(), 0);
      texts.push(await page.locator("main").innerHTML());
    }
    for (const i of [0, 1]) assert.equal(texts[i].replaceAll("colours=RY", ""), texts[i + 2].replaceAll("colours=GB", ""), "whatever the discs are");
  });

  test("Fullend: groups of first pieces, and laying another one", async (stage) => {
    const page = await open(stage, "fullend");
    const rows = await rowsOf(page);
    assert.ok(rows.filter(({ games }) => games > 0).length > 3, "groups that were played");
    assert.ok(rows.some(({ kind }) => kind !== undefined), "some are judged");
    assert.equal(await page.locator("[data-erring]").count(), 0, "nobody counts millions of replies");
    const { move } = rows.find(({ games }) => games > 0);
    await new Mouse(page).press(button(`play-${move}`));
    await until("a piece", async () => (await crumbs(page)).length === 2);
    await new Mouse(page).press('[data-do="another-place"]');
    await new Mouse(page).press("[data-lay]");
    await until("another one", async () => (await crumbs(page)).length === 3);
  });

  for (const [what, answer, message] of [
    ["damaged", { body: '{"version":1,"game":"trix","settings":[{}]}' }, /is damaged/],
    ["of another version", { body: '{"version":99,"game":"trix","settings":[]}' }, /is damaged/],
    ["missing", { status: 404, body: "" }, /could not be fetched/],
  ])
    test(`a list that is ${what}: a message, and values all the same`, async (stage) => {
      stage.allowed = /404/;
      const context = await stage.context();
      let isBroken = true;
      await context.route(LIST("trix"), (route) => (isBroken ? route.fulfill({ contentType: "application/json", ...answer }) : route.continue()));
      const page = await stage.open(address("trix"), { context });
      await done(page);
      assert.match(await page.locator("[data-explorer] [role=alert]").innerText(), message);
      const rows = await rowsOf(page);
      assert.ok(rows.length > 0 && rows.every(({ kind, games }) => kind === "draw" && games === 0));
      isBroken = false;
      await new Mouse(page).press(button("list-again"));
      await until("the games", async () => (await rowsOf(page)).some(({ games }) => games > 0));
      assert.equal(await page.locator("[data-explorer] [role=alert]").count(), 0);
    });

  test("without a network, once the page was there", async (stage) => {
    const context = await stage.context();
    const page = await stage.open(address("trix"), { context });
    await done(page);
    await page.evaluate(() => navigator.serviceWorker.ready.then(() => true));
    await until("all that was fetched is kept", () =>
      page.evaluate(async () => {
        const used = performance.getEntriesByType("resource").filter(({ name }) => name.includes("/assets/study/"));
        const kept = await Promise.all(used.map(({ name }) => caches.match(name)));
        return used.length > 0 && kept.every((answer) => answer !== undefined);
      }), 30);
    await context.setOffline(true);
    await page.reload();
    await done(page);
    const rows = await rowsOf(page);
    assert.ok(rows.length > 0 && rows.every(({ kind, known, games }) => kind === "draw" && known === "proven" && games > 0));
    await context.setOffline(false);
  }, { kept: true });

  test("a link that is no game", async (stage) => {
    const page = await stage.open(address("quadrangle", {}, ["a1", "a1"]));
    await page.locator(".trouble[role=alert]").waitFor();
    await new Mouse(page).press(button("from-start"));
    await done(page);
    assert.deepEqual(await crumbs(page), ["Start"]);
  });

  for (const language of LANGUAGES.filter((one) => one !== "en"))
    test(`in ${language}`, async (stage) => {
      const page = await open(stage, "quadrangle", {}, [], { locale: LOCALES[language] });
      const [own, english] = [words(language), words("en")];
      const text = await page.locator("[data-explorer]").evaluate((panel) => panel.textContent);
      const parts = (sentence) => sentence.split(/\{\d\}/).map((part) => part.trim()).filter((part) => part.length > 3);
      for (const key of ["start", "caption", "move", "worth", "erring", "games", "same", "gamesMany", "aboutGames", "played", "counted", "aboutErring", "choose", "playOn", "link"]) {
        for (const part of parts(own[key])) assert.ok(text.includes(part), `${key}: ${part}`);
        if (own[key] !== english[key]) for (const part of parts(english[key]).filter((one) => one.length > 8)) assert.ok(!text.includes(part), `English: ${part}`);
      }
    });

  test("on a phone, by finger", async (stage) => {
    const page = await open(stage, "quadrangle", {}, [], PHONE);
    assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), "nothing is wider than the screen");
    const small = await page.locator("[data-explorer] :is(button, a, select, summary)").evaluateAll((all) =>
      all.map((one) => [one.textContent, one.getBoundingClientRect()]).filter(([, { width, height }]) => width < 44 || height < 44).map(([text]) => text),
    );
    assert.deepEqual(small, [], "targets of 44 pixels");
    const [{ move }] = await rowsOf(page);
    await new Finger(page).press(button(`play-${move}`));
    await until("a move", async () => (await crumbs(page)).join() === `Start,${move}`);
    await done(page);
    await new Finger(page).press(button("undo"));
    await until("back", async () => (await crumbs(page)).length === 1);
  });

  for (const [name, wishes, game] of [
    ["light", {}, "quadrangle"],
    ["dark", { colorScheme: "dark" }, "masker"],
    ["on a phone", PHONE, "chasm"],
  ])
    test(`axe-core finds no barrier, ${name}`, async (stage) => {
      const page = await open(stage, game, {}, [], wishes);
      await page.locator('[data-section="games"] summary').click();
      await page.evaluate(axe);
      const violations = await page.evaluate(async () => (await globalThis.axe.run(document, { resultTypes: ["violations"] })).violations);
      assert.deepEqual(violations.map(({ id, nodes }) => `${id}: ${nodes[0].html.slice(0, 200)}`), []);
    });
}
