// Playing on the page as people do: with a mouse, with keys alone, with a finger. The page itself
// offers what can be touched next. A seeded generator chooses from that, or a game that was planned before.
import fs from "node:fs";
import { assert, native, temporary, until } from "./harness.mjs";

/* What the page shows of a game. */
export function look(page) {
  return page.evaluate(() => {
    const offered = (element) => !element.disabled && element.getAttribute("aria-disabled") !== "true" && element.getAttribute("aria-pressed") !== "true";
    const status = document.querySelector(".status")?.textContent?.trim() ?? "";
    const visible = (element) => element.getClientRects().length > 0;
    return {
      status,
      over: document.querySelector('.status[data-over="true"]') !== null,
      playing: status !== "" && document.querySelector('[data-do="undo"], [data-do="hand-over"]') !== null,
      handOver: document.querySelector('[data-do="hand-over"]') !== null,
      wide: document.querySelector("[data-floor]") !== null,
      thinking: document.querySelector('[data-do="move-now"]') !== null,
      places: [...document.querySelectorAll("[data-place]")]
        .filter((element) => visible(element) && offered(element))
        .map((element) => Number(element.dataset.place)),
      chosen: [...document.querySelectorAll("[data-place][aria-pressed=true]")].map((element) => Number(element.dataset.place)),
      moves: document.querySelectorAll("[data-move]").length,
    };
  });
}

/* What a reader sees of the position: what stands on every cell and in every hand, the moves, the status line. */
export function describe(page) {
  return page.evaluate(() => ({
    status: document.querySelector(".status")?.textContent?.trim(),
    places: [...document.querySelectorAll("[data-place]")].map((element) => element.getAttribute("aria-label") ?? element.textContent.trim()),
    moves: [...document.querySelectorAll("[data-move]")].map((element) => element.textContent.replace(/\s+/g, " ").trim()),
  }));
}

/* From now on, everything that a screen reader would say by itself; each call gives what is new. */
export async function listen(page) {
  await page.evaluate(() => {
    globalThis.heard = [];
    new MutationObserver((changes) => {
      const parent = (node) => (node.nodeType === Node.ELEMENT_NODE ? node : node.parentElement);
      const regions = new Set(changes.map(({ target }) => parent(target)?.closest("[role=status], [role=alert]")).filter(Boolean));
      const texts = [...regions].map((region) => region.textContent.replace(/\s+/g, " ").trim());
      globalThis.heard.push(...texts.filter((text) => text !== ""));
    }).observe(document.body, { subtree: true, childList: true, characterData: true });
  });
  return () => page.evaluate(() => globalThis.heard.splice(0));
}

export const isOver = (state) => state.over;
export const button = (what) => `[data-do="${what}"]`;
export const at = (place) => `[data-place="${place}"]`;

/* The middle of an element, in view and not covered by anything. */
async function middle(page, selector) {
  const found = await page.evaluate((wanted) => {
    const element = [...document.querySelectorAll(wanted)].find((e) => e.getClientRects().length > 0);
    if (!element) return "is not there";
    let box = element.getBoundingClientRect();
    if (box.top < 0 || box.left < 0 || box.bottom > innerHeight || box.right > innerWidth) {
      element.scrollIntoView({ block: "center", inline: "center", behavior: "instant" });
      box = element.getBoundingClientRect();
    }
    const point = { x: box.left + box.width / 2, y: box.top + box.height / 2 };
    const top = document.elementFromPoint(point.x, point.y);
    return element.contains(top) || top?.closest("label")?.contains(element) ? point : `is covered by ${top?.outerHTML.slice(0, 200)}`;
  }, selector);
  if (typeof found === "string") throw new Error(`${selector} ${found}`);
  return found;
}

export class Mouse {
  constructor(page) {
    this.page = page;
  }
  async press(selector) {
    const point = await middle(this.page, selector);
    await this.page.mouse.click(point.x, point.y);
  }
  async set(selector, value) {
    await this.page.locator(selector).selectOption(value);
  }
  async type(selector, text) {
    await this.press(selector);
    await this.page.keyboard.press("Control+a");
    await this.page.keyboard.type(text);
    await this.page.keyboard.press("Tab");
  }
  /* Lays a piece somewhere on a floor without cells. */
  async lay(random) {
    const { page } = this;
    const box = await page.locator("[data-floor]").boundingBox();
    for (let tries = 0; tries < 60; tries++) {
      if (random.below(3) === 0) await page.mouse.wheel(0, random.pick([-100, 100]));
      await page.mouse.move(box.x + box.width * (0.15 + random.below(70) / 100), box.y + box.height * (0.2 + random.below(65) / 100));
      const before = (await look(page)).moves;
      await page.mouse.down();
      await page.mouse.up();
      const after = await look(page);
      if (after.moves > before || isOver(after)) return;
      // When the floor is nearly full, the page is asked for a place, and what it shows is laid down.
      await this.press('[data-do="another-place"]');
      if (!(await page.locator("[data-lay]").isEnabled())) continue;
      await this.press("[data-lay]");
      return;
    }
    throw new Error("found no room for a piece with the mouse");
  }
}

export class Finger extends Mouse {
  /* A tap that has only shown where a large piece would lie is made again. */
  async press(selector) {
    const point = await middle(this.page, selector);
    const before = JSON.stringify(await look(this.page));
    await this.page.touchscreen.tap(point.x, point.y);
    if (selector.startsWith("[data-place") && JSON.stringify(await look(this.page)) === before) await this.page.touchscreen.tap(point.x, point.y);
  }
  async lay() {
    const before = (await look(this.page)).moves;
    for (let tries = 0; tries < 60; tries++) {
      await this.press("[data-floor]");
      // Where nothing fits, the page is asked for another place.
      if (await this.page.locator("[data-lay]").isDisabled()) await this.press('[data-do="another-place"]');
      if (await this.page.locator("[data-lay]").isDisabled()) continue;
      await this.press("[data-lay]");
      const after = await look(this.page);
      if (after.moves > before || isOver(after)) return;
    }
    throw new Error("found no room for a piece with a finger");
  }
}

/* Nothing but keys: Tab and Shift+Tab between controls, arrows in the grid, Enter and Space. */
export class Keyboard {
  constructor(page) {
    this.page = page;
    this.presses = 0;
  }
  key(name) {
    this.presses++;
    return this.page.keyboard.press(name);
  }
  /* Tabs until what is asked for has the focus; a grid counts as reached when any of its cells has it. */
  async reach(selector) {
    for (let steps = 0; steps < 250; steps++) {
      const where = await this.page.evaluate((wanted) => {
        const target = [...document.querySelectorAll(wanted)].find((e) => e.getClientRects().length > 0);
        if (!target) return "missing";
        const active = document.activeElement;
        if (active === target) return "there";
        const grid = target.closest("[role=grid]");
        if (grid !== null && grid.contains(active) && active !== grid) {
          const rows = [...grid.querySelectorAll("[role=row]")].map((row) => [...row.querySelectorAll("[data-place]")]);
          const find = (element) => {
            const row = rows.findIndex((cells) => cells.includes(element));
            return [row, rows[row]?.indexOf(element) ?? -1];
          };
          const [from, to] = [find(active), find(target)];
          return { rows: to[0] - from[0], columns: to[1] - from[1] };
        }
        if (active === null || active === document.body) return "Tab";
        return active.compareDocumentPosition(target) & Node.DOCUMENT_POSITION_FOLLOWING ? "Tab" : "Shift+Tab";
      }, selector);
      if (where === "there") return;
      if (where === "missing") throw new Error(`${selector} is not there`);
      if (typeof where === "string") await this.key(where);
      else {
        for (let i = 0; i < Math.abs(where.rows); i++) await this.key(where.rows > 0 ? "ArrowDown" : "ArrowUp");
        for (let i = 0; i < Math.abs(where.columns); i++) await this.key(where.columns > 0 ? "ArrowRight" : "ArrowLeft");
      }
    }
    throw new Error(`${selector} cannot be reached by keys`);
  }
  async press(selector) {
    await this.reach(selector);
    await this.key(this.presses % 2 ? "Enter" : "Space");
  }
  async set(selector, value) {
    await this.reach(selector);
    await this.key("Home");
    for (let steps = 0; steps < 30; steps++) {
      if ((await this.page.locator(selector).inputValue()) === value) return;
      await this.key("ArrowDown");
    }
    throw new Error(`${selector} cannot be set to ${value} by keys`);
  }
  async type(selector, text) {
    await this.reach(selector);
    await this.key("Control+a");
    await this.page.keyboard.type(text);
  }
  async lay(random) {
    const { page } = this;
    await this.reach("[data-floor]");
    const before = (await look(page)).moves;
    for (let tries = 0; tries < 60; tries++) {
      for (let i = random.below(6); i > 0; i--) await this.key(random.pick(["ArrowUp", "ArrowDown", "ArrowLeft", "ArrowRight", "Shift+ArrowUp", ",", "."]));
      if (tries > 0 || random.below(2)) await this.key("n");
      await this.key("Enter");
      const after = await look(page);
      if (after.moves > before || isOver(after)) return;
    }
    throw new Error("found no room for a piece with keys");
  }
}

/* From the set-up form to a table; seats: 0 for a person, else a level. */
export async function setUp(page, hand, { options = {}, seats = [0, 0] }) {
  for (const [key, value] of Object.entries(options)) {
    if (/^\d+x\d+$/.test(value)) {
      const [width, depth] = value.split("x");
      await hand.type(button(`option-${key}-width`), width);
      await hand.type(button(`option-${key}-depth`), depth);
    } else await hand.set(button(`option-${key}`), value);
  }
  for (const [i, seat] of seats.entries()) await hand.set(button(`seat-${i + 1}`), String(seat));
  await hand.press(button("play"));
  await until("the table", async () => (await look(page)).playing);
}

/* Makes one move with the hand; returns false when the game is over. `planned`: the places of the move that is
 * wanted, if one is. */
export async function move(page, hand, random, planned = []) {
  let before = null;
  const wanted = [...planned];
  for (let touches = 0; touches < 40; touches++) {
    const state = await until(
      "something to do",
      async () => {
        const now = await look(page);
        const moved = before !== null && now.moves > before;
        return (isOver(now) || now.handOver || moved || (!now.thinking && (now.wide || now.places.length > 0))) && now;
      },
      30,
    );
    if (isOver(state)) return false;
    if (state.handOver) {
      if (before !== null) return true;
      await hand.press(button("hand-over"));
      continue;
    }
    before ??= state.moves;
    if (state.moves > before) return true;
    if (state.wide) {
      await hand.lay(random);
      continue;
    }
    // The page has already made the touches that leave no choice.
    while (wanted.length > 0 && !state.places.includes(wanted[0])) wanted.shift();
    const place = wanted.shift() ?? random.pick(state.places);
    await hand.press(at(place));
  }
  throw new Error("a move that never ends");
}

/* Takes a piece into the hand, without playing it; false where a move is one touch. Nothing is scrolled. */
export async function hold(page) {
  const before = await look(page);
  const click = (selector) => page.evaluate((wanted) => document.querySelector(wanted).click(), selector);
  if (before.wide) {
    await click(button("another-place"));
    return true;
  }
  if (before.chosen.length > 0) return true;
  await click(at(before.places[0]));
  if ((await look(page)).moves === before.moves) return true;
  await click(button("undo"));
  return false;
}

/* Plays until the game is over; plan: moves as the engine lists them. */
export async function playOut(page, hand, random, plan = [], limit = 400) {
  for (let ply = 0; ply < limit; ply++) if (!(await move(page, hand, random, plan[ply]?.slice(1)))) return;
  throw new Error(`not over after ${limit} moves`);
}

/* What the page lets us save. */
export async function download(page, what) {
  const [got] = await Promise.all([page.waitForEvent("download"), page.locator(button(what)).click()]);
  const file = temporary(got.suggestedFilename());
  await got.saveAs(file);
  return { name: got.suggestedFilename(), file, bytes: fs.readFileSync(file) };
}

/* The game is over: what the page says must be what the native program says of the saved record. */
export async function checkResult(page) {
  const { status } = await look(page);
  const saved = await download(page, "save-record");
  const record = JSON.parse(saved.bytes.toString("utf8"));
  const said = await native("replay", saved.file);
  assert.ok(record.result, "the record of a finished game has a result");
  const { winners, points, reason } = record.result;
  assert.match(said, new RegExp(`${record.moves.length} moves, all legal`));
  const where = status.toLowerCase().indexOf(reason.toLowerCase());
  assert.ok(where > 0, `"${status}" gives the reason "${reason}"`);
  const outcome = status.slice(0, where);
  const people = record.seats.flatMap(({ kind }, i) => (kind === "human" ? [i + 1] : []));
  if (people.length === 1 && winners.length < record.seats.length) assert.match(outcome, winners.includes(people[0]) ? /You won/ : /You lost/);
  else if (winners.length === record.seats.length) assert.match(outcome, /draw/i);
  else assert.deepEqual([...outcome.matchAll(/Player (\d)/g)].map((m) => Number(m[1])), winners);
  assert.ok(said.includes(reason), `the native program gives the same reason: ${said}`);
  if (points) for (const point of points) assert.ok(status.includes(String(point)), `"${status}" counts ${points}`);
  return record;
}
