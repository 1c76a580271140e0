// Python for one page.  To stop it, the page ends this worker: that needs no special
// headers of the server.

const vendor = new URL("../vendor/pyodide/", import.meta.url);
const say = (phase) => postMessage({ phase });

// A server that does not know .wasm would leave Pyodide waiting for ever, as would a
// file that is missing: give the type, and tell the failure.
let failed;
const failure = new Promise((_, reject) => (failed = reject));
for (const name of ["compileStreaming", "instantiateStreaming"]) {
  const stock = WebAssembly[name].bind(WebAssembly);
  WebAssembly[name] = async (source, ...rest) => {
    try {
      const answer = await source;
      if (!answer.ok) throw new Error(`${answer.url} is missing (${answer.status})`);
      const headers = { "Content-Type": "application/wasm" };
      return await stock(new Response(answer.body, { headers }), ...rest);
    } catch (error) {
      failed(error);
      throw error;
    }
  };
}

async function get(url) {
  const answer = await fetch(url);
  if (!answer.ok) throw new Error(`${answer.url} is missing (${answer.status})`);
  return answer;
}

let python, run, sizes, started;

async function start({ cells, wheel }) {
  say(`fetching Python, ${sizes.python} MB`);
  const book = get(wheel).then((answer) => answer.arrayBuffer());
  const driver = get(new URL("driver.py", import.meta.url)).then((answer) => answer.text());
  for (const early of [book, driver]) early.catch(() => {}); // awaited below
  const { loadPyodide } = await import(new URL("pyodide.js", vendor));
  const { default: createPyodideModule } = await import(new URL("pyodide.asm.js", vendor));
  python = await loadPyodide({ createPyodideModule, indexURL: vendor.href });
  await load("numpy");
  say("starting");
  python.unpackArchive(await book, "wheel");
  python.runPython(await driver);
  python.globals.get("prepare")();
  const exercise = new Set(["stub", "solution", "wrong-answer"]);
  const chapter = cells.filter((cell) => !cell.tags.some((tag) => exercise.has(tag)));
  const codes = python.toPy(chapter.map((cell) => cell.code));
  const inPython = python.globals.get("run");
  run = (code) => inPython(codes, code).toJs({ dict_converter: Object.fromEntries });
}

async function load(name) {
  say(`fetching ${name}, ${sizes[name]} MB`);
  const quiet = () => {};
  const loaded = await python.loadPackage(name, {
    checkIntegrity: true,
    messageCallback: quiet,
    errorCallback: quiet,
  });
  if (!loaded.some((found) => found.name === name)) {
    throw new Error(`the package ${name} could not be fetched`);
  }
}

onmessage = async ({ data }) => {
  try {
    if (data.start) {
      sizes = data.start.sizes;
      started = Promise.race([start(data.start), failure]);
      await started;
      postMessage({ ready: true });
      return;
    }
    await started;
    say("running");
    let result = run(data.code);
    while (result.missing) {
      await load(result.missing);
      say("running");
      result = run(data.code);
    }
    postMessage({ id: data.id, ...result });
  } catch (error) {
    postMessage({ fatal: `Python could not be started: ${error.message || error}` });
  }
};
