// Keys for what is done at a table, the list of them, and Back, which closes a dialog before it leaves the game.
import { assert, chance, LANGUAGES, LOCALES, test, until } from "./harness.mjs";
import { button, describe, Keyboard, look, Mouse, move, setUp } from "./player.mjs";
import { phrase } from "./words.mjs";

async function table(stage, game, moves, options = {}) {
  const page = await stage.open(`#/${game}`, options);
  const hand = new Mouse(page);
  await setUp(page, hand, {});
  const random = chance(17);
  for (let i = 0; i < moves; i++) await move(page, hand, random);
  return page;
}

const opened = (page) => page.locator("dialog[open]");
const isOpen = async (page) => (await opened(page).count()) > 0;
const moves = async (page) => (await look(page)).moves;

export function register() {
  test("undo, redo, first, last, flip and hint have keys, on every kind of board", async (stage) => {
    for (const game of ["trix", "ksar", "fullend"]) {
      const page = await table(stage, game, 3);
      const press = (key) => page.keyboard.press(key);
      const current = () => page.locator("[data-move][aria-current]").getAttribute("data-move", { timeout: 1000 }).catch(() => "0");
      await press("u");
      assert.equal(await current(), "2", `${game}: U undoes`);
      await press("y");
      assert.equal(await current(), "3", `${game}: Y plays it again`);
      await press("Control+z");
      await press("Control+z");
      assert.equal(await current(), "1");
      await press("Control+y");
      await press("Control+Shift+z");
      assert.equal(await current(), "3");
      for (const [key, ply] of [["b", "0"], ["k", "1"], ["k", "2"], ["j", "1"], ["e", "3"]]) {
        await press(key);
        assert.equal(await current(), ply, `${game}: ${key} shows move ${ply}`);
      }
      assert.equal(await moves(page), 3, "nothing was played or taken back");
      const pressed = () => page.locator(button("turn")).getAttribute("aria-pressed");
      await press("f");
      assert.equal(await pressed(), "true", `${game}: F turns the board`);
      const said = async () => (await page.locator(".notice").textContent()).trim();
      for (let last = ""; !last.startsWith(phrase("en", "hintIs")); ) {
        const before = last;
        await press("h");
        last = await until(`${game}: a hint`, async () => (await said()) !== before && (await said()), 30);
      }
    }
  });

  test("keys that are typed into a field, or pressed in a dialog, do nothing at the table", async (stage) => {
    const page = await table(stage, "trix", 2);
    await page.keyboard.press("?");
    await opened(page).waitFor();
    for (const key of ["u", "Control+z", "b"]) await page.keyboard.press(key);
    await page.keyboard.press("Escape");
    assert.equal(await moves(page), 2);
    await page.locator(button("language")).focus();
    await page.keyboard.press("u");
    await page.keyboard.press("?");
    assert.equal(await moves(page), 2);
    assert.ok(!(await isOpen(page)));
  });

  test("letter keys can be switched off, and stay off; keys with Ctrl and those of the board still work", async (stage) => {
    const page = await table(stage, "trix", 2);
    await page.locator(button("settings")).click();
    await page.locator(button("letter-keys")).uncheck();
    await page.keyboard.press("Escape");
    for (const key of ["u", "b", "?"]) await page.keyboard.press(key);
    assert.deepEqual([await moves(page), await isOpen(page)], [2, false]);
    await page.reload();
    await page.locator(button("undo")).waitFor();
    await page.keyboard.press("u");
    assert.equal(await moves(page), 2, "a setting is kept");
    await page.locator("[role=grid] [tabindex='0']").focus();
    await page.keyboard.press("n");
    assert.equal(await page.evaluate(() => document.activeElement.ariaDisabled), "false", "N found a place that can be chosen");
    await page.keyboard.press("Control+z");
    assert.equal(await moves(page), 1);
    await page.locator(button("settings")).click();
    await page.locator(button("keys")).click();
    await opened(page).getByText(phrase("en", "keysOff")).waitFor();
  });

  test("a list of all keys on ?, in five languages", async (stage) => {
    for (const language of LANGUAGES) {
      const page = await stage.open("#/kolem", { locale: LOCALES[language] });
      await page.keyboard.press("?");
      const text = (await opened(page).innerText()).replace(/\s+/g, " ");
      for (const key of ["undo", "redo", "hint", "turnBoard", "first", "last", "keysMove", "keysNext", "keysTurn", "keysStand", "keysTake", "keysLetGo", "floorKeys"])
        assert.ok(text.includes(phrase(language, key)), `${language} lists ${key}`);
      for (const key of ["U", "Y", "H", "F", "B", "E", "?", `${phrase(language, "ctrl")}+Z`]) assert.ok(text.includes(key), `${language} lists ${key}`);
    }
  });

  test("Back closes rules, settings and list of keys, and then leaves the game", async (stage) => {
    const page = await stage.open();
    await page.locator('[data-box="kolem"]').click();
    await setUp(page, new Mouse(page), {});
    await move(page, new Mouse(page), chance(2));
    const before = await describe(page);
    const length = await page.evaluate(() => history.length);
    for (const [what, open] of [
      ["rules", () => page.locator(button("rules")).click()],
      ["settings", () => page.locator(button("settings")).click()],
      ["keys", () => page.keyboard.press("?")],
    ]) {
      for (const close of ["Back", "Escape", "button", "beside"]) {
        await open();
        await opened(page).waitFor();
        if (close === "Back") await page.goBack();
        else if (close === "Escape") await page.keyboard.press("Escape");
        else if (close === "button") await opened(page).locator(button("close")).click();
        else await page.mouse.click(3, 3);
        await until(`${what}: ${close} closes it`, async () => !(await isOpen(page)));
        await until("the entry of the dialog is left", () => page.evaluate(() => history.state === null));
        assert.deepEqual(await describe(page), before, "the game stays as it was");
      }
    }
    // From one dialog to another: one Back still closes everything.
    await page.locator(button("settings")).click();
    await page.locator(button("keys")).click();
    await page.locator("#keys-title").waitFor();
    await page.goBack();
    await until("both closed", async () => !(await isOpen(page)));
    assert.ok((await page.evaluate(() => history.length)) <= length + 1, "no entry for every dialog that was opened");
    await page.goBack();
    await page.locator('[data-box="kolem"]').waitFor();
    await page.goForward();
    await until("the game", async () => (await moves(page)) === 1);
    assert.ok(!(await isOpen(page)));
  });

  test("a dialog gives the focus back to where it was, however it is closed", async (stage) => {
    const page = await stage.open("#/trix");
    await setUp(page, new Keyboard(page), {});
    const focus = () => page.evaluate(() => document.activeElement.dataset.name ?? document.activeElement.dataset.do);
    await page.locator('[data-name="b1"]').focus();
    for (const close of [() => page.goBack(), () => page.keyboard.press("Escape"), () => page.locator(button("close")).click()]) {
      await page.keyboard.press("?");
      await opened(page).waitFor();
      await close();
      await until("the focus on the board", async () => (await focus()) === "b1", 3);
    }
  });
}
