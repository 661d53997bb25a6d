/* The service worker: keeps the whole page, so that it works without a network. It is a program of its own,
 * /sw.js, which the browser asks for again now and then; a new list of files makes it a new version.
 *
 * A version takes over when every file of it is there and has the content that the list says; until then, and if
 * something goes wrong, the one before stays. A page that is open goes on with the files it began with: their
 * names have a hash in them, and those of the version before are kept. */

/* Written in by the build (list_files.ts): path and SHA-256 of every file, small ones first. */
declare const NONET_PAGE: { version: string; files: [path: string, hash: string][] };

const scope = self as unknown as ServiceWorkerGlobalScope;
const PREFIX = "nonet-";
const { version, files } = NONET_PAGE;
const CACHE = PREFIX + version;
const PATIENCE = 3000; // milliseconds that a network may take before the kept page is shown

async function fetchFile(path: string, hash: string): Promise<Response> {
  // What has its hash in its name need not be asked for again: the page has just loaded it.
  const response = await fetch(path, { cache: path.startsWith("assets/") ? "default" : "no-cache" });
  if (!response.ok) throw new Error(`${path}: ${response.status}`);
  const digest = await crypto.subtle.digest("SHA-256", await response.clone().arrayBuffer());
  const hex = Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, "0")).join("");
  if (hex !== hash) throw new Error(`${path} is of another version`);
  return response;
}

/* One by one, not to hold up the page; what is there after an attempt that failed is not fetched again. */
async function keepFiles(): Promise<void> {
  const cache = await caches.open(CACHE);
  for (const [path, hash] of files)
    if (!(await cache.match(path))) await cache.put(path, await fetchFile(path, hash));
}

async function forgetOldVersions(): Promise<void> {
  const others = (await caches.keys()).filter((name) => name.startsWith(PREFIX) && name !== CACHE);
  await Promise.all(others.slice(0, -1).map((name) => caches.delete(name)));
}

/* The page itself comes from the network where there is one: it is small, it is then the latest, and whatever else
 * runs at this address on another day is not hidden behind a kept Nonet. */
async function givePage(request: Request): Promise<Response> {
  const kept = await (await caches.open(CACHE)).match("index.html");
  if (!kept) return fetch(request);
  const late = new Promise<Response>((resolve) => setTimeout(resolve, PATIENCE, kept));
  const fresh = fetch(request).then((response) => (response.status < 500 ? response : kept));
  return Promise.race([fresh.catch(() => kept), late]);
}

async function giveFile(request: Request): Promise<Response> {
  const options = { ignoreVary: true };
  const kept = (await (await caches.open(CACHE)).match(request, options)) ?? (await caches.match(request, options));
  return kept ?? fetch(request);
}

scope.addEventListener("install", (event) => {
  event.waitUntil(keepFiles().then(() => scope.skipWaiting()));
});

scope.addEventListener("activate", (event) => {
  event.waitUntil(forgetOldVersions().then(() => scope.clients.claim()));
});

scope.addEventListener("fetch", (event) => {
  const { request } = event;
  const root = new URL(scope.registration.scope);
  const url = new URL(request.url);
  if (request.method !== "GET" || url.origin !== root.origin) return;
  if (request.mode !== "navigate") event.respondWith(giveFile(request));
  else if (url.pathname === root.pathname || url.pathname === root.pathname + "index.html") event.respondWith(givePage(request));
});
