// The engine as WebAssembly: the same games and searches, move by move, as natively, and how fast they are.
//
//     node tests/wasm.mjs web/build/nonet.wasm SIGNATURE GAMES NODES
import fs from "node:fs";

const [file, expected, games, nodes] = process.argv.slice(2);
const nothing = () => 0;
const { instance } = await WebAssembly.instantiate(fs.readFileSync(file), {
  wasi_snapshot_preview1: { fd_close: nothing, fd_seek: nothing, fd_write: nothing },
});
const c = instance.exports;
c._initialize();

function answer() {
  const memory = new Uint8Array(c.memory.buffer);
  const start = c.page_output();
  return new TextDecoder().decode(memory.subarray(start, memory.indexOf(0, start)));
}

c.page_shelf();
let signature = 0n;
JSON.parse(answer()).forEach((game, index) => {
  const begun = performance.now();
  signature = c.page_bench(index, game.players[0], BigInt(games), 0n, signature);
  for (const players of game.players) signature = c.page_bench(index, players, 0n, BigInt(nodes), signature);
  console.log(game.id, Math.round(performance.now() - begun), "ms");
});
const found = BigInt.asUintN(64, c.page_bench_end(signature)).toString(16).padStart(16, "0");
console.log("signature", found);
process.exit(found === expected ? 0 : 1);
