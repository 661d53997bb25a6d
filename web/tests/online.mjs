// Tables at which people in different places play: several browsers at one table, through cuts, closed tabs and a server
// that is killed. Nobody sees a move twice or misses one, and all see what the server's record says.
import fs from "node:fs";
import net from "node:net";
import path from "node:path";
import { inspect } from "./accessible.mjs";
import { isLong, quickGame, shortGame } from "./engine.mjs";
import { assert, chance, GAMES, isHidden, LANGUAGES, LOCALES, native, nonet, PHONE, serve, SHELF, sleep, Stage, temporary, test, until } from "./harness.mjs";
import { button, describe, Keyboard, look, Mouse, move } from "./player.mjs";

const NAMES = ["Ada", "Bob", "Cleo", "Dan"];
const DAYS = { kind: "move", budget: 259200000, pause: 0 };
const LEAST_TIME = 10000; // milliseconds, the least that a clock can have
const PLIES = 6; // that a test plays, where it does not play to the end

/* The server whose clock can be set, in a build with tests. */
const FAULTY = path.join(path.dirname(nonet), "tests/nonet-serve-faulty");

let lastId = 0;

const post = async (page, address, path, data) => {
  const answer = await page.context().request.post(`${address}api/${path}`, { data });
  assert.ok(answer.ok(), await answer.text());
  return answer.json();
};
const ask = async (page, address, path) => (await page.context().request.get(`${address}api/${path}`)).json();

/* What a page hears of the server, byte by byte, and every length that its list of moves had. */
const observe = () => {
  globalThis.heard = "";
  globalThis.lengths = [];
  const original = globalThis.fetch;
  globalThis.fetch = async (...request) => {
    const response = await original(...request);
    if (new URL(response.url).pathname.startsWith("/api/") && response.body) {
      const [own, copy] = response.body.tee();
      const reader = copy.pipeThrough(new TextDecoderStream()).getReader();
      const read = () => reader.read().then(({ done, value }) => (done ? undefined : ((globalThis.heard += value), read())), () => {});
      read();
      return new Response(own, response);
    }
    return response;
  };
  new MutationObserver(() => {
    const length = document.querySelectorAll("[data-move]").length;
    if (length !== globalThis.lengths.at(-1)) globalThis.lengths.push(length);
  }).observe(document, { subtree: true, childList: true });
};

/* A line to the server that can be cut: whatever goes through it ends, and nothing more gets through. */
async function layLine(stage) {
  const { hostname, port } = new URL(stage.address);
  const open = new Set();
  let isCut = false;
  const server = net.createServer((near) => {
    if (isCut) return near.destroy();
    const far = net.connect(Number(port), hostname);
    for (const [one, other] of [[near, far], [far, near]]) {
      open.add(one);
      one.on("error", () => {}).on("close", () => (open.delete(one), other.destroy()));
    }
    near.pipe(far).pipe(near);
  });
  await new Promise((resolve) => server.listen(0, hostname, resolve));
  const cut = () => {
    isCut = true;
    for (const socket of open) socket.destroy();
  };
  return { address: `http://${hostname}:${server.address().port}/`, cut, mend: () => (isCut = false), close: () => (cut(), server.close()) };
}

/* A page of a visitor who has been nowhere yet; `line`: how it reaches the server. */
async function visitor(stage, options = {}, line = stage) {
  const page = await stage.fresh(options);
  stage.watch.call({ address: line.address, complaints: stage.complaints }, page);
  if (!page.observed) await page.addInitScript(observe);
  return Object.assign(page, { observed: true, address: line.address });
}

/* The same in a browser that differs from others by what a script does first. */
async function changed(stage, script, argument) {
  const page = await (await stage.context()).newPage();
  stage.watch(page);
  await page.addInitScript(observe);
  await page.addInitScript(script, argument);
  return Object.assign(page, { observed: true, address: stage.address });
}

/* A table, with a page for each player; the first opens it, and all have sat down. `line`: that of the first. */
async function gather(stage, { game, players = 2, options = {}, clock = { kind: "none" }, more = 0, level = 0, looks = {}, line = stage }) {
  const { address } = stage;
  const people = level > 0 ? 1 : players;
  const pages = [];
  for (let i = 0; i < people + more; i++) pages.push(await visitor(stage, looks, i === 0 ? line : stage));
  const all = players === SHELF.get(game).players[0] ? options : { ...options, players: String(players) };
  const seats = Array.from({ length: players }, (_, i) => (i === 0 ? { name: NAMES[0] } : level > 0 ? { level } : {}));
  const { table } = await post(pages[0], address, "tables", { id: String(++lastId), game, options: all, clock, seats, listed: false });
  for (let i = 1; i < people; i++) await post(pages[i], address, `tables/${table}`, { wish: "sit", seat: i + 1, name: NAMES[i] });
  await Promise.all(pages.map((page) => enter(page, table)));
  return { table, pages, address };
}

async function enter(page, table) {
  await page.goto(`${page.address}#/table/${table}`);
  await page.locator(".status").waitFor();
}

const moves = (page) => page.locator("[data-move]").evaluateAll((all) => all.map((one) => one.lastChild.textContent.trim()));
const isOnTurn = (page) => page.evaluate(() => document.title.startsWith("●"));
const press = (page, what) => page.locator(button(what)).first().click();

/* The page whose player is to move, when all of them have seen as many moves. */
const mover = (pages, plies, watched = pages) =>
  until(`somebody to move after ${plies} moves`, async () => {
    for (const page of watched) if ((await page.locator("[data-move]").count()) !== plies) return false;
    for (const page of pages) if (await isOnTurn(page)) return page;
    return false;
  });

/* Somebody makes a move by hand; `others` must see it. */
async function play(pages, random, plies, others = pages) {
  const page = await mover(pages, plies, others);
  await move(page, new Mouse(page), random);
  return page;
}

/* All show the server's moves, and no list of moves ever became shorter, unless something was taken back. */
async function agree({ pages, table, address }, { takenBack = false } = {}) {
  let told;
  for (const page of pages) {
    // What a page shows of its own moves may be ahead of the server for a moment.
    await until("the server's moves", async () => {
      told = (await ask(pages[0], address, `tables/${table}`)).moves;
      return (await moves(page)).join() === told.join();
    });
    const lengths = await page.evaluate(() => globalThis.lengths);
    if (!takenBack) assert.deepEqual(lengths, [...lengths].sort((a, b) => a - b), "no move came twice");
  }
  return told;
}

/* What stands where after the first move: the same for all who may see all. */
async function compareBoards(pages) {
  const boards = [];
  for (const page of pages) {
    await page.locator('[data-move="1"]').click();
    boards.push((await describe(page)).places.sort()); // everybody sees it from their own side
    await press(page, "last");
  }
  for (const board of boards) assert.deepEqual(board, boards[0]);
}

/* Moves that lead to an end soon, as the engine lists them; none where the players are told different things, or a
 * hand chooses from more places than a list can have: there anything is soon over. */
async function planFor(game, options, random) {
  if (isHidden(game) || !SHELF.get(game).options.every(({ key }) => key !== "supply")) return [];
  return (await isLong(game, options, 60)) ? quickGame(game, options, random) : shortGame(game, options, random, 10);
}

/* What the page of a seat says at the end is what the record says. */
async function checkEnding(page, seat, { result, seats }) {
  const { status } = await look(page);
  const where = status.toLowerCase().indexOf(result.reason.toLowerCase());
  assert.ok(where > 0, `"${status}" gives the reason "${result.reason}"`);
  const words = result.winners.length === seats.length ? /draw/i : result.winners.includes(seat) ? /You won/ : /You lost/;
  assert.match(status.slice(0, where), words);
}

const CUT = /ERR_CONNECTION|ERR_SOCKET|ERR_EMPTY_RESPONSE|ERR_INCOMPLETE|failed: .*\/api\//;

export function register() {
  for (const game of GAMES)
    for (const players of SHELF.get(game).players) {
      test(`${game}: ${players} browsers, to the end by the rules, through a cut, a closed tab and a kill`, async (stage) => {
        const random = chance(GAMES.indexOf(game) + 20 * players);
        const plan = await planFor(game, players === SHELF.get(game).players[0] ? {} : { players: String(players) }, random);
        let server = await serve();
        const there = new Stage(server.address, stage.browser);
        // What a page needs for the first time while the server is down, such as what tells of events, is missing.
        there.allowed = new RegExp(`${CUT.source}|failed: .*/assets/`);
        let line;
        try {
          line = await layLine(there);
          // A service worker would fetch its files while the server is down.
          const gathered = await gather(there, { game, players, line });
          const { pages, table, address } = gathered;
          const [ada] = pages;
          let isCut = false;
          let isKilled = false;
          for (let ply = 0; ; ply++) {
            const page = await until(`a turn, or the end, after ${ply} moves`, async () => {
              const shown = await Promise.all(pages.map((one) => one.evaluate(() => [document.querySelectorAll("[data-move]").length, document.title.startsWith("●"), document.querySelector("[data-ending]") !== null])));
              if (shown.some(([moves]) => moves !== ply)) return false;
              return pages[shown.findIndex(([, isTurn]) => isTurn)] ?? (shown[0][2] && "over");
            }, 30);
            if (page === "over") break;
            if (ply === 4) {
              await page.goto("about:blank");
              await enter(page, table);
            }
            const cuts = !isCut && page !== ada && ply >= 2;
            const kills = !isKilled && ply >= 5;
            if (cuts) line.cut();
            if (kills) {
              server.child.kill("SIGKILL");
              await until("a calm word", () => page.locator('[data-connection="lost"]').count());
            }
            // What is hidden comes back from the server; other moves are made while nobody listens.
            const restart = async () => (server = await serve({ port: new URL(server.address).port, folder: server.folder }));
            if (kills && isHidden(game)) await restart();
            await move(page, new Mouse(page), random, plan[ply]?.slice(1));
            if (kills && !isHidden(game)) await restart();
            if (cuts) {
              await until("the other's move", async () => (await page.locator("[data-move]").count()) === ply + 1);
              assert.equal(await ada.locator("[data-move]").count(), ply, "without a network nothing is heard");
              line.mend();
            }
            isCut ||= cuts;
            isKilled ||= kills;
          }
          assert.ok(isCut && isKilled, "there was a cut and a kill");
          for (const page of pages) await page.locator("[data-ending]").waitFor();
          const told = await agree(gathered);
          const record = await ask(ada, address, `tables/${table}/record`);
          assert.deepEqual(record.moves, told);
          for (const [i, page] of pages.entries()) await checkEnding(page, i + 1, record);
          if (!isHidden(game)) await compareBoards(pages);
          const file = temporary("record.json");
          fs.writeFileSync(file, JSON.stringify(record));
          assert.match(await native("replay", file), new RegExp(`${told.length} moves, all legal`));
          await there.close();
        } finally {
          await there.close(true).catch(() => {});
          line?.close();
          server.stop();
        }
      });
    }

  test("a game to its end by the rules, against the computer, and its record", async (stage) => {
    const random = chance(5);
    const { pages, table, address } = await gather(stage, { game: "kudosu", level: 1 });
    const [page] = pages;
    for (let ply = 0; ply < 60; ply++) {
      const state = await until("a turn, or the end", async () => ((await look(page)).over ? "over" : (await isOnTurn(page)) && "turn"));
      if (state === "over") break;
      await move(page, new Mouse(page), random);
    }
    await page.locator("[data-ending]").waitFor();
    const record = await ask(page, address, `tables/${table}/record`);
    assert.deepEqual(await moves(page), record.moves);
    const { status } = await look(page);
    assert.ok(status.toLowerCase().includes(record.result.reason.toLowerCase()), `${status}: ${record.result.reason}`);
    // When it is over, the study room is open.
    await page.locator(button("values")).waitFor();
    await press(page, "review");
    await page.waitForURL(/#\/kudosu\/review/);
  });

  test("the server is killed in mid-game, and started again", async (stage) => {
    const own = await serve();
    const there = new Stage(own.address, stage.browser);
    let again;
    try {
      const random = chance(8);
      const gathered = await gather(there, { game: "trix", clock: { kind: "game", budget: 600000, increment: 0 } });
      const { pages } = gathered;
      for (let ply = 0; ply < 3; ply++) await play(pages, random, ply);
      const next = await mover(pages, 3);
      own.child.kill("SIGKILL");
      await until("a calm word", () => next.locator('[data-connection="lost"]').count());
      // A move is made meanwhile: it is shown, and arrives when the server is there again.
      await move(next, new Mouse(next), random);
      assert.equal(await next.locator("[data-move]").count(), 4);
      await sleep(300);
      again = await serve({ port: new URL(own.address).port, folder: own.folder });
      await mover(pages, 4);
      for (let ply = 4; ply < 6; ply++) await play(pages, random, ply);
      await agree(gathered);
      await there.clear();
    } finally {
      await Promise.all(there.contexts.map((context) => context.close().catch(() => {})));
      again?.stop();
      own.stop();
    }
  });

  test("nobody receives another player's disc before the end", async (stage) => {
    const random = chance(3);
    const players = 3;
    const gathered = await gather(stage, { game: "masker", players, more: 1 });
    const { pages, table, address } = gathered;
    const spectator = pages.at(-1);
    for (let ply = 0; ply < PLIES; ply++) await play(pages.slice(0, players), random, ply, pages);
    await agree(gathered);
    assert.equal(await spectator.locator("[data-seat]").getAttribute("data-seat"), "0");
    const heard = await Promise.all(pages.map((page) => page.evaluate(() => globalThis.heard)));
    const shown = await Promise.all(pages.map((page) => page.evaluate(() => document.documentElement.outerHTML)));
    const faceDown = (page) => page.locator("main").evaluate((main) => (main.innerHTML.match(/face down/g) ?? []).length);
    for (const page of pages) assert.ok((await faceDown(page)) > 0, "some discs are hidden");
    await press(pages[0], "resign");
    await press(pages[0], "resign-yes");
    for (const page of pages) await page.locator("[data-ending]").waitFor();
    assert.match(await pages[0].locator(".status").textContent(), /You lost\. Ada resigned\./);
    assert.match(await pages[1].locator(".status").textContent(), /Ada resigned\./);
    for (const page of pages) await until("all discs turned up", async () => (await faceDown(page)) === 0);
    await pages[1].reload();
    await pages[1].locator("[data-ending]").waitFor();
    assert.equal(await faceDown(pages[1]), 0, "also for those who come later");
    const { options } = await ask(pages[1], address, `tables/${table}`);
    const discs = options.colours;
    assert.ok(discs.length >= players, `the discs are told at the end: ${JSON.stringify(options)}`);
    for (const [i, text] of heard.entries()) {
      assert.ok(!text.includes("colours") && !shown[i].includes("colours"), "the deal is not told");
      const positions = [...text.matchAll(/"(?:first|seen)":"([^"]+)"/g)].map((found) => found[1].split(" ")[2]);
      assert.ok(positions.length >= PLIES, "every event has what this viewer sees");
      for (const position of positions)
        assert.deepEqual([...position].slice(0, players), Array.from({ length: players }, (_, seat) => (seat === i ? discs[seat] : "?")));
    }
  });

  test("take-back, draw, phrases, looking back, resigning, rematch", async (stage) => {
    stage.allowed = CUT;
    const random = chance(12);
    const line = await layLine(stage);
    const gathered = await gather(stage, { game: "kolem", line });
    const { pages, table } = gathered;
    const [ada, bob] = pages;
    assert.equal(await ada.locator(button("hint")).count(), 0, "nobody is helped while people play");
    assert.equal(await ada.locator(button("values")).count(), 0);
    await ada.locator(button("abort")).waitFor();
    for (let ply = 0; ply < 4; ply++) await play(pages, random, ply);

    // Declined, withdrawn, accepted.
    await mover(pages, 4);
    await press(ada, "draw");
    await press(bob, "decline");
    await until("the answer", async () => /Bob declines/.test(await ada.locator("[data-remark]").textContent()));
    assert.equal(await ada.locator("[data-offer]").count(), 0);
    await press(ada, "take-back");
    await bob.locator(button("accept")).waitFor();
    await press(ada, "withdraw");
    await until("no offer", async () => (await bob.locator("[data-offer]").count()) === 0);
    await press(ada, "take-back");
    await press(bob, "accept");
    await mover(pages, 2);
    await agree(gathered, { takenBack: true });

    // Moves that come while somebody looks back are in the list; the reader stays where they are.
    await bob.locator('[data-move="1"]').click();
    const early = (await describe(bob)).places;
    await move(ada, new Mouse(ada), random);
    await until("the move", async () => (await bob.locator("[data-move]").count()) === 3);
    assert.match(await bob.locator(".status").textContent(), /Looking back: move 1 of 3/);
    assert.deepEqual((await describe(bob)).places, early);
    await press(bob, "last");

    // A move that crosses with a take-back: the table has the last word.
    await move(bob, new Mouse(bob), random);
    await mover(pages, 4);
    await press(ada, "take-back");
    await bob.locator(button("accept")).waitFor();
    line.cut();
    await move(ada, new Mouse(ada), random);
    assert.equal(await ada.locator("[data-move]").count(), 5, "shown at once");
    await press(bob, "accept");
    await until("taken back", async () => (await bob.locator("[data-move]").count()) === 2);
    stage.allowed = new RegExp(`${CUT.source}|status of 409|status 409`);
    line.mend();
    await mover(pages, 2);
    await until("the reason", async () => /Not now: the table has gone on/.test(await ada.locator("p.notice").textContent()));
    await agree(gathered, { takenBack: true });

    // A few words.
    await ada.locator('[data-section="say"] summary').click();
    await press(ada, "say-3");
    await until("the phrase", async () => /Ada: Good move!/.test(await bob.locator("[data-remark]").textContent()));

    // A draw, and another game with seats turned.
    await press(bob, "draw");
    await press(ada, "accept");
    for (const page of pages) await page.locator("[data-ending]").waitFor();
    assert.match(await bob.locator(".status").textContent(), /^Drawn\. A draw was agreed\.$/);
    await press(ada, "rematch");
    await press(bob, "accept");
    for (const page of pages) await page.waitForFunction((old) => !location.hash.includes(old), table);
    await until("the new table", async () => (await isOnTurn(bob)) && !(await isOnTurn(ada)));
    assert.equal(await bob.locator("[data-seat]").getAttribute("data-seat"), "1", "seats are turned");
    await press(ada, "abort");
    await bob.locator("[data-ending]").waitFor();
    assert.match(await bob.locator(".status").textContent(), /Called off\. Ada called the game off\./);
    line.close();
  });

  test("conditional moves: planned on the board, kept, played by the server", async (stage) => {
    const random = chance(4);
    const gathered = await gather(stage, { game: "kudosu", clock: DAYS });
    const { pages, table, address } = gathered;
    const [ada, bob] = pages;
    await bob.locator(button("plan")).waitFor();
    assert.equal(await ada.locator(button("plan")).count(), 0, "it is her turn");
    const before = await describe(bob);

    // Two moves by keys, one back and another one, and away with it.
    await bob.locator(button("plan")).focus();
    await bob.keyboard.press("Enter");
    await bob.locator("[data-planning]").waitFor();
    assert.match(await bob.locator(".status").textContent(), /What may Ada play\?/);
    assert.ok(await bob.locator(button("plan-keep")).isDisabled());
    await move(bob, new Keyboard(bob), random);
    assert.match(await bob.locator(".status").textContent(), /And your answer\?/);
    assert.ok(!(await isOnTurn(bob)), "it is still her turn");
    await move(bob, new Keyboard(bob), random);
    assert.ok(await bob.locator(button("plan-keep")).isEnabled());
    await press(bob, "plan-back");
    await until("one move less", async () => (await moves(bob)).length === 1);
    await press(bob, "plan-cancel");
    await until("the board as it is", async () => (await moves(bob)).length === 0);
    assert.deepEqual((await describe(bob)).places, before.places);

    // A line of four moves is kept, and shown after the page was loaded again.
    await press(bob, "plan");
    for (let ply = 0; ply < 4; ply++) await move(bob, new Mouse(bob), random);
    const line = await moves(bob);
    await press(bob, "plan-keep");
    await bob.locator(`[data-promise="${line.join(" ")}"]`).waitFor();
    assert.equal((await moves(bob)).length, 0);
    await bob.reload();
    await bob.locator(`[data-promise="${line.join(" ")}"]`).waitFor();

    // A second line with another first move; it is deleted again.
    await press(bob, "plan");
    let other;
    do {
      if ((await moves(bob)).length > 0) await press(bob, "plan-back");
      await until("the beginning", async () => (await moves(bob)).length === 0);
      await move(bob, new Mouse(bob), random);
      other = (await moves(bob))[0];
    } while (other === line[0]);
    await move(bob, new Mouse(bob), random);
    await press(bob, "plan-keep");
    await until("two lines", async () => (await bob.locator("[data-promise]").count()) === 2);
    await press(bob, "promise-delete-1");
    await until("one line", async () => (await bob.locator("[data-promise]").count()) === 1);

    // Her own move is answered at once, and the rest of the line is left. She never hears of it before.
    assert.doesNotMatch(await ada.evaluate(() => globalThis.heard), /promise|lines/);
    await press(bob, "promise-show-0");
    await until("the line", async () => (await moves(bob)).join() === line.join());
    await post(ada, address, `tables/${table}`, { wish: "move", seat: 1, ply: 0, id: String(++lastId), move: line[0] });
    await until("her move and the answer", async () => (await moves(ada)).join() === line.slice(0, 2).join());
    await until("the same", async () => (await moves(bob)).join() === line.slice(0, 2).join());
    assert.equal(await bob.locator("[data-planning]").count(), 0, "the table has gone on");
    assert.deepEqual(await bob.locator("[data-promise]").evaluateAll((all) => all.map((one) => one.dataset.promise)), [line.slice(2).join(" ")]);
    assert.doesNotMatch(await ada.evaluate(() => globalThis.heard), /promise|lines/);
    await agree({ pages, table, address }, { takenBack: true });
  });

  test("conditional moves without barriers, on a phone, in five languages", async (stage) => {
    const random = chance(6);
    const { pages: [, bob] } = await gather(stage, { game: "trix", clock: DAYS, looks: PHONE });
    await bob.locator('[data-section="promises"] summary').click();
    await press(bob, "plan");
    for (let ply = 0; ply < 2; ply++) await move(bob, new Mouse(bob), random);
    const texts = () => bob.evaluate(() => [...document.querySelectorAll('[data-planning] h2, [data-planning] button, [data-section="promises"] p, [data-line], .status')].map((one) => one.textContent.trim()));
    const look = async (what) => {
      for (const colorScheme of ["light", "dark"]) {
        await bob.emulateMedia({ colorScheme });
        await inspect(bob, `${what}, ${colorScheme}`);
      }
      assert.ok(await bob.evaluate(() => document.documentElement.scrollWidth <= innerWidth), "nothing is wider than the screen");
    };
    await look("planning");
    const english = await texts();
    for (const language of LANGUAGES.slice(1)) {
      await bob.locator(button("language")).selectOption(language);
      await until(LOCALES[language], async () => (await texts()).every((text, i) => text !== english[i]));
    }
    await press(bob, "plan-keep");
    await bob.locator("[data-promise]").waitFor();
    await look("promises");
    const small = await bob.evaluate(() => [...document.querySelectorAll("main button, main a.button, main summary")].filter((one) => one.getClientRects().length > 0 && one.getBoundingClientRect().height < 44).map((one) => one.outerHTML));
    assert.deepEqual(small, []);
  });

  test("a pair: opened by hand, two games, the score, without barriers", async (stage) => {
    const { address } = stage;
    const [ada, bob] = [await visitor(stage, PHONE), await visitor(stage)];
    await ada.goto(`${address}#/lobby/open?game=trix`);
    await ada.locator(button("pair")).check();
    await ada.locator(button("name")).fill("Ada");
    await inspect(ada, "opening a pair");
    await press(ada, "open-table");
    await ada.waitForURL(/#\/table\//);
    const table = ada.url().split("/").at(-1);
    await post(bob, address, `tables/${table}`, { wish: "sit", seat: 2, name: "Bob" });
    await until("the game", async () => (await ask(ada, address, `tables/${table}`)).phase === "playing");
    await enter(bob, table);
    await until("the opening", async () => (await moves(bob)).length === 2);
    await ada.locator("[data-pair]").waitFor();
    assert.match(await bob.locator("[data-pair] p").textContent(), /So far, of two games: Ada 0 – 0 Bob/);
    assert.ok(await bob.locator(button("abort")).isVisible(), "nobody has moved yet");
    for (const colorScheme of ["light", "dark"]) {
      await ada.emulateMedia({ colorScheme });
      await inspect(ada, `a pair, ${colorScheme}`);
    }
    assert.ok(await ada.evaluate(() => document.documentElement.scrollWidth <= innerWidth), "nothing is wider than the screen");

    // Ada loses the other game, of which this one hears, and draws this one.
    const twin = await ada.locator("[data-pair]").getAttribute("data-pair");
    await post(ada, address, `tables/${twin}`, { wish: "resign", seat: 2 });
    await until("the score", async () => /Ada 0 – 1 Bob/.test(await bob.locator("[data-pair] p").textContent()));
    await press(bob, "draw");
    await press(ada, "accept");
    for (const page of [ada, bob]) await until("the result", async () => /Both games: Ada ½ – 1½ Bob/.test(await page.locator("[data-pair] p").textContent()));
    await press(bob, "twin");
    await until("the other game", async () => /Both games: Bob 1½ – ½ Ada/.test(await bob.locator("[data-pair] p").textContent()));
  });

  test("an invitation, a seat by hand, somebody who watches, a private link elsewhere", async (stage) => {
    const ada = await visitor(stage);
    const { table } = await post(ada, stage.address, "tables", { id: String(++lastId), game: "ksar", options: {}, clock: { kind: "game", budget: 600000, increment: 0 }, seats: [{ name: "Ada" }, {}], listed: false });
    await enter(ada, table);
    await inspect(ada, "waiting");
    await press(ada, "copy-invite");
    const invitation = await ada.locator(button("invite-text")).inputValue();
    const bob = await visitor(stage);
    await bob.goto(invitation);
    await press(bob, "sit-2");
    assert.equal(await bob.locator(button("name")).getAttribute("aria-invalid"), "true", "a name is needed");
    await bob.locator(button("name")).fill("Bob");
    await press(bob, "sit-2");
    await mover([ada], 0, [ada, bob]);
    assert.match(await bob.locator('[data-panel="1"]').textContent(), /Ada.*here/s);
    await until("Bob is here", async () => /Bob.*here/s.test(await ada.locator('[data-panel="2"]').textContent()));

    // Clocks run on the screen.
    const before = await bob.locator('[data-clock="1"]').textContent();
    await until("a second", async () => (await bob.locator('[data-clock="1"]').textContent()) !== before);
    assert.equal(await bob.locator('[data-clock="2"]').textContent(), "10:00");

    // Who watches sees all, and can do nothing.
    const cleo = await visitor(stage);
    await enter(cleo, table);
    assert.equal((await look(cleo)).places.length, 0);
    for (const what of ["resign", "abort", "draw", "take-back", "copy-private", "say-0", "values", "hint"]) assert.equal(await cleo.locator(button(what)).count(), 0, what);

    // The private link takes the seat elsewhere; its key does not stay in the address.
    await press(ada, "copy-private");
    const link = await ada.locator(button("private-text")).inputValue();
    await cleo.goto("about:blank");
    await cleo.goto(link);
    await cleo.locator(".status").waitFor();
    await until("the seat", async () => (await cleo.locator("[data-seat]").getAttribute("data-seat")) === "1");
    assert.ok(!cleo.url().includes("key"), cleo.url());
    await until("it left", async () => (await ada.locator("[data-seat]").getAttribute("data-seat")) === "0");
    await move(cleo, new Mouse(cleo), chance(2));
    await mover([bob], 1, [ada, bob, cleo]);
  });

  test("a private link is stronger than what a stream from before still says", async (stage) => {
    const ada = await visitor(stage);
    const { table } = await post(ada, stage.address, "tables", { id: String(++lastId), game: "ksar", options: {}, clock: { kind: "none" }, seats: [{ name: "Ada" }, {}], listed: false });
    await enter(ada, table);
    await press(ada, "copy-private");
    const link = await ada.locator(button("private-text")).inputValue();
    // The first stream is opened before the key is taken, by somebody without a seat, and is heard right after.
    const cleo = await changed(stage, () => {
      const opened = Promise.withResolvers();
      const taken = Promise.withResolvers();
      const original = globalThis.fetch;
      globalThis.fetch = async (...request) => {
        const address = String(request[0]);
        if (address.endsWith("/key")) {
          await opened.promise;
          const response = await original(...request);
          taken.resolve();
          return response;
        }
        const response = await original(...request);
        if (!address.startsWith("api/stream")) return response;
        opened.resolve();
        await taken.promise;
        await new Promise((resolve) => setTimeout(resolve, 10));
        return response;
      };
    });
    await cleo.goto(link);
    await until("the seat", async () => (await cleo.locator("[data-seat]").getAttribute("data-seat")) === "1");
  });

  if (fs.existsSync(FAULTY))
    test("who has gone away for long has lost, if the other says so", async (stage) => {
      const faults = temporary("faults");
      fs.writeFileSync(faults, Buffer.alloc(56));
      const setClock = (ahead) => {
        const bytes = Buffer.alloc(8);
        bytes.writeBigInt64LE(BigInt(ahead));
        const file = fs.openSync(faults, "r+");
        fs.writeSync(file, bytes, 0, 8, 40);
        fs.closeSync(file);
      };
      const server = await serve({ program: [FAULTY], env: { NONET_FAULTS: faults } });
      const there = new Stage(server.address, stage.browser);
      there.allowed = new RegExp(`${CUT.source}|409`);
      try {
        const random = chance(4);
        const gathered = await gather(there, { game: "ksar", clock: { kind: "game", budget: 3_600_000, increment: 0 } });
        const [ada, bob] = gathered.pages;
        await move(ada, new Mouse(ada), random);
        await mover([bob], 1, [ada, bob]);
        await bob.goto("about:blank");
        await until("Bob is away", async () => /Bob.*away/s.test(await ada.locator('[data-panel="2"]').textContent()));
        assert.equal(await ada.locator(button("claim")).count(), 0, "not yet");
        // The page believes that two minutes have passed, and the server does not.
        await ada.clock.install();
        await ada.clock.fastForward(125_000);
        await press(ada, "claim");
        await until("the reason", async () => /Not now/.test((await ada.locator("[data-remark]").allTextContents()).join()));
        assert.equal(await ada.locator("[data-ending]").count(), 0);
        // Time passes for the server, in steps that are too short for a sleep.
        let ahead = 0;
        await until("the end", async () => {
          setClock((ahead += 900));
          if (ahead > 110_000 && ahead % 4500 === 0) await ada.evaluate(() => document.querySelector('[data-do="claim"]')?.click());
          return (await ada.locator("[data-ending]").count()) > 0;
        }, 60);
        assert.match(await ada.locator(".status").textContent(), /You won\. .*Bob/);
        await enter(bob, gathered.table);
        assert.match(await bob.locator(".status").textContent(), /You lost\./);
        await there.close();
      } finally {
        await there.close(true).catch(() => {});
        server.stop();
      }
    });

  test("a notification when it is the reader's turn and nobody looks, if the reader wants it", async (stage) => {
    for (const answer of ["granted", "denied"]) {
      const random = chance(6);
      const pages = [await visitor(stage), await changed(stage, (says) => {
        globalThis.notes = [];
        globalThis.Notification = class {
          static permission = "default";
          static async requestPermission() {
            return (this.permission = says);
          }
          constructor(title, { body, tag }) {
            globalThis.notes.push({ title, body, tag });
          }
          close() {}
        };
        Object.defineProperty(document, "hidden", { get: () => globalThis.isAway === true });
      }, answer)];
      const { table } = await post(pages[0], stage.address, "tables", { id: String(++lastId), game: "kolem", options: {}, clock: { kind: "none" }, seats: [{ name: "Ada" }, {}], listed: false });
      await post(pages[1], stage.address, `tables/${table}`, { wish: "sit", seat: 2, name: "Bob" });
      for (const page of pages) await enter(page, table);
      const [ada, bob] = pages;
      const notes = () => bob.evaluate(() => globalThis.notes);
      const round = async (ply) => {
        await play(pages, random, ply);
        await mover(pages, ply + 1);
      };
      await bob.evaluate(() => (globalThis.isAway = true));
      await round(0);
      assert.deepEqual(await notes(), [], "nobody has asked for it");
      await bob.evaluate(() => (globalThis.isAway = false));
      await press(bob, "notify");
      await until("the answer", async () => (await bob.locator(button("notify")).getAttribute("aria-pressed")) === String(answer === "granted"));
      if (answer === "denied") await until("words", async () => /browser/i.test((await bob.locator("[data-remark]").allTextContents()).join()));
      await round(1);
      await round(2);
      assert.deepEqual(await notes(), [], "the page is seen");
      await round(3);
      await bob.evaluate(() => (globalThis.isAway = true));
      await round(4);
      assert.deepEqual(await notes(), answer === "granted" ? [{ title: "Your turn", body: "Kolem", tag: table }] : []);
      await ada.goto("about:blank");
      await bob.goto("about:blank");
    }
  });

  test("an invitation is sent with what the device offers, or copied", async (stage) => {
    const page = await changed(stage, () => {
      globalThis.shared = [];
      navigator.share = async (what) => {
        globalThis.shared.push(what);
        if (globalThis.shared.length > 1) throw new DOMException("nobody was chosen", "AbortError");
      };
    });
    await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
    const open = async () => {
      const { table } = await post(page, stage.address, "tables", { id: String(++lastId), game: "trix", options: {}, clock: { kind: "none" }, seats: [{ name: "Ada" }, {}], listed: false });
      await enter(page, table);
      return `${stage.address}#/table/${table}`;
    };
    const address = await open();
    await press(page, "share-invite");
    await press(page, "share-invite"); // and this time nobody is chosen
    const shared = await until("two tries", () => page.evaluate(() => globalThis.shared.length === 2 && globalThis.shared));
    for (const { title, text, url } of shared) {
      assert.equal(url, address);
      assert.ok(title.includes("Trix") && text.includes("Trix"), `${title}: ${text}`);
    }
    await press(page, "copy-invite");
    await until("the link", async () => (await page.evaluate(() => navigator.clipboard.readText())) === address);
    assert.equal(await page.locator(button("invite-text")).count(), 0);
    // Where the device offers neither, the link is shown.
    await page.addInitScript(() => {
      delete navigator.share;
      Object.defineProperty(navigator, "share", { value: undefined });
      Object.defineProperty(navigator, "clipboard", { value: undefined });
    });
    const other = await open();
    await page.reload();
    await page.locator(".status").waitFor();
    assert.equal(await page.locator(button("share-invite")).count(), 0);
    await press(page, "copy-invite");
    assert.equal(await page.locator(button("invite-text")).inputValue(), other);
  });

  test("a table that does not exist", async (stage) => {
    for (const name of ["1234567890abc", "1234", "0000000000000", "1234567890abu"]) {
      const page = await stage.open(`#/table/${name}`);
      await page.getByText("There is no such table.").waitFor();
      await press(page, "lobby");
      await page.waitForURL(/#\/lobby$/);
    }
  });

  test("a clock counts down, and the server ends the game", async (stage) => {
    const { pages } = await gather(stage, { game: "mix3", level: 1, clock: { kind: "game", budget: LEAST_TIME, increment: 0 } });
    const [page] = pages;
    const clock = page.locator('[data-clock="1"]');
    await until("tenths of a second", async () => /^\d\.\d$/.test(await clock.textContent()));
    const first = Number(await clock.textContent());
    await until("less time", async () => Number(await clock.textContent()) < first - 1);
    assert.match(await page.locator("[role=status]").allTextContents().then((all) => all.join("|")), /You have 10 seconds left\./);
    await page.locator("[data-ending]").waitFor();
    assert.match(await page.locator(".status").textContent(), /You lost\. The time of Ada was over\./);
  });

  test("without barriers, on a phone, in five languages", async (stage) => {
    const random = chance(9);
    const { pages } = await gather(stage, { game: "trix", clock: { kind: "game", budget: 600000, increment: 5000 }, looks: PHONE });
    const [ada, bob] = pages;
    await ada.locator("[data-clock]").first().waitFor();
    await move(ada, new Mouse(ada), random);
    await mover([bob], 1, pages);
    await press(bob, "draw");
    await ada.locator(button("accept")).waitFor();
    for (const colorScheme of ["light", "dark"]) {
      await ada.emulateMedia({ colorScheme });
      await inspect(ada, `a table, ${colorScheme}`);
    }
    assert.ok(await ada.evaluate(() => document.documentElement.scrollWidth <= innerWidth), "nothing is wider than the screen");
    const small = await ada.evaluate(() => [...document.querySelectorAll("main button, main a.button, main summary")].filter((one) => one.getClientRects().length > 0 && one.getBoundingClientRect().height < 44).map((one) => one.outerHTML));
    assert.deepEqual(small, []);
    // Whatever is said in English is said otherwise in other languages.
    const texts = () => ada.evaluate(() => [...document.querySelectorAll('[data-offer] p, [data-do="accept"], [data-do="decline"], [data-do="resign"], [data-do="abort"], [data-do="draw"], [data-section="say"] summary')].map((one) => one.textContent.trim()));
    const english = await texts();
    for (const language of LANGUAGES.slice(1)) {
      await ada.locator(button("language")).selectOption(language);
      await until(LOCALES[language], async () => (await texts()).every((text, i) => text !== english[i]));
    }
    await press(ada, "accept");
    await bob.locator("[data-ending]").waitFor();
    await inspect(bob, "the end");
  });
}
