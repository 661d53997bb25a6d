/* How the page is built: web/dist, with hashes in all names but those that must stay: index.html, sw.js, and what
 * lies in public/. */
import { createHash } from "node:crypto";
import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { svelte } from "@sveltejs/vite-plugin-svelte";
import { defineConfig, type Plugin } from "vite";
import { rules } from "./rules";

const sha256 = (data: Buffer | string) => createHash("sha256").update(data).digest("hex");

/* Writes into the service worker which files there are, once they all are. */
function listFiles(): Plugin {
  return {
    name: "nonet-list-files",
    apply: "build",
    writeBundle({ dir }) {
      const root = dir!;
      const files = readdirSync(root, { recursive: true, encoding: "utf8" })
        .filter((path) => path !== "sw.js" && statSync(join(root, path)).isFile())
        .map((path) => ({ path, data: readFileSync(join(root, path)) }))
        .sort((a, b) => a.data.length - b.data.length || (a.path < b.path ? -1 : 1))
        .map(({ path, data }) => [path, sha256(data)]);
      const page = JSON.stringify({ version: sha256(JSON.stringify(files)).slice(0, 16), files });
      const worker = join(root, "sw.js");
      writeFileSync(worker, readFileSync(worker, "utf8").replace("NONET_PAGE", page));
    },
  };
}

export default defineConfig({
  base: "./",
  plugins: [rules(), svelte(), listFiles()],
  build: {
    target: "es2022",
    // The page's policy forbids inline code and data: addresses of scripts.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rollupOptions: {
      input: { index: "index.html", sw: "src/offline/service.ts" },
      output: { entryFileNames: (chunk) => (chunk.name === "sw" ? "sw.js" : "assets/[name]-[hash].js") },
    },
  },
  worker: { format: "es" },
});
