/* Rules pages for the page: when it is built, docs/rules/*.md become modules that hold HTML. It knows only the
 * Markdown that the rules use: headings, paragraphs, lists, tables, code, emphasis, pictures. The first heading is
 * the game's name, which the page shows by itself. A picture's description stands below it for everybody.
 *
 * Pictures of positions say something too ("player 1"), so the page lets the engine draw them in the reader's language.
 * For that, an image has the lines of a set-up in data-draw. They come from the English page, the only one that says
 * how its pictures are drawn. */
import { readFileSync } from "node:fs";
import { basename } from "node:path";
import type { Plugin } from "vite";

const escape = (text: string) => text.replace(/&/g, "&amp;").replace(/</g, "&lt;").replace(/>/g, "&gt;").replace(/"/g, "&quot;");

/* `code`, **strong**, *emphasis* and links; what stands in code is left alone. */
function inline(text: string): string {
  return text
    .split(/(`[^`]+`)/)
    .map((part) =>
      part.startsWith("`")
        ? `<code>${escape(part.slice(1, -1))}</code>`
        : escape(part)
            .replace(/\*\*(.+?)\*\*/g, "<strong>$1</strong>")
            .replace(/\*(.+?)\*/g, "<em>$1</em>"),
    )
    .join("");
}

const isItem = (line: string) => /^\s*(-|\d+\.) /.test(line);
const isBlock = (line: string) => line.trim() === "" || /^(#|\||```|!\[|<!--)/.test(line) || isItem(line);
const indentOf = (line: string) => line.length - line.trimStart().length;

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

class Page {
  private at = 0;
  readonly pictures: string[] = []; // files

  constructor(
    private readonly lines: string[],
    private readonly drawings: Map<string, string>,
  ) {}

  private get line(): string | undefined {
    return this.lines[this.at];
  }

  /* The lines from here on, as long as they pass the test. */
  private take(test: (line: string) => boolean): string[] {
    const start = this.at;
    while (this.line !== undefined && test(this.line)) this.at++;
    return this.lines.slice(start, this.at);
  }

  private list(indent: number): string {
    const kind = /^\s*-/.test(this.line!) ? "ul" : "ol";
    let html = "";
    while (this.line !== undefined && isItem(this.line) && indentOf(this.line) === indent) {
      const first = this.line.replace(/^\s*(-|\d+\.) /, "");
      this.at++;
      const rest = this.take((line) => !isBlock(line) && indentOf(line) > indent);
      const inner = this.line !== undefined && isItem(this.line) && indentOf(this.line) > indent ? this.list(indentOf(this.line)) : "";
      html += `<li>${inline([first, ...rest.map((line) => line.trim())].join(" "))}${inner}${
        inner ? inline(this.take((line) => !isBlock(line) && indentOf(line) > indent).join(" ")) : ""
      }</li>`;
    }
    return `<${kind}>${html}</${kind}>`;
  }

  private table(): string {
    const rows = this.take((line) => line.startsWith("|")).map((line) => line.slice(1, line.lastIndexOf("|")).split("|").map((cell) => inline(cell.trim())));
    const [heads, , ...body] = rows as [string[], string[], ...string[][]];
    // An empty first cell is no heading: below it, each row has its own. Another empty one belongs to the one before it.
    const isRowNamed = heads[0] === "";
    const columns: { text: string; width: number }[] = [];
    for (const text of heads)
      if (text === "" && columns.at(-1)?.text) columns.at(-1)!.width++;
      else columns.push({ text, width: 1 });
    const head = columns.map(({ text, width }) => (text === "" ? "<td></td>" : `<th scope="${width > 1 ? "colgroup" : "col"}" colspan="${width}">${text}</th>`)).join("");
    const row = (cells: string[]) => cells.map((text, i) => (i === 0 && isRowNamed && text !== "" ? `<th scope="row">${text}</th>` : `<td>${text}</td>`)).join("");
    return `<table><thead><tr>${head}</tr></thead><tbody>${body.map((cells) => `<tr>${row(cells)}</tr>`).join("")}</tbody></table>`;
  }

  private picture(line: string): string {
    const [, text, file] = /^!\[(.*)\]\((.*)\)$/.exec(line.trim()) ?? [];
    if (text === undefined || file === undefined) throw new Error(`no picture: ${line}`);
    const drawn = this.drawings.get(basename(file));
    const source = drawn !== undefined ? `data-draw="${escape(drawn)}"` : `src="\0${this.pictures.push(file) - 1}\0"`;
    return `<figure><img ${source} alt="" loading="lazy"><figcaption>${inline(text)}</figcaption></figure>`;
  }

  html(): string {
    let html = "";
    for (let line = this.line; line !== undefined; line = this.line) {
      const heading = /^(#+) (.*)$/.exec(line);
      if (isItem(line)) html += this.list(indentOf(line));
      else if (line.startsWith("|")) html += this.table();
      else if (line.startsWith("```")) {
        this.at++;
        html += `<pre><code>${escape(this.take((code) => !code.startsWith("```")).join("\n"))}</code></pre>`;
        this.at++;
      } else if (!isBlock(line)) html += `<p>${inline(this.take((text) => !isBlock(text)).join(" "))}</p>`;
      else {
        if (heading && heading[1] !== "#") html += `<h${heading[1]!.length}>${inline(heading[2]!)}</h${heading[1]!.length}>`;
        else if (line.startsWith("![")) html += this.picture(line);
        this.at++; // empty lines, comments and the title leave nothing
      }
    }
    return html;
  }
}

export function rules(): Plugin {
  return {
    name: "rules",
    enforce: "pre",
    transform(markdown, id) {
      if (!id.endsWith(".md")) return null;
      const english = id.replace(/\/[a-z]{2}(\/[^/]+)$/, "$1");
      const page = new Page(markdown.split("\n"), drawings(readFileSync(english, "utf8")));
      const html = JSON.stringify(page.html()).replace(/\\u0000(\d+)\\u0000/g, (_, i) => `" + p${i} + "`);
      const imports = page.pictures.map((file, i) => `import p${i} from "${file.startsWith(".") ? file : `./${file}`}?url";`);
      return { code: `${imports.join("\n")}\nexport default ${html};`, map: null };
    },
  };
}
