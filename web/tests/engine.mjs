// The page's engine, run here: for planning short games that the tests then play by hand on the page.
import fs from "node:fs";
import path from "node:path";
import { root } from "./harness.mjs";

const nothing = () => 0;
const module = await WebAssembly.compile(fs.readFileSync(path.join(root, "web/build/nonet.wasm")));

export async function engine() {
  const { exports: c } = await WebAssembly.instantiate(module, {
    wasi_snapshot_preview1: { fd_close: nothing, fd_seek: nothing, fd_write: nothing },
  });
  c._initialize();
  const put = (text) => new Uint8Array(c.memory.buffer).set(new TextEncoder().encode(`${text}\0`), c.page_input());
  const answer = () => {
    const memory = new Uint8Array(c.memory.buffer);
    const start = c.page_output();
    return new TextDecoder().decode(memory.subarray(start, memory.indexOf(0, start)));
  };
  const check = (done) => {
    if (!done) throw new Error(answer());
  };
  return {
    c,
    shelf: () => (c.page_shelf(), JSON.parse(answer())),
    begin(game, options = {}, moves = [], open = 1n, secret = 2n) {
      put([game, ...Object.entries(options).map(([key, value]) => `${key}=${value}`), ...moves.map((move) => ` ${move}`)].join("\n"));
      check(c.page_new(open, secret));
    },
    position: (viewer = 0) => (c.page_position(viewer), JSON.parse(answer())),
    /* What opens the same game again; null while it hides something. */
    setup: () => (c.page_setup() ? JSON.parse(answer()) : null),
    difference: (ply, viewer = 0) => (c.page_difference(ply, viewer), JSON.parse(answer())),
    play: (move) => (put(move), check(c.page_play())),
    /* What a computer of this level plays. */
    think(level, seed) {
      check(c.page_think(level, seed));
      while (!c.page_advance(1000n));
      check(c.page_report());
      return JSON.parse(answer()).move;
    },
  };
}

/* Whether a random game takes so long that nobody wants to watch it: a short one must be looked for. */
export async function isLong(game, options, most = 40) {
  const e = await engine();
  e.begin(game, options);
  for (let ply = 0; ply < most; ply++) {
    const { turn, moves } = e.position();
    if (turn === 0 || moves === null) return false;
    e.play(moves[(31 * ply) % moves.length][0]);
  }
  return true;
}

/* Whether pieces of a game cover several cells. */
export async function coversCells(game) {
  const e = await engine();
  e.begin(game);
  const { places, pieces } = e.position().scene;
  const cell = places.find((place) => place.kind === "cell");
  return cell !== undefined && pieces.some((piece) => Math.max(piece.width, piece.depth) > cell.width);
}

/* The shortest of some random games: for each move its text and the places that a hand touches. */
export async function shortGame(game, options, random, games = 40, least = 8) {
  const e = await engine();
  let best = null;
  for (let i = 0; i < games; i++) {
    e.begin(game, options);
    const plan = [];
    for (let position = e.position(); position.turn !== 0; position = e.position()) {
      const move = random.pick(position.moves);
      plan.push(move);
      e.play(move[0]);
      if (best !== null && plan.length >= best.length) break;
    }
    if (plan.length >= least && (best === null || plan.length < best.length)) best = plan;
  }
  return best;
}

/* The shortest of some games in which the first player plays well and the others play anything, where games of anything
 * take long. */
export async function quickGame(game, options, random, games = 24) {
  const e = await engine();
  let best = null;
  for (let i = 0; i < games; i++) {
    e.begin(game, options);
    const plan = [];
    for (let position = e.position(); position.turn !== 0; position = e.position()) {
      if (best !== null && plan.length + 1 >= best.length) break;
      const text = position.turn === 1 ? e.think(4, BigInt(random.below(1000))) : null;
      const move = text === null ? random.pick(position.moves) : position.moves.find(([one]) => one === text);
      plan.push(move);
      e.play(move[0]);
    }
    if (e.position().turn === 0) best = plan;
  }
  return best;
}

/* A game between beginners, to its end or so many moves long, as the address of the page that shows it. */
export async function addressOf(game, most = Infinity) {
  const e = await engine();
  e.begin(game);
  const moves = [];
  while (moves.length < most && e.position().turn !== 0) {
    moves.push(e.think(1, BigInt(moves.length)));
    e.play(moves.at(-1));
  }
  return `#/${game}?${new URLSearchParams({ ...e.setup()?.options, seats: "0,0", moves: moves.join(";") })}`;
}
