// The board explains itself: parts and goals, marks, letters, hatches, and words that mean one thing.
import { assert, DESKTOP, LANGUAGES, LOCALES, SHELF, test, until } from "./harness.mjs";
import { button, Mouse, setUp } from "./player.mjs";
import { after, picture } from "./shown.mjs";

/* What is written on the pieces of a board from above. */
const written = (page) => page.locator(".board svg text:not(.name)").allTextContents();
const signs = async (page) => (await page.locator("[data-signs] li").allTextContents()).map((text) => text.replace(/\s+/g, " ").trim());

export function register() {
  test("the parts of a board and the players' goals are drawn and spoken", async (stage) => {
    const kudosu = await after(stage, "kudosu", []);
    assert.equal(await kudosu.locator(".board .border").count(), 8, "four lines each way part the quadrants");
    assert.ok((await signs(kudosu)).includes("strong lines: areas of the board"));
    for (const [camps, goals] of [["corner", { 1: ["c4", "d3", "d4"], 2: ["a1", "a2", "b1"] }], ["side", { 1: ["a4", "b4", "c4", "d4"], 2: ["a1", "b1", "c1", "d1"] }]]) {
      const trix = await after(stage, `trix?camps=${camps}`, []);
      for (const [player, cells] of Object.entries(goals)) {
        assert.equal(await trix.locator(`.board [data-home="${player}"]`).count(), cells.length);
        const spoken = await trix.evaluate((goal) => [...document.querySelectorAll("[role=grid] [data-name]")].filter((cell) => cell.ariaLabel.includes(goal)).map((cell) => cell.dataset.name), `goal of player ${player}`);
        assert.deepEqual(spoken.sort(), cells);
      }
      assert.ok((await signs(trix)).some((sign) => sign.includes("goal of Player 2 (walnut)")));
    }
  });

  test("in 3D as well", async (stage) => {
    // The same pieces and the same player to move; only the goals differ.
    const from = "..BB/...B/A.../AA.. 1";
    const pictures = [];
    for (const camps of ["corner", "side"]) {
      const page = await after(stage, `trix?camps=${camps}&from=${encodeURIComponent(from)}`, [], "round");
      pictures.push((await picture(page)).toString("base64"));
    }
    assert.notEqual(pictures[0], pictures[1]);
  }, { webgl: true });

  test("marks look like no piece, and a ghost that is not allowed has no player's colour", async (stage) => {
    const page = await after(stage, "ksar", ["2x1@i10"]);
    await page.locator(".trays [data-place]").first().click();
    const marks = page.locator(".board [data-target]");
    assert.ok((await marks.count()) > 0);
    for (const { fill, dashes } of await marks.evaluateAll((all) => all.map((mark) => ({ fill: getComputedStyle(mark).fill, dashes: getComputedStyle(mark).strokeDasharray })))) {
      assert.equal(fill, "none");
      assert.match(dashes, /\d/, "the ring has gaps");
    }
    const middle = await page.locator('[data-name="e5"]').boundingBox();
    await page.mouse.move(middle.x + 5, middle.y + 5);
    const forbidden = page.locator(".board .forbidden");
    assert.equal(await forbidden.count(), 1);
    assert.equal(await forbidden.locator('[fill="url(#forbidden)"]').count(), 1, "hatched");
    assert.ok((await forbidden.locator("[stroke-dasharray]").count()) > 0, "with a broken line");
    assert.equal(await forbidden.locator('[fill^="url(#wood"]').count(), 0, "and of no wood");
  });

  test("in 3D a ghost has the colour of its piece from the first move on", async (stage) => {
    const page = await after(stage, "ksar", [], "round");
    await page.locator(".trays [data-place]").first().click();
    const canvas = page.locator(".round-view canvas");
    const [mark] = JSON.parse(await canvas.getAttribute("data-targets"));
    const box = await canvas.boundingBox();
    const blue = async () => {
      const png = (await canvas.screenshot()).toString("base64");
      return page.evaluate(async (text) => {
        const bitmap = await createImageBitmap(new Blob([Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0))], { type: "image/png" }));
        const context = new OffscreenCanvas(bitmap.width, bitmap.height).getContext("2d");
        context.drawImage(bitmap, 0, 0);
        const { data } = context.getImageData(0, 0, bitmap.width, bitmap.height);
        let found = 0;
        for (let i = 0; i < data.length; i += 4) if (data[i + 2] > data[i] + 20) found++;
        return found;
      }, png);
    };
    assert.equal(await blue(), 0, "nothing is blue yet");
    await page.mouse.move(box.x + mark.left * box.width, box.y + (mark.top + 0.02) * box.height);
    await until("a blue ghost", async () => (await blue()) > 200, 5);
  }, { webgl: true });

  const LETTERS = { en: ["B", "W"], fr: ["Bc", "N"], de: ["S", "W"], nl: ["W", "Z"], it: ["Bi", "N"] }; // black and white
  for (const language of LANGUAGES)
    test(`letters on pieces are ${language}, and explained`, async (stage) => {
      const context = await stage.context({ locale: LOCALES[language] });
      for (const [game, moves] of [["kolem", ["c3", "c4"]], ["kudosu", ["Wd2", "Zc4", "Pa1"]], ["masker?seats=0,3", []], ["chasm?players=4&seats=0,0,0,0", ["a1", "b3", "c2", "d4"]], ["ksar", ["2x3@a1"]]]) {
        const page = await after(stage, game, moves, "flat", { context });
        const explained = await signs(page);
        const letters = new Map();
        for (const sign of explained) letters.set(sign.split(" ")[0], sign);
        for (const text of await written(page)) {
          const letter = text.replace(/\d/g, "");
          assert.ok(letter === "" || letters.has(letter), `${game}: ${text} is not among ${explained}`);
        }
        assert.equal(letters.size, explained.length, `${game}: no two signs are alike: ${explained}`);
        if (game === "kolem") assert.deepEqual((await written(page)).sort(), LETTERS[language]);
        await page.close();
      }
    });

  test("on a floor, hatches are explained and the supply is told once", async (stage) => {
    const page = await after(stage, "fullend", ["flat@160,160,0"]);
    const floor = await page.locator("[data-floor]").boundingBox();
    await page.mouse.move(floor.x + 20, floor.y + 20);
    await page.getByText("Hatched: a piece like this does not fit there.").waitFor();
    assert.equal(await page.locator("[data-supply]").count(), 1);
    assert.equal((await page.locator(".top").last().innerText()).match(/\b23\b/g)?.length, 1);
  });

  test("flat means one thing, and options have short labels", async (stage) => {
    const page = await stage.open("#/masker", DESKTOP);
    const variant = page.locator(button("option-variant"));
    assert.deepEqual(await variant.locator("option").allTextContents(), ["one layer", "towers"]);
    for (const game of SHELF.values()) {
      await page.goto(`${stage.address}#/${game.id}`);
      await page.locator(button("play")).waitFor();
      const legends = await page.locator("fieldset:has([data-do^=option]) legend").allTextContents();
      for (const legend of legends) assert.ok(legend.length <= 20, `${game.id}: ${legend}`);
      assert.equal(await page.locator("fieldset .about").count(), legends.length, "what it means stands below");
    }
    await setUp(page, new Mouse(page), {});
    assert.equal((await page.locator('[data-view="flat"]').textContent()).trim(), "From above");
  });
}
