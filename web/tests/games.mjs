// Every game and every variant, played to its end through the page: by mouse and by keys alone. The record that
// the page saves is replayed by the native program, which must come to the same result.
import { shortGame } from "./engine.mjs";
import { assert, chance, SHELF, test } from "./harness.mjs";
import { checkResult, Keyboard, Mouse, playOut, setUp } from "./player.mjs";

const people = (n) => Array(n).fill(0);
/* All ways to choose among the values of a game's options. */
const choices = (game) =>
  game.options
    .filter((option) => option.kind === "choice")
    .reduce((all, { key, values }) => all.flatMap((chosen) => values.split("|").map((value) => ({ ...chosen, [key]: value }))), [{}]);
const VARIANTS = [...SHELF.flatMap((game) => choices(game).map((options) => [game.id, options])), ["ksar", { frame: "5x7" }]];
/* Games that go on for ever when nobody wants anything: a short one is looked for first. */
const LONG = new Set(["kolem", "trix", "chasm"]);

export function register() {
  test("every game stands on the shelf", async (stage) => {
    const page = await stage.open();
    assert.deepEqual(await page.locator("[data-box]").evaluateAll((boxes) => boxes.map((box) => box.dataset.box)), SHELF.map((game) => game.id));
  });
  for (const [i, [game, options]] of VARIANTS.entries()) {
    for (const [way, Hand] of [["mouse", Mouse], ["keys", Keyboard]]) {
      const variant = Object.entries(options).map(([key, value]) => ` ${key}=${value}`).join("");
      test(`${game}${variant}, by ${way}`, async (stage) => {
        const random = chance(2 * i + (way === "keys"));
        const page = await stage.open(`#/${game}`);
        const hand = new Hand(page);
        await setUp(page, hand, { options, seats: people(Number(options.players ?? 2)) });
        await playOut(page, hand, random, LONG.has(game) ? await shortGame(game, options, random) : []);
        await checkResult(page);
      });
    }
  }
}
