/* Tables of exact values for the engine in the worker. A near table comes whole. Of a far one, which is a file on any
 * web host that answers ranges, come the pages that a position needs (apps/wasm/truth.c). */
import list from "../../../../tables/list.txt?raw";
import { Absent, fetchKept, forgetKept, keptStore } from "../../offline/kept";
import type { StudyEngine } from "../engine";
import { fileOf } from "./files";
import type { Trouble } from "./judge";

/* As enum study_table in apps/wasm/study.h. */
const OPEN = 1;
const MISSING = 2;

const GAP = 16; // pages: runs that are nearer than this come with one request
const AT_ONCE = 4; // requests
const PAUSE = 30_000; // milliseconds before a table that failed is tried again

const built = import.meta.glob<string>(["../../../build/tables/*.nonet-table", "../../../../tables/*.nonet-table"], { query: "?url", import: "default", eager: true });
const near = new Map(Object.entries(built).map(([path, url]) => [path.replace(/.*\//, ""), url]));
const far = new Set(list.split("\n").filter((line) => line.startsWith("far ")).map((line) => line.slice(4)));
/* Where far tables are: beside the page, unless the build says otherwise. The worker is two folders below the page. */
const farFolder = new URL(import.meta.env.VITE_NONET_TABLES ?? (import.meta.env.PROD ? "../../tables/" : "/tables/"), self.location.href);

export class TableTrouble extends Error {
  constructor(readonly trouble: Trouble) {
    super(trouble);
  }
}

/* Whether every look at it is a request. */
export const isFar = (name: string): boolean => !near.has(fileOf(name)) && far.has(name);

/* Whether there is a table of this name at all. */
export const isKnown = (name: string): boolean => near.has(fileOf(name)) || far.has(name);

function begin(engine: StudyEngine, size: number): void {
  engine.must("study_table_begin", BigInt(size));
}

/* Gives the engine bytes from a page on; they end with a page or with the table. */
function give(engine: StudyEngine, first: number, bytes: Uint8Array): void {
  const size = engine.number("study_table_page_size");
  for (let at = 0; at < bytes.length; at += size) {
    const room = engine.number("study_table_page", null, first + at / size);
    if (room === 0) throw new TableTrouble("damaged");
    engine.bytes(room, size).set(bytes.subarray(at, at + size));
  }
}

/* The reason's key as the engine gave it. */
export const troubleOf = (key: string): Trouble => (/other-version|other-numbers/.test(key) ? "version" : "damaged");

/* ---- Near ---- */

async function openNear(engine: StudyEngine, url: string): Promise<void> {
  let why = "";
  for (const anew of [false, true]) {
    const bytes = await fetchKept(url, anew).catch((error: unknown) => {
      throw new TableTrouble(error instanceof Absent ? "missing" : "unreachable");
    });
    begin(engine, Math.max(bytes.length, 1));
    give(engine, 0, bytes);
    if (engine.number("study_table_open") === OPEN) return;
    why = engine.answered();
    await forgetKept(url);
  }
  throw new TableTrouble(troubleOf(why));
}

/* ---- Far ---- */

type Run = [first: number, count: number];

/* A file of which pages are fetched. They are kept for times without a network, under the file's address with the
 * numbers of the first and the last page. */
class FarFile {
  private kept = new Map<number, string>(); // by page: the address it is kept under
  private tag = "";
  private size = 0;

  constructor(
    private readonly url: string,
    private readonly pageSize: number,
  ) {}

  private keyOf([first, count]: Run): string {
    return `${this.url}?tag=${encodeURIComponent(this.tag)}&size=${this.size}&pages=${first}-${first + count - 1}`;
  }

  /* Learns how large the file is, from the network or, without one, from what is kept of it. */
  async begin(engine: StudyEngine): Promise<void> {
    const store = await keptStore();
    const found = ((await store?.keys().catch(() => [])) ?? []).map(({ url }) => new URL(url)).filter(({ origin, pathname }) => origin + pathname === this.url);
    let head: Uint8Array<ArrayBuffer> | null = null;
    try {
      head = await this.request([0, 1]);
    } catch (error) {
      const last = found.at(-1)?.searchParams;
      if (!last || (error instanceof TableTrouble && error.trouble !== "unreachable")) throw error;
      this.tag = last.get("tag")!;
      this.size = Number(last.get("size"));
    }
    for (const { href, searchParams } of found) {
      if (searchParams.get("tag") !== this.tag || Number(searchParams.get("size")) !== this.size) {
        await store?.delete(href).catch(() => {}); // of another version of the file
        continue;
      }
      const [first, last] = searchParams.get("pages")!.split("-").map(Number) as Run;
      for (let page = first; page <= last; page++) this.kept.set(page, href);
    }
    begin(engine, this.size);
    if (head) await this.take(engine, [0, 1], head);
  }

  /* Fetches pages. The file is recognised by its tag, or where it has none, by its date. */
  private async request([first, count]: Run): Promise<Uint8Array<ArrayBuffer>> {
    const stop = new AbortController();
    const from = first * this.pageSize;
    const response = await fetch(this.url, { headers: { Range: `bytes=${from}-${from + count * this.pageSize - 1}` }, signal: stop.signal, cache: "no-store" }).catch(() => {
      throw new TableTrouble("unreachable");
    });
    const size = Number(/^bytes \d+-\d+\/(\d+)$/.exec(response.headers.get("Content-Range") ?? "")?.[1] ?? 0);
    if (response.status !== 206 || size === 0) {
      stop.abort(); // a host that ignores ranges would send the whole file
      throw new TableTrouble(response.status === 404 || response.ok ? "missing" : "unreachable");
    }
    const tag = response.headers.get("ETag") ?? response.headers.get("Last-Modified") ?? "";
    if (this.size !== 0 && (size !== this.size || tag !== this.tag)) {
      stop.abort();
      throw new TableTrouble("version"); // the file has been replaced meanwhile
    }
    this.size = size;
    this.tag = tag;
    return new Uint8Array(await response.arrayBuffer());
  }

  /* Gives the engine what was fetched, and keeps it. */
  private async take(engine: StudyEngine, run: Run, bytes: Uint8Array<ArrayBuffer>): Promise<void> {
    if (bytes.length !== Math.min(run[1] * this.pageSize, this.size - run[0] * this.pageSize)) throw new TableTrouble("unreachable");
    give(engine, run[0], bytes);
    const key = this.keyOf(run);
    const store = await keptStore();
    await store?.put(key, new Response(bytes)).then(() => {
      for (let page = run[0]; page < run[0] + run[1]; page++) this.kept.set(page, key);
    }, () => {});
  }

  /* Gives the engine what is kept of these runs; returns what has to be fetched. */
  private async recall(engine: StudyEngine, runs: Run[]): Promise<Run[]> {
    const store = await keptStore();
    const left: number[] = [];
    const recalled = new Set<string>();
    for (const [first, count] of runs)
      for (let page = first; page < first + count; page++) {
        const key = this.kept.get(page);
        if (key === undefined) left.push(page);
        else recalled.add(key);
      }
    for (const key of recalled) {
      const answer = await store?.match(key).catch(() => undefined);
      const first = Number(/pages=(\d+)-/.exec(key)![1]);
      if (answer) give(engine, first, new Uint8Array(await answer.arrayBuffer()));
      else for (const [page, other] of this.kept) if (other === key) left.push(page), this.kept.delete(page);
    }
    return together(left.sort((a, b) => a - b));
  }

  /* Brings the pages that the engine lacks. */
  async bring(engine: StudyEngine): Promise<void> {
    const runs = await this.recall(engine, engine.ask<Run[]>("study_table_missing"));
    for (let at = 0; at < runs.length; at += AT_ONCE) {
      const some = runs.slice(at, at + AT_ONCE);
      await Promise.all(some.map(async (run) => this.take(engine, run, await this.request(run))));
    }
  }

  /* What is kept is of no use. */
  async forget(): Promise<void> {
    const store = await keptStore();
    for (const key of new Set(this.kept.values())) await store?.delete(key).catch(() => {});
    this.kept.clear();
  }
}

/* Rising page numbers as runs; small gaps are fetched with the rest. */
function together(pages: number[]): Run[] {
  const runs: Run[] = [];
  for (const page of pages) {
    const last = runs.at(-1);
    if (last && page - (last[0] + last[1]) < GAP) last[1] = page - last[0] + 1;
    else runs.push([page, 1]);
  }
  return runs;
}

async function openFar(engine: StudyEngine, url: string): Promise<FarFile> {
  const file = new FarFile(url, engine.number("study_table_page_size"));
  await file.begin(engine);
  for (;;) {
    const status = engine.number("study_table_open");
    if (status === OPEN) return file;
    if (status !== MISSING) {
      const why = engine.answered();
      await file.forget();
      throw new TableTrouble(troubleOf(why));
    }
    await file.bring(engine);
  }
}

/* ---- The one in use ---- */

let open: { name: string; file: FarFile | null } | null = null;
const failed = new Map<string, { trouble: Trouble; at: number }>();

/* Opens the table of the current game, unless it is open already. True if there is one. */
export async function useTable(engine: StudyEngine, name: string): Promise<boolean> {
  if (open?.name === name) return true;
  const url = near.get(fileOf(name));
  if (!url && !far.has(name)) return false;
  const before = failed.get(name);
  if (before && performance.now() - before.at < PAUSE) throw new TableTrouble(before.trouble);
  open = null;
  try {
    if (url) await openNear(engine, url);
    const file = url ? null : await openFar(engine, new URL(fileOf(name), farFolder).href);
    open = { name, file };
    failed.delete(name);
    return true;
  } catch (error) {
    const trouble = error instanceof TableTrouble ? error.trouble : "damaged";
    await giveUp(engine, name, trouble);
    throw new TableTrouble(trouble);
  }
}

/* Brings what the last probes lacked. */
export async function bringMissing(engine: StudyEngine): Promise<void> {
  if (!open?.file) throw new TableTrouble("damaged");
  await open.file.bring(engine);
}

/* The table is of no use for now. What was kept of it is not used again, if that is what is wrong. */
export async function giveUp(engine: StudyEngine, name: string, trouble: Trouble): Promise<void> {
  engine.number("study_table_end");
  failed.set(name, { trouble, at: performance.now() });
  const url = near.get(fileOf(name));
  if (trouble !== "unreachable") await (url ? forgetKept(url) : open?.file?.forget());
  open = null;
}
