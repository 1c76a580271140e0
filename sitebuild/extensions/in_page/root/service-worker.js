/* Cache visited pages for use without a network.  With a network, pages are fetched again, so
   that no old edition appears.  worker.js caches the files of Python. */

const PYTHON = `${registration.scope}_static/vendor/pyodide/`;
const NAME = `${registration.scope} pages`;

self.addEventListener("install", () => self.skipWaiting());
self.addEventListener("activate", (event) => event.waitUntil(clients.claim()));

self.addEventListener("fetch", (event) => {
  const { method, url, destination } = event.request;
  if (method !== "GET" || !url.startsWith(registration.scope)) return;
  if (destination || !url.startsWith(PYTHON)) event.respondWith(respond(event));
});

// Cache one response for each URL; its query is only a version.
async function respond(event) {
  const key = event.request.url.split("?")[0];
  const cache = await caches.open(NAME).catch(() => null); // storage may be forbidden
  try {
    const response = await fetch(event.request);
    const store = async () => cache?.put(key, response.clone());
    if (response.status === 200) event.waitUntil(store().catch(() => {})); // the disk may be full
    return response;
  } catch (error) {
    const stored = await cache?.match(key);
    if (stored) return stored;
    throw error;
  }
}
