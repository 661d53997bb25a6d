// Pictures of every game for people to look at, flat and in 3D on a desktop in light, and in its first view on a phone
// in dark: web/build/screenshots. On the way: which view comes first, and that something is drawn.
import fs from "node:fs";
import path from "node:path";
import { inspect } from "./accessible.mjs";
import { engine } from "./engine.mjs";
import { assert, chance, coloursOf, DESKTOP, GAMES, isHidden, native, PHONE, screenshots, SHELF, temporary, test, until } from "./harness.mjs";
import { button, Finger, look, Mouse, move, setUp } from "./player.mjs";

/* The last of every choice, but the usual number of players. */
const lively = (game) =>
  Object.fromEntries(SHELF.get(game).options.filter(({ key, kind }) => kind === "choice" && !["players", "swap"].includes(key)).map(({ key, values }) => [key, values.split("|").at(-1)]));

/* Some moves into a game, the same every time. */
async function moves(game) {
  if (SHELF.get(game).wide) {
    const folder = temporary("records");
    await native("match", game, "random", "random", "--games", "2", "--seed", "1", "--opening", "0", "--records", folder);
    return JSON.parse(fs.readFileSync(path.join(folder, fs.readdirSync(folder).sort()[0]), "utf8")).moves.slice(0, 7);
  }
  const e = await engine();
  const random = chance(5);
  e.begin(game);
  const played = [];
  for (let position = e.position(); position.turn !== 0 && played.length < (position.scene.tall ? 12 : 7); position = e.position()) {
    played.push(random.pick(position.moves)[0]);
    e.play(played.at(-1));
  }
  return played;
}

export const round = (page) => page.locator(".round-view.drawn canvas");

/* Opens the table of a game some moves after its beginning. */
async function tableOf(stage, game, options, Hand) {
  if (!isHidden(game)) {
    const page = await stage.open(`#/${game}?seats=0,0&moves=${(await moves(game)).join(";")}`, options);
    await page.locator(button("undo")).waitFor();
    return page;
  }
  const page = await stage.open(`#/${game}`, options);
  const hand = new Hand(page);
  await setUp(page, hand, { options: lively(game), seats: [0, 3] });
  await page.locator('[data-view="flat"]').click();
  const random = chance(9);
  for (let i = 0; i < 4; i++) await move(page, hand, random);
  await until("one's own turn", async () => !(await look(page)).thinking, 20);
  await page.locator('[data-view="round"]').click();
  return page;
}

export function register() {
  fs.mkdirSync(screenshots, { recursive: true });
  // By software, the first picture in 3D takes long: shaders are compiled for it.
  const take = (page, name) => page.screenshot({ path: path.join(screenshots, `${name}.png`), timeout: 60000 });
  for (const [device, options, Hand, views] of [["desktop", DESKTOP, Mouse, 2], ["phone", PHONE, Finger, 1]]) {
    test(`the shelf and a set-up on a ${device}`, async (stage) => {
      const page = await stage.open("", options);
      for (const colorScheme of ["light", "dark"]) {
        await page.emulateMedia({ colorScheme });
        await take(page, `shelf-${device}-${colorScheme}`);
      }
      await page.goto(`${stage.address}#/ksar`);
      await page.locator(button("play")).waitFor();
      await take(page, `setup-${device}-dark`);
    });

    for (const game of GAMES) {
      test(`${game} on a ${device}`, async (stage) => {
        const page = await tableOf(stage, game, options, Hand);
        await page.emulateMedia({ colorScheme: device === "phone" ? "dark" : "light" });
        const e = await engine();
        e.begin(game, isHidden(game) ? lively(game) : {});
        const { tall } = e.position().scene;
        assert.equal(await page.locator('[data-view="round"]').getAttribute("aria-pressed"), String(tall), "the first view");
        for (const view of (tall ? ["round", "flat"] : ["flat", "round"]).slice(0, views)) {
          await page.locator(`[data-view="${view}"]`).click();
          if (view === "round") await round(page).waitFor();
          await page.evaluate(() => scrollTo(0, 0));
          await take(page, `${game}-${device}-${view}`);
          if (view === "flat") continue;
          await inspect(page, "in 3D");
          assert.ok((await coloursOf(page, await page.locator(".round-view canvas").screenshot())) > 200, "wood has many colours");
        }
      }, { webgl: true });
    }
  }
}
