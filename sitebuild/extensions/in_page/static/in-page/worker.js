// Python for one page.  The page stops it by ending this worker, which needs no special HTTP
// headers.

import { get } from "./get.js";

const here = new URL(".", import.meta.url);
const vendor = new URL("../vendor/pyodide/", here).href;
const WHOLE = ["scipy", "matplotlib", "sympy", "scikit-learn"]; // packages that chapters import
const say = (phase) => postMessage({ phase });

// Pyodide fetches its files by this function.  They are cached by version, also for use
// without a network, and the progress is reported in megabytes.
const stock = self.fetch;
let coming, store;
self.fetch = async (url, options) => {
  if (!String(url).startsWith(vendor)) return get(url, options, stock);
  const answer = await kept(`${url}?${store.version}`, options);
  const count = (chunk) => tell((coming.came += chunk.length));
  answer.clone().body.pipeTo(new WritableStream({ write: count })).catch(() => {});
  return answer;
};

// Try the browser's HTTP cache first, which also keeps compiled WebAssembly.
async function kept(url, options) {
  const stored = await store.cache?.match(url);
  const own = { ...options, cache: "only-if-cached", mode: "same-origin" };
  const found = await stock(url, own).catch(() => null);
  const answer = found?.ok ? found : stored || (await get(url, options, stock));
  if (!stored) store.cache?.put(url, answer.clone()).catch(() => {}); // the disk may be full
  return answer;
}

// Undefined if storage is forbidden or without https.
async function opened(version) {
  try {
    const name = `${vendor}?${version}`;
    const old = (await caches.keys()).filter((key) => key.startsWith(vendor) && key !== name);
    await Promise.all(old.map((key) => caches.delete(key)));
    return { version, cache: await caches.open(name) };
  } catch {
    return { version, cache: null };
  }
}

function expect(name, size) {
  coming = { name, size, came: 0 };
  tell();
}

function tell() {
  const [came, size] = [coming.came, coming.size].map((bytes) => Math.round(bytes / 1e6));
  const now = `loading ${coming.name}, ${came} of ${size} MB`;
  const phase = coming.came < coming.size ? now : `starting ${coming.name}`;
  if (phase !== coming.phase) say(`Getting Python ready: ${(coming.phase = phase)} …`);
}

// Pyodide would hang on a missing file, and on .wasm without a MIME type: report the failure,
// and add the type.  A response with the type is passed on unchanged, so that the browser
// caches the compiled code.
let failed;
const failure = new Promise((_, reject) => (failed = reject));
for (const name of ["compileStreaming", "instantiateStreaming"]) {
  const stock = WebAssembly[name].bind(WebAssembly);
  WebAssembly[name] = async (source, ...rest) => {
    try {
      const answer = await source;
      const type = { "Content-Type": "application/wasm" };
      const typed = answer.headers.get("Content-Type") === type["Content-Type"];
      return await stock(typed ? answer : new Response(answer.body, { headers: type }), ...rest);
    } catch (error) {
      failed(error);
      throw error;
    }
  };
}

let python, page, sizes, started;

async function start({ cells, wheel, version }) {
  store = await opened(version);
  expect("Python", sizes.python.python);
  const book = fetch(wheel).then((answer) => answer.arrayBuffer());
  const scripts = ["pyodide.js", "pyodide.asm.js"].map((name) => vendor + name);
  book.catch(() => {}); // awaited below
  await Promise.all(scripts.map((url) => fetch(url).then((a) => a.arrayBuffer()))); // for the progress
  const [{ loadPyodide }, { default: createPyodideModule }] = await Promise.all(
    scripts.map((url) => import(`${url}?${version}`)),
  );
  const options = { createPyodideModule, indexURL: vendor };
  python = await fromMemory((more) => loadPyodide({ ...options, ...more }));
  await load("numpy");
  python.unpackArchive(await book, "wheel");
  const driver = python.pyimport("halfspaces.page.driver");
  driver.prepare();
  page = driver.Page(python.toPy(cells.map(({ index, code }) => [index, code])));
}

// Starting Python takes two seconds; restoring a memory snapshot of an earlier visit takes
// 0.2 s.
async function fromMemory(load) {
  const { cache } = store;
  const place = `${vendor}started`;
  const memory = await cache?.match(place);
  try {
    if (memory) return await load({ _loadSnapshot: memory.arrayBuffer() });
  } catch {
    await cache.delete(place);
  }
  const fresh = await load({ _makeSnapshot: Boolean(cache) });
  cache?.put(place, new Response(fresh.makeMemorySnapshot())).catch(() => {});
  return fresh;
}

class Lost extends Error {}

// Load packages one by one with their dependencies, to show the progress.
async function load(name) {
  const missing = () => Object.entries(sizes[name]).filter(([k]) => !python.loadedPackages[k]);
  const size = missing().reduce((sum, [, bytes]) => sum + bytes, 0);
  if (!size) return;
  expect(name, size);
  const quiet = () => {};
  await python.loadPackage(name, {
    checkIntegrity: true,
    messageCallback: quiet,
    errorCallback: quiet,
  });
  for (const [lost] of missing()) {
    throw new Lost(`The package ${lost} could not be fetched. Is there a network? Then run it again.`);
  }
}

function asked({ exercise, cell, frame, grab, code, values, earlier, state }) {
  if (grab !== undefined) return page.respond(grab, state);
  if (exercise) return page.exercise(code, python.toPy(earlier || []));
  if (cell !== undefined) return page.cell(cell, code);
  return page.frame(frame, python.toPy(values));
}

// Fetch optional dependencies when an import fails, and run the code again.
async function answer(data) {
  for (;;) {
    if (data.grab === undefined) say("Running …");
    const given = asked(data);
    const result = given.toJs({ dict_converter: Object.fromEntries });
    given.destroy();
    if (!result.missing) return result;
    await load(result.missing);
  }
}

onmessage = async ({ data }) => {
  const { id, start: first, begin, ...question } = data;
  try {
    if (first) {
      sizes = first.sizes;
      started = Promise.race([start(first), failure]);
    }
    await started;
  } catch (error) {
    return postMessage({ fatal: `Python could not be started: ${error.message || error}` });
  }
  try {
    if (begin) {
      for (const name of WHOLE) await load(name);
      page.begin();
    }
    const asks = Object.keys(question).length > 0;
    if (id) postMessage({ id, ...(asks && (await answer(question))) });
  } catch (error) {
    if (error instanceof Lost) postMessage({ id, said: error.message });
    else postMessage({ fatal: "Your code ended Python itself. It starts again with the next run." });
  }
};
