// What moves are worth, in the browser: the worker's verdicts are those of `nonet probe`, come soon, and come without a
// network too. What is wrong with a table is told, and the search takes its place. The server is one of our own, a plain
// one that delivers files and single ranges, and can damage them.
import { execFile } from "node:child_process";
import fs from "node:fs";
import http from "node:http";
import os from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { engine } from "./engine.mjs";
import { assert, chance, nonet, root, test, until } from "./harness.mjs";

const TYPES = { ".html": "text/html", ".js": "text/javascript", ".css": "text/css", ".wasm": "application/wasm", ".svg": "image/svg+xml" };
const dist = path.join(root, "web/dist");
const POSITIONS = 200; // of each variant
const SOON = 50; // milliseconds
const REQUESTS = 5; // for a position of a far table, on average

const list = fs.readFileSync(path.join(root, "tables/list.txt"), "utf8").split("\n");
const tables = (kind) => list.filter((line) => line.startsWith(`${kind} `)).map((line) => line.slice(kind.length + 1));
const fileOf = (name) => `${name.replace(/[:,]/g, "-").replace(/=/g, "_")}.nonet-table`;
const gameOf = (name) => name.split(":")[0];
const optionsOf = (name) => (name.split(":")[1] ?? "").split(",").filter(Boolean);
const linesOf = (name, moves) => [gameOf(name), ...optionsOf(name), ...moves.map((move) => ` ${move}`)].join("\n");

/* Where the command would find a table that takes long to build; null if nobody has built it. */
function atHand(name) {
  const cache = path.join(process.env.XDG_CACHE_HOME ?? path.join(os.homedir(), ".cache"), "nonet");
  return [process.env.NONET_TABLES, cache].filter(Boolean).map((folder) => path.join(folder, fileOf(name))).find((file) => fs.existsSync(file)) ?? null;
}

/* A plain server for the page, and for files beside it. `change` may alter what is delivered. */
async function open({ beside = {}, change = (_, content) => content, ranges = true } = {}) {
  const site = { asked: [] };
  const server = http.createServer((request, response) => {
    const name = new URL(request.url, "http://x").pathname.slice(1) || "index.html";
    site.asked.push({ name, range: request.headers.range });
    const file = beside[name] ?? path.join(dist, name);
    if (!fs.existsSync(file)) return response.writeHead(404).end();
    const size = fs.statSync(file).size;
    response.setHeader("Content-Type", TYPES[path.extname(name)] ?? "application/octet-stream");
    response.setHeader("Cache-Control", "no-store");
    const [, first, last] = /^bytes=(\d+)-(\d+)$/.exec((ranges && request.headers.range) || "") ?? [];
    if (first === undefined) return response.end(change(name, fs.readFileSync(file)));
    const end = Math.min(Number(last), size - 1);
    response.writeHead(206, { "Content-Range": `bytes ${first}-${end}/${size}`, "Last-Modified": "Tue, 17 Nov 2026 10:00:00 GMT" });
    fs.createReadStream(file, { start: Number(first), end }).pipe(response);
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  site.address = `http://127.0.0.1:${server.address().port}/`;
  site.stop = () => (server.closeAllConnections(), new Promise((resolve) => server.close(resolve)));
  return site;
}

/* The worker that studies, as the page starts it. */
const workerFile = () => `assets/study/${fs.readdirSync(path.join(dist, "assets/study")).find((name) => /^worker-.*\.js$/.test(name))}`;

/* Starts a worker in the page; window.ask asks it for a job, and collects what it says meanwhile. */
async function startWorker(page) {
  await page.evaluate((file) => {
    window.worker?.terminate();
    window.worker = new Worker(new URL(file, location.href), { type: "module" });
    window.waiting = new Map();
    let last = 0;
    window.worker.onmessage = ({ data }) => {
      const { resolve, reject, news } = window.waiting.get(data.id);
      if ("news" in data) news.push(data.news);
      else if ("error" in data) reject(new Error(data.error));
      else resolve({ answer: data.answer, news });
    };
    window.ask = (job, question) => {
      const id = ++last;
      const promise = new Promise((resolve, reject) => window.waiting.set(id, { resolve, reject, news: [] }));
      window.worker.postMessage({ id, job, question, words: {} });
      return Object.assign(promise, { id });
    };
  }, workerFile());
}

const judge = (page, lines, more = {}) => page.evaluate(async ([lines, more]) => (await window.ask("judge", { lines, ...more })).answer, [lines, more]);
const judgeAll = (page, games, more = {}) => page.evaluate(async ([games, more]) => (await window.ask("judge", { games, ...more })).answer, [games, more]);

/* Runs a test at a site of its own. */
function atSite(name, run, { site: wish = {}, ...wishes } = {}) {
  test(
    name,
    async (stage) => {
      const site = await open(wish);
      stage.address = site.address;
      try {
        const page = await stage.open();
        await startWorker(page);
        await run({ page, site, stage });
      } finally {
        await site.stop();
      }
    },
    wishes,
  );
}

/* The moves of random games, each cut at a random ply before its end. */
async function randomLines(name, count, seed = 1) {
  const random = chance(seed);
  const e = await engine();
  const options = Object.fromEntries(optionsOf(name).map((option) => option.split("=")));
  const games = [];
  while (games.length < count) {
    const moves = [];
    e.begin(gameOf(name), options);
    for (let plies = random.below(30); ; plies--) {
      const position = e.position();
      if (position.turn === 0) moves.pop();
      if (plies === 0 || position.turn === 0) break;
      moves.push(random.pick(position.moves)[0]);
      e.play(moves.at(-1));
    }
    games.push(moves);
  }
  return games;
}

/* What `nonet probe` says of all of them. */
async function probe(name, games) {
  const words = ["probe", gameOf(name), ...optionsOf(name).flatMap((option) => ["-o", option]), "--batch"];
  const child = promisify(execFile)(nonet, words, { maxBuffer: 1 << 28, env: { ...process.env, NONET_TABLES: process.env.NONET_TABLES ?? path.join(root, "web/build/tables") } });
  child.child.stdin.end(games.map((moves) => `${moves.join(" ")}\n`).join(""));
  return (await child).stdout.trimEnd().split("\n").map((line) => JSON.parse(line));
}

const told = ({ value, distance, margin }) => `${value} ${distance} ${margin}`;

/* With more than two players a search for their chances goes on beside the table, until the time is over. */
const endless = (name) => /players=[34]/.test(name);
const limitsOf = (name) => ({ line: false, ...(endless(name) ? { seconds: 0.2 } : {}) });

async function compare(page, name, games) {
  const [verdicts, probed] = await Promise.all([judgeAll(page, games.map((moves) => linesOf(name, moves)), limitsOf(name)), probe(name, games)]);
  let compared = 0;
  for (const [i, verdict] of verdicts.entries()) {
    const where = `${name} ${games[i].join(" ")}`;
    assert.equal(verdict.trouble, null, where);
    // The command does not look at how often a position has occurred; then the page calls values searched.
    if (verdict.moves.some(({ known }) => known !== "proven")) continue;
    assert.ok(verdict.settled || endless(name), where);
    const native = new Map(probed[i].moves.map((move) => [move.move, move]));
    assert.equal(verdict.moves.length, native.size, where);
    for (const move of verdict.moves) {
      assert.equal(told(move), told(native.get(move.text)), `${where}: ${move.text}`);
      assert.equal(told(verdict.moves[move.twin]), told(move), `${where}: ${move.text} and its twin`);
    }
    if (!endless(name)) assert.deepEqual(verdict.moves.map(told), probed[i].moves.map(told), `${where}: the best come first`);
    assert.equal(verdict.by === "table" || verdict.by === "rules", true, `${where}: by ${verdict.by}`);
    compared++;
  }
  return compared;
}

export function register() {
  for (const name of tables("near"))
    test(`${name}: values are those of nonet probe`, async (stage) => {
      const page = await stage.open();
      await startWorker(page);
      const games = await randomLines(name, POSITIONS + 20);
      assert.ok((await compare(page, name, games)) >= POSITIONS, "some positions have occurred twice, but not so many");
    });

  test(
    "a table answers soon",
    async (stage) => {
      const page = await stage.open();
      await startWorker(page);
      for (const name of tables("near")) {
        const games = (await randomLines(name, 6, 2)).map((moves) => linesOf(name, moves));
        await judge(page, games[0]); // the table comes
        const times = [];
        for (const lines of games) times.push(await page.evaluate(async (lines) => {
          const begun = performance.now();
          const asked = window.ask("judge", { lines });
          const { news } = window.waiting.get(asked.id);
          const values = new Promise((resolve) => (news.push = () => resolve(performance.now() - begun))); // before the line is followed
          const answered = asked.then(({ answer }) => (answer.settled ? performance.now() - begun : Infinity));
          const time = await Promise.race([values, answered]);
          await answered;
          return time;
        }, lines));
        const best = Math.min(...times);
        assert.ok(best < SOON, `${name}: ${times.map(Math.round)} ms`);
      }
    },
    { alone: true },
  );

  atSite("a table is kept when it has been used, and works without a network", async ({ page, stage, site }) => {
    await page.waitForFunction(() => navigator.serviceWorker.controller !== null);
    const [first, second] = ["trix:camps=corner,goal=three", "kudosu"];
    assert.equal((await judge(page, linesOf(first, []))).by, "table");
    const fetched = () => site.asked.filter(({ name }) => name.endsWith(".nonet-table")).length;
    assert.equal(fetched(), 1, "only what was used");
    const study = fs.readdirSync(path.join(dist, "assets/study")).filter((name) => !/\.nonet-table$|-plain-/.test(name)).length;
    await until("the study room to be kept", () =>
      page.evaluate(async (all) => {
        const [version] = (await caches.keys()).filter((name) => name.startsWith("nonet-"));
        return (await (await caches.open(version)).keys()).filter(({ url }) => url.includes("/assets/study/")).length === all;
      }, study),
    );
    await site.stop();
    stage.allowed = /ERR_|failed: |Failed to load resource/;
    await startWorker(page);
    const again = await judge(page, linesOf(first, []));
    assert.deepEqual([again.by, again.trouble], ["table", null]);
    const other = await judge(page, linesOf(second, []), { seconds: 1 });
    assert.equal(other.trouble, "unreachable");
    assert.ok(other.moves[0].judged && other.by !== "table", "the search has an opinion");
  }, { kept: true });

  const broken = (name, spoil) => (asked, content) => (asked.includes(fileOf(name).replace(".nonet-table", "")) && asked.endsWith(".nonet-table") ? spoil(Buffer.from(content)) : content);
  const trix = tables("near")[0];
  for (const [what, trouble, spoil] of [
    ["damaged in a block", "damaged", (bytes) => (bytes.fill(0x55, 1000, bytes.length - 6000), bytes)],
    ["damaged at its head", "damaged", (bytes) => (bytes.fill(0x55, 30, 60), bytes)],
    ["cut off", "damaged", (bytes) => bytes.subarray(0, bytes.length / 2)],
    ["something else", "damaged", () => Buffer.from("<!doctype html>")],
    ["empty", "damaged", () => Buffer.alloc(0)],
    ["of another version", "version", (bytes) => (bytes.writeUInt32LE(99, 8), bytes)],
  ])
    atSite(`a table that is ${what} is told, and the moves are searched`, async ({ page }) => {
      const verdict = await judge(page, linesOf(trix, []), { seconds: 1 });
      assert.equal(verdict.trouble, trouble);
      assert.equal(verdict.table, trix);
      assert.ok(verdict.moves.every(({ judged, by }) => judged && by !== "table"), "the search has an opinion on every move");
    }, { site: { change: broken(trix, spoil) } });

  /* Kolem with eight steps as if it were far: the page is told so, and the file lies beside it. */
  const near = "kolem:steps=8";
  const asFar = (name, content) => (name.endsWith(".js") ? Buffer.from(String(content).replaceAll("tables/kolem-steps_8.nonet-table", "tables/none.nonet-table").replaceAll("far kolem:steps=4", `far ${near}`)) : content);
  const besideFar = { [`tables/${fileOf(near)}`]: path.join(root, "tables", fileOf(near)) };

  /* Positions of whole games, one after the other, as a reader would step through them. */
  async function gamesInSteps(name, count) {
    return (await randomLines(name, count, 3)).flatMap((moves) => Array.from({ length: moves.length + 1 }, (_, i) => moves.slice(0, i)));
  }

  async function measureFar(page, site, name) {
    const games = await gamesInSteps(name, 8);
    await judge(page, linesOf(name, []), limitsOf(name)); // opens it
    const asked = () => site.asked.filter((one) => one.name.startsWith("tables/"));
    const before = asked().length;
    const verdicts = await judgeAll(page, games.map((moves) => linesOf(name, moves)), limitsOf(name));
    assert.ok(verdicts.every(({ trouble, by }) => trouble === null && by !== "search"), "all by the table");
    const requests = (asked().length - before) / games.length;
    assert.ok(asked().every(({ range }) => /^bytes=\d+-\d+$/.test(range)), "single ranges only");
    console.log(`      ${name}: ${requests.toFixed(2)} requests a position, ${games.length} positions`);
    assert.ok(requests > 0 && requests <= REQUESTS, `${requests} requests a position`);
  }

  atSite("a far table is read in place, by ranges of a plain file", async ({ page, site, stage }) => {
    await measureFar(page, site, near);
    assert.ok((await compare(page, near, await randomLines(near, 40, 4))) >= 30);
    // What was fetched is kept.
    const asked = site.asked.length;
    await startWorker(page);
    assert.equal((await judge(page, linesOf(near, []), { line: false })).by, "table");
    assert.equal(site.asked.slice(asked).filter(({ range }) => range).length, 1, "one request says that the file is the same");
    await site.stop();
    stage.allowed = /ERR_|failed: |Failed to load resource/;
    await page.evaluate(() => window.ask("judge", { lines: "trix", seconds: 0.1 }).catch(() => {}));
    const offline = await judge(page, linesOf(near, []), { line: false });
    assert.deepEqual([offline.by, offline.trouble], ["table", null]);
  }, { site: { change: asFar, beside: besideFar } });

  atSite("a host that ignores ranges does not send the whole table", async ({ page, stage }) => {
    stage.allowed = /ERR_ABORTED|failed: |Failed to load resource/;
    const verdict = await judge(page, linesOf(near, []), { seconds: 1 });
    assert.equal(verdict.trouble, "missing");
    assert.ok(verdict.moves[0].judged);
  }, { site: { change: asFar, beside: besideFar, ranges: false } });

  for (const far of tables("far")) {
    atSite(`${far}: a far table that is not there is told, and the moves are searched`, async ({ page, stage }) => {
      stage.allowed = /404/;
      const verdict = await judge(page, linesOf(far, []), { seconds: 4 });
      assert.deepEqual([verdict.trouble, verdict.table], ["missing", far]);
      assert.notEqual(verdict.by, "table");
      assert.ok(verdict.moves.every(({ judged }) => judged), "by searching, or even by a proof");
    });

    if (atHand(far))
      atSite(`${far} is read in place with few requests`, async ({ page, site }) => {
        await measureFar(page, site, far);
        assert.ok((await compare(page, far, await randomLines(far, POSITIONS + 20, 5))) >= POSITIONS);
      }, { site: { beside: { [`tables/${fileOf(far)}`]: atHand(far) } } });
  }

  test("a search deepens live, and is left at once", async (stage) => {
    const page = await stage.open();
    await startWorker(page);
    const news = await page.evaluate(async () => {
      const asked = window.ask("judge", { lines: "ksar", seconds: 60 });
      asked.catch(() => {}); // nobody waits for it once it is left
      const { news } = window.waiting.get(asked.id);
      for (let i = 0; i < 200 && news.length < 3; i++) await new Promise((resolve) => setTimeout(resolve, 100));
      window.worker.postMessage({ drop: asked.id });
      return news;
    });
    assert.ok(news.length >= 3 && news.every(({ settled }) => !settled));
    assert.ok(news.at(-1).nodes > news[0].nodes, "it goes on");
    const left = await page.evaluate(async () => {
      const begun = performance.now();
      await window.ask("judge", { lines: "trix\n" });
      return performance.now() - begun;
    });
    assert.ok(left < 5000, `the next question waited ${Math.round(left)} ms`);
  });

  test("with three players every move has chances, and what is hidden stays so", async (stage) => {
    stage.allowed = /404/; // nobody has put the far table there
    const page = await stage.open();
    await startWorker(page);
    const chasm = await judge(page, "chasm\nplayers=3", { seconds: 2 });
    for (const move of chasm.moves.filter(({ judged }) => judged)) {
      const sum = move.chances.reduce((a, b) => a + b, 0);
      assert.ok(sum > 990 && sum <= 1000, `chances of ${move.text}: ${move.chances}`);
    }
    const e = await engine();
    e.begin("masker", { players: "2", seed: "1" });
    const masker = await judge(page, "masker\nplayers=2\nseed=1", { seconds: 1 });
    assert.equal(masker.moves.length, e.position().moves.length);
    assert.ok(masker.moves.every(({ known }) => known !== "proven"), "nothing is proven at the start");
  });
}
