// Tables at which people in different places play: several browsers at one table, through cuts, closed tabs and a server
// that is killed. Nobody sees a move twice or misses one, and all see what the server's record says.
import net from "node:net";
import { inspect } from "./accessible.mjs";
import { assert, chance, GAMES, isHidden, LANGUAGES, LOCALES, PHONE, serve, SHELF, sleep, Stage, test, until } from "./harness.mjs";
import { button, describe, look, Mouse, move } from "./player.mjs";

const NAMES = ["Ada", "Bob", "Cleo", "Dan"];
const LEAST_TIME = 10000; // milliseconds, the least that a clock can have
const PLIES = 6; // that a test plays, where it does not play to the end

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

const CUT = /ERR_CONNECTION|ERR_SOCKET|ERR_EMPTY_RESPONSE|ERR_INCOMPLETE|failed: .*\/api\//;

export function register() {
  for (const game of GAMES) {
    const players = SHELF.get(game).players.at(-1);
    test(`${game}: ${players} browsers, through a cut and a closed tab`, async (stage) => {
      stage.allowed = CUT;
      const random = chance(GAMES.indexOf(game) + 1);
      const line = await layLine(stage);
      const gathered = await gather(stage, { game, players, line });
      const { pages, table } = gathered;
      for (let ply = 0; ply < 2; ply++) await play(pages, random, ply);

      // One loses the network while others move, and gets it back.
      const [ada, ...others] = pages;
      let plies = 2;
      while ((await mover(pages, plies)) === ada) await play(pages, random, plies++);
      line.cut();
      await play(others, random, plies++, others);
      await until("the others", async () => (await Promise.all(others.map((page) => page.locator("[data-move]").count()))).every((count) => count === plies));
      assert.equal(await ada.locator("[data-move]").count(), plies - 1, "without a network nothing is heard");
      await until("a calm word", () => ada.locator('[data-connection="lost"]').count());
      line.mend();

      // Another closes the page, and opens it again.
      const closed = await play(pages, random, plies++);
      await closed.goto("about:blank");
      await enter(closed, table);
      while (plies < PLIES) await play(pages, random, plies++);
      const told = await agree(gathered);
      assert.equal(told.length, plies);

      // The end: one gives up, and everybody is told.
      await press(pages[0], "resign");
      await press(pages[0], "resign-yes");
      for (const page of pages) await page.locator("[data-ending]").waitFor();
      assert.match(await pages[0].locator(".status").textContent(), /You lost\. Ada resigned\./);
      assert.match(await pages[1].locator(".status").textContent(), /Ada resigned\./);
      const record = await ask(pages[1], stage.address, `tables/${table}/record`);
      assert.deepEqual(record.moves, told);
      for (const page of pages) assert.deepEqual(await moves(page), record.moves);
      if (!isHidden(game)) await compareBoards(pages);
      line.close();
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
    await press(pages[0], "resign");
    await press(pages[0], "resign-yes");
    await pages[1].locator("[data-ending]").waitFor();
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
    await until("the seat", async () => (await cleo.locator("[data-seat]").getAttribute("data-seat")) === "1");
    assert.ok(!cleo.url().includes("key"), cleo.url());
    await until("it left", async () => (await ada.locator("[data-seat]").getAttribute("data-seat")) === "0");
    await move(cleo, new Mouse(cleo), chance(2));
    await mover([bob], 1, [ada, bob, cleo]);
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
