// On a phone, with a finger: whole games, and targets that are large enough for it.
import { coversCells, isLong, shortGame } from "./engine.mjs";
import { assert, chance, GAMES, PHONE, test, until } from "./harness.mjs";
import { checkResult, Finger, look, move, playOut, setUp } from "./player.mjs";

const LEAST = 44; // pixels

/* Whatever can be touched and is smaller than a finger; what is not in sight or disabled does not count. */
export function smallTargets(page, besides = "nothing") {
  return page.evaluate(([least, skipped]) => {
    const small = [];
    for (const element of document.querySelectorAll("a[href], button, select, input, summary, [role=button], [data-place]")) {
      const style = getComputedStyle(element);
      if (element.getClientRects().length === 0 || style.visibility === "hidden" || element.disabled) continue;
      if (element.matches(skipped) || element.closest(".hidden-text, .skip") || element.matches("p a, li a:only-child")) continue;
      // A label belongs to its field.
      const boxes = [element, element.closest("label")].filter(Boolean).map((e) => e.getBoundingClientRect());
      const large = boxes.some((box) => box.width >= least - 0.5 && box.height >= least - 0.5);
      if (!large) small.push(`${element.outerHTML.slice(0, 120)} is ${boxes[0].width.toFixed(1)} x ${boxes[0].height.toFixed(1)}`);
    }
    return small;
  }, [LEAST, besides]);
}

/* Nothing sticks out to the right: the page never scrolls sideways. */
export async function fits(page) {
  const wide = await page.evaluate(() => [document.documentElement.scrollWidth, innerWidth]);
  assert.ok(wide[0] <= wide[1], `the page is ${wide[0]} pixels wide on a screen of ${wide[1]}`);
}

/* Unfolds what a narrow screen keeps folded. */
async function unfold(page) {
  const folded = page.locator("details[data-section]:not([open]) > summary");
  while ((await folded.count()) > 0) await folded.first().tap();
}

export function register() {
  for (const [game, options] of [["quadrangle", {}], ["ksar", { frame: "5x7" }], ["kolem", { steps: "4" }], ["fullend", {}]]) {
    test(`${game} by finger, to its end`, async (stage) => {
      const random = chance(game.length);
      const page = await stage.open(`#/${game}`, PHONE);
      const hand = new Finger(page);
      await setUp(page, hand, { options });
      await playOut(page, hand, random, (await isLong(game, options)) ? await shortGame(game, options, random) : []);
      await unfold(page);
      await checkResult(page);
    });
  }

  test("the shelf and the rules have targets for fingers", async (stage) => {
    const page = await stage.open("", PHONE);
    assert.deepEqual(await smallTargets(page), []);
    await fits(page);
  });

  for (const game of GAMES) {
    test(`${game}: targets for fingers, and nothing wider than the screen`, async (stage) => {
      const page = await stage.open(`#/${game}`, PHONE);
      assert.deepEqual(await smallTargets(page), []);
      await fits(page);
      const hand = new Finger(page);
      await setUp(page, hand, {});
      const random = chance(7);
      const covering = await coversCells(game);
      for (let i = 0; i < 3; i++) {
        await fits(page);
        // Where pieces cover several cells, a tap near one shows it and the next lays it: see below.
        assert.deepEqual(await smallTargets(page, covering ? "[role=grid] [data-place]" : undefined), []);
        await move(page, hand, random);
      }
      await unfold(page);
      assert.deepEqual(await smallTargets(page, "[role=grid] [data-place]"), []);
      await fits(page);
    });
  }

  test("the board and all that a move needs are in sight together", async (stage) => {
    const page = await stage.open("#/ksar", PHONE);
    for (const [game, viewport, needed] of [
      ["ksar", { width: 360, height: 740 }, [".round-view.drawn", ".pad", '[data-turn="true"] .trays']],
      ["fullend", { width: 360, height: 740 }, [".board", ".controls", ".toolbar"]],
      ["ksar", { width: 740, height: 360 }, [".round-view.drawn", ".pad", '[data-turn="true"] .trays']],
      ["fullend", { width: 740, height: 360 }, [".board", ".controls"]],
      ["chasm", { width: 740, height: 360 }, [".board", '[data-turn="true"] .trays']],
    ]) {
      await page.setViewportSize(viewport);
      await page.goto("about:blank");
      await page.goto(`${stage.address}#/${game}?seats=0,0&moves=`);
      await page.locator(needed[0]).waitFor();
      if (game === "ksar") await page.locator(".trays [data-place]").first().tap();
      const heights = await page.evaluate((selectors) => {
        const boxes = selectors.map((selector) => document.querySelector(selector).getBoundingClientRect());
        return { from: Math.min(...boxes.map((box) => box.top)), to: Math.max(...boxes.map((box) => box.bottom)) };
      }, needed);
      const room = viewport.height > viewport.width ? heights.to + (await page.evaluate(() => scrollY)) : heights.to - heights.from;
      assert.ok(room <= viewport.height, `${game} needs ${room} pixels of ${viewport.height}`);
      await fits(page);
    }
  }, { webgl: true });

  test("a refusal is wholly in sight", async (stage) => {
    const page = await stage.open("#/kolem", PHONE);
    for (const viewport of [{ width: 360, height: 740 }, { width: 740, height: 360 }]) {
      await page.setViewportSize(viewport);
      await page.goto("about:blank");
      await page.goto(`${stage.address}#/kolem?seats=0,0&moves=`);
      await page.locator(".board").waitFor();
      // Of the cells in sight, the last one at the right.
      const at = await page.evaluate(() => {
        const boxes = [...document.querySelectorAll("[role=grid] [data-place]")].map((cell) => cell.getBoundingClientRect());
        const last = boxes.filter((box) => box.bottom <= innerHeight).at(-1);
        return { x: last.x + last.width / 2, y: last.y + last.height / 2 };
      });
      for (let i = 0; i < 2; i++) await page.touchscreen.tap(at.x, at.y);
      await page.locator(".board [data-notice]").waitFor();
      await until("a notice inside the window and the board", () =>
        page.evaluate(() => {
          const [notice, board] = [".board [data-notice]", ".board"].map((wanted) => document.querySelector(wanted).getBoundingClientRect());
          return notice.top >= 0 && notice.bottom <= innerHeight && notice.left >= board.left - 0.5 && notice.right <= board.right + 0.5;
        }), 3);
    }
  });

  test("a large piece is found from 22 pixels away, shown first, and laid by a second tap", async (stage) => {
    const page = await stage.open("#/ksar", PHONE);
    const hand = new Finger(page);
    await setUp(page, hand, {});
    await move(page, hand, chance(2));
    await hand.press(".trays [data-place]:enabled");
    await page.locator('[data-name="j10"]').scrollIntoViewIfNeeded();
    const corner = await page.locator('[data-name="j10"]').boundingBox();
    await page.touchscreen.tap(corner.x + corner.width / 2 - 20, corner.y + corner.height / 2 + 20);
    assert.equal((await look(page)).moves, 1, "the first tap shows");
    await page.locator(".ghost").first().waitFor();
    const ghost = await page.locator(".ghost").first().boundingBox();
    await page.touchscreen.tap(ghost.x + ghost.width / 2, ghost.y + ghost.height / 2);
    assert.equal((await look(page)).moves, 2, "the second lays");
  });
}
