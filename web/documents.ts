/* The documents as a site of their own, beside the page: docs/ and a few files around it become docs/*.html in the
 * build. They need no JavaScript, and have the colours of the page (src/style.css), as the reader's device wishes them.
 *
 * docs/index.md is the first page, and its lists are the navigation of all others, so every document must stand there.
 * A link to another document leads to its page. A file in docs/ or examples/ that a document names is served too. What
 * lies elsewhere in the sources is named by its path: this site does not know where readers have the sources from. */
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { dirname, join, normalize, relative } from "node:path/posix";
import { fileURLToPath } from "node:url";
import type { Plugin } from "vite";
import { escape, Markdown, plain, titleOf } from "./markdown";

const ROOT = fileURLToPath(new URL("..", import.meta.url));
const FIRST = "docs/index.md";
const STYLE = "style.css";
const OTHERS = ["examples/README.md", "CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md"];
const DESCRIPTION = 160; // characters that search engines show

const read = (path: string) => readFileSync(join(ROOT, path), "utf8");
const isFile = (path: string) => existsSync(join(ROOT, path)) && statSync(join(ROOT, path)).isFile();

/* Where a file of the project is in the site. */
function siteOf(path: string): string {
  const place = path.startsWith("docs/") ? path.slice("docs/".length) : path.includes("/") ? path : path.toLowerCase();
  return place.replace(/README\.md$/, "index.md").replace(/\.md$/, ".html");
}

/* The way from one file of the site to another: ./ for the first page. */
function wayTo(from: string, to: string): string {
  return (relative(dirname(from), to) || ".").replace(/(^|\/)index\.html$/, "$1") || "./";
}

/* The name of a heading in an address, as forges make it. */
const slug = (text: string) => text.toLowerCase().replace(/[^\p{L}\p{N}\s_-]/gu, "").replace(/\s/g, "-");

interface Entry {
  label: string;
  path: string;
}
interface Group {
  title: string;
  entries: Entry[];
}

/* The navigation: the lists of the first page. A game whose rules it does not name joins those it does. */
function groupsOf(first: string, pages: string[]): Group[] {
  const groups: Group[] = [];
  for (const line of first.split("\n")) {
    const heading = /^## (.*)$/.exec(line);
    const entry = /^- \[([^\]]*)\]\(([^)#]*)\)/.exec(line);
    if (heading) groups.push({ title: heading[1]!, entries: [] });
    else if (entry) groups.at(-1)!.entries.push({ label: plain(entry[1]!), path: normalize(join("docs", entry[2]!)) });
  }
  const listed = new Set([FIRST, ...groups.flatMap(({ entries }) => entries.map(({ path }) => path))]);
  const rules = groups.find(({ entries }) => entries.some(({ path }) => path.startsWith("docs/rules/")));
  for (const path of pages)
    if (!listed.has(path) && !/\/[a-z]{2}\/[^/]+$/.test(path)) {
      if (!path.startsWith("docs/rules/") || !rules) throw new Error(`${FIRST} does not name ${path}`);
      rules.entries.push({ label: titleOf(read(path)), path });
    }
  return groups.filter(({ entries }) => entries.length > 0);
}

/* The pages with the rules of a game, by language. */
function translations(path: string, pages: string[]): [language: string, path: string][] {
  const game = /^docs\/rules\/(?:[a-z]{2}\/)?([^/]+)$/.exec(path)?.[1];
  if (game === undefined) return [];
  return pages.flatMap((page): [string, string][] => {
    const [, language, other] = /^docs\/rules\/(?:([a-z]{2})\/)?([^/]+)$/.exec(page) ?? [];
    return other === game ? [[language ?? "en", page]] : [];
  });
}

const nameOf = (language: string) => new Intl.DisplayNames([language], { type: "language" }).of(language)!;

/* Width and height of a drawing, so that the text does not jump when it arrives. */
function sizeOf(path: string): string {
  const [, width, height] = (path.endsWith(".svg") && /viewBox="\S+ \S+ (\S+) (\S+)"/.exec(read(path))) || [];
  return width && height ? ` width="${Math.round(+width)}" height="${Math.round(+height)}"` : "";
}

/* The colours of the page. There, settings choose among them; here, the device does. */
function colours(): string {
  const page = readFileSync(new URL("src/style.css", import.meta.url), "utf8");
  const block = (selector: string) => {
    const start = page.indexOf(`\n${selector} {`);
    if (start < 0) throw new Error(`src/style.css has no ${selector}`);
    return `:root ${page.slice(page.indexOf("{", start), page.indexOf("}", start) + 1)}`;
  };
  const forced = /@media \(forced-colors: active\) \{\s*:root\S* (\{[^}]*\})/.exec(page);
  if (!forced) throw new Error("src/style.css has no forced colours");
  return `${block(":root")}
@media (prefers-color-scheme: dark) { ${block(':root[data-theme="dark"]')} }
@media (prefers-contrast: more) { ${block(':root[data-contrast="more"]')} }
@media (prefers-contrast: more) and (prefers-color-scheme: dark) { ${block(':root[data-contrast="more"][data-theme="dark"]')} }
@media (forced-colors: active) { :root ${forced[1]} }
`;
}

class Site {
  private readonly pages: string[];
  private readonly groups: Group[];
  readonly copied = new Set<string>(); // files that documents name

  constructor() {
    const documents = readdirSync(join(ROOT, "docs"), { recursive: true, encoding: "utf8" }).filter((path) => path.endsWith(".md"));
    // A text without a title is a part of another document.
    this.pages = [...documents.map((path) => `docs/${path}`), ...OTHERS].filter((path) => titleOf(read(path)) !== "").sort();
    this.groups = groupsOf(read(FIRST), this.pages);
  }

  /* What a link in a document becomes. */
  private link(page: string, label: string, target: string): string {
    if (/^[a-z]+:/.test(target)) return `<a href="${target}">${label}</a>`;
    const [path, part] = target.split("#") as [string, string?];
    const anchor = part === undefined ? "" : `#${part}`;
    if (path === "") return `<a href="${anchor}">${label}</a>`;
    const file = normalize(join(dirname(page), path)).replace(/\/$/, "");
    const goal = [file, `${file}/README.md`].find((name) => this.pages.includes(name));
    if (goal === undefined && isFile(file) && /^(docs|examples)\//.test(file)) this.copied.add(file);
    else if (goal === undefined) return `<code>${escape(file)}</code>`;
    return `<a href="${wayTo(siteOf(page), siteOf(goal ?? file))}${anchor}">${label}</a>`;
  }

  private navigation(page: string): string {
    const item = ({ label, path }: Entry) =>
      `<li><a href="${wayTo(siteOf(page), siteOf(path))}"${path === page ? ' aria-current="page"' : ""}>${escape(label)}</a></li>`;
    const list = ({ title, entries }: Group) => `<h2>${escape(title)}</h2><ul>${entries.map(item).join("")}</ul>`;
    return this.groups.map(list).join("\n");
  }

  /* The documents before and after this one. */
  private neighbours(page: string): string {
    const all = this.groups.flatMap(({ entries }) => entries);
    const at = all.findIndex(({ path }) => path === page);
    const link = (entry: Entry | undefined, rel: string, word: string) =>
      entry ? `<a rel="${rel}" href="${wayTo(siteOf(page), siteOf(entry.path))}"><span>${word}</span> ${escape(entry.label)}</a>` : "";
    const links = at < 0 ? "" : link(all[at - 1], "prev", "Before:") + link(all[at + 1], "next", "Next:");
    return links && `<nav class="turn" lang="en" aria-label="Before and next">${links}</nav>`;
  }

  private html(page: string): string {
    const text = read(page);
    const here = siteOf(page);
    const language = /^docs\/rules\/([a-z]{2})\//.exec(page)?.[1] ?? "en";
    const headings: { id: string; html: string }[] = [];
    const ids = new Set(["content", "pages", "here"]);
    let tables = 0;
    const body = new Markdown(text, {
      heading: (level, html) => {
        const name = slug(html.replace(/<[^>]*>/g, "").replace(/&\w+;/g, ""));
        let id = name;
        for (let i = 1; ids.has(id); i++) id = `${name}-${i}`;
        ids.add(id);
        if (level === 2) headings.push({ id, html: html.replace(/<\/?a\b[^>]*>/g, "") });
        return `<h${level} id="${id}">${html}</h${level}>`;
      },
      link: (label, target) => this.link(page, label, target),
      image: (file) => {
        const path = normalize(join(dirname(page), file));
        this.copied.add(path);
        return `src="${wayTo(here, siteOf(path))}"${sizeOf(path)}`;
      },
      // What is wider than a phone is scrolled by finger or by keys.
      table: (html) => `<div class="table" role="region" aria-label="Table ${++tables}" tabindex="0">${html}</div>`,
      code: (html) => `<pre tabindex="0"><code>${html}</code></pre>`,
    }).html();
    const others = translations(page, this.pages);
    const alternates = others.map(([code, path]) => `<link rel="alternate" hreflang="${code}" href="${wayTo(here, siteOf(path))}">`);
    const spoken = others.map(([code, path]) =>
      path === page ? `<b lang="${code}">${nameOf(code)}</b>` : `<a lang="${code}" hreflang="${code}" href="${wayTo(here, siteOf(path))}">${nameOf(code)}</a>`);
    const contents = headings.map(({ id, html }) => `<li><a href="#${id}">${html}</a></li>`);
    const title = titleOf(text);
    const paragraph = plain(/<p>(.*?)<\/p>/s.exec(body)?.[1]?.replace(/<[^>]*>/g, "") ?? "");
    const description = paragraph.length <= DESCRIPTION ? paragraph : `${paragraph.slice(0, paragraph.lastIndexOf(" ", DESCRIPTION))} …`;
    const up = wayTo(here, "index.html");
    return `<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="description" content="${description}">
<meta name="theme-color" content="#6b4429">
<link rel="icon" href="${up}../icon.svg" type="image/svg+xml">
<link rel="stylesheet" href="${wayTo(here, STYLE)}">
${alternates.join("\n")}
<title>${escape(title)}${page === FIRST ? "" : " – Nonet"}</title>
</head>
<body>
<a class="skip" lang="en" href="#content">To the text</a>
<header lang="en">
<nav aria-label="Nonet"><a class="home" href="${up}../"><img src="${up}../icon.svg" alt="" width="34" height="34">Nonet</a><a href="${up}">Documents</a></nav>
<a class="all" href="#pages">All pages</a>
</header>
<div class="sheet">
<main id="content" tabindex="-1">
<h1>${escape(title)}</h1>
${spoken.length > 1 ? `<p class="languages">${spoken.join(" · ")}</p>` : ""}
${contents.length > 2 && page !== FIRST ? `<nav class="here" lang="en" aria-labelledby="here"><h2 id="here">On this page</h2><ul lang="${language}">${contents.join("")}</ul></nav>` : ""}
<article>
${body}
</article>
${this.neighbours(page)}
</main>
<nav id="pages" lang="en" aria-label="All pages">
${this.navigation(page)}
</nav>
</div>
</body>
</html>
`;
  }

  files(): Map<string, string | Uint8Array> {
    const files = new Map<string, string | Uint8Array>(this.pages.map((page) => [siteOf(page), this.html(page)]));
    for (const path of this.copied) files.set(siteOf(path), readFileSync(join(ROOT, path)));
    files.set(STYLE, colours() + readFileSync(new URL("documents.css", import.meta.url), "utf8"));
    return files;
  }
}

export function documents(): Plugin {
  return {
    name: "nonet-documents",
    apply: "build",
    generateBundle() {
      for (const [path, source] of new Site().files()) this.emitFile({ type: "asset", fileName: `docs/${path}`, source });
    },
  };
}
