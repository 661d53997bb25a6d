// The engine as WebAssembly: the same games, searches and reviews, move by move, as natively, and how fast they are.
//
//     node tests/wasm.mjs web/build/nonet.wasm NONET GAMES NODES     or study.wasm
import { execFileSync } from "node:child_process";
import fs from "node:fs";

const [file, nonet, games, nodes] = process.argv.slice(2);
const native = (words, input = "") => execFileSync(nonet, words, { input, encoding: "utf8" });
const expected = /^signature (\w+)$/m.exec(native(["bench", "--games", games, "--nodes", nodes]))?.[1];
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

/* Where the module's constant data begins, and where its stack: from the bytes of its sections. */
function layout(bytes) {
  let at = 8;
  const unsigned = () => {
    for (let value = 0, shift = 0; ; shift += 7) {
      const byte = bytes[at++];
      value += (byte & 127) * 2 ** shift;
      if (byte < 128) return value;
    }
  };
  const signed = () => {
    const begun = at;
    const value = unsigned();
    const range = 2 ** (7 * (at - begun));
    return 2 * value < range ? value : value - range;
  };
  const constant = () => {
    at++; // i32.const
    const value = signed();
    at++; // end
    return value;
  };
  const found = { stack: NaN, data: [] };
  while (at < bytes.length) {
    const section = bytes[at++];
    const size = unsigned();
    const end = at + size;
    if (section === 6 && unsigned() > 0) {
      at += 2; // an i32 that can change: the stack pointer is the first global
      found.stack = constant();
    }
    if (section === 11)
      for (let left = unsigned(); left > 0; left--) {
        at++; // an active segment of the only memory
        found.data.push(constant());
        const room = unsigned();
        at += room;
      }
    at = end;
  }
  return found;
}

// The stack grows down to address 0, below which there is nothing: one that overflows traps, and never runs into data.
const { stack, data } = layout(fs.readFileSync(file));
if (stack !== 1 << 20 || !data.every((start) => start >= stack)) {
  console.log(`the stack begins at ${stack}, data at ${Math.min(...data)}: data must lie above the stack`);
  process.exit(1);
}

/* Whether a short game of each kind is reviewed as the command does it, without threads or a clock. */
function reviewsAlike() {
  const put = (text) => new Uint8Array(c.memory.buffer).set(new TextEncoder().encode(`${text}\0`), c.page_input());
  const asked = (done) => {
    if (!done) throw new Error(answer());
    return JSON.parse(answer());
  };
  let alike = true;
  // Without a table on either side: the command would build those of smaller games.
  for (const game of ["ksar\nframe=5x5", "chasm\nplayers=3"]) {
    put(game);
    if (!c.page_new(1n, 2n)) throw new Error(answer());
    for (let ply = 0; ply < 12; ply++) {
      const { moves, turn } = asked(c.page_position(0));
      if (turn === 0) break;
      put(moves[(7 * ply) % moves.length][0]);
      if (!c.page_play()) throw new Error(answer());
    }
    const record = JSON.stringify({ format: "nonet-game", version: 1, ...asked(c.page_setup()) });
    const { file: _, game: __, over: ___, ...review } = JSON.parse(native(["analyse", "-", "--json", "--nodes", nodes, "--seed", "3"], record));
    const { moves } = review;
    if (!c.review_begin(0, 0, BigInt(nodes), 3n, 0, 0)) throw new Error(answer());
    while (c.review_go_on(0, 1000n) === 0);
    const same = JSON.stringify(review) === JSON.stringify(asked(c.review_tell(0, 0)));
    console.log("review of", record, same ? "alike" : "DIFFERENT");
    alike &&= same && moves.length > 0;
  }
  return alike;
}

const UNTOUCHED = 0xa5;
new Uint8Array(c.memory.buffer, 0, stack).fill(UNTOUCHED);

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
const used = stack - new Uint8Array(c.memory.buffer, 0, stack).findIndex((byte) => byte !== UNTOUCHED);
console.log("stack", used, "of", stack, "bytes");
// Only the engine for studying reviews.
process.exit((!file.includes("study") || reviewsAlike()) && found === expected && used < stack / 2 ? 0 : 1);
