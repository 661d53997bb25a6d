// Every game and every variant, played to its end through the page: by mouse or by keys alone, the first variant both
// ways. The record that the page saves is replayed by the native program, which must come to the same result.
import { isLong, shortGame } from "./engine.mjs";
import { assert, chance, GAMES, isHidden, SHELF, test } from "./harness.mjs";
import { checkResult, Keyboard, Mouse, playOut, setUp } from "./player.mjs";

const people = (n) => Array(n).fill(0);
/* The values of an option that are tried: all of a choice; of a size the usual and a small one; of a number the usual. */
function valuesOf({ kind, values, default: usual }) {
  if (kind === "choice") return values.split("|");
  return kind === "size" ? [usual, "5x7"] : [];
}

/* Every combination of them. The swap rule, which adds one button to all games, is a topic of its own. */
const variantsOf = ({ options }) =>
  options
    .filter((option) => option.key !== "swap" && valuesOf(option).length > 0)
    .reduce((variants, option) => variants.flatMap((variant) => valuesOf(option).map((value) => ({ ...variant, [option.key]: value }))), [{}]);
const VARIANTS = [...SHELF.values()].flatMap((game) => variantsOf(game).map((options) => [game.id, options]));

export function register() {
  test("every game stands on the shelf", async (stage) => {
    const page = await stage.open();
    assert.deepEqual(await page.locator("[data-box]").evaluateAll((boxes) => boxes.map((box) => box.dataset.box)), GAMES);
  });
  for (const [i, [game, options]] of VARIANTS.entries()) {
    // What a game offers to a hand is the same in all its variants: the first is played both ways, others in turn.
    const first = VARIANTS.findIndex(([id]) => id === game);
    const ways = [["mouse", Mouse], ["keys", Keyboard]].filter((_, way) => i === first || (i - first) % 2 === way);
    for (const [way, Hand] of ways) {
      const variant = Object.entries(options).map(([key, value]) => ` ${key}=${value}`).join("");
      test(`${game}${variant}, by ${way}`, async (stage) => {
        const random = chance(2 * i + (way === "keys"));
        const page = await stage.open(`#/${game}`);
        const hand = new Hand(page);
        await setUp(page, hand, { options, seats: people(Number(options.players ?? SHELF.get(game).players[0])) });
        await playOut(page, hand, random, (await isLong(game, options)) && !isHidden(game) ? await shortGame(game, options, random) : []);
        await checkResult(page);
      });
    }
  }
}
