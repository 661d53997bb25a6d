// Nobody sees another player's disc. Two games are dealt that differ only in the discs of the others: the
// viewer must see the same page, byte for byte. The tests know the discs because they give the page its random
// numbers from a list, and the engine deals the same game from them.
import { engine } from "./engine.mjs";
import { assert, chance, test } from "./harness.mjs";
import { button, download, look, Mouse, move, setUp } from "./player.mjs";

const OPEN = 77n;

/* The discs that two random numbers deal, a letter for each player. */
async function deal(players, secret) {
  const e = await engine();
  e.begin("masker", { players: String(players), variant: "flat" }, [], OPEN, secret);
  return Array.from({ length: players }, (_, i) => e.position(i + 1).scene.pieces.find((piece) => piece.shape === "disc" && piece.owner === i + 1).mark).join("");
}

/* Two secrets that deal `viewer` the same disc and everybody else another one. */
async function pair(players, viewer) {
  const first = await deal(players, 1n);
  for (let secret = 2n; secret < 5000n; secret++) {
    const other = await deal(players, secret);
    const same = [...first].map((colour, i) => colour === other[i]);
    if (same.every((equal, i) => equal === (i === viewer - 1))) return [1n, secret];
  }
  throw new Error("no such deal");
}

/* A page whose first two random numbers are given. */
async function dealt(stage, players, secret) {
  const context = await stage.context();
  await context.addInitScript(
    ([open, hidden]) => {
      const numbers = [BigInt(open), BigInt(hidden)];
      crypto.getRandomValues = (array) => array.fill(array instanceof BigUint64Array ? (numbers.shift() ?? 5n) : 5);
    },
    [String(OPEN), String(secret)],
  );
  const page = await stage.open("#/masker", { context });
  const hand = new Mouse(page);
  await setUp(page, hand, { options: { players: String(players), variant: "flat" }, seats: Array(players).fill(0) });
  return { page, hand, context };
}

/* Everything that the page holds for eyes and programs: the whole document, what fields contain, the address. */
const everything = (page) =>
  page.evaluate(() => ({
    document: document.documentElement.outerHTML,
    fields: [...document.querySelectorAll("input, select, textarea")].map((field) => field.value),
    address: location.href,
    state: JSON.stringify(history.state),
    title: document.title,
  }));

/* Everything that the browser keeps for it, as text. */
const kept = (page) =>
  page.evaluate(async () => {
    const texts = [];
    for (const store of [localStorage, sessionStorage]) for (let i = 0; i < store.length; i++) texts.push(`${store.key(i)}=${store.getItem(store.key(i))}`);
    for (const { name } of await indexedDB.databases()) texts.push(`database ${name}`);
    for (const name of await caches.keys()) for (const request of await (await caches.open(name)).keys()) texts.push(request.url);
    texts.push(document.cookie);
    return texts;
  });

/* A text, and what it may be in another encoding. */
function readings(text) {
  const all = [text, decodeURIComponent(text.replace(/%(?![0-9a-f]{2})/gi, "%25"))];
  for (const word of text.match(/[A-Za-z0-9+/_=-]{8,}/g) ?? []) {
    all.push(Buffer.from(word, "base64").toString("latin1"), Buffer.from(word, "base64url").toString("latin1"));
    if (/^([0-9a-f]{2})+$/i.test(word)) all.push(Buffer.from(word, "hex").toString("latin1"));
  }
  return all.flatMap((reading) => [reading, [...reading].reverse().join("")]);
}

/* Notes every random number that the page draws, and every one that the engine or the worker gets for chance. */
function noteSeeds() {
  globalThis.drawn = [];
  globalThis.given = [];
  const draw = crypto.getRandomValues.bind(crypto);
  crypto.getRandomValues = (array) => {
    draw(array);
    globalThis.drawn.push(String(array[0]));
    return array;
  };
  const note = (...numbers) => globalThis.given.push(...numbers.map((number) => String(BigInt.asUintN(64, number))));
  const instantiate = WebAssembly.instantiateStreaming;
  WebAssembly.instantiateStreaming = async (...all) => {
    const { instance } = await instantiate(...all);
    const noted = Object.fromEntries(
      ["page_new", "page_restore", "page_keep"].map((name) => [name, (...numbers) => (note(...numbers), instance.exports[name](...numbers))]),
    );
    return { instance: { exports: { ...instance.exports, ...noted } } };
  };
  const post = Worker.prototype.postMessage;
  Worker.prototype.postMessage = function (message, ...rest) {
    if ("seed" in message) note(message.seed);
    return post.call(this, message, ...rest);
  };
}

export function register() {
  test("deals, secrets, envelopes and searches each have a random number of their own", async (stage) => {
    const context = await stage.context();
    await context.addInitScript(noteSeeds);
    const page = await stage.open("#/masker", { context });
    const hand = new Mouse(page);
    await setUp(page, hand, { seats: [0, 1] });
    const random = chance(8);
    for (let i = 0; i < 4; i++) await move(page, hand, random);
    const check = async (least) => {
      const { drawn, given } = await page.evaluate(() => ({ drawn: globalThis.drawn, given: globalThis.given }));
      assert.ok(given.length >= least, `${given.length} numbers`);
      assert.equal(new Set(given).size, given.length, "none is used twice");
      assert.deepEqual(given.filter((number) => !drawn.includes(number)), [], "all of them were drawn");
    };
    await check(6);
    await page.reload();
    await page.locator(button("undo")).waitFor();
    await check(3);
  });

  for (const players of [2, 3]) {
    for (let viewer = 1; viewer <= players; viewer++) {
      test(`${players} people: what player ${viewer} sees does not depend on the others' discs`, async (stage) => {
        const secrets = await pair(players, viewer);
        const seen = [];
        for (const secret of secrets) {
          const { page, hand } = await dealt(stage, players, secret);
          const random = chance(players);
          const own = [];
          let last = 0;
          for (let ply = 0, looks = 0; ply < 40 && looks < 2; ply++) {
            const { handOver, status } = await look(page);
            const turn = Number(/Player (\d)/.exec(status)[1]);
            own.push(status);
            if (handOver) {
              assert.ok(await page.locator(".board").isVisible(), "the board stays in sight");
              assert.equal(await page.locator("[role=grid] [aria-disabled=false], .panels button").count(), 0, "nothing can be touched meanwhile");
              own.push(await everything(page));
              await hand.press(button("hand-over"));
            } else assert.equal(turn, last, "nobody looks before the screen is handed over");
            last = turn;
            if (turn === viewer && handOver) {
              looks++;
              own.push(await everything(page), (await download(page, "save-svg")).bytes.toString("utf8"));
              if (await page.locator(button("first")).count()) {
                await hand.press(button("first"));
                own.push(await everything(page));
              }
              await page.reload();
              await page.locator(button("hand-over")).waitFor();
              own.push(await everything(page));
            }
            await move(page, hand, random);
          }
          seen.push(own);
        }
        seen[0].forEach((first, i) => assert.deepEqual(seen[1][i], first, `look ${i}`));
      });
    }
  }

  test("the test above can fail: one's own disc is on the page", async (stage) => {
    const [first, second] = await pair(2, 2); // player 1's discs differ
    const seen = [];
    for (const secret of [first, second]) {
      const { page, hand } = await dealt(stage, 2, secret);
      await hand.press(button("hand-over"));
      seen.push((await everything(page)).document);
    }
    assert.notEqual(seen[0], seen[1]);
  });

  test("discs are not readable in what the browser keeps", async (stage) => {
    const secret = 9876543210123n;
    const colours = await deal(3, secret);
    const { page, hand } = await dealt(stage, 3, secret);
    const random = chance(3);
    for (let ply = 0; ply < 4; ply++) await move(page, hand, random);
    const texts = await kept(page);
    assert.ok(texts.some((text) => text.includes("masker")), "the game is kept");
    for (const text of texts)
      for (const reading of readings(text)) {
        assert.ok(!/colou?rs\W/i.test(reading), `the discs are named in ${text.slice(0, 60)}`);
        assert.ok(!new RegExp(`(^|[^A-Za-z])${colours}([^A-Za-z]|$)`).test(reading), `${colours} stands in ${text.slice(0, 60)}`);
        assert.ok(!reading.includes(String(secret)) && !reading.toLowerCase().includes(secret.toString(16)), "the number that dealt them is kept");
      }
  });
}
