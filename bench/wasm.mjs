// The speed of the engine in WebAssembly as a share of its native speed, for docs/performance.md: the same random games
// and the same searches, in processor time, the best of three alternating runs each.
//
//     node bench/wasm.mjs [PATH-TO-NONET]
import { execFileSync } from "node:child_process";
import fs from "node:fs";

const nonet = process.argv[2] ?? "build/nonet";
const SECONDS = 1; // that the command should take for games, and for searches

const nothing = () => 0;
const { instance } = await WebAssembly.instantiate(fs.readFileSync("web/build/nonet.wasm"), {
  wasi_snapshot_preview1: { fd_close: nothing, fd_seek: nothing, fd_write: nothing },
});
const c = instance.exports;
c._initialize();

/* Seconds of processor time that a call takes here. */
function measure(run) {
  const before = process.cpuUsage();
  run();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1e6;
}

/* What the command reports: seconds for games and for searches. */
function native(game, games, nodes) {
  const text = execFileSync(nonet, ["bench", game, "--games", String(games), "--nodes", String(nodes)], { encoding: "utf8" });
  const played = /([\d]+) moves +([\d]+) moves\/s/.exec(text);
  const searched = /([\d]+) nodes searched +([\d]+) nodes\/s/.exec(text);
  return [played[1] / played[2], searched[1] / searched[2]];
}

/* As many games and nodes as the command can do in about this time. */
function amounts(game) {
  const [few, some] = [20, 1000];
  const [played, searched] = native(game, few, some);
  return [Math.ceil((few * SECONDS) / played), Math.ceil((some * SECONDS) / searched)];
}

let slowest = Infinity;
console.log("game          random games     searches");
for (const [index, { id: game, players }] of JSON.parse(execFileSync(nonet, ["games", "--json"], { encoding: "utf8" })).entries()) {
  const [games, nodes] = amounts(game);
  const best = [Infinity, Infinity, Infinity, Infinity];
  for (let run = 0; run < 3; run++) {
    const times = native(game, games, nodes);
    // The first run also lets the WebAssembly compiler see what matters.
    times.push(measure(() => c.page_bench(index, players[0], BigInt(games), 0n, 0n)), measure(() => c.page_bench(index, players[0], 0n, BigInt(nodes), 0n)));
    times.forEach((time, i) => (best[i] = Math.min(best[i], time)));
  }
  const ratios = [best[0] / best[2], best[1] / best[3]];
  slowest = Math.min(slowest, ...ratios);
  console.log(`${game.padEnd(12)} ${ratios.map((ratio) => `${Math.round(100 * ratio)} %`.padStart(13)).join("")}`);
}
console.log(`slowest ${Math.round(100 * slowest)} %`);
