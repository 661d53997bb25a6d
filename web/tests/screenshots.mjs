// Pictures of every game for people to look at: web/build/screenshots.
import fs from "node:fs";
import path from "node:path";
import { assert, chance, DESKTOP, GAMES, PHONE, screenshots, test, until } from "./harness.mjs";
import { button, Finger, look, Mouse, move, setUp } from "./player.mjs";

export function register() {
  fs.mkdirSync(screenshots, { recursive: true });
  const take = (page, name) => page.screenshot({ path: path.join(screenshots, `${name}.png`) });
  for (const [device, options, Hand] of [["desktop", DESKTOP, Mouse], ["phone", PHONE, Finger]]) {
    test(`the shelf on a ${device}`, async (stage) => {
      const page = await stage.open("", options);
      for (const colorScheme of ["light", "dark"]) {
        await page.emulateMedia({ colorScheme });
        await take(page, `shelf-${device}-${colorScheme}`);
      }
    });
    for (const game of GAMES) {
      test(`${game} on a ${device}`, async (stage) => {
        const page = await stage.open(`#/${game}`, options);
        await take(page, `${game}-${device}-setup`);
        const hand = new Hand(page);
        await setUp(page, hand, {});
        const random = chance(31);
        for (let i = 0; i < 6; i++) await move(page, hand, random);
        if ((await look(page)).handOver) await hand.press(button("hand-over"));
        await page.evaluate(() => scrollTo(0, 0));
        for (const colorScheme of ["light", "dark"]) {
          await page.emulateMedia({ colorScheme });
          await take(page, `${game}-${device}-${colorScheme}-flat`);
        }
      });
    }
  }
}
