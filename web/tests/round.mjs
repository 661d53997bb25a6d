// The 3D view: played with the mouse on the picture, turned with mouse, finger and buttons, drawn by software alone.
import { assert, chance, DESKTOP, PHONE, test, until } from "./harness.mjs";
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

/* Points at the picture here and there, until the page says that a click will do something. */
async function pointAtSomething(page, random) {
  const box = await page.locator(".round-view canvas").boundingBox();
  for (let tries = 0; tries < 400; tries++) {
    const point = { x: box.x + box.width * (0.1 + random.below(80) / 100), y: box.y + box.height * (0.1 + random.below(80) / 100) };
    await page.mouse.move(point.x, point.y);
    if (await page.locator(".round-view canvas.can").count()) return point;
  }
  throw new Error("found nothing to touch in the picture");
}

async function poke(page, random) {
  const before = await look(page);
  for (let tries = 0; tries < 40; tries++) {
    const point = await pointAtSomething(page, random);
    await page.mouse.click(point.x, point.y);
    const after = await look(page);
    if (after.moves > before.moves || isOver(after)) return;
  }
  throw new Error("no click in the picture made a move");
}

const picture = async (page) => (await page.locator(".round-view canvas").screenshot()).toString("base64");

/* A game after these moves, in 3D. */
async function after(stage, game, moves, options = {}) {
  const page = await stage.open(`#/${game}?seats=0,0&moves=${moves.join(";")}`, options);
  await page.locator('[data-view="round"]').click();
  await round(page).waitFor();
  return page;
}

/* How much of the picture is blue, in pixels, how much of its edge, and how much has the colour of the last move; and the colours along its upper edge. */
async function survey(page) {
  return page.evaluate(async (text) => {
    const bytes = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
    const bitmap = await createImageBitmap(new Blob([bytes], { type: "image/png" }));
    const { width, height } = bitmap;
    const context = new OffscreenCanvas(width, height).getContext("2d", { willReadFrequently: true });
    context.drawImage(bitmap, 0, 0);
    const count = (is, ...box) => {
      const { data } = context.getImageData(...box);
      let found = 0;
      for (let i = 0; i < data.length; i += 4) if (is(data[i], data[i + 1], data[i + 2])) found++;
      return found;
    };
    const isBlue = (red, green, blue) => blue > red + 30;
    const isLast = (red, green, blue) => Math.hypot(red - 255, green - 224, blue - 138) < 20;
    const sides = [[0, 0, width, 4], [0, height - 4, width, 4], [0, 0, 4, height], [width - 4, 0, 4, height]];
    return {
      blue: count(isBlue, 0, 0, width, height),
      edge: sides.reduce((sum, side) => sum + count(isBlue, ...side), 0),
      last: count(isLast, 0, 0, width, height),
      upper: [...context.getImageData(0, 2, width, 1).data],
    };
  }, await picture(page));
}

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

  test("Fullend: a click on the floor lays a piece down, and a double click no second one", async (stage) => {
    const { page } = await table(stage, "fullend");
    const box = await page.locator(".round-view canvas").boundingBox();
    for (let i = 0; i < 3; i++) {
      await page.mouse.move(box.x + box.width * (0.36 + 0.14 * i), box.y + box.height * 0.5);
      await page.mouse.dblclick(box.x + box.width * (0.36 + 0.14 * i), box.y + box.height * 0.5);
      await until("another piece", async () => (await look(page)).moves > i);
      await page.waitForTimeout(500);
      assert.equal((await look(page)).moves, i + 1, "one piece at a time");
    }
  }, { webgl: true });

  test("Escape puts a piece back that is carried", async (stage) => {
    const { page } = await table(stage, "trix");
    const before = await picture(page);
    const point = await pointAtSomething(page, chance(14));
    await page.mouse.down();
    await page.mouse.move(point.x + 60, point.y - 60, { steps: 6 });
    await page.locator(".round-view canvas.carrying").waitFor();
    await page.keyboard.press("Escape");
    await until("an empty hand", async () => (await page.locator(".round-view canvas.carrying").count()) === 0);
    await page.mouse.up();
    await page.mouse.move(0, 0);
    assert.equal((await look(page)).moves, 0, "nothing moved");
    await until("the picture as it was", async () => (await picture(page)) === before);
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

  for (const [device, options] of [["desktop", DESKTOP], ["phone", PHONE]])
    test(`nothing is cut off by the edge of the picture, on a ${device}`, async (stage) => {
      // Pieces three units high in two corners: nothing else is blue.
      const ksar = await after(stage, "ksar", ["2x1@a10", "2x3@a1", "2x1@i10"], options);
      for (let turn = 0; turn <= 180; turn += 60) {
        const { blue, edge } = await survey(ksar);
        assert.ok(blue > 100, "it can be seen");
        assert.equal(edge, 0, `turned by ${turn} degrees, it ends within the picture`);
        for (let i = 0; i < 2; i++) await ksar.locator('[data-look="left"]').click();
      }
      // Along the far side of the floor there is nothing, or pieces on edge.
      const few = await survey(await after(stage, "fullend", ["flat@160,60,0"], options));
      const more = await survey(await after(stage, "fullend", ["flat@160,60,0", "edge@60,305,0", "edge@160,305,0", "edge@260,305,0"], options));
      const apart = more.upper.filter((value, i) => Math.abs(value - few.upper[i]) > 40).length;
      assert.equal(apart, 0, "at the far side of the floor, too");
    }, { webgl: true });

  test("the last move is marked", async (stage) => {
    const page = await after(stage, "ksar", ["2x1@a10"]);
    assert.ok((await survey(page)).last > 60, "on the piece that came");
    await page.locator(button("undo")).click();
    await until("no mark", async () => (await survey(page)).last === 0);
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
