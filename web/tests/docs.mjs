// The documents' site: every page is there and can be reached, every link and anchor leads somewhere, a phone is wide
// enough, axe-core finds no barriers, and nothing of it needs JavaScript.
import fs from "node:fs";
import path from "node:path";
import { inspect } from "./accessible.mjs";
import { assert, DESKTOP, GAMES, LANGUAGES, LOCALES, PHONE, root, screenshots, test } from "./harness.mjs";
import { button } from "./player.mjs";

const KEPT = path.join(root, "web/dist/docs"); // what the build made
const LOOKED_AT = ["", "tutorial.html", "faq.html", "api.html", "results.html", "design.html", "rules/ksar.html", "rules/fr/masker.html"];

/* All pages that links lead to from the first one, with their text, by their addresses. */
async function crawl(address) {
  const pages = new Map();
  const files = new Map();
  const links = [];
  const waiting = [`${address}docs/`];
  while (waiting.length > 0) {
    const at = waiting.pop();
    if (pages.has(at) || files.has(at)) continue;
    const response = await fetch(at);
    assert.equal(response.status, 200, at);
    assert.match(response.headers.get("content-security-policy"), /default-src 'self'/, at);
    if (!response.headers.get("content-type").startsWith("text/html")) {
      files.set(at, await response.arrayBuffer());
      continue;
    }
    const html = await response.text();
    pages.set(at, html);
    for (const [, name, target] of html.matchAll(/ (href|src)="([^"]*)"/g)) {
      const url = new URL(target.replaceAll("&amp;", "&"), at);
      if (url.origin !== new URL(address).origin) {
        links.push({ at, url: null, target });
        continue;
      }
      const part = decodeURIComponent(url.hash.slice(1));
      url.hash = "";
      links.push({ at, url: url.href, part, target, name });
      if (url.href.startsWith(`${address}docs/`)) waiting.push(url.href);
    }
  }
  return { pages, files, links };
}

export function register() {
  test("every link and anchor leads somewhere, and every file is reached", async (stage) => {
    const { pages, files, links } = await crawl(stage.address);
    const idsOf = new Map([...pages].map(([at, html]) => [at, new Set([...html.matchAll(/ id="([^"]*)"/g)].map(([, id]) => id))]));
    const wrong = [];
    for (const { at, url, part, target } of links) {
      if (url === null) wrong.push(`${at}: ${target} leads to another site`);
      else if (part && !idsOf.get(url)?.has(part)) wrong.push(`${at}: ${target} has no such part`);
      else if (!url.startsWith(`${stage.address}docs/`) && (await fetch(url, { method: "HEAD" })).status !== 200) wrong.push(`${at}: ${target}`);
    }
    assert.deepEqual(wrong, []);
    const reached = new Set([...pages.keys(), ...files.keys()].map((at) => at.slice(`${stage.address}docs/`.length).replace(/(^|\/)$/, "$1index.html")));
    const built = fs.readdirSync(KEPT, { recursive: true }).filter((name) => fs.statSync(path.join(KEPT, name)).isFile());
    assert.deepEqual(built.filter((name) => !reached.has(name)), [], "files that no link leads to");
    assert.ok(links.some(({ part }) => part), "some links name a part of a page");
    for (const game of GAMES)
      for (const language of LANGUAGES) assert.ok(reached.has(`rules/${language === "en" ? "" : `${language}/`}${game}.html`), `${game} in ${language}`);
    for (const name of fs.readdirSync(path.join(root, "docs")).filter((name) => name.endsWith(".md")))
      if (fs.readFileSync(path.join(root, "docs", name), "utf8").startsWith("# ")) assert.ok(reached.has(name.replace(/md$/, "html")), name);
  });

  test("no Markdown is left in what readers see, and ids are unique", async (stage) => {
    const { pages } = await crawl(stage.address);
    for (const [at, html] of pages) {
      const ids = [...html.matchAll(/ id="([^"]*)"/g)].map(([, id]) => id);
      assert.equal(new Set(ids).size, ids.length, at);
      assert.ok(!/<script|<style| style=| on[a-z]+="/.test(html), `${at}: nothing inline`);
      const text = html.replace(/<pre.*?<\/pre>/gs, "").replace(/<code>.*?<\/code>/gs, "").replace(/<[^>]*>/g, "");
      assert.ok(!/\]\(|\*\*|`|^\s*\|/m.test(text), `${at}: ${/.*(\]\(|\*\*|`|^\s*\|).*/m.exec(text)?.[0]}`);
      assert.match(html, /<meta name="description" content="[^"]{20,}">/, at);
      assert.match(html, /<h1>[^<]+<\/h1>/, at);
    }
  });

  for (const { look, options } of [
    { look: "light, on a desktop", options: { colorScheme: "light", ...DESKTOP } },
    { look: "dark, on a phone", options: { colorScheme: "dark", ...PHONE } },
  ])
    test(`no barriers: ${look}`, async (stage) => {
      fs.mkdirSync(screenshots, { recursive: true });
      for (const name of LOOKED_AT) {
        const page = await stage.open(`docs/${name}`, options);
        const colour = await page.evaluate(() => getComputedStyle(document.body).backgroundColor);
        assert.equal(colour, look.startsWith("dark") ? "rgb(29, 21, 16)" : "rgb(244, 234, 216)", "the page's own colours");
        await inspect(page, `${name}, ${look}`);
        await page.screenshot({ path: path.join(screenshots, `docs-${name.replace(/\W+/g, "-") || "index"}-${look.split(",")[0]}.png`) });
      }
    });

  test("on a phone nothing is wider than the screen, on any page", async (stage) => {
    const { pages } = await crawl(stage.address);
    const page = await stage.open("docs/", PHONE);
    for (const at of pages.keys()) {
      await page.goto(at);
      const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      assert.ok(wide <= 0, `${at}: ${wide} pixels too wide`);
    }
  });

  test("from the shelf to the documents and back, in five languages", async (stage) => {
    for (const language of LANGUAGES) {
      const page = await stage.open("", { locale: LOCALES[language] });
      await page.locator(button("documents")).click();
      await page.locator("main h1").filter({ hasText: "Nonet: the documents" }).waitFor();
      await page.locator("header .home").click();
      await page.locator(button("documents")).waitFor();
    }
  });

  test("all of it without JavaScript, and the page says where it is", async (stage) => {
    const context = await stage.context({ javaScriptEnabled: false });
    const page = await context.newPage();
    stage.watch(page);
    await page.goto(stage.address);
    await page.locator("noscript a").first().click();
    await page.locator("#pages a", { hasText: "Your bot in ten minutes" }).click();
    assert.equal(await page.locator("h1").textContent(), "Your bot in ten minutes");
    await page.locator(".here a", { hasText: "Faster, and in C" }).click();
    assert.match(page.url(), /\/docs\/tutorial\.html#faster-and-in-c$/);
    await page.locator("article a", { hasText: "examples/bot.c" }).click();
    assert.match(await page.locator("body").textContent(), /int main\(void\)/);
  });

  test("the service worker keeps none of it, and hides none of it", async (stage) => {
    const page = await stage.open("");
    await page.evaluate(() => navigator.serviceWorker.ready);
    await page.goto(`${stage.address}docs/faq.html`);
    await page.locator("h1", { hasText: "Questions and answers" }).waitFor();
    const kept = await page.evaluate(async () => {
      const names = await caches.keys();
      const keys = await Promise.all(names.map(async (name) => (await caches.open(name)).keys()));
      return keys.flat().map(({ url }) => new URL(url).pathname);
    });
    assert.deepEqual(kept.filter((name) => name.startsWith("/docs")), []);
  }, { kept: true });
}
