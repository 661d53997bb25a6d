/* How the page is built: web/dist, with hashes in all names but those that must stay: index.html, sw.js, what lies in
 * public/, and the documents (documents.ts). */
import { readdirSync } from "node:fs";
import { svelte } from "@sveltejs/vite-plugin-svelte";
import { defineConfig } from "vite";
import { documents } from "./documents";
import { listFiles } from "./list_files";
import { rules } from "./rules";

/* The games that have lessons: the set-up of the others offers none. */
const lessons = readdirSync(new URL("../docs/lessons", import.meta.url)).flatMap((file) => /^(.*)\.json$/.exec(file)?.[1] ?? []);

/* What belongs to the study room, and to tables on a server, goes into a folder of its own: the service worker keeps it
 * for those who use it. The last source of a file is the one that it is named after. */
const STUDY = /\bsrc\/(study|online)\/|\bsrc\/words\/\w+\/|\bdocs\/lessons\/|\b(tables|books)\/|^build\/study/;
const folderOf = (sources: string[]) => (STUDY.test(sources.at(-1) ?? "") ? "assets/study" : "assets");
const output = {
  chunkFileNames: ({ moduleIds }: { moduleIds: string[] }) => `${folderOf(moduleIds)}/[name]-[hash].js`,
  assetFileNames: ({ originalFileNames }: { originalFileNames: string[] }) => `${folderOf(originalFileNames)}/[name]-[hash][extname]`,
};

export default defineConfig({
  define: { LESSONS: JSON.stringify(lessons) },
  base: "./",
  plugins: [rules(), svelte(), documents(), listFiles()],
  build: {
    target: "es2022",
    // The page's policy forbids inline code and data: addresses of scripts.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    chunkSizeWarningLimit: 600, // kB: three.js, loaded only when wanted
    rollupOptions: {
      output: { ...output, entryFileNames: "assets/[name]-[hash].js" },
    },
  },
  worker: {
    format: "es",
    rollupOptions: {
      output: { ...output, entryFileNames: ({ name, moduleIds }) => (name === "service" ? "sw.js" : `${folderOf(moduleIds)}/[name]-[hash].js`) },
    },
  },
});
