// On a phone, with a finger: whole games, and targets that are large enough for it.
import { shortGame } from "./engine.mjs";
import { assert, chance, GAMES, PHONE, test } from "./harness.mjs";
import { checkResult, Finger, move, playOut, setUp } from "./player.mjs";

const LEAST = 44; // pixels

/* Whatever can be touched and is smaller than a finger; what is not in sight or disabled does not count. */
export function smallTargets(page) {
  return page.evaluate((least) => {
    const small = [];
    for (const element of document.querySelectorAll("a[href], button, select, input, summary, [role=button], [data-place]")) {
      const style = getComputedStyle(element);
      if (element.getClientRects().length === 0 || style.visibility === "hidden" || element.disabled) continue;
      if (element.closest(".hidden-text, .skip") || element.matches("p a, li a:only-child")) continue;
      // A label belongs to its field.
      const boxes = [element, element.closest("label")].filter(Boolean).map((e) => e.getBoundingClientRect());
      const large = boxes.some((box) => box.width >= least - 0.5 && box.height >= least - 0.5);
      if (!large) small.push(`${element.outerHTML.slice(0, 120)} is ${boxes[0].width.toFixed(1)} x ${boxes[0].height.toFixed(1)}`);
    }
    return small;
  }, LEAST);
}

/* Nothing sticks out to the right: the page never scrolls sideways. */
export async function fits(page) {
  const wide = await page.evaluate(() => [document.documentElement.scrollWidth, innerWidth]);
  assert.ok(wide[0] <= wide[1], `the page is ${wide[0]} pixels wide on a screen of ${wide[1]}`);
}

export function register() {
  for (const [game, options] of [["quadrangle", {}], ["ksar", { frame: "5x7" }], ["kolem", { steps: "4" }], ["fullend", {}]]) {
    test(`${game} by finger, to its end`, async (stage) => {
      const random = chance(game.length);
      const page = await stage.open(`#/${game}`, PHONE);
      const hand = new Finger(page);
      await setUp(page, hand, { options });
      await playOut(page, hand, random, game === "kolem" ? await shortGame(game, options, random) : []);
      for (const folded of await page.locator("details:not([open]) > summary").all()) await folded.tap();
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
      for (let i = 0; i < 3; i++) {
        await fits(page);
        assert.deepEqual(await smallTargets(page), []);
        await move(page, hand, random);
      }
      for (const folded of await page.locator("details:not([open]) > summary").all()) await folded.tap();
      assert.deepEqual(await smallTargets(page), []);
      await fits(page);
    });
  }
}
