// Everything that can be done at a table besides moving.
import { engine } from "./engine.mjs";
import { assert, chance, GAMES, test, until } from "./harness.mjs";
import { at, button, describe, isOver, look, Mouse, move, setUp } from "./player.mjs";

async function table(stage, game, wishes = {}, options = {}) {
  const page = await stage.open(`#/${game}`, options);
  const hand = new Mouse(page);
  await setUp(page, hand, wishes);
  return { page, hand, random: chance(11) };
}

const alert = (page) => page.locator(".notice").filter({ hasText: /\S/ }).first();

/* The moves of the list, without their numbers and players. */
const moveTexts = (page) =>
  page.evaluate(() => [...document.querySelectorAll("[data-move]")].map((element) => element.lastChild.textContent.trim()));

export function register() {
  test("taking back and playing again", async (stage) => {
    const { page, hand, random } = await table(stage, "kolem");
    const seen = [await describe(page)];
    for (let i = 0; i < 4; i++) {
      await move(page, hand, random);
      seen.push(await describe(page));
    }
    for (const before of seen.slice(0, -1).reverse()) {
      await hand.press(button("undo"));
      assert.deepEqual(await describe(page), before);
    }
    assert.ok(await page.locator(button("undo")).isDisabled());
    for (const after of seen.slice(1)) {
      await hand.press(button("redo"));
      assert.deepEqual(await describe(page), after);
    }
    assert.ok(await page.locator(button("redo")).isDisabled());
    await hand.press(button("undo"));
    await move(page, hand, random);
    assert.ok(await page.locator(button("redo")).isDisabled(), "another move makes another future");
  });

  test("against a computer, taking back reaches one's own last decision", async (stage) => {
    const { page, hand, random } = await table(stage, "kolem", { seats: [0, 2] });
    const first = await describe(page);
    await move(page, hand, random);
    await until("the answer", async () => (await look(page)).moves === 2 && !(await look(page)).thinking);
    const second = await describe(page);
    await hand.press(button("undo"));
    assert.deepEqual(await describe(page), first);
    await hand.press(button("redo"));
    await until("both moves", async () => (await look(page)).moves === 2);
    assert.deepEqual((await describe(page)).places, second.places);
  });

  test("a hint names a legal move", async (stage) => {
    const { page, hand, random } = await table(stage, "trix");
    await move(page, hand, random);
    const moves = await moveTexts(page);
    const text = async () => ((await alert(page).textContent({ timeout: 100 }).catch(() => "")) ?? "").trim();
    const says = async (what) => {
      await hand.press(button("hint"));
      return until("the hint", async () => what.exec(await text()), 15);
    };
    const [, first, last] = await says(/^Hint 1 of 3: look at the part of the board from (\w+) to (\w+)$/);
    const [, piece] = await says(/^Hint 2 of 3: use this: piece of player 2 on (\w+)$/);
    const [, to, from] = await says(/^Try: .* on (\w+), from (\w+)$/);
    assert.equal(from, piece, "the piece that was named");
    for (const i of [0, 1]) assert.ok(first[i] <= to[i] && to[i] <= last[i], `${to} is in the part from ${first} to ${last}`);
    assert.ok(last.charCodeAt(0) - first.charCodeAt(0) < 2, "the part is not half of the board");
    const e = await engine();
    e.begin("trix", {}, moves);
    assert.ok(e.position().moves.some(([name]) => name === from + to), `${from} to ${to} is legal`);
    assert.equal((await look(page)).moves, 1, "a hint moves nothing");
  });

  test("move now stops the computer's thinking", async (stage) => {
    const { page, hand, random } = await table(stage, "chasm", { options: { players: "3" }, seats: [0, 10, 0] });
    await move(page, hand, random);
    await until("thinking", async () => (await look(page)).thinking);
    const begun = Date.now();
    await hand.press(button("move-now"));
    await until("its move", async () => (await look(page)).moves === 2);
    assert.ok(Date.now() - begun < 1000, `it took ${Date.now() - begun} ms`);
  }, { alone: true, tries: 6 });

  test("start again, and a new game", async (stage) => {
    const { page, hand, random } = await table(stage, "trix", { options: { camps: "side" } });
    const first = await describe(page);
    await move(page, hand, random);
    await hand.press(button("restart"));
    await until("an empty list of moves", async () => (await look(page)).moves === 0);
    assert.deepEqual(await describe(page), first, "the same options again");
    await hand.press(button("new"));
    await page.locator(button("play")).waitFor();
    assert.equal(await page.locator(button("option-camps")).inputValue(), "side");
  });

  test("swapping sides: the computer plays what the person played", async (stage) => {
    const { page, hand } = await table(stage, "quadrangle", { seats: [0, 1] });
    assert.equal((await look(page)).moves, 0);
    await hand.press(button("swap"));
    await until("the computer's first move", async () => (await look(page)).moves === 1 && !(await look(page)).thinking);
    assert.match((await look(page)).status, /^Player 2.*: choose/);
  });

  test("turning the board, and coordinates", async (stage) => {
    const { page, hand, random } = await table(stage, "kolem");
    const corner = () => page.locator('[data-name="a1"]').boundingBox();
    const before = await corner();
    const board = await page.locator("[role=grid] [data-name=d4]").boundingBox();
    assert.ok(before.x < board.x && before.y > board.y, "a1 is near on the left");
    await hand.press(button("turn"));
    const after = await corner();
    assert.ok(after.x > before.x && after.y < before.y, "a1 is far on the right");
    await move(page, hand, random);
    assert.equal((await look(page)).moves, 1, "one can play on a turned board");
    const names = page.locator("svg text.name");
    assert.ok((await names.count()) >= 8);
    await hand.press(button("coordinates"));
    assert.equal(await names.count(), 0);
    await page.reload();
    await page.locator(button("undo")).waitFor();
    assert.equal(await names.count(), 0, "a setting is kept");
  });

  test("sounds, and silence", async (stage) => {
    const context = await stage.context();
    await context.addInitScript(() => {
      globalThis.sounds = 0;
      for (const node of [AudioBufferSourceNode, OscillatorNode]) {
        const start = node.prototype.start;
        node.prototype.start = function (...args) {
          globalThis.sounds++;
          return start.apply(this, args);
        };
      }
    });
    const { page, hand, random } = await table(stage, "quadrangle", {}, { context });
    const heard = () => page.evaluate(() => globalThis.sounds);
    await move(page, hand, random);
    await until("a sound", async () => (await heard()) > 0, 3);
    await hand.press(button("sound"));
    const before = await heard();
    await move(page, hand, random);
    await page.waitForTimeout(400);
    assert.equal(await heard(), before, "switched off is off");
  });

  test("the list of moves, to step through", async (stage) => {
    const { page, hand, random } = await table(stage, "kudosu");
    const seen = [(await describe(page)).places];
    for (let i = 0; i < 5; i++) {
      await move(page, hand, random);
      seen.push((await describe(page)).places);
    }
    const shows = async (ply, what) => assert.deepEqual((await describe(page)).places.slice(0, 16), seen[ply].slice(0, 16), what);
    await hand.press(button("first"));
    await shows(0, "the first position");
    assert.match((await look(page)).status, /0/);
    await hand.press(button("later"));
    await shows(1, "one on");
    await hand.press('[data-move="4"]');
    await shows(4, "the fourth");
    await hand.press(button("earlier"));
    await shows(3, "one back");
    assert.ok((await page.locator(".changed, [data-changed]").count()) > 0, "the move looked at is marked");
    await hand.press(button("last"));
    await shows(5, "the latest");
    await move(page, hand, random);
    assert.equal((await look(page)).moves, 6, "and play goes on");
  });

  test("a game between computers, to watch", async (stage) => {
    const { page } = await table(stage, "mix3", { seats: [1, 2] });
    await until("the end", async () => isOver(await look(page)), 40);
    assert.equal((await look(page)).moves, 16);
    await page.locator(button("undo")).click();
    await page.waitForTimeout(1500);
    assert.equal((await look(page)).moves, 15, "a person who takes back wants to look");
    await page.locator(button("pause")).click();
    await until("the end again", async () => isOver(await look(page)));
  });

  test("computers of several levels answer", async (stage) => {
    const { page, hand, random } = await table(stage, "chasm", { options: { players: "4" }, seats: [0, 1, 5, 9] });
    await move(page, hand, random);
    await until("three answers", async () => (await look(page)).moves >= 4, 30);
  });

  test("an illegal try says why, at its place", async (stage) => {
    for (const [game, played, tries, reason] of [
      ["kolem", ["c3"], ["c3"], /c3 is occupied/],
      ["trix", [], ["a1", "d4"], /d4 is occupied/],
      ["trix", [], ["d4"], /d4 is not yours/],
      ["trix", [], ["c1"], /no piece on c1/],
    ]) {
      const { page, hand } = await table(stage, game);
      for (const name of played) await hand.press(`[data-name="${name}"]`);
      const state = await describe(page);
      for (const name of tries) await hand.press(`[data-name="${name}"]`);
      const notice = page.locator(".board [data-notice]");
      await notice.waitFor();
      assert.match(await notice.textContent(), reason);
      const [said, cell] = [await notice.boundingBox(), await page.locator(`[data-name="${tries.at(-1)}"]`).boundingBox()];
      const away = Math.max(said.y - (cell.y + cell.height), cell.y - (said.y + said.height), said.x - (cell.x + cell.width), cell.x - (said.x + said.width));
      assert.ok(away < cell.height, `it says so beside the cell, not ${away} pixels away`);
      assert.equal((await describe(page)).moves.length, state.moves.length, "nothing has moved");
    }
  });

  test("a piece is dragged, its ghost shows where it would land, and a drop that is not allowed says why", async (stage) => {
    const { page, hand } = await table(stage, "trix");
    const middle = async (name) => {
      const box = await page.locator(`[data-name="${name}"]`).boundingBox();
      return [box.x + box.width / 2, box.y + box.height / 2];
    };
    const drag = async (from, to) => {
      await page.mouse.move(...(await middle(from)));
      await page.mouse.down();
      await page.mouse.move(...(await middle(to)), { steps: 5 });
    };
    const ghosts = () => page.locator(".board .ghost").count();
    await drag("b1", "d4");
    assert.equal(await ghosts(), 1, "the piece left its place: no other ghost where it cannot land");
    await page.mouse.up();
    assert.match(await page.locator(".board [data-notice]").textContent(), /d4 is occupied/);
    assert.deepEqual(await moveTexts(page), []);
    await drag("b1", "c1");
    assert.equal(await ghosts(), 2, "the place it left, and where it would land");
    await page.mouse.up();
    assert.deepEqual(await moveTexts(page), ["b1c1"]);
    await hand.press('[data-name="d3"]');
    await page.mouse.move(...(await middle("c3")));
    await until("a ghost under the pointer", async () => (await ghosts()) === 1);
  });

  test("impatience: two clicks for one, a drag that Escape or a lost button ends", async (stage) => {
    const { page } = await table(stage, "trix");
    const middle = async (selector) => {
      const box = await page.locator(selector).first().boundingBox();
      return [box.x + box.width / 2, box.y + box.height / 2];
    };
    const held = () => page.locator(".board .held").count();
    await page.mouse.dblclick(...(await middle('[data-name="a1"]')));
    assert.match((await look(page)).status, /choose a marked place/, "it stays chosen");
    await page.keyboard.press("Escape");
    await page.goto(`${stage.address}#/kudosu`);
    await setUp(page, new Mouse(page), {});
    for (const way of ["Escape", "lost"]) {
      await page.mouse.move(...(await middle(".trays [data-place]")));
      await page.mouse.down();
      await page.mouse.move(...(await middle('[data-name="b2"]')), { steps: 5 });
      assert.equal(await held(), 1);
      if (way === "Escape") await page.keyboard.press("Escape");
      else await page.evaluate(() => window.dispatchEvent(new PointerEvent("pointermove", { pointerId: 1, buttons: 0, clientX: 9, clientY: 9 })));
      assert.equal(await held(), 0, `${way} lets go`);
      await page.mouse.up();
      assert.equal((await look(page)).moves, 0);
      await page.keyboard.press("Escape");
    }
    await page.mouse.dblclick(...(await middle(".trays [data-place]")));
    assert.match((await look(page)).status, /choose a marked place/);
  });

  test("impatience: two clicks on a floor lay one piece, and only what was pressed there", async (stage) => {
    const { page } = await table(stage, "fullend");
    const floor = await page.locator("[data-floor]").boundingBox();
    const [x, y] = [floor.x + floor.width / 2, floor.y + floor.height / 2];
    await page.mouse.dblclick(x, y);
    assert.equal((await look(page)).moves, 1);
    await page.waitForTimeout(500);
    const status = await page.locator(".status").boundingBox();
    await page.mouse.move(status.x + 5, status.y + 5);
    await page.mouse.down();
    await page.mouse.move(x + 100, y, { steps: 3 });
    await page.mouse.up();
    assert.equal((await look(page)).moves, 1, "pressed elsewhere");
    const kind = await page.locator('[data-kind="1"]').boundingBox();
    await page.mouse.move(kind.x + 20, kind.y + 20);
    await page.mouse.down();
    await page.mouse.move(x + 100, y, { steps: 5 });
    await page.mouse.up();
    assert.equal((await look(page)).moves, 2, "carried from its button");
  });

  test("a computer that lost its seat does not move, even if it had already thought", async (stage) => {
    const context = await stage.context();
    // Enough time between its thought and its move.
    await context.addInitScript(() => {
      const start = globalThis.setTimeout;
      globalThis.setTimeout = (then, wait, ...rest) => start(then, wait === 300 ? 3000 : wait, ...rest);
    });
    const { page, hand } = await table(stage, "trix", { seats: [0, 1] }, { context });
    await hand.press(button("swap"));
    await page.waitForTimeout(2000);
    assert.equal((await look(page)).moves, 0);
    await hand.press(button("swap"));
    await page.waitForTimeout(2500);
    assert.equal((await look(page)).moves, 0, "the person's first move is the person's");
  });

  test("moving while a hint is being computed: no hint, and one answer", async (stage) => {
    const { page, hand } = await table(stage, "chasm", { seats: [0, 1] });
    await hand.press(button("hint"));
    await hand.press('[data-name="b2"]');
    await until("its answer", async () => (await look(page)).moves === 2);
    assert.ok(!(await look(page)).thinking);
    await page.waitForTimeout(2500);
    assert.equal(await page.locator(".board [data-notice]").count(), 0);
  });

  test("what won is marked on the board, and counted in Mix 3", async (stage) => {
    const won = await stage.open("#/quadrangle?seats=0,0&moves=b1;c3;b2;c4;c1;d4;c2");
    await until("the end", async () => isOver(await look(won)));
    assert.equal(await won.locator(".board .lit").count(), 4, "the four corners");
    const counted = await stage.open("#/mix3?seats=0,0&moves=a1;b1;c1;d1;b2;a2;c2;d2;a3;b3;c3;d3;b4;a4;c4;d4");
    await until("the end", async () => isOver(await look(counted)));
    await until("its rectangles, tris and pincers", async () => (await counted.locator("[data-figure]").count()) > 0);
  });

  test("a person takes another piece instead", async (stage) => {
    const { page, hand } = await table(stage, "trix");
    await hand.press('[data-name="a1"]');
    await hand.press('[data-name="b1"]');
    await hand.press('[data-name="c1"]');
    assert.deepEqual(await moveTexts(page), ["b1c1"]);
  });

  test("the shelf leads to every game, and back", async (stage) => {
    const page = await stage.open();
    const boxes = page.locator("[data-box]");
    assert.equal(await boxes.count(), GAMES.length);
    for (let i = 0; i < GAMES.length; i++) {
      const title = (await boxes.nth(i).textContent()).trim();
      await boxes.nth(i).click();
      await page.locator("main h1", { hasText: title }).waitFor();
      await page.goBack();
      await boxes.last().waitFor();
    }
  });
}
