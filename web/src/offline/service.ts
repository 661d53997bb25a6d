/* The service worker: keeps the whole page, so that it works without a network. It is a program of its own,
 * /sw.js, which the browser asks for again now and then; a new list of files makes it a new version.
 *
 * A version takes over when all its files are there and have the content that the list says. Until then, and if
 * something goes wrong, the version before it stays. An open page goes on with the files it began with: their names
 * have a hash in them, and the files of the version before are kept. Where the browser's store does not answer,
 * everything comes from the network, as if there were no service worker.
 *
 * The study room is kept as a whole when somebody has used a part of it, and from then on with every new version.
 * Tables are not fetched here but by those who want them, who keep them too (kept.ts). */
import { hasSimd } from "../engine/simd";
import { KEPT, keptStore } from "./kept";

/* Written in by the build (list_files.ts): path and SHA-256 of every file, the page last; and the paths of the files
 * that are kept when somebody has used them. */
declare const NONET_PAGE: { version: string; files: [path: string, hash: string][]; kept: string[] };

const scope = self as unknown as ServiceWorkerGlobalScope;
const PREFIX = "nonet-";
const PAGE = "index.html";
const { version, files, kept: keptWhenUsed } = NONET_PAGE;
const CACHE = PREFIX + version;
const PATIENCE = 3000; // milliseconds that a network may take before the stored page is shown

/* Of the two builds of the engine, a browser needs only the one that it runs. */
const isNeeded = (path: string) => !path.endsWith(".wasm") || path.includes("-plain") !== hasSimd();

/* A file with a hash in its name never changes. */
const lasts = (path: string) => path.startsWith("assets/");

const isOfStudy = (path: string) => path.startsWith("assets/study/");

async function isListed(hash: string, content: ArrayBuffer): Promise<boolean> {
  const digest = await crypto.subtle.digest("SHA-256", content);
  return hash === Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, "0")).join("");
}

async function fetchFile(path: string, hash: string): Promise<Response> {
  // A file that never changes comes from the browser's cache: the page has just loaded it. Unless that copy is damaged.
  for (const cache of lasts(path) ? (["default", "reload"] as const) : (["no-cache"] as const)) {
    const response = await fetch(path, { cache });
    if (response.ok && (await isListed(hash, await response.clone().arrayBuffer()))) return response;
  }
  throw new Error(`${path} is missing, or of another version`);
}

const pathsIn = async (cache: Cache) => (await cache.keys()).map(({ url }) => url.slice(scope.registration.scope.length));

/* Whether some version in the store has a part of the study room: somebody here has used it. */
async function isStudyUsed(): Promise<boolean> {
  for (const name of await caches.keys())
    if (name.startsWith(PREFIX) && (await pathsIn(await caches.open(name))).some(isOfStudy)) return true;
  return false;
}

/* One by one, so that the page is not slowed down. What a failed attempt has stored is not fetched again. */
async function keepFiles(withStudy: boolean): Promise<void> {
  const cache = await caches.open(CACHE);
  const kept = new Set(await pathsIn(cache));
  for (const [path, hash] of files)
    if (isNeeded(path) && (withStudy || !isOfStudy(path)) && !kept.has(path)) await cache.put(path, await fetchFile(path, hash));
}

/* The page is stored last, so a version that has it is complete. */
const isWhole = async (name: string) => (await caches.match(PAGE, { cacheName: name })) !== undefined;

/* The other versions in the store, old ones first: either those that are complete, or those that never were. */
async function otherVersions(whole: boolean): Promise<string[]> {
  const others = (await caches.keys()).filter((name) => name.startsWith(PREFIX) && name !== CACHE);
  const fits = await Promise.all(others.map(async (name) => (await isWhole(name)) === whole));
  return others.filter((_, i) => fits[i]);
}

const forget = (names: string[]) => Promise.all(names.map((name) => caches.delete(name)));

async function install(): Promise<void> {
  await forget(await otherVersions(false));
  try {
    await keepFiles(await isStudyUsed());
  } catch (error) {
    // A full store must not hold half a version.
    if (error instanceof DOMException && error.name === "QuotaExceededError") await caches.delete(CACHE);
    throw error;
  }
  await scope.skipWaiting();
}

/* Drops the large files that this version no longer has. */
async function forgetOldKept(): Promise<void> {
  if (!(await caches.has(KEPT))) return;
  const store = await keptStore();
  const current = new Set(keptWhenUsed.map((path) => new URL(path, scope.location.href).href));
  const assets = new URL("assets/", scope.location.href).href;
  for (const { url } of (await store?.keys()) ?? []) if (url.startsWith(assets) && !current.has(url)) await store?.delete(url);
}

async function activate(): Promise<void> {
  await scope.clients.claim();
  await forget((await otherVersions(true)).slice(0, -1));
  await forgetOldKept().catch(() => {});
}

/* A file of this version from the store. If one is missing, because it is the first of the study room, because somebody
 * has emptied the store or because the browser now has SIMD, the store is filled again. */
let filling: Promise<void> = Promise.resolve();
async function find(event: FetchEvent, path: string): Promise<Response | undefined> {
  const found = await caches.match(path, { cacheName: CACHE }).catch(() => undefined);
  if (!found && files.some(([name]) => name === path)) {
    filling = filling.then(async () => keepFiles(isOfStudy(path) || (await isStudyUsed()))).catch(() => {});
    event.waitUntil(filling);
  }
  return found;
}

/* From any version: the name determines the content. */
async function giveLasting(event: FetchEvent, path: string): Promise<Response> {
  return (await find(event, path)) ?? (await caches.match(path).catch(() => undefined)) ?? fetch(event.request);
}

/* The page itself, and what goes with it, comes from the network where there is one. It is small, and it is then the
 * latest. And if something else runs at this address one day, the stored Nonet does not hide it. */
async function giveLatest(event: FetchEvent, path: string): Promise<Response> {
  const old = await find(event, path);
  if (!old) return fetch(event.request);
  const late = new Promise<Response>((resolve) => setTimeout(resolve, PATIENCE, old));
  const fresh = fetch(event.request).then((response) => (response.status < 500 ? response : old));
  return Promise.race([fresh.catch(() => old), late]);
}

scope.addEventListener("install", (event) => event.waitUntil(install()));
scope.addEventListener("activate", (event) => event.waitUntil(activate()));

scope.addEventListener("fetch", (event) => {
  const { request } = event;
  const root = scope.registration.scope;
  const url = request.url.replace(/[?#].*/, "");
  if (request.method !== "GET" || !url.startsWith(root)) return;
  const path = url.slice(root.length) || PAGE;
  if (lasts(path)) event.respondWith(giveLasting(event, path));
  else if (files.some(([name]) => name === path)) event.respondWith(giveLatest(event, path));
});
