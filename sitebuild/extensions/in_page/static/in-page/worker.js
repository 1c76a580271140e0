// Python for one page.  The page stops a run by terminating this worker, since an interrupt
// would need special HTTP headers.

import { fetchFile } from "./fetch_file.js";

const here = new URL(".", import.meta.url);
const vendor = new URL("../vendor/pyodide/", here).href;
const CHAPTER_PACKAGES = ["scipy", "matplotlib", "sympy", "scikit-learn"];
const postPhase = (phase) => postMessage({ phase });

// Pyodide fetches its files by this function, which caches them by version, for use offline,
// and reports the progress in megabytes.
const nativeFetch = self.fetch;
let download, store;
self.fetch = async (url, options) => {
  if (!String(url).startsWith(vendor)) return fetchFile(url, options, nativeFetch);
  const response = await fetchCached(`${url}?${store.version}`, options);
  const count = (chunk) => showProgress((download.received += chunk.length));
  response.clone().body.pipeTo(new WritableStream({ write: count })).catch(() => {});
  return response;
};

// Try the browser's HTTP cache first, which also keeps compiled WebAssembly.
async function fetchCached(url, options) {
  const stored = await store.cache?.match(url);
  const cacheOnly = { ...options, cache: "only-if-cached", mode: "same-origin" };
  const found = await nativeFetch(url, cacheOnly).catch(() => null);
  const response = found?.ok ? found : stored || (await fetchFile(url, options, nativeFetch));
  if (!stored) store.cache?.put(url, response.clone()).catch(() => {}); // the disk may be full
  return response;
}

// Open the cache of this version; null if storage is forbidden or without https.
async function openCache(version) {
  try {
    const name = `${vendor}?${version}`;
    const old = (await caches.keys()).filter((key) => key.startsWith(vendor) && key !== name);
    await Promise.all(old.map((key) => caches.delete(key)));
    return { version, cache: await caches.open(name) };
  } catch {
    return { version, cache: null };
  }
}

function startDownload(name, size) {
  download = { name, size, received: 0 };
  showProgress();
}

function showProgress() {
  const [received, size] = [download.received, download.size].map((bytes) => Math.round(bytes / 1e6));
  const loading = `loading ${download.name}, ${received} of ${size} MB`;
  const phase = download.received < download.size ? loading : `starting ${download.name}`;
  if (phase === download.phase) return;
  download.phase = phase;
  postPhase(`Getting Python ready: ${phase} …`);
}

// Pyodide would hang on a missing file, and on .wasm without a MIME type: report the failure,
// and add the type.  A response with the type stays unchanged, so that the browser caches the
// compiled code.
let reportFailure;
const failure = new Promise((_, reject) => (reportFailure = reject));
for (const name of ["compileStreaming", "instantiateStreaming"]) {
  const native = WebAssembly[name].bind(WebAssembly);
  WebAssembly[name] = async (source, ...rest) => {
    try {
      const response = await source;
      const type = { "Content-Type": "application/wasm" };
      const hasType = response.headers.get("Content-Type") === type["Content-Type"];
      return await native(hasType ? response : new Response(response.body, { headers: type }), ...rest);
    } catch (error) {
      reportFailure(error);
      throw error;
    }
  };
}

let python, page, sizes, started;

async function start({ cells, wheel, version }) {
  store = await openCache(version);
  startDownload("Python", sizes.python.python);
  const archive = fetch(wheel).then((response) => response.arrayBuffer());
  const scripts = ["pyodide.js", "pyodide.asm.js"].map((name) => vendor + name);
  archive.catch(() => {}); // awaited below
  await Promise.all(scripts.map((url) => fetch(url).then((a) => a.arrayBuffer()))); // to show the progress
  const [{ loadPyodide }, { default: createPyodideModule }] = await Promise.all(
    scripts.map((url) => import(`${url}?${version}`)),
  );
  const options = { createPyodideModule, indexURL: vendor };
  python = await restoreOrStart((snapshot) => loadPyodide({ ...options, ...snapshot }));
  // With a buffer, Python's loops call JavaScript now and then; WebKit ends a worker only there.
  python.setInterruptBuffer(new Uint8Array(1));
  await load("numpy");
  python.unpackArchive(await archive, "wheel");
  const driver = python.pyimport("halfspaces.page.driver");
  driver.prepare();
  page = driver.Page(python.toPy(cells.map(({ index, code }) => [index, code])));
}

// Starting Python takes two seconds; restoring a memory snapshot of an earlier visit takes
// 0.2 s.
async function restoreOrStart(load) {
  const { cache } = store;
  const key = `${vendor}started`;
  const memory = await cache?.match(key);
  try {
    if (memory) return await load({ _loadSnapshot: memory.arrayBuffer() });
  } catch {
    await cache.delete(key);
  }
  const fresh = await load({ _makeSnapshot: Boolean(cache) });
  cache?.put(key, new Response(fresh.makeMemorySnapshot())).catch(() => {});
  return fresh;
}

class MissingPackage extends Error {}

// Load packages one by one with their dependencies, to show the progress.
async function load(name) {
  const missing = () => Object.entries(sizes[name]).filter(([k]) => !python.loadedPackages[k]);
  const size = missing().reduce((sum, [, bytes]) => sum + bytes, 0);
  if (!size) return;
  startDownload(name, size);
  const quiet = () => {};
  await python.loadPackage(name, {
    checkIntegrity: true,
    messageCallback: quiet,
    errorCallback: quiet,
  });
  const [stillMissing] = missing();
  if (stillMissing) {
    throw new MissingPackage(`The package ${stillMissing[0]} could not be fetched. Check the network and run it again.`);
  }
}

function evaluate({ exercise, cell, frame, figure, code, values, earlier, state }) {
  if (figure !== undefined) return page.respond(figure, state);
  if (exercise) return page.run_exercise(code, python.toPy(earlier || []));
  if (cell !== undefined) return page.run_cell(cell, code);
  return page.draw_frame(frame, python.toPy(values));
}

// Fetch optional dependencies when an import fails, and run the code again.
async function answer(data) {
  for (;;) {
    if (data.figure === undefined) postPhase("Running …");
    const proxy = evaluate(data);
    const result = proxy.toJs({ dict_converter: Object.fromEntries });
    proxy.destroy();
    if (!result.missing) return result;
    await load(result.missing);
  }
}

onmessage = async ({ data }) => {
  const { id, start: startData, begin, ...message } = data;
  try {
    if (startData) {
      sizes = startData.sizes;
      started = Promise.race([start(startData), failure]);
    }
    await started;
  } catch (error) {
    return postMessage({ fatal: `Python could not be started: ${error.message || error}` });
  }
  try {
    if (begin) {
      for (const name of CHAPTER_PACKAGES) await load(name);
      page.reset();
    }
    const isEmpty = Object.keys(message).length === 0;
    if (id) postMessage({ id, ...(!isEmpty && (await answer(message))) });
  } catch (error) {
    if (error instanceof MissingPackage) postMessage({ id, failure: error.message });
    else postMessage({ fatal: "Your code ended Python itself. It starts again with the next run." });
  }
};
