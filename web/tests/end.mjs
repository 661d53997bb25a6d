// The end of a game, and what comes after it; games that were left; what is remembered for the next time.
import { engine } from "./engine.mjs";
import { assert, chance, isHidden, GAMES, test, until } from "./harness.mjs";
import { button, describe, isOver, listen, look, Mouse, move, setUp } from "./player.mjs";

const WON = ["b1", "c3", "b2", "c4", "c1", "d4", "c2"]; // by the first player, in Quadrangle
const card = (page) => page.locator("[data-ending]");
const heading = (page) => card(page).locator("h2").textContent();
const names = (page) => page.locator("[data-panel] h3 span").evaluateAll((all) => all.map((one) => one.innerText.replace(/\s+/g, " ").trim()));

async function ended(stage, seats, moves = WON, game = "quadrangle") {
  const page = await stage.open(`#/${game}?seats=${seats}&moves=${moves.join(";")}`);
  await card(page).waitFor();
  return { page, hand: new Mouse(page) };
}

/* A game that ends in a draw. */
async function drawn(game) {
  const e = await engine();
  const random = chance(2);
  for (let i = 0; i < 500; i++) {
    e.begin(game);
    const moves = [];
    let position = e.position();
    for (; position.turn !== 0; position = e.position()) {
      moves.push(random.pick(position.moves)[0]);
      e.play(moves.at(-1));
    }
    if (position.winners.length === 2) return moves;
  }
  throw new Error("no draw");
}

async function begun(stage, game, { moves = 3, ...wishes } = {}) {
  const page = await stage.open(`#/${game}`);
  const hand = new Mouse(page);
  await setUp(page, hand, wishes);
  const random = chance(6);
  for (let i = 0; i < moves; i++) await move(page, hand, random);
  return { page, hand };
}

export function register() {
  test("the end is told from the reader's side, once, with the reason", async (stage) => {
    const page = await stage.open(`#/quadrangle?seats=0,3&moves=${WON.slice(0, -1).join(";")}`);
    await until("the table", async () => (await look(page)).moves === 6);
    const heard = await listen(page);
    await new Mouse(page).press('[data-name="c2"]');
    await card(page).waitFor();
    assert.equal(await heading(page), "You won");
    assert.match(await card(page).innerText(), /Player 1 has completed a rectangle\./);
    await page.waitForTimeout(200);
    assert.equal((await heard()).filter((text) => text.includes("You won")).length, 1, "announced once");
    assert.equal(await page.locator("dialog[open]").count(), 0);
    const [end, board] = [await card(page).boundingBox(), await page.locator(".board").boundingBox()];
    assert.ok(end.x >= board.x + board.width || end.y >= board.y + board.height, "it covers nothing of the board");
    assert.equal(await heading((await ended(stage, "3,0")).page), "You lost");
    assert.match(await heading((await ended(stage, "0,0")).page), /^Player 1 \(maple\) wins$/);
    assert.equal(await heading((await ended(stage, "0,3", await drawn("mix3"), "mix3")).page), "Drawn");
  });

  test("both sides are counted in the game's own terms", async (stage) => {
    const e = await engine();
    const random = chance(5);
    const moves = [];
    e.begin("kolem");
    for (let position = e.position(); position.turn !== 0; position = e.position()) {
      moves.push(random.pick(position.moves)[0]);
      e.play(moves.at(-1));
    }
    const { page } = await ended(stage, "0,0", moves, "kolem");
    const rows = await card(page).locator("tbody tr").evaluateAll((all) => all.map((row) => [...row.children].map((cell) => cell.textContent.trim())));
    const { standings } = e.position();
    assert.ok(standings.length > 0);
    for (const { player, label, number, most } of standings.filter(({ player }) => player > 0)) {
      const row = rows.find(([name]) => name.toLowerCase() === label.toLowerCase());
      assert.equal(row[player], most === undefined ? String(number) : `${number} of ${most}`);
    }
    assert.deepEqual(await card(page).locator("th[scope=col]").allTextContents(), ["1Player 1 (white)", "2Player 2 (black)"]);
  });

  test("a level up after a win, one down after a defeat, and none beyond the ends", async (stage) => {
    const { page, hand } = await ended(stage, "0,3");
    await hand.press(button("other-level"));
    await until("a new game", async () => (await look(page)).moves === 0);
    assert.deepEqual(await names(page), ["You Player 1 (maple)", "Computer, level 4 Player 2 (walnut)"]);
    const lost = await ended(stage, "3,0");
    assert.match(await lost.page.locator(button("other-level")).textContent(), /2/);
    for (const seats of ["0,10", "1,0", "0,0"]) assert.equal(await (await ended(stage, seats)).page.locator(button("other-level")).count(), 0, seats);
  });

  test("a rematch with seats swapped, the same again, and a look through the game", async (stage) => {
    const { page, hand } = await ended(stage, "0,3");
    await hand.press(button("look-through"));
    assert.match((await look(page)).status, /move 0 of 7/);
    await until("the focus", () => page.evaluate(() => document.activeElement?.dataset.do === "later"));
    await page.keyboard.press("Enter");
    assert.match((await look(page)).status, /move 1 of 7/);
    await hand.press(button("rematch"));
    await until("the computer's first move", async () => (await look(page)).moves === 1);
    assert.deepEqual(await names(page), ["Computer, level 3 Player 1 (maple)", "You Player 2 (walnut)"]);
    const same = await ended(stage, "0,3");
    await same.hand.press(button("same-again"));
    await until("a new game", async () => (await look(same.page)).moves === 0);
    assert.deepEqual(await names(same.page), ["You Player 1 (maple)", "Computer, level 3 Player 2 (walnut)"]);
  });

  test("levels, seats and options are remembered for each game", async (stage) => {
    const { page, hand } = await begun(stage, "trix", { moves: 0, options: { camps: "side", goal: "filled" }, seats: [7, 0] });
    await until("the computer's move", async () => (await look(page)).moves === 1, 20);
    await page.goto(`${stage.address}#/kolem`);
    await page.locator(button("play")).waitFor();
    assert.equal(await page.locator(button("seat-1")).inputValue(), "0", "another game has its own");
    await page.goto(`${stage.address}#/trix`);
    await page.locator(button("new")).waitFor(); // the table is fetched when the first game begins
    await hand.press(button("new"));
    await page.reload();
    await page.locator(button("play")).waitFor();
    const values = await Promise.all(["seat-1", "seat-2", "option-camps", "option-goal"].map((what) => page.locator(button(what)).inputValue()));
    assert.deepEqual(values, ["7", "0", "side", "filled"]);
  });

  for (const what of ["restart", "new"]) {
    test(`${what} on a running game can be undone`, async (stage) => {
      const { page, hand } = await begun(stage, "kudosu");
      const before = await describe(page);
      await hand.press(button(what));
      await until("the remark", () => page.locator(button("remark-action")).isVisible());
      assert.match(await page.locator("[data-remark]").innerText(), /Back to the game you left\?\s+Undo/);
      await hand.press(button("remark-action"));
      await until("three moves", async () => (await look(page)).moves === 3);
      assert.deepEqual(await describe(page), before);
    });
  }

  test("a game that was left is offered again, also after a reload", async (stage) => {
    for (const game of GAMES.filter((name) => ["trix", "masker"].includes(name))) {
      const { page, hand } = await begun(stage, game, { seats: [0, 0] });
      if ((await look(page)).handOver) await hand.press(button("hand-over"));
      const before = await describe(page);
      await hand.press(button("new"));
      await page.reload();
      await page.locator(button("continue-left")).waitFor();
      await hand.press(button("continue-left"));
      await until("the table", async () => (await look(page)).playing);
      if (isHidden(game)) await hand.press(button("hand-over"));
      assert.deepEqual(await describe(page), before);
      await hand.press(button("new"));
      await hand.press(button("play"));
      await until("another game", async () => (await look(page)).moves === 0);
      assert.ok(!isOver(await look(page)));
    }
  });

  test("when the screen is passed on, the board stays, and the next player reads what happened", async (stage) => {
    const page = await stage.open("#/masker");
    const hand = new Mouse(page);
    await setUp(page, hand, { options: { players: "3" }, seats: [0, 0, 0] });
    const random = chance(12);
    for (let ply = 0, turns = new Map(); ply < 12 && (await look(page)).handOver; ply++) {
      const turn = Number(/player (\d)/.exec(await page.locator(".card h2").textContent())[1]);
      const moves = await page.evaluate(() => [...document.querySelectorAll("[data-move]")].map((element) => Number(element.querySelector(".seat").textContent)));
      assert.ok(await page.locator(".board").isVisible());
      const hidden = await page.locator('[data-panel] [role="img"]').evaluateAll((all) => all.map((one) => one.getAttribute("aria-label")).filter((label) => /disc/i.test(label)));
      assert.ok(hidden.every((label) => !/red|yellow|green|blue|violet/i.test(label)), `discs lie face down: ${hidden}`);
      const since = moves.slice(turns.has(turn) ? moves.lastIndexOf(turn) : 0);
      const told = await page.locator("[data-story] li").allTextContents();
      assert.deepEqual(told.map((text) => Number(/^Player (\d)/.exec(text)[1])), since, "each move with who made it");
      turns.set(turn, moves.length);
      await hand.press(button("hand-over"));
      assert.equal((await page.locator("[data-happened]").textContent()).match(/Player \d:/g)?.length ?? 0, since.length, "and still while they think");
      await move(page, hand, random);
    }
  });
}
