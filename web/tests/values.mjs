// What every move is worth, on the board and beside it: the same as the command says, in words and signs that need no
// colour, only when somebody asks, and never more than a seat may know.
import { inspect } from "./accessible.mjs";
import { engine } from "./engine.mjs";
import { assert, chance, DESKTOP, LANGUAGES, LOCALES, native, PHONE, test, until } from "./harness.mjs";
import { at, button, Keyboard, listen, look, Mouse, move, setUp } from "./player.mjs";
import { textOf } from "./words.mjs";

/* A random game, so many moves long, or none if it ended before. */
async function random(game, options, plies, seed) {
  const e = await engine();
  const dice = chance(seed);
  const moves = [];
  for (e.begin(game, options); moves.length < plies; ) {
    const position = e.position();
    if (position.turn === 0) return null;
    moves.push(dice.pick(position.moves)[0]);
    e.play(moves.at(-1));
  }
  return e.position().turn === 0 ? null : { moves, position: e.position() };
}

const address = (game, moves, { options = {}, seats = "0,0" } = {}) => `#/${game}?${new URLSearchParams({ ...options, seats, moves: moves.join(";") })}`;

/* Asks for the values and waits until all are found. */
async function ask(page) {
  await page.locator(button("values")).click();
  await settled(page);
}
const settled = (page) => page.locator('[data-done="true"]').waitFor({ timeout: 30000 });

/* The list: for each move its words and its sign. */
async function listed(page) {
  while (await page.locator(button("more-values")).count()) await page.locator(button("more-values")).click();
  const rows = await page.locator("[data-value]").evaluateAll((buttons) =>
    buttons.map((row) => {
      const [names, words] = [...row.querySelector(".what").children].map((part) => part.textContent.trim());
      const sign = row.querySelector("[data-worth]");
      return { names: names.split(", "), words, kind: sign.dataset.worth, known: sign.dataset.known, number: sign.querySelector("b")?.textContent ?? "" };
    }),
  );
  return rows;
}

const signed = (margin) => (margin > 0 ? `+${margin}` : `−${-margin}`);

/* What the page should say of a value that the command proved. */
function expected(language, { value, distance, margin }, isTwin) {
  const say = (key, ...values) => textOf(`values/${language}`, key, ...values);
  const what =
    value === "draw" ? say("draw")
    : margin !== null ? say("worth", say(value), say(Math.abs(margin) === 1 ? "marginOne" : "margin", signed(margin)))
    : distance === null ? say(value)
    : say(value === "win" ? "winIn" : "lossIn", distance);
  const proven = say("worth", what, say("proven"));
  return isTwin ? say("worth", proven, say("same")) : proven;
}

const RANK = { win: 2, draw: 1, loss: 0 };

/* Positions in which not everything is the same: found by asking the command, never by asking the page. */
async function positions(game, options, plies, wanted) {
  const found = [];
  for (let seed = 1; seed < 60 && found.length < wanted; seed++) {
    const played = await random(game, options, plies, seed);
    if (played === null) continue;
    const flags = Object.entries(options).flatMap(([key, value]) => ["-o", `${key}=${value}`]);
    const probe = JSON.parse(await native("probe", game, ...flags, ...played.moves));
    if (new Set(probe.moves.map(({ value, distance, margin }) => `${value} ${distance} ${margin}`)).size > 2) found.push({ ...played, probe });
  }
  assert.equal(found.length, wanted, `${game}: positions worth looking at`);
  return found;
}

export function register() {
  for (const [game, options, plies] of [
    ["trix", { goal: "filled" }, 24],
    ["kudosu", {}, 8],
    ["quadrangle", {}, 5],
    ["mix3", {}, 11],
    ["chasm", {}, 11],
  ])
    test(`${game}: what is shown is what nonet probe says`, async (stage) => {
      for (const { moves, position, probe } of await positions(game, options, plies, 2)) {
        const page = await stage.open(address(game, moves, { options }));
        await ask(page);
        const told = new Map(probe.moves.map((move) => [move.move, move]));
        const rows = await listed(page);
        assert.deepEqual(rows.flatMap(({ names }) => names).sort(), [...told.keys()].sort(), "every move once");
        let last = Infinity;
        for (const { names, words, kind, known, number } of rows) {
          for (const name of names) assert.equal(words, expected("en", told.get(name), names.length > 1), `${game} ${moves.join(" ")}: ${name}`);
          const { value, distance, margin } = told.get(names[0]);
          assert.equal(kind, value);
          assert.equal(known, "proven");
          assert.equal(number, value === "draw" ? "" : margin !== null ? signed(margin) : distance === null ? "" : String(distance));
          assert.ok(RANK[value] <= last, "best first");
          last = RANK[value];
        }
        // On the board: the best of the moves that go on at a place. Where a piece is taken first, it says the best as well.
        const bestAt = (touched) => {
          const best = new Map();
          for (const [name, ...places] of position.moves) {
            if (touched.some((place, i) => places[i] !== place)) continue;
            const { value } = told.get(name);
            const place = places[touched.length];
            if (!best.has(place) || RANK[value] > RANK[best.get(place)]) best.set(place, value);
          }
          return best;
        };
        let touched = (await look(page)).chosen;
        for (const [place, value] of bestAt(touched)) {
          if (position.scene.places[place].kind === "cell") continue;
          assert.equal(await page.locator(`button${at(place)} [data-worth]`).getAttribute("data-worth"), value);
          assert.ok((await page.locator(`button${at(place)}`).textContent()).includes(textOf("values/en", value)));
        }
        if (![...bestAt(touched).keys()].some((place) => position.scene.places[place].kind === "cell")) {
          await page.locator(`button${at([...bestAt(touched).keys()][0])}`).click();
          touched = (await look(page)).chosen;
        }
        const shown = await page.locator(".board [data-value-at]").evaluateAll((signs) => signs.map((sign) => [Number(sign.dataset.valueAt), sign.firstElementChild.dataset.worth]));
        const cells = [...bestAt(touched)].filter(([place]) => position.scene.places[place].kind === "cell");
        assert.ok(shown.length > 0);
        assert.deepEqual(new Map(shown.sort((a, b) => a[0] - b[0])), new Map(cells.sort((a, b) => a[0] - b[0])));
        // The cells say it too.
        const [place, value] = shown[0];
        assert.match(await page.locator(at(place)).first().getAttribute("aria-label"), new RegExp(textOf("values/en", value)));
      }
    });

  test("moves that are equal by symmetry have one row and one letter", async (stage) => {
    const page = await stage.open(address("chasm", []));
    await ask(page);
    const rows = await listed(page);
    const e = await engine();
    e.begin("chasm");
    const { moves } = e.position();
    assert.deepEqual(rows.flatMap(({ names }) => names).sort(), moves.map(([name]) => name).sort());
    // On a board of four by four, the eight ways to turn and flip it leave corners, edges and the middle.
    assert.equal(rows.length, 3);
    const letters = await page.locator(".board [data-value-at]").evaluateAll((signs) => signs.map((sign) => sign.querySelector("sup")?.textContent ?? ""));
    const counts = Object.values(letters.reduce((all, letter) => ({ ...all, [letter]: (all[letter] ?? 0) + 1 }), {}));
    assert.deepEqual(counts.sort(), [4, 4, 8]);
  });

  test("proven, searched and estimated differ in their edge and in words, not only in colour", async (stage) => {
    const page = await stage.open(address("trix", ["b1c1"]));
    await ask(page);
    await page.locator("[data-section=legend] summary").click();
    const edges = await page.locator("[data-section=legend] [data-known]").evaluateAll((signs) => signs.map((sign) => [sign.dataset.worth, sign.dataset.known, getComputedStyle(sign).borderTopStyle, getComputedStyle(sign).borderRadius, sign.textContent.trim()]));
    const edgeOf = new Map(edges.map(([, known, edge]) => [known, edge]));
    assert.deepEqual(Object.fromEntries(edgeOf), { proven: "solid", searched: "dashed", estimated: "dotted" });
    const results = edges.filter(([kind]) => kind !== "open").concat([edges.find(([kind]) => kind === "open")]);
    assert.equal(new Set(results.map(([, , , shape]) => shape)).size, 4, "every result has a shape of its own");
    assert.equal(new Set(results.map(([, , , , symbol]) => symbol)).size, 4, "and a symbol");
    for (const { known, words } of await listed(page)) assert.ok(words.includes(textOf("values/en", known)));
    // Where no table answers, the same edges and words tell how little is known.
    const wide = await stage.open(address("ksar", []));
    await ask(wide);
    const rows = await wide.locator("[data-value]").evaluateAll((all) => all.map((row) => [row.querySelector("[data-known]").dataset.known, getComputedStyle(row.querySelector("[data-known]")).borderTopStyle, row.textContent]));
    assert.ok(rows.some(([known]) => known !== "proven"));
    for (const [known, edge, text] of rows) {
      assert.equal(edge, edgeOf.get(known));
      assert.ok(text.includes(textOf("values/en", known)), text);
    }
  });

  test("against the computer it is off, says that it helps, and is forgotten with the game", async (stage) => {
    const asked = [];
    const page = await stage.open("#/trix");
    page.on("request", (request) => asked.push(request.url()));
    const hand = new Mouse(page);
    await setUp(page, hand, { seats: [0, 1] });
    assert.equal(await page.locator(button("values")).getAttribute("aria-pressed"), "false");
    assert.equal(await page.locator("[data-value-at], [data-value]").count(), 0);
    assert.deepEqual(asked.filter((url) => /study|Values/.test(url)), [], "nothing of it was fetched");
    const heard = await listen(page);
    await ask(page);
    const spoken = await until("both messages", async () => {
      globalThis.all = [...(globalThis.all ?? []), ...(await heard())];
      return globalThis.all.length > 1 && globalThis.all;
    });
    globalThis.all = undefined;
    assert.equal(spoken[0], textOf("values/en", "helps"));
    assert.match(spoken.at(-1), /^Best: [a-d][1-4][a-d][1-4], draws, proven\. 9 of 9 moves keep this result\.$/);
    assert.ok((await page.locator("[data-value-at]").count()) > 0);
    await hand.press(button("restart"));
    await until("a new game", async () => (await page.locator(button("values")).getAttribute("aria-pressed")) === "false");
    assert.equal(await page.locator("[data-value-at], [data-value]").count(), 0);
  });

  test("a row shows the line, step by step, and plays its move; all by keys", async (stage) => {
    const [{ moves, probe }] = await positions("quadrangle", {}, 5, 1);
    const page = await stage.open(address("quadrangle", moves));
    await page.keyboard.press("v");
    await settled(page);
    const row = page.locator("[data-value]").first();
    const best = await row.getAttribute("data-value");
    await row.focus();
    await page.keyboard.press("Enter");
    const line = page.locator("[data-line] ol button");
    await line.first().waitFor();
    assert.equal(await row.getAttribute("aria-expanded"), "true");
    const steps = (await line.allTextContents()).map((text) => text.replace(/^\d+\. /, ""));
    assert.equal(steps[0], best);
    // A win or a loss is told to its end, in as many moves as the row says.
    const { value, distance } = probe.moves.find(({ move }) => move === best);
    if (value !== "draw" && distance <= 32) assert.equal(steps.length, distance);
    const e = await engine();
    e.begin("quadrangle", {}, [...moves, ...steps]); // or it throws
    if (value !== "draw" && distance <= 32) assert.equal(e.position().turn, 0);
    const picture = () => page.locator("[data-line] img").getAttribute("src");
    const before = await picture();
    if (steps.length > 1) {
      await page.locator("[data-line] .steps button").last().focus();
      await page.keyboard.press("Enter");
      assert.notEqual(await picture(), before);
      assert.match(await page.locator("[data-line] figcaption").textContent(), /^2 of /);
    }
    await page.locator(button("play-value")).focus();
    await page.keyboard.press("Enter");
    await until("the move", async () => (await look(page)).moves === moves.length + 1);
    assert.match(await page.locator("[data-move]").last().textContent(), new RegExp(`${best}\\s*$`));
  });

  test("looking back shows what the moves were worth then", async (stage) => {
    const [{ moves }] = await positions("quadrangle", {}, 5, 1);
    const page = await stage.open(address("quadrangle", moves));
    await ask(page);
    const ply = moves.length - 1;
    await page.locator(`[data-move="${ply}"]`).click();
    const probe = JSON.parse(await native("probe", "quadrangle", ...moves.slice(0, ply)));
    await until("its moves", async () => (await page.locator("[data-value]").count()) > 0 && (await listed(page)).flatMap(({ names }) => names).sort().join() === probe.moves.map(({ move }) => move).sort().join());
    await settled(page);
    for (const { names, words } of await listed(page))
      assert.equal(words, expected("en", probe.moves.find(({ move }) => move === names[0]), names.length > 1));
  });

  for (const language of LANGUAGES)
    test(`in ${language}, for eyes and screen readers`, async (stage) => {
      const [{ moves, probe }] = await positions("quadrangle", {}, 5, 1);
      const page = await stage.open(address("quadrangle", moves, { seats: "1,0" }), { locale: LOCALES[language] });
      const heard = await listen(page);
      await ask(page);
      const told = new Map(probe.moves.map((move) => [move.move, move]));
      for (const { names, words } of await listed(page)) assert.equal(words, expected(language, told.get(names[0]), names.length > 1));
      const spoken = [];
      const best = await page.locator("[data-value]").first().getAttribute("data-value");
      const result = textOf(`values/${language}`, "settled", best, expected(language, told.get(best), false));
      await until("the result", async () => (spoken.push(...(await heard())), spoken.some((text) => text.startsWith(result))));
      const label = await page.locator(".board [data-place]").evaluateAll((cells) => cells.map((cell) => cell.getAttribute("aria-label")).join("; "));
      assert.ok(label.includes(textOf(`values/${language}`, "proven")), label);
    });

  test("with three players, the chances of each, in words too", async (stage) => {
    stage.allowed = /404/; // nobody has put the far table there
    const page = await stage.open(address("chasm", [], { options: { players: "3" }, seats: "0,0,0" }));
    await ask(page);
    const bars = await page.locator("[data-value]").evaluateAll((rows) => rows.map((row) => [...row.closest("li").querySelectorAll(".words")].map((bar) => bar.textContent).join()));
    assert.ok(bars.length > 0);
    for (const text of bars) {
      const [, ...shares] = /^Chances: .*?(\d+)%, .*?(\d+)%, .*?(\d+)%$/.exec(text).map(Number);
      assert.ok(Math.abs(shares.reduce((a, b) => a + b) - 100) <= 1, text);
    }
  });

  test("while the search goes on, the focus stays in its row", async (stage) => {
    const page = await stage.open(address("ksar", []));
    await page.locator(button("values")).click();
    const row = page.locator("[data-value]").nth(2);
    await row.waitFor({ timeout: 20000 });
    await row.focus();
    const name = await page.evaluate(() => document.activeElement.dataset.value);
    const first = await page.locator(".progress").first().textContent();
    await until("a deeper look", async () => (await page.locator(".progress").first().textContent()) !== first, 20);
    await settled(page);
    assert.equal(await page.evaluate(() => document.activeElement.dataset.value), name);
  });

  for (const [name, options] of [["a desktop", DESKTOP], ["a phone", PHONE]])
    test(`no barriers on ${name}, and nothing wider than the screen`, async (stage) => {
      for (const [game, more] of [["trix", {}], ["chasm", { options: { players: "4" }, seats: "0,0,0,0" }], ["fullend", { options: { supply: "unlimited" } }]]) {
        const page = await stage.open(address(game, [], more), options);
        await ask(page);
        await page.locator("[data-section=legend] summary").click();
        await page.locator("[data-value]").first().click();
        await page.locator("[data-line] ol, [data-line] p").first().waitFor();
        assert.ok((await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)) <= 0, `${game} is wider than the screen`);
        for (const scheme of ["light", "dark"]) {
          await page.emulateMedia({ colorScheme: scheme });
          await inspect(page, `${game}, ${scheme}`, scheme === "light" ? "" : "color-contrast");
        }
        const small = await page.locator("[data-value], [data-line] button, [data-do=values], [data-section=values] summary").evaluateAll((all) => all.map((one) => one.getBoundingClientRect()).filter(({ height }) => height < 43.9).length);
        assert.equal(small, 0, "targets of 44 pixels");
      }
    });

  test("masker: two games that differ only in hidden discs lead to the same deductions, and all of it goes when the screen is passed on", async (stage) => {
    const e = await engine();
    const seat = async (secret) => {
      e.begin("masker", { players: "3" }, [], 77n, secret);
      return [1, 2, 3].map((player) => e.position(player).scene.pieces.find(({ shape, owner }) => shape === "disc" && owner === player).mark);
    };
    const first = await seat(1n);
    let other = 2n;
    for (; ; other++) {
      const discs = await seat(other);
      if (discs[0] === first[0] && discs[1] !== first[1] && discs[2] !== first[2]) break;
    }
    const shown = [];
    for (const secret of [1n, other]) {
      const context = await stage.context();
      await context.addInitScript(
        (numbers) => {
          const given = numbers.map(BigInt);
          crypto.getRandomValues = (array) => array.fill(array instanceof BigUint64Array ? (given.shift() ?? 5n) : 5);
        },
        ["77", String(secret)],
      );
      const page = await stage.open("#/masker", { context });
      const hand = new Mouse(page);
      await setUp(page, hand, { options: { players: "3", variant: "flat" }, seats: [0, 0, 0] });
      await page.locator(button("hand-over")).click();
      await page.locator(button("values")).click();
      await page.locator("[data-section=deduced] dd").first().waitFor();
      await settled(page);
      shown.push(await page.locator("[data-section=deduced]").innerHTML());
      const text = await page.locator("[data-section=deduced]").textContent();
      assert.match(text, /12 deals are possible/); // four colours for one of the others, then three
      assert.match(text, /Player 2 ?may have \w+ \(25%\), \w+ \(25%\), \w+ \(25%\), \w+ \(25%\)/);
      assert.equal((text.match(/known from the start/g) ?? []).length, 2, "one's own colour is nobody else's");
      // Once the screen is to be passed on, everything is gone.
      const dice = chance(3);
      while (!(await look(page)).handOver) await move(page, hand, dice);
      assert.equal(await page.locator("[data-value-at], [data-value], [data-section=deduced]").count(), 0);
    }
    assert.equal(shown[0], shown[1]);
  });

  test("masker: captures exclude colours, and the panel says which", async (stage) => {
    // All crosses of a colour that nobody in the game has are captured, by a computer's moves or one's own.
    const e = await engine();
    const dice = chance(9);
    for (let secret = 1n; ; secret++) {
      e.begin("masker", { players: "2", variant: "3d" }, [], 5n, secret);
      const moves = [];
      let position = e.position();
      let gone = null;
      for (; position.turn !== 0 && gone === null; position = e.position()) {
        moves.push(dice.pick(position.moves)[0]);
        e.play(moves.at(-1));
        const left = e.position().standings.filter(({ material, number }) => material && material !== "white" && number === 0);
        if (left.length > 0 && e.position().turn !== 0) gone = left[0].material;
      }
      if (gone === null) continue;
      const context = await stage.context();
      await context.addInitScript(
        (numbers) => {
          const given = numbers.map(BigInt);
          crypto.getRandomValues = (array) => array.fill(array instanceof BigUint64Array ? (given.shift() ?? 5n) : 5);
        },
        ["5", String(secret)],
      );
      const page = await stage.open("#/masker", { context });
      const hand = new Mouse(page);
      await setUp(page, hand, { options: { players: "2", variant: "3d" }, seats: [0, 0] });
      const replay = await engine();
      replay.begin("masker", { players: "2", variant: "3d" }, [], 5n, secret);
      for (const name of moves) {
        const [, ...places] = replay.position().moves.find(([text]) => text === name);
        await move(page, hand, dice, places);
        replay.play(name);
      }
      if ((await look(page)).handOver) await page.locator(button("hand-over")).click();
      await page.locator(button("values")).click();
      const panel = page.locator("[data-section=deduced]");
      await panel.locator("dd").first().waitFor();
      assert.ok((await panel.textContent()).includes(`cannot have ${gone}: since move ${moves.length}, ${moves.at(-1)}`), await panel.textContent());
      return;
    }
  });

  test("values do not get in the way of a hand, and by keys the cells say them", async (stage) => {
    const page = await stage.open(address("quadrangle", []));
    await ask(page);
    const hand = new Keyboard(page);
    await move(page, hand, chance(4));
    await until("the next position", async () => (await look(page)).moves === 1);
    await settled(page);
    const mouse = new Mouse(page);
    await move(page, mouse, chance(5));
    assert.equal((await look(page)).moves, 2);
  });

  test("in 3D the values stand at their places", async (stage) => {
    const page = await stage.open(address("quadrangle", []));
    await page.locator('[data-view="round"]').click();
    await page.locator(".round-view.drawn").waitFor({ timeout: 30000 });
    await ask(page);
    const { spots, targets } = await page.evaluate(() => ({
      spots: [...document.querySelectorAll(".round-view [data-value-at]")].map((sign) => ({ place: Number(sign.dataset.valueAt), x: sign.getBoundingClientRect().x + sign.getBoundingClientRect().width / 2 })),
      targets: JSON.parse(document.querySelector("canvas").dataset.targets),
    }));
    assert.ok(spots.length > 0);
    assert.deepEqual(spots.map(({ place }) => place).sort(), targets.map(({ place }) => place).sort());
  }, { webgl: true });
}
