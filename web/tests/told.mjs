// Every kind of event of every game, made to happen by hand on the page, in five languages. The English words are
// those that the cases of the rules expect (tests/cases); the other languages are put together from the catalogues.
import fs from "node:fs";
import path from "node:path";
import { engine } from "./engine.mjs";
import { assert, chance, GAMES, LANGUAGES, LOCALES, root, SHELF, test, until } from "./harness.mjs";
import { button, listen, look, Mouse, move } from "./player.mjs";
import { recognise, translate } from "./words.mjs";

const capital = (text) => text[0].toUpperCase() + text.slice(1);
const spaced = (text) => text.replace(/\s+/g, " ").trim();
const kinds = (game, events) => events.map((sentence) => recognise(game, sentence)?.key ?? assert.fail(`${game} has no phrase for "${sentence}"`));

/* The cases of a game that together have every kind of event that any case has, as few as are needed. */
function casesOf(game) {
  const lines = fs.readFileSync(path.join(root, `tests/cases/${game}.jsonl`), "utf8").split("\n");
  const cases = lines.filter((line) => line.startsWith("{")).map((line) => JSON.parse(line));
  const telling = cases.filter(({ events, moves }) => events?.length > 0 && moves?.length > 0).map((one) => ({ ...one, kinds: new Set(kinds(game, one.events)) }));
  const chosen = [];
  const missing = new Set(telling.flatMap((one) => [...one.kinds]));
  while (missing.size > 0) {
    const news = (one) => [...one.kinds].filter((kind) => missing.has(kind)).length;
    const best = telling.reduce((a, b) => (news(b) > news(a) ? b : a));
    chosen.push(best);
    for (const kind of best.kinds) missing.delete(kind);
  }
  return chosen;
}

/* The kinds of events in random games, where the engine itself tells what happened. */
async function kindsByChance(game, options, games) {
  const e = await engine();
  const random = chance(29);
  const seen = new Set();
  for (let i = 0; i < games; i++) {
    e.begin(game, options, [], BigInt(i), BigInt(i));
    for (let ply = 1, position = e.position(); position.turn !== 0 && ply < 150; ply++) {
      e.play(random.pick(position.moves)[0]);
      for (const kind of kinds(game, e.difference(ply).events.map(({ label }) => label))) seen.add(kind);
      position = e.position();
    }
  }
  return seen;
}

/* The last move of a case, made by hand; what the page then shows and has said. */
async function happen(page, hand, game, { options = {}, from, moves }) {
  const given = { ...options, ...(from ? { from } : {}) };
  const before = moves.slice(0, -1);
  const seats = "0,0,0,0".slice(0, 2 * Number(options.players ?? SHELF.get(game).players[0]) - 1);
  await page.evaluate((hash) => (location.hash = hash), `#/${game}/rules`);
  await until("no table", async () => !(await look(page)).playing);
  await page.evaluate((hash) => (location.hash = hash), `#/${game}?${new URLSearchParams({ ...given, seats, moves: before.join(";") })}`);
  await until("the table", async () => (await look(page)).playing);
  if ((await look(page)).handOver) await hand.press(button("hand-over"));
  await until("the moves before", async () => (await look(page)).moves === before.length);
  const heard = await listen(page);
  let touches = [];
  if (!SHELF.get(game).wide) {
    const e = await engine();
    e.begin(game, given, before);
    touches = e.position().moves.find(([text]) => text === moves.at(-1)).slice(1);
  }
  await move(page, hand, chance(1), touches);
  await until("the move", async () => ((state) => state.over || state.handOver || state.moves > before.length)(await look(page)));
  if ((await look(page)).handOver) await hand.press(button("hand-over"));
  await until("the move in the list", async () => (await look(page)).moves > before.length);
  await page.waitForTimeout(60);
  return {
    shown: spaced(await page.locator("[data-happened]").textContent()),
    remarks: (await page.locator('.board [data-event="true"]').allTextContents()).map(spaced),
    heard: (await heard()).map(spaced),
  };
}

export function register() {
  for (const game of GAMES) {
    const cases = casesOf(game);
    test(`${game}: no kind of event is left out of the cases`, async () => {
      const told = new Set(cases.flatMap((one) => [...one.kinds]));
      if (SHELF.get(game).wide) return assert.ok(told.size > 0);
      const choices = SHELF.get(game).options.filter(({ key, kind }) => kind === "choice" && key !== "swap"); // a topic of its own
      const settings = [{}, ...choices.flatMap(({ key, values }) => values.split("|").map((value) => ({ [key]: value })))];
      for (const options of settings) for (const kind of await kindsByChance(game, options, 25)) assert.ok(told.has(kind), `${kind} is in no case`);
    });

    for (const language of cases.length > 0 ? LANGUAGES : [])
      test(`${game}: every kind of event is shown and said, ${language}`, async (stage) => {
        const page = await stage.open("", { locale: LOCALES[language] });
        const hand = new Mouse(page);
        for (const one of cases) {
          const { shown, remarks, heard } = await happen(page, hand, game, one);
          const words = one.events.map((sentence) => capital(spaced(translate(language, game, sentence))));
          for (const text of words) {
            assert.ok(shown.includes(text), `"${text}" is shown: ${shown}`);
            assert.ok(heard.some((said) => said.includes(text)), `"${text}" is said: ${heard.join(" | ")}`);
          }
          for (const remark of remarks) assert.ok(words.some((text) => remark.includes(text)), `nobody expected "${remark}"`);
        }
      });
  }
}
