// Draws the pictures of the shelf, web/src/boxes/GAME.webp: each game in the middle of play, in 3D, by the page's own
// view. Needs web/node_modules and Chromium. Run it only when somebody wants new pictures.
//
//     node scripts/boxes.mjs [--out FOLDER] [--dark] [--size 640x480] [GAME ...]
import { mkdir, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";

const web = join(dirname(dirname(fileURLToPath(import.meta.url))), "web");
const require = createRequire(join(web, "package.json"));
const { chromium } = require("playwright-core");
const { createServer } = await import(join(web, "node_modules/vite/dist/node/index.js"));

const MOST = 25000; // bytes of a picture

/* A position to show, and from where: radians around the table and from straight above. A game that is not listed is
 * shown as it begins. */
const positions = {
  ksar: {
    options: { frame: "10x10" },
    moves: "2x1@i10 n2x1@a10 3x1@f10 1x3@c8 1x2@d9 1x3@a7 3x2@h8 n2x1@a6 2x1@f9 2x3@c5 1x2@j6 3x1@a4 3x1@e8 2x1@d4 1x3@i5 1x2@e6",
    eye: { turn: -0.5, tilt: 0.95, zoom: 1 },
  },
  masker: {
    options: { deal: "VWBRRVYGVBGYBRYWYNVYWGRBGVRWBBYVRWGG", colours: "VY" },
    moves: "e3 d3",
    eye: { turn: 0.45, tilt: 0.85, zoom: 1.12 },
  },
  kolem: { moves: "c3 c4 c5 c2 c1 b3 a3 d5 b4 d1", eye: { turn: -0.4, tilt: 0.95, zoom: 1.12 } },
  kudosu: { moves: "Wd2 Wc4 Pa1 Wa3 Pc3 Pb4 Zc1 Zd4 Zb2 Ma2 Md1 Mb3", eye: { turn: 0.5, tilt: 0.9, zoom: 1.12 } },
  quadrangle: { moves: "a1 b2 b1 c1 d2 c2 a3 b3 c4", eye: { turn: -0.55, tilt: 0.95, zoom: 1.12 } },
  mix3: { moves: "a1 b1 c1 d1 b2 a2 c2 d2 a3 b3 c3 a4", eye: { turn: 0.3, tilt: 0.8, zoom: 1.12 } },
  chasm: { options: { players: "4" }, moves: "a1 b1 c1 d1 b2 a2 d2 c2 c3 d3 a3 b3", eye: { turn: 0.7, tilt: 1, zoom: 1.12 } },
  trix: { moves: "a1b2 d4c3 b1c2", eye: { turn: -0.75, tilt: 1.0, zoom: 1.12 } },
  fullend: {
    moves: "flat@36,36,0 edge@160,160,45 flat@208,112,0 flat@90,200,30 edge@250,250,120 flat@247,40,0 flat@150,276,8 edge@40,110,80 edge@300,150,85 edge@110,90,160",
    eye: { turn: 0.35, tilt: 0.95, zoom: 1.08 },
  },
};

const BEGINNING = { moves: "", eye: { turn: 0.4, tilt: 0.9, zoom: 1.1 } };

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    out: { type: "string", default: join(web, "src/boxes") },
    size: { type: "string", default: "640x480" },
    dark: { type: "boolean", default: false },
  },
});
const [width, height] = values.size.split("x").map(Number);
const wanted = positionals.length > 0 ? positionals : Object.keys(positions);

const server = await createServer({ root: web, configFile: join(web, "vite.config.ts"), server: { port: 0, host: "127.0.0.1", hmr: false, watch: null }, logLevel: "error" });
await server.listen();
const browser = await chromium.launch({
  executablePath: "/usr/bin/chromium-headless-shell",
  args: ["--no-sandbox", "--use-angle=swiftshader", "--enable-unsafe-swiftshader", "--ignore-gpu-blocklist", "--disable-quic", "--no-first-run"],
});
try {
  const page = await browser.newPage();
  page.on("pageerror", (error) => console.error(error.message));
  await page.goto(`http://127.0.0.1:${server.httpServer.address().port}/`);
  await mkdir(values.out, { recursive: true });
  for (const game of wanted) {
    const bytes = await page.evaluate(
      async ([id, position, size, dark, quality, most]) => {
        const { Engine } = await import("/src/engine/engine.ts");
        const { Stage } = await import("/src/view3d/stage.ts");
        const engine = await Engine.load();
        engine.begin(id, position.options ?? {}, position.moves.split(" ").filter(Boolean));
        const canvas = document.createElement("canvas");
        const stage = new Stage(canvas, { still: true, home: position.eye });
        stage.theme({ dark });
        stage.resize(size[0], size[1]);
        await stage.show(engine.show(engine.position(0).ply, 0), false, 0);
        let picture;
        do picture = await stage.picture("image/webp", (quality -= 0.04));
        while (picture.size > most);
        stage.dispose();
        return [...new Uint8Array(await picture.arrayBuffer())];
      },
      [game, positions[game] ?? BEGINNING, [width, height], values.dark, 0.9, MOST],
    );
    const file = join(values.out, `${game}.webp`);
    await writeFile(file, Buffer.from(bytes));
    console.log(`${file}: ${bytes.length} bytes`);
  }
} finally {
  await browser.close();
  await server.close();
}
