// The engine computes the same in Chromium as natively: the signature of the bench.
import { engine } from "./engine.mjs";
import { assert, native, test, until } from "./harness.mjs";

const GAMES = 5;
const NODES = 500;

export function register() {
  test("the bench signature in Chromium is the native one", async (stage) => {
    const expected = /signature ([0-9a-f]{16})/.exec(await native("bench", "--games", String(GAMES), "--nodes", String(NODES)))[1];
    const page = await stage.open();
    const address = await until("the page's engine", () => page.evaluate(() => performance.getEntriesByType("resource").map((entry) => entry.name).find((name) => /nonet[^/]*\.wasm$/.test(name))));
    const { shelf } = await engine();
    const players = shelf().map((game) => game.players);
    const found = await page.evaluate(
      async ([url, counts, games, nodes]) => {
        const nothing = () => 0;
        const { instance } = await WebAssembly.instantiateStreaming(fetch(url), { wasi_snapshot_preview1: { fd_close: nothing, fd_seek: nothing, fd_write: nothing } });
        const c = instance.exports;
        c._initialize();
        let signature = 0n;
        for (const [game, several] of counts.entries()) {
          signature = c.page_bench(game, several[0], BigInt(games), 0n, signature);
          for (const n of several) signature = c.page_bench(game, n, 0n, BigInt(nodes), signature);
        }
        return BigInt.asUintN(64, c.page_bench_end(signature)).toString(16).padStart(16, "0");
      },
      [address, players, GAMES, NODES],
    );
    assert.equal(found, expected);
  });
}
