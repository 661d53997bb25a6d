import { svelte } from "@sveltejs/vite-plugin-svelte";
import { defineConfig } from "vite";
import { rules } from "./rules";

export default defineConfig({
  base: "./",
  plugins: [rules(), svelte()],
  build: {
    target: "es2022",
    // The page's policy forbids inline code and data: addresses of scripts.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
  },
  worker: { format: "es" },
});
