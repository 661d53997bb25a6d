// Every game and every variant, played to its end through the page: by mouse and by keys alone. The record that
// the page saves is replayed by the native program, which must come to the same result.
import { shortGame } from "./engine.mjs";
import { chance, test } from "./harness.mjs";
import { checkResult, Keyboard, Mouse, playOut, setUp } from "./player.mjs";

const people = (n) => Array(n).fill(0);
const VARIANTS = [
  ["ksar", {}],
  ["ksar", { frame: "5x7" }],
  ...["flat", "3d"].flatMap((variant) => [2, 3, 4].map((n) => ["masker", { players: String(n), variant }])),
  ["kolem", { steps: "8" }],
  ["kolem", { steps: "4" }],
  ["kudosu", {}],
  ["quadrangle", { rectangles: "any" }],
  ["quadrangle", { rectangles: "upright" }],
  ["mix3", { rectangles: "any" }],
  ["mix3", { rectangles: "upright" }],
  ...[2, 3, 4].map((n) => ["chasm", { players: String(n) }]),
  ...["corner", "side"].flatMap((camps) => ["three", "filled"].map((goal) => ["trix", { camps, goal }])),
  ["fullend", { supply: "24" }],
  ["fullend", { supply: "unlimited" }],
];
/* Games that go on for ever when nobody wants anything: a short one is looked for first. */
const LONG = new Set(["kolem", "trix", "chasm"]);

export function register() {
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
