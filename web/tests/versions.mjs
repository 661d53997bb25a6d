// A new version of the page, as the service worker meets it: it comes whole or not at all, leaves an open page
// alone, and never hides what else is at the address. The server is one of our own, which can change its files,
// break them, answer late or be gone.
import { createHash } from "node:crypto";
import fs from "node:fs";
import http from "node:http";
import path from "node:path";
import { assert, root, sleep, test, until } from "./harness.mjs";

const TYPES = { ".html": "text/html", ".js": "text/javascript", ".css": "text/css", ".wasm": "application/wasm", ".svg": "image/svg+xml" };
const dist = path.join(root, "web/dist");
const sha256 = (data) => createHash("sha256").update(data).digest("hex");

/* The files of a version: path -> content. A later edition differs from the build in its page, which says which edition it
 * is, in the name of the Italian words, which is a new one, and in what follows from that. */
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

/* Serves `files`; `mood` "late" never answers, "other" is something else at the same address. */
async function open(files) {
  const site = { files, mood: "well", asked: [] };
  const server = http.createServer((request, response) => {
    const name = decodeURIComponent(new URL(request.url, "http://x").pathname).slice(1) || "index.html";
    site.asked.push(name);
    if (site.mood === "late") return;
    if (site.mood === "other" && name === "index.html") {
      response.setHeader("Content-Type", "text/html");
      return response.end("<!doctype html><title>Other</title><main><h1>Something else</h1></main>");
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

/* Has the browser look for a new version now; how that ended: "activated" or "redundant". */
const update = (page) =>
  page.evaluate(async () => {
    const registration = await navigator.serviceWorker.ready;
    const found = new Promise((resolve) => registration.addEventListener("updatefound", () => resolve(registration.installing)));
    await registration.update();
    const worker = await found;
    while (!["activated", "redundant"].includes(worker.state))
      await new Promise((resolve) => worker.addEventListener("statechange", resolve, { once: true }));
    return worker.state;
  });

async function reload(page) {
  await page.reload();
  await page.locator("main h1").first().waitFor();
}

export function register() {
  atSite("every file is kept, and none is fetched twice over", async ({ page, site }) => {
    const kept = await page.evaluate(async () => (await (await caches.open((await caches.keys())[0])).keys()).map((request) => new URL(request.url).pathname.slice(1)));
    assert.deepEqual(kept.sort(), [...site.files.keys()].filter((name) => name !== "sw.js").sort());
    for (const name of site.files.keys()) {
      const times = site.asked.filter((asked) => asked === name).length;
      assert.ok(name.startsWith("assets/") ? times === 1 : times <= 2, `${name} was asked for ${times} times`);
    }
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
      site.files = edition(2);
      spoil(site.files);
      assert.equal(await update(page), "redundant");
      await site.stop();
      await reload(page);
      assert.equal(await editionOf(page), 1);
    });

  atSite("an open page goes on with its own files", async ({ page, site, stage }) => {
    const old = italianOf(site.files);
    site.files = edition(2);
    assert.equal(await update(page), "activated");
    assert.equal(await editionOf(page), 1);
    assert.equal(await page.evaluate(async (name) => (await fetch(name)).status, old), 200);
    // A third version may forget the first, but not the second, which another page has begun with.
    const other = await stage.open("", { context: page.context() });
    const second = italianOf(site.files);
    site.files = edition(3);
    assert.equal(await update(other), "activated");
    assert.equal((await page.evaluate(() => caches.keys())).length, 2);
    assert.equal(await other.evaluate(async (name) => (await fetch(name)).status, second), 200);
  });

  atSite("something else at the address is not hidden", async ({ page, site }) => {
    site.mood = "other";
    await reload(page);
    assert.equal(await page.title(), "Other");
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
