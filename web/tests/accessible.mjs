// axe-core looks for barriers, with all its rules: on every page, in light, dark and high contrast, on a desktop and in
// a window as narrow as a phone.
import fs from "node:fs";
import { createRequire } from "node:module";
import { addressOf } from "./engine.mjs";
import { assert, chance, DESKTOP, GAMES, isHidden, PHONE, test, until } from "./harness.mjs";
import { button, hold, Keyboard, listen, look, Mouse, move, setUp } from "./player.mjs";

const axe = fs.readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
/* What has the focus: its name, or what it does. */
const focus = (page) =>
  page.evaluate(() => {
    const element = document.activeElement;
    if (element === document.body) return "nothing";
    return element.dataset.name ?? element.dataset.do ?? (element.matches("[data-floor]") ? "floor" : element.outerHTML.slice(0, 120));
  });

const LOOKS = [{ colorScheme: "light" }, { colorScheme: "dark" }, { colorScheme: "light", contrast: "more" }, { colorScheme: "dark", forcedColors: "active" }];

/* `only`: what the names of the rules must match. */
export async function inspect(page, name, only = "") {
  if (!(await page.evaluate(() => "axe" in globalThis))) await page.evaluate(axe);
  const bad = await page.evaluate(async (wanted) => {
    const rules = Object.fromEntries(globalThis.axe.getRules().map(({ ruleId }) => [ruleId, { enabled: ruleId.includes(wanted) }]));
    const { violations } = await globalThis.axe.run(document, { resultTypes: ["violations"], rules });
    return violations.flatMap(({ id, nodes }) => nodes.slice(0, 4).map((node) => `${id}: ${node.html.slice(0, 160)}: ${node.failureSummary.replace(/\s+/g, " ").slice(0, 300)}`));
  }, only);
  assert.deepEqual(bad, [], name);
}

async function inspectAll(page, name) {
  for (const [i, wishes] of LOOKS.entries()) {
    await page.emulateMedia({ colorScheme: null, contrast: null, forcedColors: null, reducedMotion: "reduce", ...wishes });
    // The looks differ in their colours alone.
    await inspect(page, `${name}, ${JSON.stringify(wishes)}`, i === 0 ? "" : "color-contrast");
  }
  await page.emulateMedia({ colorScheme: null, contrast: null, forcedColors: null });
}

export function register() {
  test("the shelf and the settings", async (stage) => {
    const page = await stage.open();
    await inspectAll(page, "the shelf");
    await page.locator(button("settings")).click();
    await page.locator(button("theme")).waitFor();
    await inspectAll(page, "the settings");
  });

  for (const game of GAMES) {
    test(`${game}: set-up, table, result, rules`, async (stage) => {
      const page = await stage.open(`#/${game}`);
      const hand = new Mouse(page);
      const ready = async () => {
        await page.locator("main h1").waitFor();
        if ((await look(page)).handOver) await hand.press(button("hand-over"));
      };
      /* In every look on a desktop; then the same as a phone shows it. */
      const inspectBoth = async (name, prepare = () => {}) => {
        await prepare();
        await inspectAll(page, name);
        await page.setViewportSize(PHONE.viewport);
        await page.reload();
        await ready();
        await prepare();
        await inspect(page, `${name}, on a phone`);
        await page.setViewportSize(DESKTOP.viewport);
        await page.reload();
        await ready();
      };
      await inspectBoth("the set-up");
      await setUp(page, hand, {});
      if (isHidden(game)) await inspectAll(page, "the hand-over");
      const random = chance(3);
      for (let i = 0; i < 3; i++) await move(page, hand, random);
      await ready();
      await inspectBoth("a piece in the hand", () => hold(page));
      await hand.press(button("rules"));
      await page.locator("dialog[open]").waitFor();
      await inspect(page, "the rules over the table");
      await page.goto(`${stage.address}${await addressOf(game)}`);
      await until("the end", async () => (await look(page)).over);
      await inspectBoth("the result");
      await page.goto(`${stage.address}#/${game}/rules`);
      await until("the rules", async () => (await page.locator("main").textContent()).length > 800);
      await inspectAll(page, "the rules");
    });
  }

  test("a remark, and the list of keys", async (stage) => {
    const page = await stage.open("#/kolem?seats=0,0&moves=", { permissions: ["clipboard-read", "clipboard-write"] });
    await page.locator(button("link")).click();
    await page.locator("[data-remark=true]").waitFor();
    await inspectAll(page, "a remark");
    await page.keyboard.press("?");
    await page.locator("dialog[open]").waitFor();
    await inspectAll(page, "the list of keys");
  });

  test("a player with a keyboard never loses the focus", async (stage) => {
    const page = await stage.open("#/kolem");
    const hand = new Keyboard(page);
    const does = async (what, then) => {
      await hand.press(what);
      await until(`the focus on ${then} after ${what}`, async () => then.test(await focus(page)), 5);
    };
    await setUp(page, hand, {});
    await until("the focus on the board", async () => (await focus(page)) === "a5", 5);
    await does('[data-name="b2"]', /^b2$/);
    await does(button("undo"), /^b2$/);
    await does(button("redo"), /^b2$/);
    await does(button("hint"), /^b2$/);
    await page.locator(".board [data-hinted]").first().waitFor();
    await does(button("rules"), /close/);
    await page.keyboard.press("Escape");
    assert.equal(await focus(page), "rules");
    await does(button("restart"), /^a5$/);
    await does(button("new"), /^play$/);

    await page.goto(`${stage.address}#/masker`);
    await setUp(page, hand, {});
    await until("the hand-over", async () => (await focus(page)) === "hand-over", 5);
    await does(button("hand-over"), /^a6$/);

    await page.goto(`${stage.address}#/fullend`);
    await setUp(page, hand, { seats: [0, 1] });
    await until("the focus on the floor", async () => (await focus(page)) === "floor", 5);
    await hand.key("ArrowLeft");
    await does("[data-lay]", /^floor$/);
  });

  test("what happens is spoken once, in words", async (stage) => {
    const page = await stage.open("#/trix");
    const hand = new Keyboard(page);
    await setUp(page, hand, {});
    const heard = await listen(page);
    const does = async (what, ...said) => {
      await hand.press(what);
      await page.waitForTimeout(150);
      assert.deepEqual(await heard(), said, what);
    };
    const toMove = (player, wood, what) => `Player ${player} (${wood}): choose a marked ${what}`;
    await does('[data-name="d4"]', "the piece on d4 is not yours");
    await does('[data-name="d4"]', "the piece on d4 is not yours");
    await does('[data-name="b1"]', "b1", toMove(1, "maple", "place"));
    await does('[data-name="c1"]', "Player 1 (maple): piece of player 1 on c1, from b1.", toMove(2, "walnut", "piece"));
    await does(button("undo"), "Taken back: Player 1 (maple): piece of player 1 on c1, from b1.", toMove(1, "maple", "piece"));
    await does(button("redo"), "Player 1 (maple): piece of player 1 on c1, from b1.", toMove(2, "walnut", "piece"));
    for (const said of [/^Hint 1 of 3: look at the part of the board from [ac][13] to [bd][24]$/, /^Hint 2 of 3: use this: piece of player 2 on [a-d][1-4]$/, /^Try: piece of player 2 on [a-d][1-4], from [a-d][1-4]$/]) {
      await hand.press(button("hint"));
      await until(`the hint ${said}`, async () => (await heard()).some((text) => said.test(text)), 10);
    }
  });

  test("against a computer, both moves are spoken, and both when they are taken back", async (stage) => {
    const page = await stage.open("#/quadrangle");
    const hand = new Keyboard(page);
    await setUp(page, hand, { seats: [0, 1] });
    const heard = await listen(page);
    await hand.press('[data-name="b2"]');
    const said = [];
    await until("its answer", async () => (said.push(...(await heard())), said.length >= 4), 10);
    const told = (player, wood) => new RegExp(`^Player ${player} \\(${wood}\\): piece of player ${player} on [a-d][1-4]\\.$`);
    for (const [i, text] of [told(1, "maple"), /^Player 2 .* is thinking…$/, told(2, "walnut"), /^Player 1 .*: choose/].entries()) assert.match(said[i], text);
    assert.equal(said.length, 4);
    await hand.press(button("undo"));
    await page.waitForTimeout(150);
    assert.deepEqual(await heard(), [`Taken back: ${said[0]} ${said[2]}`]);
  });

  test("a floor without cells is described: what lies there, and the same place again", async (stage) => {
    const page = await stage.open("#/fullend");
    const hand = new Keyboard(page);
    await setUp(page, hand, {});
    const heard = await listen(page);
    for (let i = 0; i < 2; i++) {
      await hand.key(i === 0 ? "Shift+ArrowLeft" : "s");
      await page.waitForTimeout(150);
      assert.equal((await heard()).length, 1);
    }
    // Beyond the possible places the reason is said, again and again.
    for (let i = 0; i < 40; i++) await hand.key("ArrowLeft");
    await page.waitForTimeout(150);
    const [last] = (await heard()).slice(-1);
    await hand.key("ArrowLeft");
    await page.waitForTimeout(150);
    assert.deepEqual(await heard(), [last]);
    assert.match(last, /stick out over the left edge/);
    await hand.key("Enter");
    await page.waitForTimeout(150);
    assert.deepEqual(await heard(), [last]);
    await hand.key("n");
    await page.waitForTimeout(150);
    const [place] = await heard();
    await hand.key("Enter");
    await page.waitForTimeout(150);
    assert.deepEqual(await heard(), [`Player 1: ${place}.`, "Player 2: lay a piece down"]);
    assert.equal(await page.locator("[aria-labelledby=lying]").textContent(), place);
  });

  test("a screen reader at the board says whose turn it is and which keys help; nothing empty is announced", async (stage) => {
    const page = await stage.open("#/trix");
    await setUp(page, new Keyboard(page), {});
    const session = await page.context().newCDPSession(page);
    const { nodes } = await session.send("Accessibility.getFullAXTree");
    await session.detach();
    const grid = nodes.find((node) => node.role?.value === "grid");
    assert.match(grid.description.value, /^Player 1 \(maple\): choose a marked piece N goes to/);
    assert.ok(!nodes.some((node) => node.role?.value === "toolbar"), "no tray where nobody holds anything");
    const named = (role) => nodes.filter((node) => node.role?.value === role).map((node) => node.name?.value);
    assert.ok(named("group").includes("View"));
    assert.ok(!named("DisclosureTriangle").some((name) => name.includes("▸")), "signs are for eyes");
  });

  test("a mistake", async (stage) => {
    const page = await stage.open("#/kolem");
    const hand = new Mouse(page);
    await setUp(page, hand, {});
    for (let i = 0; i < 2; i++) await hand.press('[data-name="c3"]');
    await page.locator(".board [data-notice]").waitFor();
    await inspectAll(page, "a refusal");
  });
}
