// What a move did is told in words: at its place, in a line, and to screen readers.
import { engine } from "./engine.mjs";
import { assert, chance, test, until } from "./harness.mjs";
import { button, listen, look, Mouse } from "./player.mjs";

/* A game up to a move that fits, and that move; `fits` is given what the move did and the position after it. */
async function gameUntil(game, options, fits, games = 400) {
  const e = await engine();
  const random = chance(17);
  for (let i = 0; i < games; i++) {
    e.begin(game, options);
    const moves = [];
    for (let position = e.position(); position.turn !== 0 && moves.length < 120; ) {
      const move = random.pick(position.moves);
      e.play(move[0]);
      moves.push(move);
      const before = position;
      position = e.position();
      const { events, placed } = e.difference(moves.length);
      if (fits({ events, placed, before, after: position, ply: moves.length })) return { moves: moves.slice(0, -1).map(([text]) => text), move, events, seat: before.turn };
    }
  }
  throw new Error(`${game} has no such move`);
}

async function open(stage, game, { moves, options = {}, seats = [0, 0], ...context }) {
  const query = new URLSearchParams({ ...options, seats: seats.join(","), moves: moves.join(";") });
  const page = await stage.open(`#/${game}?${query}`, context);
  await until("the table", async () => (await look(page)).moves === moves.length);
  return { page, hand: new Mouse(page) };
}

async function make(page, hand, [, ...places]) {
  const { moves } = await look(page);
  for (const place of places) if ((await look(page)).places.includes(place)) await hand.press(`[data-place="${place}"]`);
  await until("the move", async () => (await look(page)).moves > moves);
}

const capital = (text) => text[0].toUpperCase() + text.slice(1);
const happened = async (page) => (await page.locator("[data-happened]").textContent()).trim();
const remarks = (page) => page.locator('.board [data-event="true"]');
const isRemoval = ({ events, after }) => after.turn !== 0 && events.some(({ places }) => places.length > 0);

export function register() {
  test("an event is told at its place, in the line after the status, and to screen readers", async (stage) => {
    const { moves, move, events } = await gameUntil("kolem", {}, isRemoval);
    const { page, hand } = await open(stage, "kolem", { moves });
    const heard = await listen(page);
    await make(page, hand, move);
    const { label, places } = events.find((event) => event.places.length > 0);
    await remarks(page).first().waitFor();
    assert.ok((await remarks(page).first().textContent()).includes(capital(label)));
    assert.ok((await happened(page)).includes(capital(label)));
    assert.ok((await heard()).some((text) => text.includes(capital(label))), "it is spoken");
    const [said, cell] = [await remarks(page).first().boundingBox(), await page.locator(`[role=grid] [data-place="${places[0]}"]`).boundingBox()];
    const away = Math.max(said.y - (cell.y + cell.height), cell.y - (said.y + said.height), said.x - (cell.x + cell.width), cell.x - (said.x + said.width));
    assert.ok(away < cell.height, `${away} pixels away from its place`);
    const middle = [cell.x + cell.width / 2, cell.y + cell.height / 2];
    assert.ok(middle[0] < said.x || middle[0] > said.x + said.width || middle[1] < said.y || middle[1] > said.y + said.height, "and does not cover it");
    await hand.press(`[role=grid] [data-place="${(await look(page)).places[0]}"]`);
    assert.equal(await remarks(page).count(), 0, "gone with the next touch");
  });

  test("a remark goes by itself, and makes way for the pointer", async (stage) => {
    const { moves, move } = await gameUntil("kolem", {}, isRemoval);
    const { page, hand } = await open(stage, "kolem", { moves });
    await page.clock.install();
    await make(page, hand, move);
    await remarks(page).first().waitFor();
    const box = await remarks(page).first().boundingBox();
    await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
    await until("a faint remark", async () => (await remarks(page).first().evaluate((node) => Number(getComputedStyle(node).opacity))) < 0.5);
    await page.clock.runFor(30000);
    assert.equal(await remarks(page).count(), 0);
    assert.notEqual(await happened(page), "", "the line stays");
  });

  test("taking back tells no event as made; stepping tells those of each move", async (stage) => {
    const { moves, move, events, seat } = await gameUntil("kolem", {}, isRemoval);
    const { page, hand } = await open(stage, "kolem", { moves });
    const text = capital(events[0].label);
    await make(page, hand, move);
    await remarks(page).first().waitFor();
    const heard = await listen(page);
    await hand.press(button("undo"));
    await page.waitForTimeout(150);
    const said = await heard();
    assert.ok(said.some((line) => line.startsWith("Taken back")) && !said.some((line) => line.includes(text)), String(said));
    assert.equal(await happened(page), "");
    assert.equal(await remarks(page).count(), 0);
    await hand.press(button("redo"));
    await until("the event again", async () => (await happened(page)).includes(text));
    await hand.press(button("first"));
    assert.equal(await happened(page), "");
    await hand.press(`[data-move="${moves.length + 1}"]`);
    assert.ok((await happened(page)).startsWith(`Player ${seat} (`) && (await happened(page)).includes(text));
    await hand.press(button("earlier"));
    assert.ok(!(await happened(page)).includes(text), "the move before had other events, or none");
    await hand.press(button("later"));
    await remarks(page).first().waitFor();
  });

  test("where nothing can be done but to pass, the reason stands beside the button", async (stage) => {
    const isForced = ({ after, events }) => after.turn !== 0 && after.count === 1 && after.scene.places[after.moves[0][1]].kind === "button" && events.length > 0;
    const { moves, move, events } = await gameUntil("kolem", {}, isForced, 4000);
    const reason = events.filter(({ places }) => places.length === 0).map(({ label }) => capital(label)).join(". ");
    const { page, hand } = await open(stage, "kolem", { moves });
    const why = page.locator("[data-why]");
    const isExplained = async () => {
      await why.waitFor();
      assert.ok((await why.textContent()).includes(reason));
      const pass = page.locator(".decisions [data-place]");
      assert.equal(await pass.count(), 1);
      assert.equal(await pass.getAttribute("aria-describedby"), await why.getAttribute("id"));
    };
    await make(page, hand, move);
    await isExplained();
    await page.reload();
    await isExplained();
  });

  test("after several computers, everything since one's own last turn is told and marked", async (stage) => {
    const options = { players: "4" };
    const { moves } = await gameUntil("chasm", options, ({ before, ply, events }) => before.turn === 4 && ply > 20 && events.some(({ places }) => places.length > 0));
    const { page, hand } = await open(stage, "chasm", { moves: moves.slice(0, moves.length - (moves.length % 4)), options, seats: [0, 1, 1, 1] });
    const e = await engine();
    let told = 0;
    for (let round = 0; round < 4 && !(await look(page)).over && told === 0; round++) {
      const state = await until("one's own turn", async () => (({ over, thinking, places, ...rest }) => (over || (!thinking && places.length > 0)) && { over, places, ...rest })(await look(page)), 30);
      if (state.over) break;
      const before = state.moves;
      while ((await look(page)).moves === before) await hand.press(`[role=grid] [data-place="${(await look(page)).places.at(-1)}"]`);
      await until("three answers", async () => (await look(page)).over || ((await look(page)).moves >= before + 4 && !(await look(page)).thinking), 30);
      const list = await page.evaluate(() => [...document.querySelectorAll("[data-move]")].map((element) => element.lastChild.textContent.trim()));
      e.begin("chasm", options, list);
      const line = await happened(page);
      for (let ply = before + 1; ply <= list.length; ply++) {
        const { events, placed } = e.difference(ply);
        if (events.length > 0) assert.ok(line.includes(events.map(({ label }) => capital(label)).join(". ")), `move ${ply} is told: ${line}`);
        told += ply > before + 1 ? events.length : 0;
        // What the others put somewhere and nobody has moved since is marked.
        if (ply === before + 1) continue;
        for (const piece of placed) {
          const label = await page.locator(`[role=grid] [data-place="${piece.place}"]`).getAttribute("aria-label");
          assert.match(label, /last move/, `move ${ply} is marked`);
        }
      }
      const names = [...line.matchAll(/Player (\d) \(/g)].map((found) => Number(found[1]));
      assert.deepEqual(names, [...names].sort(), "in the order of the moves");
    }
    assert.ok(told > 0, "something happened");
  });
}
