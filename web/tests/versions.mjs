// A new version of the page, as the service worker meets it: it comes whole or not at all, leaves an open page
// alone, and never hides what else is at the address. The server is one of our own, which can change its files,
// break them, answer late or be gone.
import { createHash } from "node:crypto";
import fs from "node:fs";
import http from "node:http";
import path from "node:path";
import { assert, GAMES, root, sleep, test, until } from "./harness.mjs";

const TYPES = { ".html": "text/html", ".js": "text/javascript", ".css": "text/css", ".wasm": "application/wasm", ".svg": "image/svg+xml" };
const dist = path.join(root, "web/dist");
const sha256 = (data) => createHash("sha256").update(data).digest("hex");

/* The files of a version: path -> content. A later edition differs from the build in its page, which names the edition, in
 * the new name of the file with the Italian words, and in what follows from that. */
function edition(number) {
  const files = new Map();
  for (const name of fs.readdirSync(dist, { recursive: true, encoding: "utf8" }))
    if (fs.statSync(path.join(dist, name)).isFile()) files.set(name, fs.readFileSync(path.join(dist, name)));
  let worker = String(files.get("sw.js"));
  const change = (name, content, renamed = name) => {
    worker = worker.replace(`["${name}","${sha256(files.get(name))}"]`, `["${renamed}","${sha256(content)}"]`);
    files.delete(name);
    files.set(renamed, content);
  };
  if (number > 1) {
    const italian = italianOf(files);
    change(italian, Buffer.concat([files.get(italian), Buffer.from(`// ${number}\n`)]), italian.replace(".js", `${number}.js`));
    change("index.html", Buffer.from(String(files.get("index.html")).replace("<title>", `<meta name="edition" content="${number}"><title>`)));
    worker = worker.replace(/"version":"(\w+)"/, `"version":"$1${number}"`);
  }
  files.set("sw.js", Buffer.from(worker));
  return files;
}

const italianOf = (files) => [...files.keys()].find((name) => /^assets\/it-.*\.js$/.test(name));

/* Serves `files`; `mood` "late" never answers, "other" is something else at the same address, with an icon of its own. */
async function open(files) {
  const site = { files, mood: "well", asked: [] };
  const server = http.createServer((request, response) => {
    const name = decodeURIComponent(new URL(request.url, "http://x").pathname).slice(1) || "index.html";
    site.asked.push(name);
    if (site.mood === "late") return;
    if (site.mood === "other" && (name === "index.html" || name === "icon.svg")) {
      response.setHeader("Content-Type", TYPES[path.extname(name)]);
      return response.end(name === "icon.svg" ? "<svg/>" : "<!doctype html><title>Other</title><main><h1>Something else</h1></main>");
    }
    const content = site.mood === "well" ? site.files.get(name) : undefined;
    response.statusCode = content ? 200 : 404;
    response.setHeader("Content-Type", TYPES[path.extname(name)] ?? "application/octet-stream");
    response.setHeader("Cache-Control", name.startsWith("assets/") ? "public, max-age=31536000, immutable" : "no-cache");
    response.end(content ?? "");
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  site.address = `http://127.0.0.1:${server.address().port}/`;
  site.stop = () => {
    server.closeAllConnections();
    return new Promise((resolve) => server.close(resolve));
  };
  return site;
}

const editionOf = (page) => page.evaluate(() => Number(document.querySelector("meta[name=edition]")?.content ?? 1));
const controlled = (page) => page.waitForFunction(() => navigator.serviceWorker.controller !== null);

/* Runs a test at a site of the first edition, with a page that is kept. */
function atSite(name, run) {
  test(name, async (stage) => {
    const site = await open(edition(1));
    stage.address = site.address;
    stage.allowed = /ERR_CONNECTION|failed: |status 404|Failed to load resource/;
    try {
      const page = await stage.open();
      await controlled(page);
      await run({ page, site, stage });
    } finally {
      await site.stop();
    }
  });
}

/* Puts another edition at the site and lets the browser look for it. Returns how that ended: "activated" or "redundant".
 * The browser may have looked a moment before and not look again. So it is asked until it has seen the edition. */
async function update(page, site, files) {
  await page.evaluate(async () => {
    const registration = await navigator.serviceWorker.ready;
    registration.addEventListener("updatefound", () => (globalThis.found = registration.installing), { once: true });
  });
  site.files = files;
  return page.evaluate(async () => {
    const registration = await navigator.serviceWorker.ready;
    const pass = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));
    for (; !globalThis.found; await pass(100)) await registration.update().catch(() => {});
    const worker = globalThis.found;
    globalThis.found = null;
    while (!["activated", "redundant"].includes(worker.state)) await pass(20);
    return worker.state;
  });
}

const statusOf = (page, name) => page.evaluate(async (path) => (await fetch(path)).status, name);

/* The files in the store, by the names of the versions. */
const stored = (page) =>
  page.evaluate(async () => {
    const pathsOf = async (name) => (await (await caches.open(name)).keys()).map((request) => new URL(request.url).pathname.slice(1)).sort();
    return Object.fromEntries(await Promise.all((await caches.keys()).map(async (name) => [name, await pathsOf(name)])));
  });

/* What a browser with SIMD keeps of an edition before anybody has used the study room, or after that; tables are apart, and
 * documents are not kept. */
const isOfStudy = (name) => name.startsWith("assets/study/");
const withStudy = (files) => [...files.keys()].filter((name) => name !== "sw.js" && !name.startsWith("docs/") && !name.includes("-plain") && !name.endsWith(".nonet-table")).sort();
const wholeOf = (files) => withStudy(files).filter((name) => !isOfStudy(name));

async function reload(page) {
  await page.reload();
  await page.locator("main h1").first().waitFor();
}

export const wishes = { kept: true };

export function register() {
  atSite("every file is kept, and none is fetched twice over", async ({ page, site }) => {
    assert.deepEqual(Object.values(await stored(page)), [wholeOf(site.files)]);
    for (const name of site.files.keys()) {
      const times = site.asked.filter((asked) => asked === name).length;
      if (name.includes("-plain")) assert.equal(times, 0, "the engine without SIMD is not for this browser");
      else if (isOfStudy(name)) assert.equal(times, 0, "nobody has used the study room yet");
      else assert.ok(name.startsWith("assets/") ? times === 1 : times <= 2, `${name} was asked for ${times} times`);
    }
  });

  atSite("the study room is kept when it is used, and with the next version too", async ({ page, site }) => {
    const kept = (files) => until("the study room to be kept", async () => JSON.stringify(Object.values(await stored(page)).at(-1)) === JSON.stringify(withStudy(files)));
    await page.goto(`${site.address}#/trix/learn`);
    await page.locator("[data-step]").first().waitFor();
    await kept(site.files);
    assert.equal(await update(page, site, edition(2)), "activated");
    await kept(site.files);
    await site.stop();
    await page.goto(`${site.address}#/chasm/learn`);
    await page.locator("[data-step]").first().waitFor();
  });

  atSite("a new version is there with the next load, and stays without a network", async ({ page, site }) => {
    site.files = edition(2);
    await reload(page);
    assert.equal(await editionOf(page), 2);
    await until("the new version to be kept", () => page.evaluate(async () => (await caches.keys()).length === 2));
    await until("the new version to be whole", () =>
      page.evaluate(async () => {
        const [before, after] = await Promise.all((await caches.keys()).map(async (name) => (await (await caches.open(name)).keys()).length));
        const registration = await navigator.serviceWorker.ready;
        return before === after && !registration.installing && !registration.waiting;
      }),
    );
    await site.stop();
    await reload(page);
    assert.equal(await editionOf(page), 2);
  });

  for (const [how, spoil] of [
    ["lacks a file", (files) => files.delete(italianOf(files))],
    ["has a file of another version", (files) => files.set(italianOf(files), Buffer.from("export const catalogue = {};"))],
  ])
    atSite(`a version that ${how} is not taken`, async ({ page, site }) => {
      const files = edition(2);
      spoil(files);
      assert.equal(await update(page, site, files), "redundant");
      await site.stop();
      await reload(page);
      assert.equal(await editionOf(page), 1);
    });

  atSite("an open page goes on with its own files", async ({ page, site, stage }) => {
    const old = italianOf(site.files);
    assert.equal(await update(page, site, edition(2)), "activated");
    assert.equal(await editionOf(page), 1);
    assert.equal(await statusOf(page, old), 200);
    // A third version may forget the first, but not the second, which another page has begun with.
    const other = await stage.open("", { context: page.context() });
    const second = italianOf(site.files);
    assert.equal(await update(other, site, edition(3)), "activated");
    assert.equal((await page.evaluate(() => caches.keys())).length, 2);
    assert.equal(await statusOf(other, second), 200);
  });

  atSite("a version that never was whole does not push out the one that is open", async ({ page, site }) => {
    const old = italianOf(site.files);
    const half = edition(2);
    half.delete(italianOf(half));
    assert.equal(await update(page, site, half), "redundant");
    assert.equal(await update(page, site, edition(3)), "activated");
    assert.equal(await statusOf(page, old), 200);
    assert.deepEqual(Object.values(await stored(page)), [wholeOf(edition(1)), wholeOf(edition(3))], "nothing is left of the second");
  });

  atSite("a full store: the version before stays, and nothing is left of the new one", async ({ page, site }) => {
    const session = await page.context().newCDPSession(page);
    await session.send("Storage.overrideQuotaForOrigin", { origin: new URL(site.address).origin, quotaSize: 1000 });
    assert.equal(await update(page, site, edition(2)), "redundant");
    assert.deepEqual(Object.values(await stored(page)), [wholeOf(edition(1))]);
    await session.send("Storage.overrideQuotaForOrigin", { origin: new URL(site.address).origin });
    await site.stop();
    await reload(page);
    assert.equal(await editionOf(page), 1);
  });

  atSite("a store that does not answer: the page comes from the network", async ({ page, site }) => {
    const [worker] = page.context().serviceWorkers();
    await worker.evaluate(() => {
      caches.match = () => Promise.reject(new DOMException("broken", "UnknownError"));
    });
    const before = site.asked.length;
    await reload(page);
    assert.ok(site.asked.slice(before).includes("index.html"));
    assert.equal(await page.locator("[data-box]").count(), GAMES.length);
  });

  atSite("a store that somebody has emptied is filled at the next visit", async ({ page, site }) => {
    await page.evaluate(async () => {
      for (const name of await caches.keys()) await caches.delete(name);
    });
    await reload(page);
    const whole = JSON.stringify([wholeOf(site.files)]);
    await until("everything to be there again", async () => JSON.stringify(Object.values(await stored(page))) === whole);
    await site.stop();
    await reload(page);
    assert.equal(await editionOf(page), 1);
  });

  atSite("a damaged file in the browser's own store is fetched anew", async ({ page, site }) => {
    const files = edition(2);
    const name = italianOf(files);
    site.files = new Map([[name, Buffer.from("damaged")]]);
    assert.equal(await statusOf(page, name), 200);
    assert.equal(await update(page, site, files), "activated");
  });

  atSite("something else at the address is not hidden", async ({ page, site }) => {
    site.mood = "other";
    await reload(page);
    assert.equal(await page.title(), "Other");
    assert.equal(await page.evaluate(async () => (await fetch("icon.svg")).text()), "<svg/>");
  });

  atSite("a network that does not answer is waited for, but not long", async ({ page, site }) => {
    site.mood = "late";
    const begun = Date.now();
    await reload(page);
    const seconds = (Date.now() - begun) / 1000;
    assert.ok(seconds > 2 && seconds < 8, `${seconds} s`);
    assert.equal(await editionOf(page), 1);
    await sleep(50);
  });
}
