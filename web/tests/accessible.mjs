// axe-core looks for what shuts people out: on every page, in light, dark and high contrast, flat and in the round.
import fs from "node:fs";
import { createRequire } from "node:module";
import { assert, chance, GAMES, test, until } from "./harness.mjs";
import { button, look, Mouse, move, playOut, setUp } from "./player.mjs";

const axe = fs.readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const LOOKS = [{ colorScheme: "light" }, { colorScheme: "dark" }, { colorScheme: "light", contrast: "more" }, { colorScheme: "dark", forcedColors: "active" }];

export async function inspect(page, name) {
  if (!(await page.evaluate(() => "axe" in globalThis))) await page.evaluate(axe);
  const bad = await page.evaluate(async () => {
    const { violations } = await globalThis.axe.run(document, { resultTypes: ["violations"] });
    return violations.flatMap(({ id, nodes }) => nodes.slice(0, 4).map((node) => `${id}: ${node.html.slice(0, 160)}: ${node.failureSummary.replace(/\s+/g, " ").slice(0, 300)}`));
  });
  assert.deepEqual(bad, [], name);
}

async function inspectAll(page, name) {
  for (const [i, wishes] of LOOKS.entries()) {
    await page.emulateMedia({ colorScheme: null, contrast: null, forcedColors: null, reducedMotion: "reduce", ...wishes });
    await inspect(page, `${name}, ${JSON.stringify(LOOKS[i])}`);
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
      await inspectAll(page, "the set-up");
      await setUp(page, hand, {});
      if (game === "masker") await inspectAll(page, "the hand-over");
      const random = chance(3);
      for (let i = 0; i < 3; i++) await move(page, hand, random);
      if ((await look(page)).handOver) await hand.press(button("hand-over"));
      await inspectAll(page, "the table");
      await hand.press(button("rules"));
      await page.locator("dialog, [role=dialog]").waitFor();
      await inspect(page, "the rules over the table");
      await page.keyboard.press("Escape");
      await page.goto(`${stage.address}#/${game}/rules`);
      await until("the rules", async () => (await page.locator("main").textContent()).length > 800);
      await inspectAll(page, "the rules");
    });
  }

  test("the result", async (stage) => {
    for (const game of ["quadrangle", "mix3"]) {
      const page = await stage.open(`#/${game}`);
      const hand = new Mouse(page);
      await setUp(page, hand, {});
      await playOut(page, hand, chance(8));
      await inspectAll(page, `the result of ${game}`);
    }
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
