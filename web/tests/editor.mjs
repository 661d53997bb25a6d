// The position editor: positions of random games are put down by keys and by finger, and come out as the texts that the
// native program writes; what is no position is explained by the native program's own reasons; then advice, and play.
import { inspect } from "./accessible.mjs";
import { engine } from "./engine.mjs";
import { assert, chance, GAMES, LANGUAGES, native, PHONE, SHELF, test, until } from "./harness.mjs";
import { at, button, Keyboard, listen, look, Mouse } from "./player.mjs";

const EDITED = GAMES.filter((game) => SHELF.get(game).editor);
const BY_FINGER = ["ksar", "kolem", "masker", "mix3"]; // the others by keys
const PLIES = { chasm: 9, kolem: 20, masker: 4 };
const OPTIONS = { masker: { seed: "7" } };

/* The numbers after the board, in the order in which the editor asks for them. */
const FIELDS = {
  chasm: ([, phase]) => [phase === "move" ? 1 : 0],
  kolem: ([, white, black]) => [white, black],
  kudosu: ([, ...hands]) => hands.slice(0, 2).flatMap((hand) => [..."MZPW"].map((wood) => hand.split(wood).length - 1)),
  masker: ([, held, , captures, white]) => [...held.split(","), 0, 0, captures, white === "w" ? 1 : 0],
};

const flags = (options) => Object.entries(options).flatMap(([key, value]) => ["-o", `${key}=${value}`]);

/* A position of a random game: its text, as everybody sees it, and what stands on which place. */
async function someGame(game) {
  const random = chance(21);
  const options = OPTIONS[game] ?? {};
  const e = await engine();
  e.begin(game, options);
  const moves = [];
  for (let ply = 0; ply < (PLIES[game] ?? 6) && e.position().turn !== 0; ply++) {
    moves.push(random.pick(e.position().moves)[0]);
    e.play(moves.at(-1));
  }
  const { scene } = e.position();
  const words = JSON.parse(await native("position", game, ...flags(options), ...moves)).text.split(" ");
  if (game === "masker") words[2] = "??";
  const pieces = scene.pieces.filter(({ place }) => scene.places[place].kind === "cell").map(({ place, label }) => ({ place, label }));
  return { text: words.join(" "), turn: Number(words.at(-1)), fields: FIELDS[game]?.(words) ?? [], pieces };
}

const text = (page) => page.locator("[data-text]").getAttribute("data-text");
const isPosition = async (page) => (await page.locator("[data-text]").getAttribute("data-position")) === "true";

/* Does something that changes the draft. */
async function edit(page, act) {
  const before = await text(page);
  await act();
  return until(`another draft than ${before}`, async () => ((await text(page)) !== before ? text(page) : null));
}

async function open(stage, game, query = "", options = {}) {
  const page = await stage.open(`#/${game}/edit${query}`, options);
  await page.locator("[data-text]").waitFor();
  return page;
}

/* Hands that know the controls of the editor. */
class Keys extends Keyboard {
  touch = (place) => this.press(at(place));
  async choose(kind) {
    await this.reach(".palette input:checked");
    for (let i = 0; i < 30 && (await this.page.locator(`[data-kind="${kind}"] input`).isChecked()) === false; i++) await this.key("ArrowRight");
  }
  async setField(field, value) {
    await this.reach(`[data-field="${field}"]`);
    const option = await this.page.locator(`[data-field="${field}"] option[value="${value}"]`).textContent();
    await this.page.keyboard.type(option.trim());
  }
  async setTurn(player) {
    await this.reach(".turns input:checked");
    for (let i = 0; i < 4 && !(await this.page.locator(`[data-turn-of="${player}"]`).isChecked()); i++) await this.key("ArrowDown");
  }
}
class Finger {
  constructor(page) {
    this.page = page;
  }
  press = (selector) => this.page.locator(selector).tap();
  touch = (place) => this.press(at(place));
  choose = (kind) => this.press(`[data-kind="${kind}"]`);
  setField = (field, value) => this.page.locator(`[data-field="${field}"]`).selectOption(String(value));
  setTurn = (player) => this.press(`.turns label:nth-of-type(${player})`);
}

/* Puts a position down, beginning with nothing. */
async function putDown(page, hand, goal) {
  const titles = await page.locator(".palette label").evaluateAll((labels) => labels.slice(0, -1).map(({ title }) => title));
  /* The kind with the longest name that the label of the piece contains. */
  const kindOf = (label) => titles.reduce((best, title, kind) => (label.includes(title) && title.length > (titles[best]?.length ?? 0) ? kind : best), -1);
  await hand.press(button("clear"));
  await until("an empty board", async () => !(await page.locator("[data-place]").evaluateAll((cells) => cells.some((cell) => !/: empty/.test(cell.ariaLabel)))));
  for (const kind of titles.keys()) {
    const places = goal.pieces.filter(({ label }) => kindOf(label) === kind).map(({ place }) => place);
    if (places.length > 0) await hand.choose(kind);
    for (const place of places) await edit(page, () => hand.touch(place));
  }
  for (const [field, value] of goal.fields.entries())
    if ((await page.locator(`[data-field="${field}"]`).inputValue()) !== String(value)) await edit(page, () => hand.setField(field, value));
  if (!(await page.locator(`[data-turn-of="${goal.turn}"]`).isChecked())) await edit(page, () => hand.setTurn(goal.turn));
}

/* A piece on a floor without cells, by keys. */
async function layByKeys(page, hand, held, { kind, x, y, angle }) {
  const key = async (times, name) => {
    for (let i = 0; i < times; i++) await hand.key(name);
  };
  await hand.reach("[data-floor]");
  await key(Math.abs(kind - held.kind), "s");
  const turns = (angle - held.angle) / 15;
  await key(Math.abs(turns), turns > 0 ? "," : ".");
  await key(33, "ArrowLeft");
  await key(33, "ArrowDown");
  await key(Math.floor(x / 10), "ArrowRight");
  await key(x % 10, "Shift+ArrowRight");
  await key(Math.floor(y / 10), "ArrowUp");
  await key(y % 10, "Shift+ArrowUp");
  await edit(page, () => hand.key("Enter"));
  Object.assign(held, { kind, angle });
}

/* What the native program says about a position that is none. */
async function refusal(game, draft) {
  try {
    await native("position", game, "--from", draft);
  } catch (error) {
    return error.stderr.trim();
  }
  throw new Error(`${draft} is a position`);
}

export function register() {
  for (const game of EDITED.filter((id) => !SHELF.get(id).wide)) {
    const isFinger = BY_FINGER.includes(game);
    test(`${game}: a position of a random game is put down by ${isFinger ? "finger" : "keys"}`, async (stage) => {
      const goal = await someGame(game);
      const page = await open(stage, game, "", isFinger ? PHONE : {});
      await putDown(page, isFinger ? new Finger(page) : new Keys(page), goal);
      assert.equal(await text(page), goal.text);
      assert.equal(await isPosition(page), true);
      assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), await page.evaluate(() => innerWidth), "wider than the screen");
    });
  }

  test("fullend: a position is put down by keys", async (stage) => {
    const page = await open(stage, "fullend");
    const hand = new Keys(page);
    const held = { kind: 0, angle: 0 };
    for (const piece of [{ kind: 0, x: 60, y: 60, angle: 0 }, { kind: 1, x: 200, y: 61, angle: 135 }, { kind: 1, x: 100, y: 222, angle: 30 }]) await layByKeys(page, hand, held, piece);
    const goal = "flat@60,60,0 edge@100,222,30 edge@200,61,135 2";
    assert.equal(await text(page), goal);
    assert.equal(JSON.parse(await native("position", "fullend", "--from", goal)).text, goal);
    // Picked up again from the list, and the supply has it back.
    await hand.press('[data-section="lying"] summary');
    await edit(page, () => hand.press(button("take-0")));
    assert.equal(await text(page), "edge@100,222,30 edge@200,61,135 1");
    assert.match(await page.locator(".verdict").textContent(), /Pieces left in the box: 22/);
  });

  test("fullend: pieces are dragged onto the floor, and about on it", async (stage) => {
    const page = await open(stage, "fullend");
    const box = await page.locator("[data-floor]").boundingBox();
    const point = (x, y) => [box.x + (box.width * x) / 320, box.y + box.height * (1 - y / 320)];
    const drag = async (from, to) => {
      await page.mouse.move(...from);
      await page.mouse.down();
      await page.mouse.move(...to, { steps: 6 });
      await page.mouse.up();
    };
    const supply = await page.locator('[data-kind="0"]').boundingBox();
    await edit(page, () => drag([supply.x + supply.width / 2, supply.y + supply.height / 2], point(100, 100)));
    const placed = async () => /^flat@(\d+),(\d+),0 2$/.exec(await text(page))?.slice(1).map(Number) ?? [0, 0];
    const near = ([x, y], [a, b]) => assert.ok(Math.hypot(x - a, y - b) < 4, `${x},${y} is not ${a},${b}`);
    near(await placed(), [100, 100]);
    await drag(point(90, 110), point(210, 230));
    await until("the piece lies elsewhere", async () => (await placed())[0] > 200);
    near(await placed(), [220, 220]);
    // A touch picks it up.
    await edit(page, () => page.mouse.click(...point(220, 220)));
    assert.equal(await text(page), "- 1");
  });

  test("what is no position is explained by its own reason, at the place and in words", async (stage) => {
    const page = await open(stage, "kudosu");
    const hand = new Keys(page);
    await edit(page, () => hand.press(at(0)));
    const heard = await listen(page);
    await edit(page, () => hand.press(at(2)));
    const reason = await refusal("kudosu", await text(page));
    assert.ok(reason.endsWith("the pieces of maple on a1 and c1 stand in the same row"), reason);
    assert.match(await page.locator(".verdict").textContent(), /Not a position yet: the pieces of maple on a1 and c1 stand in the same row/);
    assert.match(await page.locator("[data-notice]").textContent(), /a1 and c1 stand in the same row/);
    assert.match((await until("words", async () => (await heard()).join(" "))), /Maple put on c1\. Not a position yet: the pieces of maple on a1 and c1/);
    assert.equal(await page.locator(at(0)).getAttribute("aria-label"), "a1: maple, here something is wrong");
    assert.equal(await page.locator(button("best")).count(), 0);
    // The same touch takes it away, and Delete takes anything away.
    await edit(page, () => hand.press(at(2)));
    assert.equal(await isPosition(page), true);
    await hand.reach(at(0));
    await edit(page, () => hand.key("Delete"));
    assert.equal(await text(page), "..../..../..../.... MMZZPPWW MMZZPPWW 1");
    // Undo and redo.
    await edit(page, () => hand.press(button("undo")));
    await edit(page, () => hand.press(button("undo")));
    assert.match(await text(page), /^\.\.\.\.\/\.\.\.\.\/\.\.\.\.\/M\.M\./);
    await edit(page, () => hand.press(button("redo")));
    assert.match(await text(page), /^\.\.\.\.\/\.\.\.\.\/\.\.\.\.\/M\.\.\./);
  });

  test("pieces that overlap are named where they lie", async (stage) => {
    const draft = "flat@60,60,0 flat@80,60,0 1";
    const page = await open(stage, "fullend", `?from=${draft}`);
    const reason = await refusal("fullend", draft);
    assert.ok(reason.endsWith(await page.locator(".verdict").getAttribute("data-why")), reason);
    await page.locator('[data-section="lying"] summary').click();
    assert.equal(await page.locator("li.blamed").count(), 2);
    await edit(page, () => page.locator(button("take-1")).click());
    assert.equal(await text(page), "flat@60,60,0 2");
  });

  test("ksar: all ways to stand, by finger, and the hands count themselves", async (stage) => {
    const page = await open(stage, "ksar", "", PHONE);
    const hand = new Finger(page);
    const cell = (name) => page.locator(`[data-name="${name}"]`).tap();
    const put = async (title, name) => {
      await hand.press(`.palette label[title="${title}"]`);
      await edit(page, () => cell(name));
    };
    await put("blue flat piece, 2x3", "a1");
    await put("red on-edge piece, 3x1", "c1");
    await put("neutral upright piece, 1x2", "j1");
    assert.equal(await text(page), "11+2 11+3 b2x3@a1 r3x1@c1 n1x2@j1 2");
    assert.match(await page.locator(".verdict").textContent(), /Neutral pieces in the hand of Blue: 2/);
    // A piece is taken away by a touch of any of its cells.
    await edit(page, () => cell("b2"));
    assert.match(await text(page), /^12\+/);
    // One that sticks out of the frame is told so.
    await put("blue flat piece, 3x2", "j9");
    assert.match(await page.locator("[data-notice]").textContent(), /stick out of the frame/);
  });

  test("masker: who does not know a disc need not say, and nothing hidden is told", async (stage) => {
    const page = await open(stage, "masker");
    assert.match(await text(page), / 0,0 \?\? 0 - 1$/);
    await page.locator('[data-field="2"]').selectOption("1");
    await until("the disc", async () => / R\? /.test(await text(page)));
    assert.equal(await isPosition(page), true);
    assert.match(page.url(), /R(\?|%3F)/);
    assert.match(await page.locator(".verdict").textContent(), /drawn by lot/);
    // Two discs of a colour are no position, and the reason says so.
    await edit(page, () => page.locator('[data-field="3"]').selectOption("1"));
    assert.match(await page.locator(".verdict").textContent(), /two discs cannot both be red/);
  });

  test("masker: a pile takes four crosses, and the cross takes the top one away", async (stage) => {
    const page = await open(stage, "masker", "?variant=3d&players=3");
    await page.locator(at(3)).click();
    await page.locator("[data-cannot]").waitFor();
    const before = await text(page);
    await page.locator('[data-kind="-1"]').click();
    await edit(page, () => page.locator(at(3)).click());
    await page.locator('[data-kind="5"]').click();
    await edit(page, () => page.locator(at(3)).click());
    const piles = (draft) => draft.split(" ")[0].split("/")[1].split(",");
    assert.equal(piles(await text(page))[0], `${piles(before)[0].slice(0, 3)}W`);
  });

  test("advice is that of the judge, and one plays on from there", async (stage) => {
    const draft = "B..B/..../.A../A... 1";
    const page = await open(stage, "quadrangle", `?from=${draft}`);
    const hand = new Mouse(page);
    await hand.press(button("best"));
    await page.locator('[data-section="values"] [data-done="true"]').waitFor();
    const { moves } = JSON.parse(await native("probe", "quadrangle", "--from", draft));
    const first = await page.locator("[data-value]").first().getAttribute("data-value");
    const order = { win: 0, draw: 1, loss: 2 };
    const best = Math.min(...moves.map(({ value }) => order[value]));
    assert.equal(order[moves.find(({ move }) => move === first).value], best);
    // Moves are tried on the board, and back in the editor the draft is as it was.
    await hand.press(at(5 + 1));
    await until("a move", async () => /Player 2/.test((await look(page)).status));
    await hand.press(button("back-to-editor"));
    assert.equal(await text(page), draft);
    await page.locator(button("play-on-level")).selectOption("0");
    await hand.press(button("play-on"));
    await until("the table", async () => (await look(page)).playing);
    assert.match((await look(page)).status, /Player 1/);
    assert.match(await page.locator(at(0)).getAttribute("aria-label"), /piece of player 1 on a1/);
    assert.match(await page.locator(at(12)).getAttribute("aria-label"), /piece of player 2 on a4/);
  });

  test("a text is read or refused with the reason, and a link carries the draft", async (stage) => {
    const page = await open(stage, "trix");
    await page.locator('[data-section="text"] summary').click();
    await page.locator(button("text")).fill("nonsense");
    await page.locator(button("read")).click();
    const reason = await refusal("trix", "nonsense");
    const alert = page.locator('[data-section="text"] [role=alert]');
    await alert.waitFor();
    assert.ok(reason.endsWith((await alert.textContent()).split(": ").slice(1).join(": ")), reason);
    await page.locator(button("text")).fill(" ..BB/...B/.A../AA..\n2 ");
    await edit(page, () => page.locator(button("read")).click());
    assert.equal(await text(page), "..BB/...B/.A../AA.. 2");
    await page.reload();
    await page.locator("[data-text]").waitFor();
    assert.equal(await text(page), "..BB/...B/.A../AA.. 2");
    await edit(page, () => page.locator(button("first")).click());
    assert.equal(await text(page), JSON.parse(await native("position", "trix")).text);
    // A link that is damaged says so, and the editor begins with the first position.
    const other = await open(stage, "trix", "?from=nonsense");
    assert.equal(await text(other), JSON.parse(await native("position", "trix")).text);
    assert.match(await other.locator("main > [role=alert]").textContent(), /board must have 4 ranks/);
  });

  test("the set-up page and a review lead to it, with options and position; a review is played on too", async (stage) => {
    const page = await stage.open("#/chasm");
    await page.locator(button("option-players")).selectOption("3");
    await page.locator(button("edit")).click();
    await page.locator("[data-text]").waitFor();
    assert.equal(await page.locator("[data-turn-of]").count(), 3);
    assert.equal(await page.locator(".palette label").count(), 4);
    await page.goto(`${stage.address}#/quadrangle/review?seats=0,0&moves=a1;b2;c3`);
    assert.match(await page.locator(button("play-on")).getAttribute("href"), /seats=5,0&moves=a1;b2;c3$/);
    await page.locator(button("edit")).click();
    await page.locator("[data-text]").waitFor();
    assert.equal(await text(page), JSON.parse(await native("position", "quadrangle", "a1", "b2", "c3")).text);
  });

  const broken = ["kudosu", "?from=..../..../.MM./.... MMZZPPWW MMZZPPWW 1"];
  for (const [name, options, other] of [["a desktop", {}, ["fullend", "?from=flat@60,60,0 2"]], ["a phone", PHONE, ["ksar", ""]]]) {
    test(`no barriers on ${name}, in light and dark`, async (stage) => {
      for (const [game, query] of [broken, other]) {
        const page = await open(stage, game, query, options);
        await inspect(page, game);
        await page.emulateMedia({ colorScheme: "dark" });
        await inspect(page, `${game}, dark`, "color-contrast");
      }
    });
  }

  test("everything is said in five languages", async (stage) => {
    const seen = new Set();
    const page = await open(stage, "chasm", "?from=A..B/..../..../.... place 2");
    for (const language of LANGUAGES) {
      await page.locator(button("language")).selectOption(language);
      // The page's own words, and those of the engine in the worker.
      const isNew = async (selector) => !seen.has((await page.locator(selector).first().textContent()).trim());
      await until(language, async () => (await isNew(".turns legend")) && (await isNew(".line")));
      const said = await page.evaluate(() => [...document.querySelectorAll("main h1, main legend, main .small, main .verdict p, main summary, main button[data-do]:not([data-do^=undo]), .line")].map((element) => element.textContent.trim()).filter((line) => line !== ""));
      for (const line of said) assert.ok(!seen.has(line), `"${line}" twice`);
      for (const line of said) seen.add(line);
    }
  });
}
