// Runs the browser tests and closes with one line, "N passed, N failed".
//   node web/tests/run.mjs                     all
//   node web/tests/run.mjs --only games        only the tests whose theme or name contains the word
//   node web/tests/run.mjs --serve ADDRESS     against a page that is served already
//   node web/tests/run.mjs --list              names only
import { begin, launch, serve, Stage, tests } from "./harness.mjs";

const THEMES = ["games", "swap", "phone", "room", "table", "events", "told", "panels", "end", "keys", "keeping", "versions", "languages", "masker", "accessible", "errors", "bench", "truth", "light", "round", "shown", "explained", "values", "review", "lessons", "puzzles", "editor", "explorer", "compare", "lobby", "online", "docs", "screenshots"];
const SECONDS = 100; // a test that takes longer hangs

const args = process.argv.slice(2);
const value = (flag) => (args.includes(flag) ? args[args.indexOf(flag) + 1] : null);
const only = value("--only");
const themed = THEMES.includes(only);
for (const name of THEMES) {
  const topic = await import(`./${name}.mjs`);
  begin(name, topic.wishes);
  await topic.register();
}
const chosen = tests.filter((t) => only === null || (themed ? t.theme === only : `${t.theme}: ${t.name}`.includes(only)));
if (args.includes("--list")) {
  for (const t of chosen) console.log(`${t.theme}: ${t.name}`);
  process.exit(0);
}

const server = value("--serve") ? { address: value("--serve"), stop() {} } : await serve();
for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, () => process.exit(1));
process.on("exit", () => server.stop());
let passed = 0;
let failed = 0;
const again = []; // what passed, but not at once
const took = new Map(); // seconds by theme

async function attempt(t, browser) {
  const stage = new Stage(server.address, browser, t.kept);
  let timer;
  const late = new Promise((_, reject) => {
    timer = setTimeout(() => reject(new Error(`not done after ${SECONDS} seconds`)), SECONDS * 1000);
  });
  try {
    await Promise.race([t.run(stage), late]);
    await stage.close();
    return null;
  } catch (error) {
    if (process.env.KEEP_SHOTS) {
      const page = stage.borrowed.at(-1)?.page ?? stage.contexts.at(-1)?.pages().at(-1);
      await page?.screenshot({ path: `${process.env.KEEP_SHOTS}/${t.theme}-${t.name.replace(/\W+/g, "-")}.png` }).catch(() => {});
    }
    await stage.close(true).catch(() => {});
    return error;
  } finally {
    clearTimeout(timer);
  }
}

async function work(queue) {
  let browser = null;
  let webgl = false;
  for (let t; (t = queue.shift()); ) {
    if (browser === null || !browser.isConnected() || webgl !== (t.webgl ?? false)) {
      await browser?.close();
      webgl = t.webgl ?? false;
      browser = await launch(webgl);
    }
    const begun = Date.now();
    let error = null;
    let firstError = "";
    // A browser on a busy machine is sometimes late: every test may be tried twice, and this is reported.
    for (let tries = t.tries ?? 2; tries > 0; tries--) {
      if (!browser.isConnected()) browser = await launch(webgl);
      error = await attempt(t, browser);
      if (error === null) break;
      firstError ||= String(error).split("\n")[0];
    }
    const seconds = ((Date.now() - begun) / 1000).toFixed(1);
    took.set(t.theme, (took.get(t.theme) ?? 0) + Number(seconds));
    if (error === null && firstError !== "") again.push(`${t.theme}: ${t.name}, after: ${firstError}`);
    if (error === null) passed++;
    else failed++;
    console.log(`${error === null ? "ok   " : "FAIL "} ${t.theme}: ${t.name} (${seconds} s)`);
    if (error !== null) console.log(String(error.stack ?? error).replace(/^/gm, "      "));
  }
  await browser?.close();
}

// Most tests wait more than they compute. Drawing in 3D by software computes all the time.
const together = (tests, workers) => Promise.all(Array.from({ length: workers }, () => work(tests)));
await together(chosen.filter((t) => !t.alone && !t.webgl), 3);
await together(chosen.filter((t) => !t.alone && t.webgl), 2);
await work(chosen.filter((t) => t.alone));
for (const [theme, seconds] of took) console.log(`took  ${String(Math.round(seconds)).padStart(5)} s  ${theme}`);
for (const name of again) console.log(`again ${name}`);
console.log(`${passed} passed, ${failed} failed`);
process.exit(failed === 0 ? 0 : 1);
