// The lobby, and the page's connection to the server: tables are opened and found, what happens there comes once and in
// order through cuts and kills, and the tabs of a browser share one stream.
import net from "node:net";
import { inspect } from "./accessible.mjs";
import { assert, LANGUAGES, LOCALES, PHONE, serve, SHELF, test, until } from "./harness.mjs";
import { button } from "./player.mjs";
import { textOf } from "./words.mjs";

/* Somebody elsewhere, without a browser. */
class Guest {
  cookie = "";

  constructor(address) {
    this.address = address;
  }

  async post(path, body) {
    const headers = { "Content-Type": "application/json", Cookie: this.cookie };
    const response = await fetch(`${this.address}api/${path}`, { method: "POST", headers, body: JSON.stringify(body) });
    this.cookie = response.headers.get("Set-Cookie")?.split(";")[0] ?? this.cookie;
    assert.ok(response.ok, await response.clone().text());
    return response.json();
  }

  /* A table with three seats, which never begins: whoever sits down stands up again. */
  async open(more = {}) {
    const plan = { id: String(Math.floor(Math.random() * 1e15) + 1), game: "chasm", options: { players: "3" }, clock: { kind: "none" }, seats: [{}, {}, {}], listed: false, ...more };
    return (await this.post("tables", plan)).table;
  }

  /* So much happens: somebody sits down and stands up again, with names that count. */
  async happen(table, from, to) {
    for (let i = from; i < to; i++) {
      await this.post(`tables/${table}`, { wish: "sit", seat: 1, name: `guest ${i}` });
      await this.post(`tables/${table}`, { wish: "stand", seat: 1 });
    }
  }
}

/* A page in the lobby, with a way to its client, which is among the files that it has loaded. */
async function visit(stage, context) {
  const page = await stage.open("#/lobby", { context });
  await page.evaluate(async () => {
    const files = performance.getEntriesByType("resource").map((entry) => entry.name).filter((file) => /assets\/.*\.js$/.test(file));
    for (const file of files) globalThis.server ??= Object.values(await import(file)).find((one) => one?.useKey && one.listen);
    Object.assign(globalThis, { heard: {}, deaf: {} });
  });
  return page;
}

/* The page listens to a table from now on. */
async function listen(page, table) {
  await page.evaluate((name) => {
    globalThis.heard[name] = [];
    globalThis.deaf[name] = globalThis.server.listen(name, (event) => globalThis.heard[name].push(event));
  }, table);
}
const heard = (page, table) => page.evaluate((name) => globalThis.heard[name], table);
const connection = (page) => page.evaluate(() => globalThis.server.connection);

/* The names that sat down, as the page heard them. */
const names = (events) => events.filter(({ event }) => event === "sat").map(({ name }) => name);
const guests = (count) => Array.from({ length: count }, (_, i) => `guest ${i}`);

/* Waits until the page has heard of the last of so many guests; then it has heard of each once, and in order. A table
 * that came whole in between may hide some. */
async function heardAll(page, table, count, whole = 1) {
  const events = await until(`guest ${count - 1}`, async () => {
    const all = await heard(page, table);
    return names(all).at(-1) === `guest ${count - 1}` && all.at(-1).event !== "sat" && all;
  }, 20);
  const numbers = events.filter(({ number, event }) => number !== undefined && event !== "table").map(({ number }) => number);
  assert.deepEqual(numbers, [...new Set(numbers)].sort((a, b) => a - b), "each once, in order");
  assert.ok(events[0].event === "table", "first the whole table");
  assert.equal(events.filter(({ event }) => event === "table").length, whole, "the whole table comes only when needed");
  assert.deepEqual(names(events), guests(count));
}

const streams = async (address) => Number(/^nonet_streams (\d+)/m.exec(await (await fetch(`${address}metrics`)).text())[1]);

/* A network between the page and the server: it can be cut, and connections can die without a word. */
async function network(port) {
  const pairs = new Set();
  let isCut = false;
  const hub = net.createServer((near) => {
    if (isCut) return near.destroy();
    const far = net.connect(port, "127.0.0.1");
    const pair = [near, far];
    pairs.add(pair);
    near.pipe(far).pipe(near);
    for (const end of pair)
      end.on("error", () => {}).on("close", () => {
        pairs.delete(pair);
        for (const other of pair) other.destroy();
      });
  });
  await new Promise((resolve) => hub.listen(0, "127.0.0.1", resolve));
  const drop = () => {
    for (const pair of [...pairs]) for (const end of pair) end.destroy();
  };
  return {
    address: `http://127.0.0.1:${hub.address().port}/`,
    cut(cut) {
      isCut = cut;
      if (cut) drop();
    },
    silence() {
      for (const [near, far] of pairs) far.unpipe(near).resume();
    },
    close() {
      drop();
      hub.close();
    },
  };
}
const portOf = (address) => Number(new URL(address).port);

/* What Chromium writes about requests that fail. */
const CUT = /net::ERR_|^failed: /;

export function register() {
  test("a table is opened, found, and somebody sits down from another browser", async (stage) => {
    const ada = await stage.open("#/lobby");
    await ada.locator(button("open-table")).click();
    await ada.locator(button("game")).selectOption("trix");
    await ada.locator(button("option-goal")).selectOption("filled");
    await ada.locator(button("clock")).selectOption("game");
    await ada.locator(button("minutes")).fill("12");
    await ada.locator(button("open-table")).click();
    assert.equal(await ada.evaluate(() => document.activeElement.dataset.do), "name", "a name is missing");
    await ada.locator(button("name")).fill("Ada");
    await ada.locator(button("open-table")).click();
    const table = await until("the table", () => ada.evaluate(() => /^#\/table\/(\w+)$/.exec(location.hash)?.[1]));

    const ben = await stage.open("#/lobby", { context: await stage.context() });
    const card = ben.locator(`[data-list=waiting] [data-table="${table}"]`);
    await card.waitFor();
    const text = (await card.innerText()).replace(/\s+/g, " ");
    for (const part of ["Trix", "Ada", "Goal: also a full home", "12 minutes each, plus 10 seconds a move"]) assert.ok(text.includes(part), `${part} in ${text}`);
    await card.locator(button("sit-2")).click();
    assert.equal(await ben.evaluate(() => document.activeElement.dataset.do), "name", "a name is missing");
    await ben.locator(button("name")).fill("Ben");
    await card.locator(button("sit-2")).click();
    await until("Ben at the table", () => ben.evaluate((id) => location.hash === `#/table/${id}`, table));

    await ada.goto(`${stage.address}#/lobby`);
    const own = ada.locator(`[data-list=mine] [data-table="${table}"]`);
    await own.locator(`${button("go")}.urgent`).waitFor();
    assert.match(await own.innerText(), /Ben[^]*Your turn/);
    await ada.locator("[role=status]", { hasText: "Your turn in Trix." }).waitFor({ state: "attached" });
    assert.equal(await ada.locator(`[data-list=playing] [data-table="${table}"]`).count(), 0, "one's own game is not offered to be watched");
    await ben.goto(`${stage.address}#/lobby`);
    await ben.locator(`[data-list=mine] [data-table="${table}"]`, { hasText: "Ada to move" }).waitFor();
    assert.equal(await ben.locator(button("name")).inputValue(), "Ben", "the name is remembered");
    const cleo = await stage.open("#/lobby", { context: await stage.context() });
    await cleo.locator(`[data-list=playing] [data-table="${table}"] ${button("watch")}`).waitFor();
    assert.equal(await cleo.locator("[data-list=mine]").count(), 0);
  });

  test("every game can be opened with its options; a table by link only is not listed", async (stage) => {
    const page = await stage.open("#/lobby/open?game=masker&players=3");
    const look = await stage.open("#/lobby", { context: await stage.context() });
    const opened = [];
    for (const game of SHELF.keys()) {
      await page.goto(`${stage.address}#/lobby`);
      await page.goto(`${stage.address}#/lobby/open?game=${game}${game === "masker" ? "&players=3" : ""}`);
      await page.locator(button("name")).fill("Ada");
      await page.locator(button("seat-2")).selectOption({ index: 4 });
      await page.locator(button("clock")).selectOption("move");
      if (game !== "ksar") await page.locator(button("listed")).selectOption({ index: 1 });
      await page.locator(button("open-table")).click();
      opened.push(await until("the table", () => page.evaluate(() => /^#\/table\/(\w+)$/.exec(location.hash)?.[1])));
      const told = await (await page.request.get(`${stage.address}api/tables/${opened.at(-1)}`)).json();
      assert.equal(told.game, game);
      assert.deepEqual(told.clock, { kind: "move", budget: 3 * 86_400_000, pause: 7 * 86_400_000 });
      assert.deepEqual(told.seats.map(({ name, level }) => name ?? level ?? null), game === "masker" ? ["Ada", 3, null] : ["Ada", 3]);
    }
    await look.locator(`[data-table="${opened[[...SHELF.keys()].indexOf("ksar")]}"]`).waitFor();
    for (const [i, game] of [...SHELF.keys()].entries()) assert.equal(await look.locator(`[data-table="${opened[i]}"]`).count(), game === "ksar" ? 1 : 0, game);
  });

  test("where there are no tables, the page says so and asks no more", async (stage) => {
    stage.allowed = /404/;
    const context = await stage.context();
    let asked = 0;
    await context.route("**/api/**", (route) => (asked++, route.fulfill({ status: 404, contentType: "text/html", body: "<h1>Not found</h1>" })));
    const page = await stage.open("#/lobby", { context });
    await page.locator("[data-absent]").waitFor();
    const before = asked;
    await page.waitForTimeout(3500);
    assert.equal(asked, before);
    await page.goto(`${stage.address}#/lobby/open`);
    await page.locator(button("name")).fill("Ada");
    await page.locator(button("open-table")).click();
    await page.locator("[role=alert]").waitFor();
  });

  test("without barriers, on a phone, in five languages", async (stage) => {
    const guest = new Guest(stage.address);
    await guest.open({ seats: [{ name: "Somebody with a name" }, {}, {}], listed: true });
    await guest.open({ game: "ksar", options: {}, seats: [{ level: 3 }, {}], listed: true, clock: { kind: "move", budget: 86_400_000 } });
    for (const language of LANGUAGES) {
      const page = await stage.open("#/lobby", { ...PHONE, locale: LOCALES[language], colorScheme: language === "en" ? "dark" : "light" });
      for (const [route, key] of [["#/lobby", "lobby"], ["#/lobby/open?game=ksar", "openTable"]]) {
        await page.goto(`${stage.address}${route}`);
        await until(`${route} in ${language}`, async () => (await page.locator("main h1").textContent()) === textOf(`online/${language}`, key));
        if (key === "lobby") await page.locator(`[data-list=waiting] ${button("sit-3")}`).first().waitFor();
        else await page.locator(button("clock")).selectOption("game");
        assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), `${route} in ${language} is as wide as the screen`);
        if (language === "en") await inspect(page, route);
      }
      await page.locator(`main ${button("lobby")}`).click();
      await page.locator("[data-list]").first().waitFor();
    }
  });

  test("what happens comes once and in order, though the network is cut again and again", async (stage) => {
    stage.allowed = CUT;
    const line = await network(portOf(stage.address));
    try {
      const guest = new Guest(stage.address);
      const table = await guest.open();
      stage.address = line.address;
      const page = await visit(stage, await stage.context());
      await listen(page, table);
      await until("the table", async () => (await heard(page, table)).length > 0);
      for (let i = 0; i < 4; i++) {
        await guest.happen(table, 3 * i, 3 * i + 1);
        line.cut(true);
        await guest.happen(table, 3 * i + 1, 3 * i + 3);
        if (i === 0) {
          await until("the page to notice", async () => (await connection(page)) === "lost");
          await page.locator("[data-lost]").waitFor();
        }
        line.cut(false);
      }
      await heardAll(page, table, 12);
      await page.locator("[data-lost]").waitFor({ state: "detached" });
      assert.equal(await connection(page), "connected");
    } finally {
      line.close();
    }
  });

  test("the same when the server is killed and started again", async (stage) => {
    stage.allowed = CUT;
    let server = await serve();
    try {
      stage.address = server.address;
      const guest = new Guest(server.address);
      const table = await guest.open();
      const page = await visit(stage, await stage.context());
      await listen(page, table);
      await until("the table", async () => (await heard(page, table)).length > 0);
      let whole = 1;
      for (let i = 0; i < 3; i++) {
        await guest.happen(table, 2 * i, 2 * i + 1);
        await until("that", async () => names(await heard(page, table)).at(-1) === `guest ${2 * i}`);
        const gone = new Promise((resolve) => server.child.once("exit", resolve));
        server.child.kill("SIGKILL");
        await gone;
        const asked = page.evaluate((name) => globalThis.server.ask(name, { wish: "sit", seat: 2, name: "Page" }).then(() => globalThis.server.ask(name, { wish: "stand", seat: 2 })), table);
        server = await serve({ port: portOf(server.address), folder: server.folder });
        await asked; // it was tried again until there was an answer
        // Whoever sits down then hears the whole table.
        const wholes = async () => (await heard(page, table)).filter(({ event }) => event === "table").length;
        await until("the whole table", async () => (await wholes()) > whole);
        whole = await wholes();
        await guest.happen(table, 2 * i + 1, 2 * i + 2);
      }
      await until("the last", async () => names(await heard(page, table)).at(-1) === "guest 5");
      const events = await heard(page, table);
      const numbers = events.flatMap(({ number, event }) => (event === "table" || number === undefined ? [] : [number]));
      assert.deepEqual(numbers, [...new Set(numbers)].sort((a, b) => a - b));
      assert.deepEqual(names(events).filter((name) => name !== "Page"), guests(6));
    } finally {
      server.stop();
    }
  });

  for (const locks of [true, false]) {
    test(`eight tabs share one stream, and another leads when one closes${locks ? "" : ", also without locks"}`, async (stage) => {
      const server = await serve();
      try {
        stage.address = server.address;
        const guest = new Guest(server.address);
        const common = await guest.open();
        const context = await stage.context();
        stage.allowed = CUT;
        if (!locks) await context.addInitScript(() => Object.defineProperty(Navigator.prototype, "locks", { get: () => undefined }));
        const leading = new Set();
        const tabs = [];
        for (let i = 0; i < 8; i++) {
          const page = await visit(stage, context);
          page.on("request", (request) => request.url().includes("/api/stream") && leading.add(page));
          const own = await guest.open();
          await listen(page, own);
          await listen(page, common);
          tabs.push({ page, own });
        }
        for (const { page, own } of tabs) for (const table of [own, common]) await until("the tables", async () => (await heard(page, table)).length > 0);
        await until("one stream", async () => (await streams(server.address)) === 1);
        await guest.happen(common, 0, 2);
        for (const { page } of tabs) await until("two guests", async () => names(await heard(page, common)).length === 2);
        assert.equal(leading.size, 1, "one tab connects");
        // Requests find a free connection beside it.
        assert.ok(Array.isArray(await tabs[7].page.evaluate(() => globalThis.server.lobby())));

        const leader = [...leading][0];
        const rest = tabs.filter(({ page }) => page !== leader);
        const whole = await Promise.all(rest.map(async ({ page }) => (await heard(page, common)).filter(({ event }) => event === "table").length));
        leading.clear();
        await Promise.all([leader.close(), guest.happen(common, 2, 6)]);
        for (const [i, { page, own }] of rest.entries()) {
          await heardAll(page, common, 6, whole[i]);
          await guest.happen(own, 0, 1);
          await until("a guest", async () => names(await heard(page, own)).length === 1);
        }
        assert.equal(leading.size, 1, "one tab leads");
        await until("one stream", async () => (await streams(server.address)) === 1);
        // A tab that listens no more is not heard of.
        for (const { page } of rest) await page.evaluate(() => Object.values(globalThis.deaf).forEach((stop) => stop()));
        await until("no stream", async () => (await streams(server.address)) === 0, 20);
      } finally {
        server.stop();
      }
    });
  }

  test("a leading tab that does not answer is replaced, and follows when it is back", async (stage) => {
    stage.allowed = CUT;
    const context = await stage.context();
    const guest = new Guest(stage.address);
    const table = await guest.open();
    const [leader, other] = [await visit(stage, context), await visit(stage, context)];
    for (const page of [leader, other]) {
      await listen(page, table);
      await until("the table", async () => (await heard(page, table)).length > 0);
    }
    const connects = (page) => page.waitForRequest((request) => request.url().includes("/api/stream"));
    const connected = connects(other);
    // Chromium freezes no page that a test can see: this one is too busy to answer.
    const asleep = leader.evaluate(() => {
      for (const end = Date.now() + 4000; Date.now() < end; );
    });
    await guest.happen(table, 0, 1);
    await other.evaluate(() => dispatchEvent(new Event("online")));
    await connected;
    await guest.happen(table, 1, 2);
    await heardAll(other, table, 2);
    await asleep;
    await guest.happen(table, 2, 3);
    await until("all guests", async () => names(await heard(leader, table)).length === 3);
    assert.deepEqual(names(await heard(leader, table)), guests(3));
    await heardAll(other, table, 3);
  });

  test("a connection that died without a word is noticed, sooner while a clock runs", async (stage) => {
    stage.allowed = CUT;
    const line = await network(portOf(stage.address));
    try {
      const guest = new Guest(stage.address);
      const still = await guest.open();
      const other = new Guest(stage.address);
      const timed = await guest.open({ game: "trix", options: {}, clock: { kind: "game", budget: 600_000, increment: 0 }, seats: [{ name: "Ada" }, {}] });
      await other.post(`tables/${timed}`, { wish: "sit", seat: 2, name: "Ben" });
      stage.address = line.address;
      const page = await visit(stage, await stage.context());
      await page.clock.install();
      for (const [table, patience] of [[still, 30_000], [timed, 10_000]]) {
        await listen(page, table);
        await until("the table", async () => (await heard(page, table)).length > 0);
        await page.goto(`${stage.address}#/lobby/open`); // the lobby asks, too
        line.silence();
        let asked = 0;
        page.on("request", (request) => (asked += request.url().includes("/api/stream") ? 1 : 0));
        await page.clock.runFor(patience - 2500);
        assert.equal(asked, 0, "not too soon");
        await page.clock.runFor(5000);
        assert.ok(asked > 0, "another stream");
        // The browser may try more connections that are dead.
        const before = names(await heard(page, still)).length;
        await guest.happen(still, before, before + 1);
        await until("a guest", async () => (await page.clock.runFor(1000), names(await heard(page, still)).length > before));
      }
    } finally {
      line.close();
    }
  });

  test("a request is sent again with its id until there is an answer", async (stage) => {
    stage.allowed = /net::ERR_|^failed|503|429/;
    const context = await stage.context();
    const bodies = [];
    await context.route("**/api/tables", (route) => {
      if (route.request().method() !== "POST") return route.continue();
      bodies.push(route.request().postDataJSON());
      const json = JSON.stringify({ error: "not now", kind: "disk" });
      if (bodies.length === 1) return route.abort();
      if (bodies.length === 2) return route.fulfill({ status: 503, contentType: "application/json", body: json });
      if (bodies.length === 3) return route.fulfill({ status: 429, contentType: "application/json", headers: { "Retry-After": "2" }, body: json });
      return route.continue();
    });
    const page = await stage.open("#/lobby/open", { context });
    await page.locator(button("name")).fill("Ada");
    const begun = Date.now();
    await page.locator(button("open-table")).click();
    await until("the table", () => page.evaluate(() => location.hash.startsWith("#/table/")));
    assert.ok(Date.now() - begun >= 2000, "it waited as long as it was asked to");
    assert.equal(bodies.length, 4);
    assert.equal(new Set(bodies.map(({ id }) => id)).size, 1, "one id");
  });

  test("the service worker leaves the server's answers alone", async (stage) => {
    const context = await stage.context();
    let page = await stage.open("#/lobby", { context });
    await page.evaluate(() => navigator.serviceWorker.ready);
    await page.close();
    page = await visit(stage, context);
    await until("the service worker", () => page.evaluate(() => navigator.serviceWorker.controller !== null));
    const table = await new Guest(stage.address).open();
    const answers = [];
    page.on("response", (response) => response.url().includes("/api/") && answers.push([response.url(), response.fromServiceWorker()]));
    await listen(page, table);
    await until("the table", async () => (await heard(page, table)).length > 0);
    await until("the lists", () => answers.length >= 3);
    assert.ok(answers.some(([url]) => url.includes("/api/stream")));
    assert.deepEqual(answers.filter(([, kept]) => kept), []);
    const kept = await page.evaluate(async () => (await Promise.all((await caches.keys()).map(async (name) => (await (await caches.open(name)).keys()).map(({ url }) => url)))).flat());
    assert.deepEqual(kept.filter((url) => url.includes("/api/")), []);
  }, { kept: true });
}
