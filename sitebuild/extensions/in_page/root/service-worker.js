/* Without a network: pages that were visited are here.  The network comes first, so that an
   old edition is never shown as a new one.  What Python fetches, worker.js keeps. */

const PYTHON = `${registration.scope}_static/vendor/pyodide/`;
const NAME = `${registration.scope} pages`;

self.addEventListener("install", () => self.skipWaiting());
self.addEventListener("activate", (event) => event.waitUntil(clients.claim()));

self.addEventListener("fetch", (event) => {
  const { method, url, destination } = event.request;
  if (method !== "GET" || !url.startsWith(registration.scope)) return;
  if (destination || !url.startsWith(PYTHON)) event.respondWith(answered(event));
});

// Cache one response for each URL; its query is only a version.
async function answered(event) {
  const address = event.request.url.split("?")[0];
  const cache = await caches.open(NAME).catch(() => null); // storage may be forbidden
  try {
    const answer = await fetch(event.request);
    // Ignore a full disk.
    const keep = async () => cache?.put(address, answer.clone());
    if (answer.status === 200) event.waitUntil(keep().catch(() => {}));
    return answer;
  } catch (error) {
    const kept = await cache?.match(address);
    if (kept) return kept;
    throw error;
  }
}
