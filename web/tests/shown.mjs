// What is shown is what happens: the mark that is clicked, the hint, the piece under the pointer, the place where nothing fits.
import { assert, DESKTOP, PHONE, sleep, test, until } from "./harness.mjs";
import { button, look } from "./player.mjs";
import { round } from "./screenshots.mjs";

/* A game after these moves, seen from above or in 3D: between two people, unless the game is given with other seats. */
export async function after(stage, game, moves, view = "flat", options = {}) {
  const query = new URLSearchParams({ seats: "0,0", moves: moves.join(";") });
  const [id, more = ""] = game.split("?");
  for (const [key, value] of new URLSearchParams(more)) query.set(key, value);
  const page = await stage.open(`#/${id}?${query}`, options);
  const chosen = page.locator(`[data-view="${view}"]`);
  await chosen.waitFor();
  // Where nothing can be drawn in 3D, there is no choice.
  if (await chosen.isEnabled()) await chosen.click();
  if (view === "round") await round(page).waitFor();
  return page;
}

const lastMove = (page) => page.evaluate(() => [...document.querySelectorAll("[data-move]")].at(-1)?.lastChild.textContent.trim());
const nameOf = (page, place) => page.locator(`[data-place="${place}"]`).first().getAttribute("data-name");

/* The marks where a piece can be put, in the window, whose top is the top of the page. */
async function marksOf(page, view) {
  await page.evaluate(() => scrollTo(0, 0));
  await page.mouse.move(1, 1);
  if (view === "flat")
    return page.evaluate(() =>
      [...document.querySelectorAll("circle[data-target]:not(.dark)")].map((mark) => {
        const box = mark.getBoundingClientRect();
        return { place: Number(mark.dataset.target), x: box.x + box.width / 2, y: box.y + box.height / 2 };
      }),
    );
  const canvas = page.locator(".round-view canvas");
  const box = await canvas.boundingBox();
  const told = JSON.parse(await canvas.getAttribute("data-targets"));
  const marks = told.map(({ place, left, top, bottom }) => ({ place, x: box.x + left * box.width, y: box.y + ((top + bottom) / 2) * box.height }));
  // Those that no piece hides: the rings are seen.
  const seen = await light(page, marks);
  return marks.filter((_, i) => seen[i]);
}

/* The 3D picture. */
export const picture = (page) => page.locator(".round-view canvas").screenshot();

/* Whether something as light as a mark is seen around some points of the window. */
async function light(page, points) {
  const png = (await page.screenshot()).toString("base64");
  return page.evaluate(async ([text, wanted]) => {
    const bytes = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
    const bitmap = await createImageBitmap(new Blob([bytes], { type: "image/png" }));
    const context = new OffscreenCanvas(bitmap.width, bitmap.height).getContext("2d", { willReadFrequently: true });
    context.drawImage(bitmap, 0, 0);
    const scale = bitmap.width / innerWidth;
    return wanted.map(({ x, y }) => {
      const [reach, middle] = [Math.round(14 * scale), { x: Math.round(x * scale), y: Math.round(y * scale) }];
      const { data } = context.getImageData(middle.x - reach, middle.y - reach, 2 * reach, 2 * reach);
      let found = 0;
      for (let i = 0; i < data.length; i += 4) if (data[i] > 210 && data[i + 1] > 190 && data[i + 2] > 150) found++;
      return found >= 6 * scale;
    });
  }, [png, points]);
}

/* A village with room for pieces in many places. */
const VILLAGE = ["2x1@i10", "n2x1@a10", "3x1@f10", "1x3@c8", "1x2@d9", "1x3@a7"];
/* Two pieces of the player to move stand on b1 and b2. */
const PUSH = "c3;b3;b2;a2;a1;d4;b1;c1";
const SMALL = { viewport: { width: 1000, height: 640 } }; // drawn by software in half the time
const WAYS = ["2x3", "3x2", "1x3", "3x1", "1x2", "2x1"];

export function register() {
  for (const [device, options] of [["desktop", DESKTOP], ["phone", PHONE]])
    for (const [view, ways, most] of [["flat", WAYS, 4], ["round", WAYS.slice(0, 3), 2], ["round", WAYS.slice(3), 2]])
      test(`Ksar ${view === "flat" ? "from above" : "in 3D"} on a ${device}, ${ways.join(" ")}: the mark that is clicked is the move that is made`, async (stage) => {
        const page = await after(stage, "ksar", VILLAGE, view, view === "round" && device === "desktop" ? SMALL : options);
        const press = (at) => (device === "phone" ? page.touchscreen.tap(at.x, at.y) : page.mouse.click(at.x, at.y));
        let tried = 0;
        for (const [i, way] of ways.entries()) {
          const choose = async () => {
            const own = page.locator(".trays [data-place]").first();
            if ((await own.getAttribute("aria-pressed")) !== "true") await own.click();
            const stand = page.locator(`[data-name="${way}"]`);
            if ((await stand.getAttribute("aria-pressed")) !== "true") await stand.click();
          };
          await choose();
          const marks = await marksOf(page, view);
          assert.ok(marks.length >= 2, `${marks.length} marks for ${way}`);
          for (let k = i % 2; k < marks.length; k += Math.ceil(marks.length / most)) {
            const mark = marks[k];
            await choose();
            await page.evaluate(() => scrollTo(0, 0));
            await press(mark);
            if (device === "phone") {
              assert.equal((await look(page)).moves, VILLAGE.length, "the first tap shows");
              await press(mark);
            }
            await until("the move", async () => (await look(page)).moves === VILLAGE.length + 1, 5);
            assert.equal(await lastMove(page), `${way}@${await nameOf(page, mark.place)}`);
            await page.locator(button("undo")).click();
            await until("taking back", async () => (await look(page)).moves === VILLAGE.length, 5);
            tried++;
          }
        }
        assert.ok(tried > ways.length, `${tried} marks were tried`);
      }, { webgl: view === "round" });

  test("Ksar in 3D: a tap on the tall ghost lays it", async (stage) => {
    const page = await after(stage, "ksar", VILLAGE, "round", PHONE);
    await page.locator(".trays [data-place]").first().tap();
    await page.locator('[data-name="2x1"]').tap();
    const mark = (await marksOf(page, "round"))[0];
    await page.touchscreen.tap(mark.x, mark.y);
    await sleep(100);
    await page.touchscreen.tap(mark.x, mark.y - 30); // its face, three units over the floor
    await until("the move", async () => (await look(page)).moves === VILLAGE.length + 1, 3);
    assert.equal(await lastMove(page), `2x1@${await nameOf(page, mark.place)}`);
  }, { webgl: true });

  test("a floor: where nothing fits the page says why, and a piece slips a few millimetres only", async (stage) => {
    const page = await after(stage, "fullend", ["flat@160,160,0"]);
    // In half millimetres, as moves are written.
    const spot = async (x, y) => {
      const floor = await page.locator("[data-floor]").boundingBox();
      return [floor.x + (x / 320) * floor.width, floor.y + (1 - y / 320) * floor.height];
    };
    for (const [x, y] of [[160, 160], [216, 160], [160, 110]]) {
      await page.mouse.move(...(await spot(x, y)));
      await page.mouse.click(...(await spot(x, y)));
      assert.equal((await look(page)).moves, 1, `nothing is laid on ${x}, ${y}`);
      const notice = page.locator(".board [data-notice]");
      assert.match(await notice.textContent(), /overlap/);
      const said = await notice.boundingBox();
      const [px, py] = await spot(x, y);
      assert.ok(said.x - 20 < px && px < said.x + said.width + 20 && Math.min(Math.abs(said.y - py), Math.abs(said.y + said.height - py)) < 40, "it says so there");
      assert.equal(await page.locator(".board .forbidden").count(), 1, "the piece where it cannot lie");
      assert.equal(await page.locator(".board .ghost").count(), 1, "and the nearest place");
      assert.ok(await page.locator("[data-lay]").isDisabled());
    }
    await page.mouse.click(...(await spot(225, 160)));
    await until("the move", async () => (await look(page)).moves === 2, 3);
    const [, x, y] = /flat@([\d.]+),([\d.]+),0/.exec(await lastMove(page)).map(Number);
    assert.ok(x >= 232 && x < 234 && Math.abs(y - 160) < 3, `it slipped to ${x}, ${y}`);
    await sleep(500);
    // By keys, and by finger, the same.
    await page.locator("[data-floor]").focus();
    await page.mouse.move(...(await spot(160, 160)));
    await page.keyboard.press("Enter");
    assert.match(await page.locator(".spoken").textContent(), /overlap/);
    assert.equal((await look(page)).moves, 2);
    await page.keyboard.press("n");
    await page.keyboard.press("Enter");
    await until("another place", async () => (await look(page)).moves === 3, 3);
  });

  test("a floor in 3D, and by finger: the same", async (stage) => {
    for (const options of [DESKTOP, PHONE]) {
      const page = await after(stage, "fullend", ["flat@160,160,0"], "round", options);
      const box = await page.locator(".round-view canvas").boundingBox();
      const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
      if (options === PHONE) await page.touchscreen.tap(x, y);
      else await page.mouse.click(x, y);
      assert.match(await page.locator(".round-view [data-notice]").textContent(), /overlap/);
      assert.equal((await look(page)).moves, 1);
    }
  }, { webgl: true });

  /* A hint step by step, until it says the move. */
  const hint = async (page) => {
    const said = async () => ((await page.locator("p[role=alert]").textContent({ timeout: 200 }).catch(() => "")) ?? "").trim();
    for (let last = ""; !last.startsWith("Try: "); ) {
      const before = last;
      await page.locator(button("hint")).click();
      last = await until("a hint", async () => (await said()) !== before && (await said()), 20);
    }
    return said();
  };

  for (const [device, options] of [["desktop", DESKTOP], ["phone", PHONE]])
    test(`a hint is played by touching it, on a ${device}`, async (stage) => {
      for (const [game, moves] of [["trix", ["b1c1"]], ["ksar", VILLAGE], ["kolem", ["c3"]], ["fullend", ["flat@160,160,0"]]]) {
        const page = await after(stage, game, moves, "flat", options);
        await hint(page);
        const ghost = page.locator(".board .ghost").first();
        await ghost.scrollIntoViewIfNeeded();
        const told = await page.locator("p[role=alert]").textContent();
        const box = await ghost.boundingBox();
        const at = [box.x + box.width * 0.4, box.y + box.height * 0.55];
        if (device === "phone") await page.touchscreen.tap(...at);
        else {
          await page.mouse.move(...at, { steps: 5 });
          await page.mouse.click(...at);
        }
        await until(`the move that was suggested in ${game}`, async () => (await look(page)).moves === moves.length + 1, 3);
        const played = await lastMove(page);
        for (const part of played.match(/[a-j]\d+|\dx\d/g) ?? []) assert.ok(told.includes(part), `${told} was played as ${played}`);
      }
    });

  test("a hint is played by Enter, and by a click in 3D", async (stage) => {
    const page = await after(stage, "trix", ["b1c1"], "round");
    const told = /on (\w+), from (\w+)$/.exec((await hint(page)).trim());
    const cell = page.locator(`[data-name="${told[1]}"]`);
    await cell.focus();
    await page.keyboard.press("Enter");
    await until("the move", async () => (await look(page)).moves === 2, 3);
    assert.equal(await lastMove(page), told[2] + told[1]);
    await page.locator(button("undo")).click();
    // Where its end is seen: a mark, once the piece is chosen.
    await page.locator(`[data-name="${told[2]}"]`).focus();
    await page.keyboard.press("Enter");
    const marks = await marksOf(page, "round");
    const names = await Promise.all(marks.map(({ place }) => nameOf(page, place)));
    await page.keyboard.press("Escape");
    // Of several good moves, another one may be suggested this time.
    for (let tries = 0; tries < 8; tries++) {
      const again = /on (\w+), from (\w+)$/.exec((await hint(page)).trim());
      if (again[1] !== told[1]) {
        // In the same position it stays the same.
        await page.locator(button("undo")).click();
        await page.locator(button("redo")).click();
        continue;
      }
      const end = marks[names.indexOf(told[1])];
      await page.mouse.click(end.x, end.y);
      await until("the move", async () => (await look(page)).moves === 2, 3);
      assert.equal(await lastMove(page), again[2] + again[1]);
      return;
    }
    throw new Error("it never suggested the same again");
  }, { webgl: true });

  test("the only piece that can move is chosen by a tap, not put down", async (stage) => {
    const alone = "b4;d4;e4;e3;d5;c4;c5;b5;e2;d2;a5;e1;d1;c1;c2;e5;b1;a4".split(";");
    const page = await after(stage, "kolem", alone);
    const ready = (await look(page)).places.filter((place) => place < 25);
    assert.equal(ready.length, 1, "one piece is marked");
    const [piece] = ready;
    const label = () => page.locator(`[data-place="${piece}"]`).getAttribute("aria-label");
    assert.doesNotMatch(await label(), /chosen, |, chosen$/);
    await page.locator(`[data-place="${piece}"]`).click();
    assert.match(await label(), /, chosen/);
    assert.ok((await look(page)).places.filter((place) => place < 25).length > 1, "it shows where it can go");
  });

  test("in 3D a piece is carried under the pointer and lands on the mark there", async (stage) => {
    const page = await after(stage, "ksar", VILLAGE, "round");
    const tray = page.locator(".trays [data-place]").first();
    await tray.click();
    await page.locator('[data-name="1x2"]').click();
    const marks = await marksOf(page, "round");
    for (const mark of [marks[0], marks[Math.floor(marks.length / 2)], marks.at(-1)]) {
      const from = await tray.boundingBox();
      await page.mouse.move(from.x + from.width / 2, from.y + from.height / 2);
      await page.mouse.down();
      await page.mouse.move(mark.x, mark.y, { steps: 8 });
      // The middle of what is carried is blue and under the pointer.
      await until("the piece under the pointer", () => isBlue(page, mark), 3);
      await page.mouse.up();
      await until("the move", async () => (await look(page)).moves === VILLAGE.length + 1, 3);
      assert.equal(await lastMove(page), `1x2@${await nameOf(page, mark.place)}`);
      await page.locator(button("undo")).click();
    }
    // Beside the board as well.
    const canvas = await page.locator(".round-view canvas").boundingBox();
    const [from, beside] = [await tray.boundingBox(), { x: canvas.x + 24, y: canvas.y + canvas.height / 2 }];
    await page.mouse.move(from.x + from.width / 2, from.y + from.height / 2);
    await page.mouse.down();
    await page.mouse.move(beside.x, beside.y, { steps: 8 });
    await until("the piece beside the board", () => isBlue(page, beside), 3);
    await page.mouse.up();
    assert.equal((await look(page)).moves, VILLAGE.length);
  }, { webgl: true });

  test("a piece that is pushed off the board slides over its edge", async (stage) => {
    // b2 to b1: the piece on b1, of the same player, falls; the one from b2 stands there now.
    const page = await after(stage, "chasm", PUSH.split(";"), "flat", { reducedMotion: "no-preference" });
    // Every motion that the page begins is noted down, however short it is.
    await page.evaluate(() => {
      globalThis.motions = [];
      const { animate } = Element.prototype;
      Element.prototype.animate = function (frames, options) {
        if (this.closest(".board svg") && !this.closest(".shadow")) globalThis.motions.push([...frames].map(({ transform }) => transform));
        return animate.call(this, frames, options);
      };
    });
    await page.locator('[data-name="b2"]').click();
    await page.locator('[data-name="b1"]').click();
    await until("the move", async () => (await look(page)).moves === PUSH.split(";").length + 1);
    const ways = async () =>
      (await page.evaluate(() => globalThis.motions)).map((frames) => frames.map((frame) => /translate\((-?[\d.e-]+)px, (-?[\d.e-]+)px\)/.exec(frame ?? "")?.slice(1).map(Number)).filter(Boolean));
    await until("one slides from b2 to b1", async () => (await ways()).some((way) => way.length > 0 && Math.abs(way[0][0]) < 1e-6 && way[0][1] < -0.5), 3);
    await until("one slides off the near edge", async () => (await ways()).some((way) => way.some(([x, y]) => Math.abs(x) < 1e-6 && y > 1)), 3);
  });

  test("in 3D, what a move did is told beside its place", async (stage) => {
    const page = await after(stage, "chasm", PUSH.split(";"), "round", SMALL);
    for (const name of ["b2", "b1"]) {
      await page.locator(`[data-name="${name}"]`).focus();
      await page.keyboard.press("Enter");
    }
    const remark = page.locator('.round-view [data-event="true"]');
    await remark.waitFor();
    assert.match(await remark.textContent(), /pushed off the board from b1/);
    const [said, board, dot] = [await remark.boundingBox(), await page.locator(".round-view canvas").boundingBox(), await page.locator(".round-view .layer i").boundingBox()];
    const b1 = { x: dot.x + dot.width / 2, y: dot.y + dot.height / 2 };
    const seen = [(b1.x - board.x) / board.width, (b1.y - board.y) / board.height];
    assert.ok(seen[0] > 0.28 && seen[0] < 0.5 && seen[1] > 0.58 && seen[1] < 0.85, `the dot is on b1, in front and left of the middle: ${seen}`);
    const away = { x: Math.max(said.x - b1.x, b1.x - said.x - said.width), y: Math.max(said.y - b1.y, b1.y - said.y - said.height) };
    assert.ok(Math.max(away.x, away.y) > 0, "it does not cover the place");
    assert.ok(Math.max(away.x, away.y) < 90, `it is beside the place: ${JSON.stringify(away)}`);
  }, { webgl: true });
}

/* Whether the picture is blue at a point of the window. */
async function isBlue(page, { x, y }) {
  const png = (await page.screenshot({ clip: { x: x - 2, y: y - 2, width: 4, height: 4 } })).toString("base64");
  return page.evaluate(async (text) => {
    const bytes = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
    const context = new OffscreenCanvas(4, 4).getContext("2d");
    context.drawImage(await createImageBitmap(new Blob([bytes], { type: "image/png" })), 0, 0);
    const [red, , blue] = context.getImageData(2, 2, 1, 1).data;
    return blue > red + 20;
  }, png);
}
