// Python for one page.  To stop it, the page ends this worker: that needs no special
// headers of the server.

const here = new URL(".", import.meta.url);
const vendor = new URL("../vendor/pyodide/", here);
const MODULES = ["needed.py", "moving.py", "driver.py"];
const WHOLE = ["scipy", "matplotlib", "sympy", "scikit-learn"]; // what a chapter imports
const EXERCISE = ["stub", "solution", "wrong-answer"];
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

let python, page, sizes, started;

async function start({ cells, wheel }) {
  say(`fetching Python, ${sizes.python} MB`);
  const book = get(wheel).then((answer) => answer.arrayBuffer());
  const codes = MODULES.map((name) => get(new URL(name, here)).then((a) => a.text()));
  for (const early of [book, ...codes]) early.catch(() => {}); // awaited below
  const { loadPyodide } = await import(new URL("pyodide.js", vendor));
  const { default: createPyodideModule } = await import(new URL("pyodide.asm.js", vendor));
  python = await loadPyodide({ createPyodideModule, indexURL: vendor.href });
  await load("numpy");
  say("starting");
  python.unpackArchive(await book, "wheel");
  for (const [k, name] of MODULES.entries()) {
    python.FS.writeFile(`/home/pyodide/${name}`, await codes[k]);
  }
  const driver = python.pyimport("driver");
  driver.prepare();
  const chapter = cells.filter(({ tags }) => !EXERCISE.some((tag) => tags.includes(tag)));
  page = driver.Page(python.toPy(chapter.map(({ code }) => code)));
}

async function load(...names) {
  names = names.filter((name) => !python.loadedPackages[name]);
  if (!names.length) return;
  const size = names.reduce((sum, name) => sum + sizes[name], 0);
  say(`fetching ${names.join(", ")}, ${size.toFixed(1)} MB`);
  const quiet = () => {};
  await python.loadPackage(names, {
    checkIntegrity: true,
    messageCallback: quiet,
    errorCallback: quiet,
  });
  const lost = names.find((name) => !python.loadedPackages[name]);
  if (lost) throw new Error(`the package ${lost} could not be fetched`);
}

function asked({ exercise, cell, frame, code, values }) {
  if (exercise) return page.exercise(code);
  if (cell !== undefined) return page.cell(cell, code);
  return page.frame(frame, python.toPy(values));
}

// What a package lacks is fetched when it is first imported, and the code run again.
async function answer(data) {
  for (;;) {
    const given = asked(data);
    const result = given.toJs({ dict_converter: Object.fromEntries });
    given.destroy();
    if (!result.missing) return result;
    await load(result.missing);
    say("running");
  }
}

onmessage = async ({ data }) => {
  try {
    if (data.start) {
      sizes = data.start.sizes;
      started = Promise.race([start(data.start), failure]);
      await started;
      return;
    }
    await started;
    if (data.begin) {
      await load(...WHOLE);
      page.begin();
      postMessage({ id: data.id });
    } else {
      if (data.exercise) say("running");
      postMessage({ id: data.id, ...(await answer(data)) });
    }
  } catch (error) {
    postMessage({ fatal: `Python could not be started: ${error.message || error}` });
  }
};
