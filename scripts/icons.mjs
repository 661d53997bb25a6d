/* Draws the page's icons into web/public: nine wooden pieces in their box, as SVG, and from it the PNGs that phones and
 * desktops want. Run it after a change of the drawing: node scripts/icons.mjs */
import { writeFileSync } from "node:fs";
import { chromium } from "../web/node_modules/playwright-core/index.mjs";

const folder = new URL("../web/public/", import.meta.url);
const SIZE = 512;

/* Ground, grain, and what the light does not reach, as in web/src/view/materials.ts. */
const woods = {
  maple: ["#efd9ae", "#b98d52", "#b08f65"],
  padouk: ["#b0482b", "#5e1d10", "#6e2413"],
  yellow: ["#f2c230", "#a8740a", "#a8740a"],
  green: ["#4f9448", "#1d4a1c", "#2c5422"],
  blue: ["#2f66b8", "#0f2c5e", "#1b3a63"],
  natural: ["#dfb880", "#94642f", "#94693c"],
};
const pieces = [
  ["tile", "maple"], ["disc", "padouk"], ["cross", "maple"],
  ["disc", "yellow"], ["tile", "padouk"], ["disc", "blue"],
  ["cross", "natural"], ["disc", "green"], ["tile", "natural"],
];

const square = (x, y, r, round) => `<rect x="${x - r}" y="${y - r}" width="${2 * r}" height="${2 * r}" rx="${round}"`;

function outline(shape, x, y, r) {
  if (shape === "disc") return `<circle cx="${x}" cy="${y}" r="${r}"`;
  if (shape === "tile") return square(x, y, r * 0.9, r * 0.16);
  const a = r, b = r * 0.4;
  const points = [[-b, -a], [b, -a], [b, -b], [a, -b], [a, b], [b, b], [b, a], [-b, a], [-b, b], [-a, b], [-a, -b], [-b, -b]];
  return `<polygon stroke-linejoin="round" points="${points.map(([u, v]) => `${x + u},${y + v}`).join(" ")}"`;
}

/* A piece: its shadow on the floor, its side, its face with grain, and an edge where the light catches. */
function piece([shape, wood], x, y, r, i) {
  const [ground, grain, side] = woods[wood];
  const height = r * 0.2;
  const lines = [-0.72, -0.45, -0.2, 0.12, 0.38, 0.7]
    .map((at, n) => {
      const u = x - r, v = y + at * r, bend = r * (n % 2 ? 0.13 : -0.1);
      return `<path d="M${u} ${v} q${r * 0.6} ${bend} ${r} 0 t${r} 0"/>`;
    })
    .join("");
  return (
    `<clipPath id="p${i}">${outline(shape, x, y - height, r)}/></clipPath>` +
    `${outline(shape, x + r * 0.14, y + height * 0.9, r)} fill="#000" opacity=".42" filter="url(#soft)"/>` +
    `${outline(shape, x, y, r)} fill="${side}"/>` +
    `${outline(shape, x, y - height * 0.5, r)} fill="${side}"/>` +
    `${outline(shape, x, y - height, r)} fill="${ground}"/>` +
    `<g clip-path="url(#p${i})"><g fill="none" stroke="${grain}" stroke-width="${r * 0.06}" opacity=".38" transform="rotate(${[-8, 5, 82, -4, 7, 84, 3, -6, 80][i]} ${x} ${y - height})">${lines}</g>` +
    `${outline(shape, x, y - height, r)} fill="url(#light)" stroke="#fff" stroke-opacity=".35" stroke-width="${r * 0.07}"/></g>`
  );
}

/* `whole`: up to the edges, with everything that matters inside the circle that every mask leaves. */
function drawing(whole) {
  const middle = SIZE / 2, box = whole ? 192 : 244, rim = box * 0.115, step = box * 0.565, r = step * 0.415;
  const inner = box - rim;
  const veins = Array.from({ length: 9 }, (_, n) => {
    const y = middle - inner + ((n + 0.5) * 2 * inner) / 9;
    return `<path d="M${middle - inner} ${y} q${inner / 2} ${n % 2 ? 14 : -11} ${inner} 0 t${inner} 0"/>`;
  }).join("");
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${SIZE} ${SIZE}"><title>Nonet</title>
<defs><linearGradient id="light" x1="0" y1="0" x2="1" y2="1"><stop offset="0" stop-color="#fff" stop-opacity=".3"/><stop offset=".5" stop-color="#fff" stop-opacity="0"/><stop offset="1" stop-color="#000" stop-opacity=".22"/></linearGradient>
<linearGradient id="rim" x1="0" y1="0" x2="0" y2="1"><stop offset="0" stop-color="#8a5f3b"/><stop offset="1" stop-color="#5e3c24"/></linearGradient>
<linearGradient id="depth" x1="0" y1="0" x2="0" y2="1"><stop offset="0" stop-color="#000" stop-opacity=".55"/><stop offset=".12" stop-color="#000" stop-opacity="0"/></linearGradient>
<filter id="soft"><feGaussianBlur stdDeviation="${r * 0.1}"/></filter></defs>
${whole ? square(middle, middle, middle, 0) : square(middle, middle, box, box * 0.2)} fill="url(#rim)"/>
${whole ? "" : square(middle, middle, box - 3, box * 0.19) + ' fill="none" stroke="#d9a874" stroke-opacity=".5" stroke-width="4"/>'}
${square(middle, middle, inner, box * 0.1)} fill="#3a2415"/>
<g fill="none" stroke="#1f1108" stroke-width="3" opacity=".5">${veins}</g>
${square(middle, middle, inner, box * 0.1)} fill="url(#depth)"/>
${pieces.map((kind, i) => piece(kind, middle + ((i % 3) - 1) * step, middle + (Math.floor(i / 3) - 1) * step + r * 0.08, r, i)).join("\n")}
</svg>
`.replace(/\d+\.\d{2,}/g, (number) => String(Math.round(number * 10) / 10));
}

const browser = await chromium.launch({ executablePath: "/usr/bin/chromium-headless-shell", args: ["--no-sandbox", "--disable-gpu"] });
async function picture(name, size, whole) {
  const page = await browser.newPage({ viewport: { width: size, height: size } });
  await page.setContent(`<style>body{margin:0}svg{display:block}</style>${drawing(whole)}`);
  await page.screenshot({ path: new URL(name, folder).pathname, omitBackground: true });
  await page.close();
}
writeFileSync(new URL("icon.svg", folder), drawing(false));
await picture("icon-192.png", 192, false);
await picture("icon-whole-192.png", 192, true);
await picture("icon-whole-512.png", 512, true);
await browser.close();
