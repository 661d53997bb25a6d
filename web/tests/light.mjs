// How heavy the page is, and how quick. What is measured by the clock is the best of a few tries, since a machine
// has other things to do.
import { assert, chance, GAMES, test, until } from "./harness.mjs";
import { button, look, Mouse, move, setUp } from "./player.mjs";

const SCRIPT = 120_000;
const ENGINE = 300_000;

export const wishes = { kept: true };

export function register() {
  test("the first view: script and engine as they travel", async (stage) => {
    // Without the service worker, which fetches all the rest once the page is shown.
    const context = await stage.context({ serviceWorkers: "block" });
    const page = await context.newPage();
    stage.watch(page);
    const session = await context.newCDPSession(page);
    await session.send("Network.enable");
    const addresses = new Map();
    const sizes = new Map();
    session.on("Network.responseReceived", ({ requestId, response }) => addresses.set(requestId, response.url));
    session.on("Network.loadingFinished", ({ requestId, encodedDataLength }) => sizes.set(addresses.get(requestId), encodedDataLength));
    await page.goto(`${stage.address}#/kolem`);
    await page.locator(button("play")).waitFor();
    await page.waitForLoadState("networkidle");
    const sum = (pattern) => [...sizes].filter(([url]) => pattern.test(url)).reduce((total, [, size]) => total + size, 0);
    const [script, engine] = [sum(/\.js$/), sum(/\.wasm$/)];
    console.log(`      script ${script} bytes, engine ${engine} bytes, everything ${sum(/./)} bytes`);
    assert.ok(script > 5_000 && script <= SCRIPT, `${script} bytes of script`);
    assert.ok(engine > 50_000 && engine <= ENGINE, `${engine} bytes of WebAssembly`);
    assert.ok(![...sizes.keys()].some((url) => /three|round/i.test(url)), "the 3-D view is loaded only when wanted");
  });

  test("a board answers within a second", async (stage) => {
    const context = await stage.context();
    await context.addInitScript(() => {
      new MutationObserver(() => {
        const cell = document.querySelector("[data-place][aria-disabled=false]");
        if (!cell || globalThis.answered) return;
        globalThis.answered = Infinity;
        cell.click();
        // Clicked: the page has answered when the move stands in its list.
        const look = () => {
          if (document.querySelector("[data-move]")) globalThis.answered = performance.now();
          else requestAnimationFrame(look);
        };
        look();
      }).observe(document, { childList: true, subtree: true });
    });
    const page = await stage.open("#/quadrangle?rectangles=any&seats=0,0&moves=", { context });
    const ms = await until("an answer", () => page.evaluate(() => (globalThis.answered < 1e9 ? globalThis.answered : 0)));
    console.log(`      from the address to the first move: ${Math.round(ms)} ms`);
    assert.ok(ms < 1000, `${ms} ms`);
  }, { alone: true, tries: 6 });

  for (const game of GAMES) {
    test(`${game}: the page stays awake while the computer thinks at level 10`, async (stage) => {
      const page = await stage.open(`#/${game}`);
      const hand = new Mouse(page);
      await setUp(page, hand, { seats: [0, 10] });
      const random = chance(6);
      for (let i = 0; i < 9 && !(await look(page)).thinking; i++) await move(page, hand, random);
      await page.evaluate(() => {
        globalThis.long = [];
        new PerformanceObserver((list) => globalThis.long.push(...list.getEntries().map((entry) => Math.round(entry.duration)))).observe({ type: "longtask" });
      });
      await page.waitForTimeout(1200);
      const thinking = (await look(page)).thinking;
      const tasks = await page.evaluate(() => globalThis.long);
      assert.deepEqual(tasks, [], "tasks over 50 ms, in milliseconds");
      assert.ok(thinking || (await look(page)).moves > 1, "it thought, or had nothing to think about");
    }, { alone: true, tries: 6 });
  }

  test("a reader who wants no motion gets none", async (stage) => {
    for (const reducedMotion of ["reduce", "no-preference"]) {
      const page = await stage.open("#/trix", { reducedMotion });
      const hand = new Mouse(page);
      await setUp(page, hand, { seats: [0, 1] });
      await page.evaluate(() => {
        globalThis.moved = 0;
        const watch = () => {
          globalThis.moved = Math.max(globalThis.moved, document.getAnimations().filter((animation) => animation.playState === "running" && (animation.effect?.getTiming().duration ?? 0) > 1).length);
          requestAnimationFrame(watch);
        };
        watch();
      });
      await move(page, hand, chance(2));
      await until("the answer", async () => (await look(page)).moves === 2);
      await page.waitForTimeout(300);
      const moved = await page.evaluate(() => globalThis.moved);
      if (reducedMotion === "reduce") assert.equal(moved, 0, "nothing moves");
      else assert.ok(moved > 0, "pieces are seen moving");
    }
  });
}
