// Room: in windows of all sizes, in the middle of a game with a piece in the hand, the board is large, what a move needs
// is in sight without scrolling, nothing covers anything and nothing sticks out at the side.
import { addressOf, engine } from "./engine.mjs";
import { assert, GAMES, isHidden, test, until } from "./harness.mjs";
import { button, hold, look } from "./player.mjs";

const FINGER = { hasTouch: true, isMobile: true };

/* `board`: how much of the window's smaller side the board's larger side has at least, in percent. */
const SIZES = [
  { name: "a screen of 1280 x 800 at 200 %", viewport: { width: 640, height: 400 }, board: 60 },
  { name: "a small desktop", viewport: { width: 1024, height: 768 }, board: 60 },
  { name: "a large desktop", viewport: { width: 1920, height: 1080 }, board: 70 },
  { name: "a phone", viewport: { width: 390, height: 844 }, board: 90, ...FINGER },
  { name: "a phone on its side", viewport: { width: 844, height: 390 }, board: 65, ...FINGER },
  { name: "a small phone on its side", viewport: { width: 667, height: 375 }, board: 60, ...FINGER },
];

/* What is wrong with the window as it is. */
const faults = (page, least) =>
  page.evaluate((leastBoard) => {
    const found = [];
    const name = (element) => {
      const { do: does, place, section, panel } = element.dataset;
      const data = does ?? (place && `place ${place}`) ?? section ?? panel;
      return `${element.localName}${element.classList.length > 0 ? `.${[...element.classList].filter((one) => !one.startsWith("svelte")).join(".")}` : ""}${data ? ` (${data})` : ""}`;
    };
    const shown = (element) => element.checkVisibility({ opacityProperty: true, visibilityProperty: true }) && !element.closest(".hidden-text, .skip, dialog");
    const boxOf = (element) => element.getBoundingClientRect();

    if (document.documentElement.scrollWidth > innerWidth) found.push(`the page is ${document.documentElement.scrollWidth} pixels wide`);

    const board = [...document.querySelectorAll(".board, .round-view")].find(shown);
    if (!board) return [...found, "there is no board"];
    const { width, height } = boxOf(board);
    const share = Math.round((100 * Math.max(width, height)) / Math.min(innerWidth, innerHeight));
    if (share < leastBoard) found.push(`the board has ${share} % of the smaller side`);

    // What a move needs: the board, what can be touched, how to lay it down, and who is to move.
    const needed = [board, ...document.querySelectorAll(".status, .trays [data-place], .trays button, .pad button, .controls button")];
    for (const element of needed.filter(shown)) {
      const { top, bottom, left, right } = boxOf(element);
      if (top < -1 || left < -1 || bottom > innerHeight + 1 || right > innerWidth + 1)
        found.push(`${name(element)} is out of sight: ${Math.round(left)},${Math.round(top)} to ${Math.round(right)},${Math.round(bottom)}`);
    }

    // Whatever is not inside another has its own place. Cells lie on the board, and what is on the board belongs to it.
    const things = [...document.querySelectorAll("header, main :is(p, button, summary, details, section, .board, .round-view, [data-panel])")]
      .filter(shown)
      .filter((element) => element === board || !board.contains(element))
      .filter((element) => boxOf(element).width * boxOf(element).height > 0);
    for (const [i, a] of things.entries())
      for (const b of things.slice(i + 1)) {
        if (a.contains(b) || b.contains(a)) continue;
        const [p, q] = [boxOf(a), boxOf(b)];
        const [x, y] = [Math.min(p.right, q.right) - Math.max(p.left, q.left), Math.min(p.bottom, q.bottom) - Math.max(p.top, q.top)];
        if (x > 1 && y > 1) found.push(`${name(a)} and ${name(b)} overlap by ${Math.round(x)} x ${Math.round(y)}`);
      }
    return found;
  }, least);

/* Where the tray of the player to move is. */
const trayOf = (page) =>
  page.evaluate(() => {
    const box = document.querySelector('[data-turn="true"] .trays')?.getBoundingClientRect();
    return box && [Math.round(box.left), Math.round(box.top)];
  });

/* The board as people see it is there: flat, or drawn in 3D. */
async function settle(page) {
  await page.locator(`${button("undo")}, ${button("hand-over")}`).first().waitFor();
  if ((await look(page)).handOver) await page.locator(button("hand-over")).click();
  await until("a board", () =>
    page.evaluate(() => document.querySelector('[data-view="round"][aria-pressed="true"]') === null ? document.querySelector(".board") !== null : document.querySelector(".round-view.drawn") !== null),
  );
  await page.evaluate(() => scrollTo(0, 0));
}

export async function register() {
  const e = await engine();
  for (const game of GAMES) {
    e.begin(game);
    test(`${game}: room for the board and all that a move needs`, async (stage) => {
      const address = await addressOf(game, isHidden(game) ? 0 : 4); // what is hidden has no address in mid-game
      const all = [];
      for (const { name, board, ...device } of SIZES) {
        const page = await stage.open(address, device);
        await settle(page);
        const note = async (when) => all.push(...(await faults(page, board)).map((fault) => `${name}, ${when}: ${fault}`));
        await note("before a move");
        const before = await trayOf(page);
        if (!(await hold(page))) continue;
        await note("with a piece in the hand");
        const after = await trayOf(page);
        if (String(after) !== String(before)) all.push(`${name}: the hand moved from ${before} to ${after}`);
      }
      assert.deepEqual(all, []);
    }, { webgl: e.position().scene.tall });
  }
}
