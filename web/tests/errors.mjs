// Every error is explained in the reader's language, and there is a way to continue.
import { assert, chance, GAMES, LANGUAGES, launch, LOCALES, SHELF, test, until } from "./harness.mjs";
import { button, isOver, look, Mouse, move, playOut, setUp } from "./player.mjs";
import { phrase } from "./words.mjs";

/* Whether the page says this, to eyes and to screen readers. */
async function says(page, key, language) {
  const text = phrase(language, key);
  const spoken = page.locator("[role=alert], [role=status]").filter({ hasText: text });
  await until(`"${text}"`, async () => (await spoken.count()) > 0 && (await spoken.first().isVisible()));
}

/* A game can be begun, and moves be made. */
async function goesOn(page) {
  const hand = new Mouse(page);
  if (!(await look(page)).playing) await setUp(page, hand, {});
  const random = chance(4);
  for (let i = 0; i < 3; i++) await move(page, hand, random);
  await until("three moves", async () => (await look(page)).moves >= 3);
}

export function register() {
  for (const language of LANGUAGES) {
    const locale = LOCALES[language];
    // Every way to break something in English; one way in the others, which are about words.
    const some = (ways) => (language === "en" ? ways : ways.slice(0, 1));
    const table = async (stage, route, prepare = null) => {
      const context = await stage.context({ locale });
      if (prepare) await prepare(context);
      return stage.open(route, { context });
    };

    test(`${language}: a broken link`, async (stage) => {
      for (const route of some(["#/quadrangle?moves=z9", "#/quadrangle?moves=a1;a1", "#/trix?camps=moon&moves=", "#/quadrangle?rectangles=any&seats=0,99&moves=a1;;", "#/ksar?frame=99x1"])) {
        const page = await table(stage, route);
        await says(page, "brokenLink", language);
        if (route.includes("quadrangle")) await goesOn(page);
        await page.context().close();
      }
    });

    if (language === "en")
      test("a link with options chooses them, and loses no game", async (stage) => {
        const context = await stage.context({ locale });
        const first = await stage.open("#/trix", { context });
        const hand = new Mouse(first);
        await setUp(first, hand, {});
        await move(first, hand, chance(1));
        const page = await stage.open("#/trix?camps=side", { context });
        assert.equal(await page.locator('[data-do="option-camps"]').inputValue(), "side");
        await page.locator(button("continue-left")).click();
        await until("the game that was left", async () => (await look(page)).moves === 1);
      });

    test(`${language}: a game that is not on the shelf`, async (stage) => {
      // Nor is there a page of the second name, though every object has something of it.
      for (const route of ["#/chess", "#/trix/constructor"]) {
        const page = await table(stage, route);
        assert.equal(await page.locator("[data-box]").count(), GAMES.length, "the shelf is the way on");
        await says(page, "unknownPage", language);
      }
    });

    test(`${language}: a damaged saved game`, async (stage) => {
      for (const damage of some([null, "{", "17", '{"game":5}'])) {
        const context = await stage.context({ locale });
        const page = await stage.open("#/quadrangle", { context });
        const hand = new Mouse(page);
        await setUp(page, hand, {});
        await move(page, hand, chance(1));
        await page.evaluate((text) => {
          for (const key of Object.keys(localStorage).filter((name) => name.includes("quadrangle"))) {
            const old = localStorage.getItem(key);
            // Where nothing else is given, the kept text itself is cut short.
            if (text !== null) localStorage.setItem(key, text);
            else localStorage.setItem(key, JSON.stringify({ ...JSON.parse(old), game: JSON.parse(old).game.slice(0, 12) }));
          }
        }, damage);
        await page.reload();
        await says(page, "damaged", language);
        await goesOn(page);
        await context.close();
      }
    });

    test(`${language}: storage that is blocked, or full`, async (stage) => {
      const blocked = (context) =>
        context.addInitScript(() => {
          Object.defineProperty(globalThis, "localStorage", {
            get() {
              throw new DOMException("blocked", "SecurityError");
            },
          });
        });
      const full = (context) =>
        context.addInitScript(() => {
          Storage.prototype.setItem = () => {
            throw new DOMException("full", "QuotaExceededError");
          };
        });
      for (const prepare of some([blocked, full])) {
        const page = await table(stage, "#/quadrangle", prepare);
        await setUp(page, new Mouse(page), {});
        await says(page, "notStored", language);
        await goesOn(page);
        await page.context().close();
      }
    });

    test(`${language}: a browser without WebAssembly`, async (stage) => {
      const page = await table(stage, "", (context) => context.addInitScript(() => delete globalThis.WebAssembly));
      await says(page, "noWebAssembly", language);
    });

    test(`${language}: the engine does not arrive, then it does`, async (stage) => {
      stage.allowed = /failed:|net::ERR|Failed to load/;
      let broken = true;
      const page = await table(stage, "", (context) => context.route(/\.wasm(\?|$)/, (route) => (broken ? route.abort("failed") : route.continue())));
      await page.locator("[role=alert]").waitFor();
      const text = await page.locator("[role=alert]").textContent();
      assert.ok(text.includes(phrase(language, "failed").split("{0}")[0].trim()), text);
      broken = false;
      await page.locator(button("retry")).click();
      await until("the shelf", async () => (await page.locator("[data-box]").count()) === GAMES.length);
    });

    test(`${language}: a page of the study room does not arrive, then it does`, async (stage) => {
      stage.allowed = /failed:|net::ERR|Failed to load|status 404/;
      let broken = true;
      const context = await stage.context({ locale });
      await context.route(/LessonsPage-[^/]*\.js/, (route) => (broken ? route.fulfill({ status: 404 }) : route.continue()));
      const page = await stage.open("#/trix/learn", { context });
      const text = await page.locator("[role=alert]").textContent();
      assert.ok(text.includes(phrase(language, "failed").split("{0}")[0].trim()), text);
      broken = false;
      await page.locator(button("retry")).click();
      await page.locator("[data-step]").waitFor();
    });

    test(`${language}: the computer player is silent, crashes, or does not arrive`, async (stage) => {
      stage.allowed = /failed:|Failed to load|crash|status 404/;
      for (const code of some(["onmessage = () => {};", 'onmessage = () => { throw new Error("crash"); };', 'throw new Error("crash");', null])) {
        let broken = true;
        const context = await stage.context({ locale });
        await context.route(/worker-[^/]*\.js/, (route) =>
          !broken ? route.continue() : code === null ? route.fulfill({ status: 404 }) : route.fulfill({ contentType: "text/javascript", body: code }),
        );
        const page = await stage.open("#/kolem", { context });
        await page.clock.install();
        const hand = new Mouse(page);
        await setUp(page, hand, { seats: [0, 1] });
        // A person who wants a hint is told, and so is one who waits for a move.
        await page.locator(button("hint")).click();
        await page.clock.runFor(25000);
        await says(page, "stuck", language);
        await move(page, hand, chance(5));
        await page.clock.runFor(25000);
        await says(page, "stuck", language);
        broken = false;
        await page.locator(button("retry")).click();
        await until("the computer's answer", async () => (await look(page)).moves === 2);
        await context.close();
      }
    });

    test(`${language}: the engine breaks down, has no memory, or too much to say`, async (stage) => {
      stage.allowed = /unreachable|memory|room/;
      // sessionStorage says how the engine fails: it traps when it plays, or it says when it opens a game that there is no
      // memory or no room.
      const prepare = (context) =>
        context.addInitScript(() => {
          const instantiate = WebAssembly.instantiateStreaming;
          WebAssembly.instantiateStreaming = async (...all) => {
            const { instance } = await instantiate(...all);
            const { exports } = instance;
            const trap = (name, does) => (...given) => (sessionStorage.trap === name ? does() : exports[name](...given));
            const page_play = trap("page_play", () => {
              throw new WebAssembly.RuntimeError("unreachable");
            });
            const says = (code) => () => {
              new Uint8Array(exports.memory.buffer).set(new TextEncoder().encode(`${code}\0`), exports.page_output());
              return 0;
            };
            const page_restore = trap("page_restore", says("memory"));
            const page_position = trap("page_position", says("room"));
            return { instance: { exports: { ...exports, page_play, page_restore, page_position } } };
          };
        });
      const page = await table(stage, "#/quadrangle", prepare);
      const hand = new Mouse(page);
      await setUp(page, hand, {});
      const random = chance(4);
      await move(page, hand, random);
      await page.evaluate(() => (sessionStorage.trap = "page_play"));
      await page.locator("[data-place]:not([aria-disabled=true])").last().click();
      const alert = page.locator("[role=alert]").filter({ hasText: phrase(language, "crashed").split("{0}")[0].trim() });
      await alert.waitFor();
      await page.evaluate(() => (sessionStorage.trap = "page_restore"));
      await page.locator(button("retry")).click();
      await says(page, "noMemory", language);
      await page.evaluate(() => (sessionStorage.trap = "page_position"));
      await page.locator(button("retry")).click();
      await says(page, "noRoom", language);
      await page.evaluate(() => (sessionStorage.trap = ""));
      await page.locator(button("retry")).click();
      await until("the game, as it was", async () => (await look(page)).moves === 1);
      await goesOn(page);
    });

    test(`${language}: a size that is not possible`, async (stage) => {
      const page = await stage.open("#/ksar", { locale });
      const width = page.locator(button("option-frame-width"));
      const { least, most } = SHELF.get("ksar").options.find((option) => option.key === "frame");
      const range = await page.locator(`#${await width.getAttribute("aria-describedby")}`).textContent();
      assert.ok(range.includes(String(least)) && range.includes(String(most)), `"${range}" is said beside the field`);
      for (const typed of [String(most + 9), String(least - 1), "", "4.5"]) {
        await width.fill(typed);
        await page.locator(button("play")).click();
        const reason = await page.locator("form [role=alert]").textContent();
        for (const part of [phrase(language, "width"), least, most]) assert.ok(reason.includes(part), `"${reason}" names ${part}`);
        assert.equal(await width.inputValue(), typed, "what was typed stays");
        assert.ok(await width.evaluate((field) => field === document.activeElement && field.ariaInvalid === "true"));
      }
      await width.fill(String(least));
      await page.locator(button("play")).click();
      await page.locator(button("undo")).waitFor();
    });

    test(`${language}: a file that is no record`, async (stage) => {
      const page = await table(stage, "#/quadrangle");
      const file = (name, text) => ({ name, mimeType: "application/json", buffer: Buffer.from(text) });
      const record = { format: "nonet-game", version: 1, game: "quadrangle", options: {}, moves: ["a1", "a1"] };
      for (const text of ["hello", "{}", '{"format":"nonet-game","version":2}', "[]"]) {
        await page.locator(button("load-record")).setInputFiles(file("game.json", text));
        await says(page, "notARecord", language);
      }
      await page.locator(button("load-record")).setInputFiles(file("game.json", JSON.stringify(record)));
      await says(page, "brokenRecord", language);
      await goesOn(page);
    });
  }

  test("a browser without SIMD: a message, and play against the computer, without a network too", async (stage) => {
    // V8 has vectors only on processors with SSE 4.1; it is told that there is none.
    const browser = await launch(false, ["--js-flags=--no-enable-sse4-1"]);
    try {
      const context = await browser.newContext({ locale: "it-IT" });
      const page = await stage.open("#/kolem", { context });
      await says(page, "noSimd", "it");
      const hand = new Mouse(page);
      await setUp(page, hand, { seats: [0, 4] });
      await move(page, hand, chance(5));
      await until("the computer's answer", async () => (await look(page)).moves === 2, 30);
      // Of the two builds of the engine it keeps the one that it runs.
      await page.waitForFunction(() => navigator.serviceWorker.controller !== null, null, { timeout: 30000 });
      const engines = await page.evaluate(async () => {
        const requests = await (await caches.open((await caches.keys())[0])).keys();
        return requests.map(({ url }) => url.split("/").at(-1)).filter((name) => name.endsWith(".wasm"));
      });
      assert.equal(engines.length, 1);
      assert.match(engines[0], /^nonet-plain-/);
      await context.setOffline(true);
      await page.reload();
      await says(page, "noSimd", "it");
      await move(page, hand, chance(5));
      await until("the computer's answer", async () => (await look(page)).moves === 4, 30);
    } finally {
      await browser.close();
    }
  }, { kept: true });

  test("no WebGL: games in which height matters are shown flat", async (stage) => {
    const page = await stage.open("#/ksar");
    assert.ok(await page.evaluate(() => document.createElement("canvas").getContext("webgl2") === null), "this browser has none");
    const hand = new Mouse(page);
    await setUp(page, hand, { options: { frame: "5x7" } });
    assert.ok((await page.locator(".board [data-place]").count()) >= 35);
    await playOut(page, hand, chance(2));
    assert.ok(isOver(await look(page)));
  });
}
