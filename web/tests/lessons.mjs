// Lessons: every step of every game by keys and by finger, wrong tries with their own answers, what is said and spoken.
// How a step is solved is found by tests/lessons.c, which tries everything.
import { execFileSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { inspect } from "./accessible.mjs";
import { assert, chance, GAMES, LANGUAGES, LOCALES, native, nonet, PHONE, root, test, until } from "./harness.mjs";
import { at, button, Finger, Keyboard, listen, look, Mouse } from "./player.mjs";

const folder = path.join(root, "docs/lessons");
const TAUGHT = GAMES.filter((game) => fs.existsSync(path.join(folder, `${game}.json`)));
const stepsOf = (game) => JSON.parse(fs.readFileSync(path.join(folder, `${game}.json`), "utf8")).steps;
const textsOf = (game, language = "en") => JSON.parse(fs.readFileSync(path.join(folder, "words", language, `${game}.json`), "utf8"));
const solutionsOf = (game) => JSON.parse(execFileSync(path.join(path.dirname(nonet), "tests/test-lessons"), [folder, game], { encoding: "utf8" }));

const shown = (page) =>
  page.evaluate(() => {
    const heading = document.querySelector("[data-step]");
    return {
      step: heading?.dataset.step,
      played: (heading?.dataset.played ?? "").split(" ").filter(Boolean),
      say: document.querySelector("[data-say]")?.textContent.trim(),
      kind: document.querySelector("[data-answer]")?.dataset.answer,
      answer: document.querySelector("[data-answer]")?.textContent.replace(/\s+/g, " ").trim(),
    };
  });

const chosen = (page) => page.evaluate(() => [...document.querySelectorAll("[role=gridcell] [data-place]")].filter((e) => /, chosen\b/.test(e.getAttribute("aria-label"))).map((e) => Number(e.dataset.place)));

/* Nothing is held any more. */
async function letGo(page, hand) {
  for (const place of await chosen(page)) await hand.press(at(place));
}

/* A piece is held over a floor without cells, as the text of a move says, and let go. */
class Floor {
  constructor(page, hand) {
    Object.assign(this, { page, hand, angle: 0, kind: 0 });
  }
  async lay(move) {
    const [, name, x, y, angle] = /^(\w+)@(\d+),(\d+),(\d+)$/.exec(move);
    const kind = name === "edge" ? 1 : 0;
    const turns = (Number(angle) - this.angle) / 15;
    if (this.hand instanceof Keyboard) {
      const key = async (times, name) => {
        for (let i = 0; i < times; i++) await this.hand.key(name);
      };
      await this.hand.reach("[data-floor]");
      await key(Math.abs(kind - this.kind), "s");
      await key(Math.abs(turns), turns > 0 ? "," : ".");
      await key(33, "ArrowLeft");
      await key(33, "ArrowDown");
      await key(Math.floor(x / 10), "ArrowRight");
      await key(x % 10, "Shift+ArrowRight");
      await key(Math.floor(y / 10), "ArrowUp");
      await key(y % 10, "Shift+ArrowUp");
      await this.hand.key("Enter");
    } else {
      await this.hand.press(`[data-kind="${kind}"]`);
      for (let i = 0; i < Math.abs(turns); i++) await this.hand.press(button(turns > 0 ? "turn-left" : "turn-right"));
      const floor = this.page.locator("[data-floor]");
      await floor.scrollIntoViewIfNeeded();
      const box = await floor.boundingBox();
      await this.page.touchscreen.tap(box.x + (box.width * x) / 320, box.y + box.height * (1 - y / 320));
      if (await this.page.locator("[data-lay]").isEnabled()) await this.hand.press("[data-lay]");
    }
    Object.assign(this, { angle: Number(angle), kind });
  }
}

/* Does what the plan says: touches places, or lays a piece down. */
async function attempt(page, hand, floor, { move, touches }) {
  if (touches.length === 0) return floor.lay(move);
  await letGo(page, hand);
  for (const place of touches) {
    const state = await look(page);
    if (!state.chosen.includes(place) && !(await chosen(page)).includes(place)) await hand.press(at(place));
  }
}

/* A good move. Best play in Kolem may be a draw without end, so there the learner takes as many pieces as possible, until a
 * win is proven. */
async function advice(game, set, played) {
  const best = JSON.parse(await native("think", game, ...set, "--nodes", "300", "--seed", "1", ...played));
  if (game !== "kolem" || best.value === "win") return best.move;
  const after = async (...moves) => JSON.parse(await native("position", game, ...set, ...played, ...moves));
  const count = (text, letter) => text.split(" ")[0].split(letter).length;
  const worth = await Promise.all((await after()).legal.map(async (move) => [move, await after(move)]));
  return worth.map(([move, { text }]) => [move, 2 * count(text, "B") - count(text, "W") + (move.charCodeAt(0) % 3) / 4]).sort((a, b) => a[1] - b[1])[0][0];
}

/* A whole game, with advice from the native program where moves are made of cells and nothing is hidden from it. */
async function playGame(page, hand, game, { options = {}, from }) {
  const random = chance(5);
  const set = Object.entries(options).flatMap(([key, value]) => ["-o", `${key}=${value}`]).concat(from ? ["--from", from] : []);
  for (let moves = 0; moves < 120; moves++) {
    const state = await until("the learner's turn", async () => {
      const now = await look(page);
      return (now.over || now.wide || now.places.length > 0) && now;
    });
    if (state.over) return;
    const { played } = await shown(page);
    if (state.wide) {
      await layAnywhere(page, hand);
      await until("the piece", async () => (await shown(page)).played.length > played.length || (await look(page)).over);
      continue;
    }
    const move = game === "masker" ? "" : await advice(game, set, played);
    const names = /^(?:[a-z]\d+)+$/.test(move) ? move.match(/[a-z]\d+/g) : [];
    for (let touches = 0; touches < 6; touches++) {
      const now = await look(page);
      if (now.over || (await shown(page)).played.length > played.length || now.places.length === 0) break;
      const named = names[touches] && (await page.locator(`[data-place][data-name="${names[touches]}"]`).getAttribute("data-place"));
      await hand.press(at(named ?? random.pick(now.places)));
    }
  }
  throw new Error("the game does not end");
}

async function layAnywhere(page, hand) {
  if (hand instanceof Keyboard) {
    await hand.reach("[data-floor]");
    await hand.key("n");
    await hand.key("Enter");
    return;
  }
  await hand.press(button("another-place"));
  if (await page.locator("[data-lay]").isEnabled()) await hand.press("[data-lay]");
}

/* All steps of a game; `wrong`: before each is solved, a wrong try gets its own answer. */
async function takeLessons(page, hand, game, { wrong }) {
  const [steps, texts, solutions] = [stepsOf(game), textsOf(game), solutionsOf(game)];
  if (hand instanceof Keyboard) {
    await hand.reach(button("learn"));
    await hand.key("Enter");
  } else await hand.press(button("learn"));
  const heard = await listen(page);
  for (const [i, step] of steps.entries()) {
    const { solution, wrong: tries } = solutions[i];
    const floor = new Floor(page, hand);
    await until(`step ${step.id}`, async () => (await shown(page)).step === step.id);
    assert.equal((await shown(page)).say, texts[step.say], "the step is told");
    if (i > 0) assert.ok((await heard()).includes(texts[step.say]), `"${texts[step.say]}" is spoken`);
    if (wrong && tries.length > 0) {
      const number = i % tries.length;
      await attempt(page, hand, floor, tries[number]);
      const answer = texts[step.wrong[number].say];
      await until(`the answer to ${step.wrong[number].when} of ${step.id}: ${answer}`, async () => (await shown(page)).answer.endsWith(answer));
      assert.ok((await heard()).some((text) => text.endsWith(answer)), `"${answer}" is spoken`);
      // A legal move is taken back.
      await until("the position as it was", async () => (await shown(page)).played.length === (step.moves ?? []).length);
    }
    if (step.replies?.level) await playGame(page, hand, game, step);
    for (const [n, one] of solution.entries()) {
      if (n > 0) await until("the reply", async () => (await look(page)).places.length > 0);
      await attempt(page, hand, floor, one);
    }
    await until(`${step.id} is solved`, async () => ["right", "played"].includes((await shown(page)).kind), 20);
    await hand.press(button("step-next"));
  }
  await page.locator("[data-finished]").waitFor();
  const kept = await page.evaluate((id) => JSON.parse(localStorage.getItem(`nonet.lessons.${id}`)), game);
  assert.deepEqual(kept, steps.map(({ id }) => id), "progress is kept");
}

export function register() {
  for (const game of TAUGHT) {
    test(`${game} is learned by keys alone, and wrong tries are answered`, async (stage) => {
      const page = await stage.open(`#/${game}`);
      await takeLessons(page, new Keyboard(page), game, { wrong: true });
    });
    test(`${game} is learned by finger`, async (stage) => {
      const page = await stage.open(`#/${game}`, PHONE);
      await takeLessons(page, new Finger(page), game, { wrong: false });
      assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), "nothing is wider than the screen");
    });
  }

  test("whoever opens a box for the first time is offered its lessons; progress is kept, and a game follows", async (stage) => {
    const page = await stage.open("#/trix");
    const offer = page.locator(button("learn"));
    assert.match(await offer.textContent(), /New to Trix\?/);
    await offer.click();
    const steps = stepsOf("trix");
    await page.locator(`[data-step="${steps[0].id}"]`).waitFor();
    for (const [i, hint] of steps[0].hints.entries()) {
      await page.locator(button("lesson-hint")).click();
      assert.ok((await page.locator("[data-hint]").nth(i).textContent()).endsWith(textsOf("trix")[hint]));
    }
    await page.locator('[data-place][data-name="a1"]').click();
    await page.locator('[data-place][data-name="b2"]').click();
    await page.locator('[data-answer="right"]').waitFor();
    await page.reload();
    await page.locator(`[data-step="${steps[1].id}"]`).waitFor();
    await page.locator(button(`step-${steps.length}`)).click();
    await page.locator(button("step-next")).click();
    await page.locator(button("play-first")).click();
    await page.locator(button("undo")).waitFor();
    await page.locator(button("new")).click();
    assert.doesNotMatch(await offer.textContent(), /New to/);
  });

  test("lessons have no barriers, in light and dark, on a desktop and a phone", async (stage) => {
    for (const options of [{}, { ...PHONE, colorScheme: "dark" }]) {
      const page = await stage.open("#/trix/learn", options);
      await page.locator("[data-say]").waitFor();
      await inspect(page, "a step");
      await page.locator(button("lesson-hint")).click();
      await new Mouse(page).press('[data-place][data-name="c3"]');
      await page.locator('[data-answer="refused"]').waitFor();
      await inspect(page, "an answer");
    }
  });

  for (const language of LANGUAGES)
    test(`lessons are told in ${language}`, async (stage) => {
      const page = await stage.open("", { locale: LOCALES[language] });
      for (const game of TAUGHT) {
        const [step] = stepsOf(game);
        await page.goto(`${stage.address}#/${game}/learn`);
        await until(`${game} in ${language}`, async () => (await shown(page)).say === textsOf(game, language)[step.say]);
      }
    });
}
