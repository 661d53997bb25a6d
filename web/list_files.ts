/* Writes the list of the page's files into the service worker (src/offline/service.ts), once they are all there, each
 * with the hash of its content. Small files come first, and the page last, since it is useless without the others. Large
 * files that are kept only when somebody has used them (src/offline/kept.ts) stand in a list of their own. Documents
 * (documents.ts) stand in none: the worker leaves them to the network. */
import { createHash } from "node:crypto";
import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Plugin } from "vite";

const PAGE = "index.html";
const isKeptWhenUsed = (path: string) => path.endsWith(".nonet-table");
const sha256 = (data: Buffer | string) => createHash("sha256").update(data).digest("hex");

export function listFiles(): Plugin {
  return {
    name: "nonet-list-files",
    apply: "build",
    writeBundle({ dir }) {
      const root = dir!;
      const all = readdirSync(root, { recursive: true, encoding: "utf8" }).filter((path) => path !== "sw.js" && !path.startsWith("docs/") && statSync(join(root, path)).isFile());
      const files = all
        .filter((path) => !isKeptWhenUsed(path))
        .map((path) => ({ path, data: readFileSync(join(root, path)) }))
        .sort((a, b) => Number(a.path === PAGE) - Number(b.path === PAGE) || a.data.length - b.data.length || (a.path < b.path ? -1 : 1))
        .map(({ path, data }) => [path, sha256(data)]);
      const page = JSON.stringify({ version: sha256(JSON.stringify(files)).slice(0, 16), files, kept: all.filter(isKeptWhenUsed).sort() });
      const worker = join(root, "sw.js");
      writeFileSync(worker, readFileSync(worker, "utf8").replace("NONET_PAGE", page));
    },
  };
}
