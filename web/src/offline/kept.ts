/* Large files with a hash in their name, which are kept for times without a network once somebody has used them. The
 * service worker (service.ts) keeps the rest of the page from the beginning, and drops from here what a new version no
 * longer has. */
export const KEPT = "kept-by-nonet";

/* The store of kept files; null where the browser denies it. */
export const keptStore = (): Promise<Cache | null> =>
  typeof caches === "undefined" ? Promise.resolve(null) : caches.open(KEPT).catch(() => null);

/* The file is not at its address. */
export class Absent extends Error {}

/* The bytes of a file; `anew`: not the ones that are kept. A store that is full or broken does no harm. */
export async function fetchKept(url: string, anew = false): Promise<Uint8Array> {
  const store = await keptStore();
  const kept = anew ? undefined : await store?.match(url).catch(() => undefined);
  if (kept) return new Uint8Array(await kept.arrayBuffer());
  const response = await fetch(url, { cache: anew ? "reload" : "default" });
  if (response.status === 404) throw new Absent(url);
  if (!response.ok) throw new Error(`${response.status} ${response.statusText}`);
  const bytes = await response.arrayBuffer();
  await store?.put(url, new Response(bytes)).catch(() => {});
  return new Uint8Array(bytes);
}

export async function forgetKept(url: string): Promise<void> {
  await (await keptStore())?.delete(url).catch(() => {});
}
