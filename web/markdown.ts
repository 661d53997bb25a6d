/* Markdown as the project's documents use it, made into HTML when the page is built: headings, paragraphs, lists,
 * tables, code, emphasis, links, pictures. The first heading is the title, which whoever shows the text shows by itself.
 * A picture's description stands below it for everybody. What links, pictures and the rest become is up to the writer:
 * rules in the page (rules.ts) and documents of their own (documents.ts) need different things. */
export const escape = (text: string) => text.replace(/&/g, "&amp;").replace(/</g, "&lt;").replace(/>/g, "&gt;").replace(/"/g, "&quot;");

export interface Writer {
  heading(level: number, html: string): string;
  link(html: string, target: string): string;
  image(file: string): string; // attributes of an img
  table(html: string): string;
  code(html: string): string;
}

const isItem = (line: string) => /^\s*(-|\d+\.) /.test(line);
const isFence = (line: string) => line.trimStart().startsWith("```");
const isEmpty = (line: string) => line.trim() === "";
const isBlock = (line: string) => isEmpty(line) || /^(#|\||!\[|<!--)/.test(line) || isFence(line) || isItem(line);
const indentOf = (line: string) => line.length - line.trimStart().length;
const CODE_INDENT = 4; // more than the text around it: code

/* The text without marks: for names and descriptions. */
export const plain = (text: string) => text.replace(/\[([^\]]*)\]\([^)]*\)/g, "$1").replace(/[`*]/g, "");

export const titleOf = (page: string) => plain(/^# (.*)$/m.exec(page)?.[1] ?? "");

export class Markdown {
  private at = 0;
  private readonly lines: string[];

  constructor(
    text: string,
    private readonly writer: Writer,
  ) {
    this.lines = text.split("\n");
  }

  private get line(): string | undefined {
    return this.lines[this.at];
  }

  /* The lines from here on, as long as they pass the test. */
  private take(test: (line: string) => boolean): string[] {
    const start = this.at;
    while (this.line !== undefined && test(this.line)) this.at++;
    return this.lines.slice(start, this.at);
  }

  /* `code`, **strong**, *emphasis* and links; what stands in code is left alone. */
  private inline(text: string): string {
    const codes: string[] = [];
    return escape(text.replace(/`([^`]+)`/g, (_, code) => `\0${codes.push(code) - 1}\0`))
      .replace(/\[([^\]]*)\]\(([^)]*)\)/g, (_, label, target) => this.writer.link(label, target))
      .replace(/\*\*(.+?)\*\*/g, "<strong>$1</strong>")
      .replace(/\*(.+?)\*/g, "<em>$1</em>")
      .replace(/\0(\d+)\0/g, (_, i) => `<code>${escape(codes[i]!)}</code>`);
  }

  /* A block of code in a fence, or one that is indented. */
  private fenced(): string {
    const indent = indentOf(this.line!);
    this.at++;
    const lines = this.take((line) => !isFence(line));
    this.at++;
    return this.code(lines, indent);
  }

  private indented(indent: number): string {
    return this.code(this.take((line) => !isEmpty(line) && indentOf(line) >= indent), indent);
  }

  private code(lines: string[], indent: number): string {
    return this.writer.code(escape(lines.map((line) => line.slice(Math.min(indent, indentOf(line)))).join("\n")));
  }

  /* What belongs to an item of a list after its first lines: more text, code, a list in the list. */
  private itemRest(indent: number): string {
    let html = "";
    for (;;) {
      let next = this.at;
      while (this.lines[next] !== undefined && isEmpty(this.lines[next]!)) next++;
      const line = this.lines[next];
      if (line === undefined || indentOf(line) <= indent) return html;
      const isApart = next > this.at;
      this.at = next;
      if (isFence(line)) html += this.fenced();
      else if (isItem(line)) html += this.list(indentOf(line));
      else if (isApart && indentOf(line) >= indent + 2 + CODE_INDENT) html += this.indented(indentOf(line));
      else {
        const text = this.inline(this.take((more) => !isBlock(more) && indentOf(more) > indent).map((more) => more.trim()).join(" "));
        html += isApart ? `<p>${text}</p>` : text;
      }
    }
  }

  private list(indent: number): string {
    const kind = /^\s*-/.test(this.line!) ? "ul" : "ol";
    let html = "";
    while (this.line !== undefined && isItem(this.line) && indentOf(this.line) === indent) {
      const first = this.line.replace(/^\s*(-|\d+\.) /, "");
      this.at++;
      const rest = this.take((line) => !isBlock(line) && indentOf(line) > indent);
      html += `<li>${this.inline([first, ...rest.map((line) => line.trim())].join(" "))}${this.itemRest(indent)}</li>`;
    }
    return `<${kind}>${html}</${kind}>`;
  }

  private table(): string {
    const cellsOf = (line: string) => line.slice(1, line.lastIndexOf("|")).split(/(?<!\\)\|/);
    const rows = this.take((line) => line.startsWith("|")).map((line) => cellsOf(line).map((cell) => this.inline(cell.trim().replaceAll("\\|", "|"))));
    const [heads, , ...body] = rows as [string[], string[], ...string[][]];
    // An empty first cell is no heading: below it, each row has its own. Another empty one belongs to the one before it.
    const isRowNamed = heads[0] === "";
    const columns: { text: string; width: number }[] = [];
    for (const text of heads)
      if (text === "" && columns.at(-1)?.text) columns.at(-1)!.width++;
      else columns.push({ text, width: 1 });
    const head = columns.map(({ text, width }) => (text === "" ? "<td></td>" : `<th scope="${width > 1 ? "colgroup" : "col"}" colspan="${width}">${text}</th>`)).join("");
    const row = (cells: string[]) => cells.map((text, i) => (i === 0 && isRowNamed && text !== "" ? `<th scope="row">${text}</th>` : `<td>${text}</td>`)).join("");
    return this.writer.table(`<table><thead><tr>${head}</tr></thead><tbody>${body.map((cells) => `<tr>${row(cells)}</tr>`).join("")}</tbody></table>`);
  }

  private picture(line: string): string {
    const [, text, file] = /^!\[(.*)\]\((.*)\)$/.exec(line.trim()) ?? [];
    if (text === undefined || file === undefined) throw new Error(`no picture: ${line}`);
    return `<figure><img ${this.writer.image(file)} alt="" loading="lazy"><figcaption>${this.inline(text)}</figcaption></figure>`;
  }

  html(): string {
    let html = "";
    for (let line = this.line; line !== undefined; line = this.line) {
      const heading = /^(#+) (.*)$/.exec(line);
      if (isFence(line)) html += this.fenced();
      else if (!isEmpty(line) && indentOf(line) >= CODE_INDENT) html += this.indented(CODE_INDENT);
      else if (isItem(line)) html += this.list(indentOf(line));
      else if (line.startsWith("|")) html += this.table();
      else if (!isBlock(line)) html += `<p>${this.inline(this.take((text) => !isBlock(text)).join(" "))}</p>`;
      else {
        if (heading && heading[1] !== "#") html += this.writer.heading(heading[1]!.length, this.inline(heading[2]!));
        else if (line.startsWith("![")) html += this.picture(line);
        this.at++; // empty lines, comments and the title leave nothing
      }
    }
    return html;
  }
}
