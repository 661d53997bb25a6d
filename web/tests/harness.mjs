// The base of all browser tests: the program that serves the page, a Chromium, contexts that count every
// complaint of the page as a failure, and the registering of tests.
//
// A test is test(name, run, wishes); run gets a Stage, which opens pages and closes them again afterwards.
import assert from "node:assert/strict";
import { execFile, execFileSync, spawn } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { chromium } from "playwright-core";

export { assert };
export const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), "../..");
export const nonet = path.resolve(process.env.NONET ?? path.join(root, "build/nonet"));
export const screenshots = path.join(root, "web/build/screenshots");

/* The games as the native program lists them, with their facts and options, by their ids. */
export const SHELF = new Map(JSON.parse(execFileSync(nonet, ["games", "--json"], { encoding: "utf8" })).map((game) => [game.id, game]));
export const GAMES = [...SHELF.keys()];
/* Those in which players see different things, and share a screen by handing it over. */
export const isHidden = (game) => SHELF.get(game).hidden;
export const LANGUAGES = ["en", "fr", "de", "nl", "it"];
export const LOCALES = { en: "en-GB", fr: "fr-FR", de: "de-CH", nl: "nl-NL", it: "it-IT" };
export const PHONE = { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true, deviceScaleFactor: 2 };
export const DESKTOP = { viewport: { width: 1280, height: 800 } };

/* The native program: what it prints. */
export async function native(...args) {
  const { stdout } = await promisify(execFile)(nonet, args, { maxBuffer: 1 << 26 });
  return stdout;
}

/* A path that nothing is at, gone when the tests end. */
const scratch = fs.mkdtempSync(path.join(os.tmpdir(), "nonet-page-"));
process.on("exit", () => fs.rmSync(scratch, { recursive: true, force: true }));
export function temporary(name) {
  return path.join(fs.mkdtempSync(path.join(scratch, "one-")), name);
}

/* Numbers that are the same in every run. */
export function chance(seed) {
  let state = (seed * 2654435761 + 12345) >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return (t ^ (t >>> 14)) >>> 0;
  };
  return { below: (n) => next() % n, pick: (list) => list[next() % list.length] };
}

/* How many colours a PNG has, more or less. */
export function coloursOf(page, png) {
  return page.evaluate(async (text) => {
    const bytes = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
    const bitmap = await createImageBitmap(new Blob([bytes], { type: "image/png" }));
    const context = new OffscreenCanvas(bitmap.width, bitmap.height).getContext("2d");
    context.drawImage(bitmap, 0, 0);
    const { data } = context.getImageData(0, 0, bitmap.width, bitmap.height);
    const seen = new Set();
    for (let i = 0; i < data.length; i += 4 * 97) seen.add((data[i] << 16) | (data[i + 1] << 8) | data[i + 2]);
    return seen.size;
  }, png.toString("base64"));
}

export const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

/* Asks until the answer is true, or until it is too late; less and less often, since asking is work for the page. */
export async function until(what, ask, seconds = 10) {
  const end = Date.now() + seconds * 1000;
  for (let pause = 10; ; pause = Math.min(100, 1.5 * pause)) {
    const answer = await ask();
    if (answer) return answer;
    if (Date.now() > end) throw new Error(`waited ${seconds} s without success for ${what}`);
    await sleep(pause);
  }
}

/* Starts `nonet serve` on a port, 0 for any free one, with tables of its own; or another program that takes the same
   words. All browsers of the tests come from one address, so there are no limits for it. */
export async function serve({ port = 0, folder = fs.mkdtempSync(path.join(os.tmpdir(), "nonet-tables-")), program = [nonet, "serve"], env = {} } = {}) {
  const words = [...program.slice(1), "--port", `${port}`, "--store", path.join(folder, "tables.sqlite"), "--unlimited"];
  const child = spawn(program[0], words, { stdio: ["ignore", "pipe", "inherit"], env: { ...process.env, ...env } });
  const address = await new Promise((resolve, reject) => {
    let text = "";
    child.stdout.on("data", (data) => {
      text += data;
      const found = /http:\/\/[^\s]+/.exec(text);
      if (found) resolve(found[0].endsWith("/") ? found[0] : `${found[0]}/`);
    });
    child.on("exit", (code) => reject(new Error(`nonet serve ended with ${code}`)));
    child.on("error", reject);
  });
  return {
    address,
    folder,
    child,
    stop: () => {
      child.kill();
      fs.rmSync(folder, { recursive: true, force: true });
    },
  };
}

const FLAGS = [
  "--no-sandbox",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
  "--mute-audio",
];
/* Drawing by software: quick without WebGL, which most tests do not need; slow with it, for the 3-D view. */
const FLAT = [...FLAGS, "--disable-gpu", "--disable-3d-apis"];
const DEEP = [...FLAGS, "--use-angle=swiftshader", "--enable-unsafe-swiftshader"];
/* The browser without windows: it draws the same pages with a third less work. */
export const executablePath = process.env.CHROMIUM ?? "/usr/bin/chromium-headless-shell";

export function launch(webgl = false, more = []) {
  return chromium.launch({ executablePath, args: [...(webgl ? DEEP : FLAT), ...more] });
}

/* A browser that keeps what it stores in a folder. */
export function launchKept(folder, options = {}) {
  return chromium.launchPersistentContext(folder, { executablePath, args: FLAT, locale: "en-GB", reducedMotion: "reduce", ...DESKTOP, ...options });
}

/* What software rendering prints about itself, and the driver about a service worker that it keeps away. */
const HARMLESS = /^warning: (Service Worker registration blocked|THREE\.WebGLRenderer: KHR_parallel_shader_compile|.*GPU stall due to ReadPixels)/;

/* One test's pages. Whatever a page complains about is collected, and fails the test unless `allowed` is set to
 * a pattern that matches it. */
export class Stage {
  contexts = [];
  borrowed = [];
  complaints = [];
  allowed = null;

  /* `kept`: the service worker keeps the page. It costs a visit a fifth more work, so it is there only for tests that
   * are about it. */
  constructor(address, browser, kept = false) {
    this.address = address;
    this.browser = browser;
    this.serviceWorkers = kept ? "allow" : "block";
  }

  watch(page) {
    page.on("console", (message) => {
      if (message.type() === "error" || message.type() === "warning") this.complaints.push(`${message.type()}: ${message.text()}`);
    });
    page.on("pageerror", (error) => this.complaints.push(`uncaught: ${error.stack ?? error}`));
    page.on("requestfailed", (request) => {
      // A page that is left gives up what it was loading.
      if (request.failure()?.errorText !== "net::ERR_ABORTED") this.complaints.push(`failed: ${request.url()}`);
    });
    page.on("response", (response) => {
      if (response.status() >= 400) this.complaints.push(`status ${response.status()}: ${response.url()}`);
    });
    page.on("request", (request) => {
      const url = request.url();
      if (!url.startsWith(this.address) && !/^(blob|data):/.test(url)) this.complaints.push(`from elsewhere: ${url}`);
    });
  }

  async context(options = {}) {
    const context = await this.browser.newContext({ serviceWorkers: this.serviceWorkers, reducedMotion: "reduce", locale: "en-GB", acceptDownloads: true, ...DESKTOP, ...options });
    context.setDefaultTimeout(15000);
    this.contexts.push(context);
    return context;
  }

  /* A page in a context that nobody has touched: a used one with everything wiped, since a new one takes a second. */
  async fresh(options) {
    const kind = JSON.stringify([this.serviceWorkers, options]);
    const idle = idlePages(this.browser);
    const at = idle.findLastIndex((one) => one.kind === kind);
    const page = at >= 0 ? idle.splice(at, 1)[0].page : await (await this.context(options)).newPage();
    this.borrowed.push({ page, kind, viewport: page.viewportSize() });
    return page;
  }

  /* A fresh visitor's page, at a route such as "#/ksar". */
  async open(route = "", { context = null, ...options } = {}) {
    const page = context ? await context.newPage() : await this.fresh(options);
    this.watch(page);
    await page.goto(this.address + route);
    await page.locator("main h1").first().waitFor();
    return page;
  }

  /* Gives back what was borrowed, wiped. */
  async clear() {
    const idle = idlePages(this.browser);
    for (const { page, kind, viewport } of this.borrowed) {
      if (page.isClosed()) continue;
      for (const event of ["console", "pageerror", "requestfailed", "response", "request"]) page.removeAllListeners(event);
      await page.goto("about:blank");
      await page.setViewportSize(viewport);
      await page.emulateMedia({ colorScheme: null, contrast: null, forcedColors: null, reducedMotion: "reduce" });
      const session = await page.context().newCDPSession(page);
      await session.send("Storage.clearDataForOrigin", { origin: new URL(this.address).origin, storageTypes: "all" });
      await session.detach();
      this.contexts = this.contexts.filter((context) => context !== page.context());
      idle.push({ page, kind });
    }
    this.borrowed = [];
    for (const { page } of idle.splice(0, Math.max(0, idle.length - IDLE))) await page.context().close();
  }

  /* `failed`: nothing is worth keeping. */
  async close(failed = false) {
    const bad = this.complaints.filter((complaint) => !HARMLESS.test(complaint)).filter((complaint) => !this.allowed?.test(complaint));
    if (failed) for (const { page } of this.borrowed) await page.context().close().catch(() => {});
    else await this.clear();
    for (const context of this.contexts) await context.close().catch(() => {});
    assert.deepEqual(bad, [], "the page complained");
  }
}

/* The idle pages of a browser, each with what its context was made with; those used last stand last. */
const IDLE = 6;
const idle = new WeakMap();
function idlePages(browser) {
  if (!idle.has(browser)) idle.set(browser, []);
  return idle.get(browser);
}

export const tests = [];
let theme = "";
let usual = {};

/* The theme that the tests registered next belong to, and what they all wish. */
export function begin(name, wishes = {}) {
  theme = name;
  usual = wishes;
}

/* wishes.webgl: needs the 3-D view. wishes.alone: measures time, so nothing else may run beside it.
 * wishes.kept: the service worker may keep the page. wishes.tries: how often it may be tried, if not twice. */
export function test(name, run, wishes = {}) {
  tests.push({ theme, name, run, ...usual, ...wishes });
}
