// A panel for each player: who it is, whose turn it is, what is in hand and how the game stands; and none of them jumps.
import { engine, isLong, shortGame } from "./engine.mjs";
import { assert, chance, GAMES, isHidden, LANGUAGES, LOCALES, PHONE, SHELF, test, until } from "./harness.mjs";
import { button, Finger, isOver, look, Mouse, move, setUp } from "./player.mjs";

const panels = (page) =>
  page.evaluate(() =>
    [...document.querySelectorAll("[data-panel]")].map((panel) => ({
      player: Number(panel.dataset.panel),
      name: panel.querySelector("h3 span")?.innerText.replace(/\s+/g, " ").trim() ?? "",
      turn: panel.dataset.turn === "true",
      flag: panel.querySelector(".flag")?.textContent.trim() ?? "",
      mark: panel.querySelector("h3 svg") !== null,
      standings: [...panel.querySelectorAll("dl div")].map((row) => `${row.querySelector("dt").textContent.trim()}: ${row.querySelector("dd").textContent}`),
    })),
  );

const boxes = (page) =>
  page.evaluate(() => {
    const from = document.querySelector(".panels").getBoundingClientRect();
    return [...document.querySelectorAll("[data-panel]")].map((panel) => {
      const { x, y, width, height } = panel.getBoundingClientRect();
      return [x - from.x, y - from.y, width, height].map((value) => Math.round(value * 2) / 2);
    });
  });

/* The standings that the engine gives, as a panel shows them. */
const figure = (number) => (number === 255 ? "∞" : String(number));
const expected = (standings, player) =>
  standings.filter((standing) => standing.player === player).map(({ label, number, most }) => `${label[0].toUpperCase()}${label.slice(1)}: ${most === undefined ? figure(number) : `${figure(number)} of ${figure(most)}`}`);

const moveTexts = (page) => page.evaluate(() => [...document.querySelectorAll("[data-move]")].map((element) => element.lastChild.textContent.trim()));

export function register() {
  for (const game of GAMES) {
    test(`${game}: every player has a panel, and panels keep their size through a whole game`, async (stage) => {
      const players = SHELF.get(game).players.at(-1);
      const options = players > 2 ? { players: String(players) } : {};
      const random = chance(31);
      const page = await stage.open(`#/${game}`);
      const hand = new Mouse(page);
      await setUp(page, hand, { options, seats: Array(players).fill(0) });
      const plan = (await isLong(game, options)) && !isHidden(game) ? await shortGame(game, options, random) : [];
      const first = await boxes(page);
      const e = await engine();
      for (let ply = 0; ; ply++) {
        const state = await look(page);
        const shown = await panels(page);
        assert.deepEqual(await boxes(page), first, `after ${ply} moves`);
        assert.deepEqual(shown.filter(({ player }) => player > 0).map(({ player }) => player), Array.from({ length: players }, (_, i) => i + 1));
        for (const { player, name, mark } of shown.filter((panel) => panel.player > 0)) assert.ok(name.startsWith(`Player ${player}`) && mark, name);
        if (!isHidden(game)) {
          e.begin(game, options, await moveTexts(page));
          for (const { player, standings } of shown) assert.deepEqual(standings, expected(e.position().standings, player), `the standings of player ${player} after ${ply} moves`);
        }
        if (isOver(state)) break;
        const turn = Number(/Player (\d)/.exec(state.status)[1]);
        assert.deepEqual(shown.filter((panel) => panel.turn).map(({ player }) => player), [turn]);
        assert.deepEqual(shown.filter(({ flag }) => flag.includes("to move")).map(({ player }) => player), [turn], "in words, too");
        await move(page, hand, random, plan[ply]?.slice(1));
      }
    });
  }

  test("on a phone, panels keep their size as well", async (stage) => {
    const page = await stage.open("#/kudosu", PHONE);
    const hand = new Finger(page);
    await setUp(page, hand, {});
    const first = await boxes(page);
    const random = chance(4);
    while (await move(page, hand, random)) assert.deepEqual(await boxes(page), first);
  });

  test("the flag of a panel covers no name, on a phone and in every language", async (stage) => {
    for (const language of LANGUAGES) {
      const page = await stage.open("#/kolem?seats=3,8&moves=", { ...PHONE, locale: LOCALES[language] });
      await page.locator('[data-turn="true"] .flag').waitFor();
      const covered = await page.evaluate(() =>
        [...document.querySelectorAll("[data-panel] .flag")].filter((flag) => flag.textContent !== "").flatMap((flag) => {
          const range = document.createRange();
          range.selectNodeContents(flag.parentElement.querySelector("h3 span"));
          const [a, ...lines] = [flag.getBoundingClientRect(), ...range.getClientRects()];
          const isOver = (b) => a.left < b.right && b.left < a.right && a.top < b.bottom - 2 && b.top + 2 < a.bottom; // the room between lines may be
          return lines.filter(isOver).map((b) => `${flag.textContent} reaches ${a.bottom}, the name begins at ${b.top}`);
        }),
      );
      assert.deepEqual(covered, [], language);
    }
  });

  test("panels say who sits where", async (stage) => {
    const page = await stage.open("#/trix?seats=0,3&moves=");
    await page.locator("[data-panel]").first().waitFor();
    assert.deepEqual((await panels(page)).map(({ name }) => name), ["You Player 1 (maple)", "Computer, level 3 Player 2 (walnut)"]);
    const people = await stage.open("#/trix?seats=0,0&moves=");
    await people.locator("[data-panel]").first().waitFor();
    assert.deepEqual((await panels(people)).map(({ name }) => name), ["Player 1 (maple)", "Player 2 (walnut)"]);
  });

  test("looking back shows how the game stood then, and whose turn it was", async (stage) => {
    const moves = ["c3", "c2", "b2", "b1", "d2"];
    const page = await stage.open(`#/kolem?seats=0,0&moves=${moves.join(";")}`);
    const hand = new Mouse(page);
    await until("the table", async () => (await look(page)).moves === moves.length);
    const e = await engine();
    await hand.press(button("first"));
    for (let ply = 0; ply <= moves.length; ply++) {
      e.begin("kolem", {}, moves.slice(0, ply));
      const { standings, turn } = e.position();
      const shown = await panels(page);
      assert.ok(standings.length > 0);
      for (const panel of shown) assert.deepEqual(panel.standings, expected(standings, panel.player));
      assert.deepEqual(shown.filter((panel) => panel.turn).map(({ player }) => player), [turn]);
      if (ply < moves.length) await hand.press(button("later"));
    }
  });
}
