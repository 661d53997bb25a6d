/* Rules pages for the page: when it is built, docs/rules/*.md become modules that hold HTML.
 *
 * Pictures of positions say something too ("player 1"), so the page lets the engine draw them in the reader's language.
 * For that, an image has the lines of a set-up in data-draw. They come from the English page, the only one that says
 * how its pictures are drawn. */
import { readFileSync } from "node:fs";
import { basename } from "node:path";
import type { Plugin } from "vite";
import { escape, Markdown } from "./markdown";

/* The words of `nonet draw` as lines of a set-up, as the engine reads them. */
function setupOf(words: string): string {
  const [game, ...rest] = [...words.matchAll(/"([^"]*)"|\S+/g)].map(([whole, quoted]) => quoted ?? whole);
  const lines = [game];
  for (let word = rest.shift(); word !== undefined; word = rest.shift()) {
    if (word === "-o") lines.push(rest.shift());
    else if (word === "--from") lines.push(`from=${rest.shift()}`);
    else if (word.startsWith("-")) throw new Error(`the page cannot draw with ${word}`);
    else lines.push(` ${word}`);
  }
  return lines.join("\n");
}

/* How the pictures of a page are drawn, by their names. */
function drawings(page: string): Map<string, string> {
  const found = page.matchAll(/^<!-- draw: (.*) -->\n!\[.*\]\((.*)\)$/gm);
  return new Map([...found].map(([, words, file]) => [basename(file!), setupOf(words!)]));
}

export function rules(): Plugin {
  return {
    name: "rules",
    enforce: "pre",
    transform(markdown, id) {
      if (!id.endsWith(".md")) return null;
      const english = id.replace(/\/[a-z]{2}(\/[^/]+)$/, "$1");
      const drawn = drawings(readFileSync(english, "utf8"));
      const pictures: string[] = []; // files
      const page = new Markdown(markdown, {
        heading: (level, text) => `<h${level}>${text}</h${level}>`,
        link: (label) => label, // rules stand alone
        image: (file) => {
          const setup = drawn.get(basename(file));
          return setup !== undefined ? `data-draw="${escape(setup)}"` : `src="\0${pictures.push(file) - 1}\0"`;
        },
        table: (table) => table,
        code: (text) => `<pre><code>${text}</code></pre>`,
      });
      const html = JSON.stringify(page.html()).replace(/\\u0000(\d+)\\u0000/g, (_, i) => `" + p${i} + "`);
      const imports = pictures.map((file, i) => `import p${i} from "${file.startsWith(".") ? file : `./${file}`}?url";`);
      return { code: `${imports.join("\n")}\nexport default ${html};`, map: null };
    },
  };
}
