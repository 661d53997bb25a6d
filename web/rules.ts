/* Rules pages for the page: when it is built, docs/rules/*.md become modules that hold HTML. It knows only the
 * Markdown that the rules use: headings, paragraphs, lists, tables, code, emphasis, pictures. The first heading is
 * the game's name, which the page shows by itself. A picture's description stands below it for everybody. */
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

class Page {
  private at = 0;
  readonly pictures: string[] = [];

  constructor(private readonly lines: string[]) {}

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
    // An empty cell is no heading.
    const cell = (text: string, tag: string) => (text === "" ? "<td></td>" : `<${tag}>${text}</${tag}>`);
    const row = (cells: string[], tag: string) => `<tr>${cells.map((text) => cell(text, tag)).join("")}</tr>`;
    return `<table><thead>${row(rows[0]!, "th")}</thead><tbody>${rows.slice(2).map((cells) => row(cells, "td")).join("")}</tbody></table>`;
  }

  private picture(line: string): string {
    const [, text, file] = /^!\[(.*)\]\((.*)\)$/.exec(line.trim()) ?? [];
    if (text === undefined || file === undefined) throw new Error(`no picture: ${line}`);
    this.pictures.push(file);
    return `<figure><img src="\0${this.pictures.length - 1}\0" alt="" loading="lazy"><figcaption>${inline(text)}</figcaption></figure>`;
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
      const page = new Page(markdown.split("\n"));
      const html = JSON.stringify(page.html()).replace(/\\u0000(\d+)\\u0000/g, (_, i) => `" + p${i} + "`);
      const imports = page.pictures.map((file, i) => `import p${i} from "${file.startsWith(".") ? file : `./${file}`}?url";`);
      return { code: `${imports.join("\n")}\nexport default ${html};`, map: null };
    },
  };
}
