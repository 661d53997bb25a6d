// What survives a page: games in progress through reload, crash and loss of the network; links, records, pictures.
import fs from "node:fs";
import { assert, chance, coloursOf, DESKTOP, GAMES, isHidden, launchKept, PHONE, temporary, test, until } from "./harness.mjs";
import { button, checkResult, describe, download, look, Mouse, move, playOut, setUp } from "./player.mjs";
import { phrase } from "./words.mjs";

/* A table in the middle of a game. */
async function midGame(stage, game, { moves = 3, wishes = {}, ...options } = {}) {
  const page = await stage.open(`#/${game}`, options);
  const hand = new Mouse(page);
  await setUp(page, hand, wishes);
  const random = chance(game.length + moves);
  for (let i = 0; i < moves; i++) await move(page, hand, random);
  return { page, hand, random };
}

const tableOf = (page) => page.locator(`${button("undo")}, ${button("hand-over")}`).first();

export const wishes = { kept: true };

export function register() {
  for (const game of GAMES) {
    test(`${game}: a reload in mid-game loses nothing`, async (stage) => {
      const { page, hand, random } = await midGame(stage, game, { moves: 4 });
      if ((await look(page)).handOver) await hand.press(button("hand-over"));
      const before = await describe(page);
      await page.reload();
      await tableOf(page).waitFor();
      if (isHidden(game)) await hand.press(button("hand-over"));
      assert.deepEqual(await describe(page), before);
      await hand.press(button("undo"));
      await until("one move less", async () => (await look(page)).handOver || (await look(page)).moves === 3);
      await move(page, hand, random);
    });
  }

  test("a game survives the crash of its page", async (stage) => {
    const context = await stage.context();
    const { page } = await midGame(stage, "kolem", { moves: 5, context });
    const before = await describe(page);
    const crashed = page.waitForEvent("crash");
    page.goto("chrome://crash").catch(() => {});
    await crashed;
    const again = await stage.open("#/kolem", { context });
    await tableOf(again).waitFor();
    assert.deepEqual(await describe(again), before);
  });

  test("a game survives the end of the browser", async (stage) => {
    const folder = temporary("profile");
    let before = null;
    for (const run of [1, 2]) {
      const context = await launchKept(folder, DESKTOP);
      try {
        if (run === 1) {
          const { page } = await midGame(stage, "chasm", { moves: 5, context });
          before = await describe(page);
        } else {
          const page = await stage.open("#/chasm", { context });
          await tableOf(page).waitFor();
          assert.deepEqual(await describe(page), before);
        }
      } finally {
        await context.close();
      }
    }
    fs.rmSync(folder, { recursive: true, force: true });
  });

  test("without a network: reload, play on, another game, another language", async (stage) => {
    const context = await stage.context();
    const { page, hand, random } = await midGame(stage, "quadrangle", { context, moves: 2 });
    await page.evaluate(() => navigator.serviceWorker.ready.then(() => true));
    await until("control by the service worker", async () => {
      if (await page.evaluate(() => navigator.serviceWorker.controller !== null)) return true;
      await page.reload();
      await tableOf(page).waitFor();
      return false;
    });
    const before = await describe(page);
    await context.setOffline(true);
    await page.reload();
    await tableOf(page).waitFor();
    assert.deepEqual(await describe(page), before);
    await playOut(page, hand, random);
    await page.goto(`${stage.address}#/kolem`);
    await setUp(page, hand, { seats: [0, 3] });
    await move(page, hand, random);
    await until("the computer's answer", async () => (await look(page)).moves === 2, 20);
    await page.locator(button("language")).selectOption("fr");
    await until("French", async () => (await page.evaluate(() => document.documentElement.lang)) === "fr");
    await context.setOffline(false);
  });

  test("it can be installed: a manifest with a name and icons", async (stage) => {
    const page = await stage.open();
    const href = await page.locator('link[rel="manifest"]').getAttribute("href");
    const manifest = await (await page.request.get(new URL(href, stage.address).href)).json();
    assert.ok(manifest.name && manifest.start_url && /standalone|fullscreen|minimal-ui/.test(manifest.display));
    const sizes = manifest.icons.flatMap((icon) => icon.sizes.split(" "));
    assert.ok(sizes.includes("192x192") || sizes.includes("any"), "an icon of 192 pixels");
    assert.ok(sizes.includes("512x512") || sizes.includes("any"), "an icon of 512 pixels");
    for (const icon of manifest.icons) {
      const response = await page.request.get(new URL(icon.src, new URL(href, stage.address)).href);
      assert.equal(response.status(), 200, icon.src);
    }
  });

  for (const game of GAMES.filter((name) => !isHidden(name))) {
    test(`${game}: a link opens the same position elsewhere`, async (stage) => {
      const { page, hand } = await midGame(stage, game, { moves: 5, permissions: ["clipboard-read", "clipboard-write"] });
      await hand.press(button("link"));
      const link = await until("a link", async () => page.evaluate(() => navigator.clipboard.readText()));
      assert.ok(link.startsWith(stage.address), link);
      const other = await stage.open(link.slice(stage.address.length));
      await tableOf(other).waitFor();
      assert.deepEqual(await describe(other), await describe(page));
    });
  }

  for (const game of GAMES.filter((name) => !isHidden(name))) {
    test(`${game}: a record saved in mid-game is loaded elsewhere; pictures`, async (stage) => {
      const { page } = await midGame(stage, game, { moves: 3 });
      const record = await download(page, "save-record");
      assert.equal(JSON.parse(record.bytes).moves.length, 3);
      const svg = await download(page, "save-svg");
      const root = await page.evaluate((text) => {
        const parsed = new DOMParser().parseFromString(text, "image/svg+xml");
        return parsed.querySelector("parsererror") ? "broken" : parsed.documentElement.nodeName;
      }, svg.bytes.toString("utf8"));
      assert.equal(root, "svg");
      const png = await download(page, "save-png");
      assert.deepEqual([...png.bytes.subarray(0, 8)], [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a], "the mark of a PNG");
      assert.ok(png.bytes.readUInt32BE(16) >= 400 && png.bytes.readUInt32BE(20) >= 300, "a picture of some size");
      const colours = await coloursOf(page, png.bytes);
      assert.ok(colours >= 3, "something is painted on it");
      const other = await stage.open(`#/${game}`);
      await other.locator(button("load-record")).setInputFiles(record.file);
      await tableOf(other).waitFor();
      assert.deepEqual(await describe(other), await describe(page));
    });
  }

  test("that the link is in the clipboard is said in sight, and goes by itself", async (stage) => {
    const { page, hand } = await midGame(stage, "trix", { ...PHONE, permissions: ["clipboard-read", "clipboard-write"] });
    await page.clock.install();
    await page.locator("details[data-section=share] > summary").click();
    await hand.press(button("link"));
    const remark = page.locator("[role=status]", { hasText: phrase("en", "linkCopied") });
    await remark.waitFor();
    const [box, { width, height }] = [await remark.boundingBox(), page.viewportSize()];
    assert.ok(box.x >= 0 && box.y >= 0 && box.x + box.width <= width && box.y + box.height <= height, "inside the window");
    await page.clock.fastForward(7000);
    await remark.waitFor({ state: "detached" });
  });

  test("where the clipboard is closed, the link is in sight, ready to be copied", async (stage) => {
    const context = await stage.context(PHONE);
    await context.addInitScript(() => delete Navigator.prototype.clipboard);
    const { page, hand } = await midGame(stage, "trix", { context });
    await page.locator("details[data-section=share] > summary").click();
    await hand.press(button("link"));
    const link = page.locator(button("link-text"));
    await link.waitFor();
    const [said, box] = [await page.locator("[role=status]", { hasText: phrase("en", "linkToCopy") }).boundingBox(), await link.boundingBox()];
    assert.ok(said.y >= 0 && box.y + box.height <= page.viewportSize().height);
    assert.ok(await link.evaluate((element) => element === document.activeElement && element.selectionEnd === element.value.length));
  });

  test("a record opens the game it is of: from the shelf, from the set-up and from the table of another", async (stage) => {
    const { page } = await midGame(stage, "ksar", { moves: 3, wishes: { options: { frame: "5x7" } } });
    const before = await describe(page);
    const { file } = await download(page, "save-record");
    for (const from of ["", "#/kolem", "#/trix?seats=0,1&moves=b1c1"]) {
      const other = await stage.open(from);
      await other.locator(button("load-record")).setInputFiles(file);
      await until(`Ksar, from ${from}`, async () => (await look(other)).moves === 3 && /#\/ksar$/.test(other.url()));
      assert.deepEqual(await describe(other), before);
      await other.goBack();
      await until("where it came from", async () => (await other.locator("main h1").textContent()) !== "Ksar");
    }
    const shelf = await stage.open();
    for (const [text, said] of [["hello", "notARecord"], ['{"format":"nonet-game","version":1,"game":"chess","moves":[]}', "brokenRecord"]]) {
      await shelf.locator(button("load-record")).setInputFiles({ name: "game.json", mimeType: "application/json", buffer: Buffer.from(text) });
      await shelf.locator("[role=alert]", { hasText: phrase("en", said) }).waitFor();
    }
  });

  test("Masker: record and link only once it is over", async (stage) => {
    const { page, hand, random } = await midGame(stage, "masker", { moves: 2, wishes: { seats: [0, 2] } });
    assert.ok(await page.locator(button("link")).isDisabled());
    assert.ok(await page.locator(button("save-record")).isDisabled());
    await playOut(page, hand, random);
    await checkResult(page);
    assert.ok(await page.locator(button("link")).isEnabled());
  });
}
