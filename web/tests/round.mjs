// In the round: played with the mouse on the picture, turned with mouse, finger and buttons, by software alone.
import { assert, chance, test, until } from "./harness.mjs";
import { button, checkResult, isOver, Keyboard, look, Mouse, playOut, setUp } from "./player.mjs";
import { round } from "./screenshots.mjs";

async function table(stage, game, wishes = {}, options = {}) {
  const page = await stage.open(`#/${game}`, options);
  const hand = new Mouse(page);
  await setUp(page, hand, wishes);
  await page.locator('[data-view="round"]').click();
  await round(page).waitFor();
  return { page, hand };
}

/* Points at the picture here and there, and clicks where the page says that a click will do something. */
async function poke(page, random) {
  const box = await page.locator(".round-view canvas").boundingBox();
  const before = await look(page);
  for (let tries = 0; tries < 400; tries++) {
    const point = { x: box.x + box.width * (0.1 + random.below(80) / 100), y: box.y + box.height * (0.1 + random.below(80) / 100) };
    await page.mouse.move(point.x, point.y);
    if (!(await page.locator(".round-view canvas.can").count())) continue;
    await page.mouse.click(point.x, point.y);
    const after = await look(page);
    if (after.moves > before.moves || isOver(after)) return;
  }
  throw new Error("found nothing to touch in the picture");
}

const picture = async (page) => (await page.locator(".round-view canvas").screenshot()).toString("base64");

export function register() {
  test("a whole game by mouse on the picture", async (stage) => {
    const { page } = await table(stage, "quadrangle");
    const random = chance(12);
    for (let ply = 0; ply < 16 && !isOver(await look(page)); ply++) await poke(page, random);
    await checkResult(page);
  }, { webgl: true });

  test("a whole game by keys while the picture is shown", async (stage) => {
    const { page } = await table(stage, "quadrangle");
    await playOut(page, new Keyboard(page), chance(13));
    await checkResult(page);
  }, { webgl: true });

  test("Fullend: a click on the floor lays a piece down", async (stage) => {
    const { page } = await table(stage, "fullend");
    const box = await page.locator(".round-view canvas").boundingBox();
    for (let i = 0; i < 3; i++) {
      await page.mouse.move(box.x + box.width * (0.35 + 0.1 * i), box.y + box.height * 0.5);
      await page.mouse.down();
      await page.mouse.up();
      await until("another piece", async () => (await look(page)).moves === i + 1);
    }
  }, { webgl: true });

  test("the board turns with the mouse and with buttons", async (stage) => {
    const { page, hand } = await table(stage, "kolem");
    const first = await picture(page);
    const box = await page.locator(".round-view canvas").boundingBox();
    await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
    await page.mouse.down();
    await page.mouse.move(box.x + box.width / 2 + 90, box.y + box.height / 2 + 20, { steps: 4 });
    await page.mouse.up();
    assert.equal((await look(page)).moves, 0, "turning is no move");
    const turned = await picture(page);
    assert.notEqual(turned, first);
    await hand.press('[data-look="left"]');
    assert.notEqual(await picture(page), turned);
    await hand.press('[data-view="flat"]');
    assert.equal(await page.locator(".round-view").count(), 0);
    await page.reload();
    await page.locator(button("undo")).waitFor();
    assert.equal(await page.locator('[data-view="flat"]').getAttribute("aria-pressed"), "true", "the choice is kept");
  }, { webgl: true });

  test("by software it is drawn often enough to be used", async (stage) => {
    const { page } = await table(stage, "ksar");
    // Ten looks from ten sides, each drawn before the next.
    const ms = await page.evaluate(async () => {
      const frame = () => new Promise(requestAnimationFrame);
      const left = document.querySelector('[data-look="left"]');
      const begun = performance.now();
      for (let i = 0; i < 10; i++) {
        left.click();
        await frame();
        await frame();
      }
      return (performance.now() - begun) / 10;
    });
    console.log(`      a picture of Ksar by software: ${Math.round(ms)} ms`);
    assert.ok(ms < 1000, `${ms} ms a picture`);
  }, { webgl: true, alone: true, tries: 6 });
}
