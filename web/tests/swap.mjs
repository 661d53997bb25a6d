// The swap rule, played by mouse: whoever takes over a side has its pieces, its name and its win.
import { assert, LOCALES, test, until } from "./harness.mjs";
import { look, Mouse, setUp } from "./player.mjs";

const SWAP = '.decisions [data-name="swap"]';

/* The players' names, as "Player 1 (maple)", and whose turn it is. */
const panels = (page) =>
  page.evaluate(() => {
    const all = [...document.querySelectorAll("[data-panel]")].filter((panel) => panel.dataset.panel !== "0");
    return { names: all.map((panel) => panel.getAttribute("aria-label")), turn: all.findIndex((panel) => panel.dataset.turn === "true") + 1 };
  });
const woodsOf = ({ names }) => names.map((name) => /\((.+)\)/.exec(name)[1]);

/* Each of these names is a place, and touching it a move. */
async function play(page, hand, ...names) {
  for (const name of names) {
    const { moves } = await look(page);
    await hand.press(name === "swap" ? SWAP : `[data-name="${name}"]`);
    await until(`${name} is played`, async () => (await look(page)).moves > moves);
  }
}

async function begin(stage, game, language = "en") {
  const page = await stage.open(`#/${game}`, { context: await stage.context({ locale: LOCALES[language] }) });
  const hand = new Mouse(page);
  await setUp(page, hand, { options: { swap: "yes" } });
  return [page, hand];
}

const says = (page, text) => until(`"${text}"`, async () => (await page.locator("body").textContent()).toLowerCase().includes(text.toLowerCase()));

export function register() {
  test("Quadrangle: after the third move the sides are swapped, and the side's win is its new player's", async (stage) => {
    const [page, hand] = await begin(stage, "quadrangle");
    await play(page, hand, "a1", "b1");
    assert.equal(await page.locator(SWAP).count(), 0, "it is not offered yet");
    await play(page, hand, "d4");
    await says(page, "Player 2 may swap sides now, instead of making a move");
    const before = await panels(page);
    assert.equal(before.turn, 2);
    await play(page, hand, "swap");
    await says(page, "Player 2 has taken over the side of player 1");
    const after = await panels(page);
    assert.equal(after.turn, 1);
    assert.deepEqual(woodsOf(after), woodsOf(before).reverse());
    assert.equal(await page.locator(SWAP).count(), 0, "it is offered once");
    // The side that began completes a rectangle: d1 and a4 are moves of player 2 now.
    await play(page, hand, "b2", "d1", "b3", "a4");
    await until("the end", async () => (await look(page)).over);
    assert.match((await look(page)).status, /Player 2/);
    await says(page, "player 2 has completed a rectangle");
  });

  test("Kolem: after the first move the sides are swapped, in German", async (stage) => {
    const [page, hand] = await begin(stage, "kolem", "de");
    await play(page, hand, "c3");
    assert.equal((await page.locator(SWAP).textContent()).trim().toLowerCase(), "seiten tauschen");
    const before = await panels(page);
    assert.equal(before.turn, 2);
    await play(page, hand, "swap");
    await says(page, "Spieler 2 hat die Seite von Spieler 1 übernommen");
    const after = await panels(page);
    assert.equal(after.turn, 1);
    assert.deepEqual(woodsOf(after), woodsOf(before).reverse());
    await play(page, hand, "d3");
    assert.equal((await panels(page)).turn, 2);
    // Declined, nothing changes.
    const [other, second] = await begin(stage, "kolem", "de");
    await play(other, second, "c3", "d3");
    assert.deepEqual(woodsOf(await panels(other)), woodsOf(before));
    assert.equal(await other.locator(SWAP).count(), 0);
  });
}
