// Our server for tables beside boardgame.io's, in one run: moves that were acknowledged, with both players listening, for
// each second of processor time of the server. Ours writes every move to disk first; boardgame.io keeps them in memory.
//
//   node bench/boardgame.mjs [TABLES [SECONDS]]        200 and 8 unless given; needs build/nonet-serve, build/tests/bench-tables
//
// boardgame.io is installed by npm into a scratch folder, for this measurement only. Its game is the least that has turns.
import { execFileSync, fork } from "node:child_process";
import fs from "node:fs";
import { createRequire } from "node:module";
import os from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";

const VERSION = "0.50.2";
const self = fileURLToPath(import.meta.url);
const root = path.resolve(path.dirname(self), "..");
const [role, ...rest] = process.argv.slice(2);
const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

/* Players show a move when the server has made it, so that only moves that were acknowledged count. */
const once = { move: ({ G }) => void G.count++, client: false };
const game = { name: "turns", setup: () => ({ count: 0 }), turn: { minMoves: 1, maxMoves: 1 }, moves: { play: once } };

/* Seconds of processor time of a process. */
function processorTime(pid) {
  const fields = fs.readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1].split(" ");
  return (Number(fields[11]) + Number(fields[12])) / 100;
}

async function serve(folder) {
  const { Server, Origins } = createRequire(path.join(folder, "x.js"))("boardgame.io/server");
  const server = Server({ games: [game], origins: [Origins.LOCALHOST] });
  const { appServer } = await server.run({ port: 0, callback: () => {} });
  process.send({ port: appServer.address().port });
}

/* All players; tells how many moves they have seen. */
async function play(folder, port, tables) {
  const require = createRequire(path.join(folder, "x.js"));
  const { Client } = require("boardgame.io/client");
  const { SocketIO } = require("boardgame.io/multiplayer");
  let moves = 0;
  for (let table = 0; table < tables; table++) {
    for (const playerID of ["0", "1"]) {
      const client = Client({ game, numPlayers: 2, matchID: `m${table}`, playerID, multiplayer: SocketIO({ server: `http://127.0.0.1:${port}` }), debug: false });
      let known = -1;
      client.subscribe((state) => {
        if (!state || state._stateID <= known) return;
        known = state._stateID;
        if (state.ctx.currentPlayer !== playerID) return;
        if (state._stateID > 0) moves++; // the other's move has arrived
        setImmediate(() => client.moves.play());
      });
      client.start();
    }
  }
  setInterval(() => process.send({ moves }), 100);
}

async function measureTheirs(folder, tables, seconds) {
  const server = fork(self, ["serve", folder], { stdio: ["ignore", "ignore", "ignore", "ipc"] });
  const { port } = await new Promise((resolve) => server.once("message", resolve));
  const players = fork(self, ["play", folder, port, tables], { stdio: ["ignore", "ignore", "ignore", "ipc"] });
  let moves = 0;
  players.on("message", (message) => (moves = message.moves));
  await sleep(4000);
  const before = { moves, processor: processorTime(server.pid), at: performance.now() };
  await sleep(1000 * seconds);
  const made = moves - before.moves;
  const figures = { each: made / (processorTime(server.pid) - before.processor), second: (1000 * made) / (performance.now() - before.at) };
  players.kill();
  server.kill();
  return figures;
}

function measureOurs(tables, seconds) {
  const said = execFileSync(path.join(root, "build/tests/bench-tables"), [path.join(root, "build/nonet-serve"), "trix", tables, 0, seconds].map(String), { encoding: "utf8" });
  const [, second, each] = /: (\d+) moves a second, (\d+) a processor second/.exec(said);
  return { each: Number(each), second: Number(second) };
}

async function compare(tables, seconds) {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "nonet-boardgame-"));
  try {
    fs.writeFileSync(path.join(folder, "package.json"), "{}");
    execFileSync("npm", ["install", "--silent", "--no-audit", "--no-fund", `boardgame.io@${VERSION}`], { cwd: folder, stdio: ["ignore", "ignore", "inherit"] });
    for (let round = 1; round <= 2; round++) {
      const theirs = await measureTheirs(folder, tables, seconds);
      const ours = measureOurs(tables, seconds);
      const tell = ({ each, second }) => `${Math.round(each)} moves a processor second (${Math.round(second)} a second)`;
      console.log(`boardgame.io ${tell(theirs)}; nonet ${tell(ours)}: ${(ours.each / theirs.each).toFixed(1)} times`);
    }
  } finally {
    fs.rmSync(folder, { recursive: true, force: true });
  }
}

if (role === "serve") await serve(...rest);
else if (role === "play") await play(rest[0], Number(rest[1]), Number(rest[2]));
else await compare(Number(role ?? 200), Number(rest[0] ?? 8));
