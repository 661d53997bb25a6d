/* How the page is built: web/dist, with hashes in all names but those that must stay: index.html, sw.js, and what
 * lies in public/. */
import { svelte } from "@sveltejs/vite-plugin-svelte";
import { defineConfig } from "vite";
import { listFiles } from "./list_files";
import { rules } from "./rules";

export default defineConfig({
  base: "./",
  plugins: [rules(), svelte(), listFiles()],
  build: {
    target: "es2022",
    // The page's policy forbids inline code and data: addresses of scripts.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    chunkSizeWarningLimit: 600, // kB: three.js, loaded only when wanted
    rollupOptions: {
      output: { entryFileNames: "assets/[name]-[hash].js" },
    },
  },
  worker: {
    format: "es",
    rollupOptions: { output: { entryFileNames: (chunk) => (chunk.name === "service" ? "sw.js" : "assets/[name]-[hash].js") } },
  },
});
