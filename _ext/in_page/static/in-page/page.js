/* Edit and run: the buttons under an exercise.  Nothing is fetched before a reader asks. */
(function () {
  "use strict";

  const here = new URL(".", document.currentScript.src);
  const page = location.pathname.split("/").pop().replace(/\.html$/, "");
  const root = new URL(document.documentElement.dataset.content_root || "../", location);
  const FROM_FILE =
    "A browser runs no code from a folder. Serve the book (make serve, or python -m " +
    "http.server in its folder) and open that address.";

  // One Python for all exercises of the page.
  let data, worker, count = 0;
  const waiting = new Map(); // number of a run -> what to do with its phases and result

  async function python() {
    if (worker) return worker;
    if (!data) {
      const answer = await fetch(new URL(`in-page/${page}.json`, root));
      if (!answer.ok) throw new Error(`${answer.url} is missing (${answer.status})`);
      data = await answer.json();
      data.wheel = new URL(data.wheel, root).href;
    }
    if (worker) return worker; // two asked at once
    worker = new Worker(new URL("worker.js", here), { type: "module" });
    worker.onmessage = ({ data }) => {
      if (data.phase) waiting.forEach((run) => run.phase(data.phase));
      else if (data.fatal) stop(data.fatal);
      else if (data.id) finish(data.id, data);
    };
    worker.onerror = () => stop("Python could not be started: a file of the book is missing.");
    worker.postMessage({ start: data });
    return worker;
  }

  function finish(id, result) {
    const run = waiting.get(id);
    waiting.delete(id);
    if (run) run.done(result);
  }

  function stop(why) {
    if (worker) worker.terminate();
    worker = null;
    for (const id of [...waiting.keys()]) finish(id, why ? { fatal: why } : { stopped: true });
  }

  async function execute(code, phase) {
    const running = await python();
    const id = ++count;
    return new Promise((done) => {
      waiting.set(id, { done, phase });
      running.postMessage({ id, code });
    });
  }

  // A browser may forbid storage: then an answer lasts as long as the page.
  function remembered(key) {
    try {
      return localStorage.getItem(key);
    } catch {
      return null;
    }
  }

  function remember(key, code) {
    try {
      if (code === null) localStorage.removeItem(key);
      else localStorage.setItem(key, code);
    } catch { /* nothing to be done */ }
  }

  function make(tag, properties, ...children) {
    const element = Object.assign(document.createElement(tag), properties);
    element.append(...children);
    return element;
  }

  const button = (text, kind) =>
    make("button", { type: "button", className: `hs-button hs-${kind}`, textContent: text });

  function exercise(cell) {
    const input = cell.querySelector(".cell_input");
    const stored = input.querySelector("pre");
    const output = cell.querySelector(".cell_output");
    const before = [...output.childNodes];
    const stub = stored.textContent.trimEnd();
    const name = /check\.(\w+)/.exec(stub)[1];
    const key = `halfspaces:${page}:${name}`;
    let code = remembered(key) || stub;
    let editing = null, changed = null;

    const run = button("Edit and run", "run");
    const halt = button("Stop", "stop");
    const again = button("Start over", "again");
    const status = make("span", { className: "hs-status" });
    status.setAttribute("role", "status");
    halt.hidden = again.hidden = true;
    input.after(make("div", { className: "hs-bar" }, run, halt, again, status));
    if (code !== stub) status.textContent = "Your answer is kept here.";

    async function open() {
      if (location.protocol === "file:") return void (status.textContent = FROM_FILE);
      run.disabled = true;
      status.textContent = "Fetching the editor …";
      try {
        editing = await import(new URL("editor.js", here));
      } catch {
        status.textContent = "The editor could not be fetched: a file of the book is missing.";
        run.disabled = false;
        return;
      }
      const label = `Your answer, Python. Control and Enter runs it; Escape, then Tab, leaves.`;
      changed = editing.editor(stored.parentElement, code, {
        label,
        onRun: go,
        onChange: (now) => remember(key, (code = now) === stub ? null : now),
      });
      stored.hidden = true;
      output.setAttribute("aria-live", "polite");
      run.textContent = "Run";
      run.disabled = again.hidden = false;
      status.textContent = "";
      changed.focus();
      python().catch(() => {}); // gets ready while the reader types
    }

    async function go() {
      if (!changed) return open();
      if (run.disabled) return;
      run.disabled = true;
      halt.hidden = false;
      status.textContent = "Running …";
      let result;
      try {
        result = await execute(code, (phase) => {
          status.textContent = phase === "running" ? "Running …" : `Getting Python ready: ${phase} …`;
        });
      } catch (error) {
        result = { fatal: `Python could not be started: ${error.message}` };
      }
      run.disabled = false;
      halt.hidden = true;
      status.textContent = result.stopped ? "Stopped." : result.fatal || "";
      if (result.stopped) python().catch(() => {}); // ready again for the next run
      if (!result.stopped && !result.fatal) show(result);
      cell.dataset.runs = 1 + Number(cell.dataset.runs || 0);
    }

    // Whatever the reader's code gave is text, never HTML.
    function show({ printed, error, text, sentence, right }) {
      const block = (kind, words) =>
        make("div", { className: `output ${kind}` }, make("pre", { textContent: words }));
      const parts = [];
      if (printed) parts.push(block("stream", printed));
      if (error) parts.push(block("traceback", error));
      if (text) parts.push(block("text_plain", text));
      if (sentence) {
        const className = right ? "hs-verdict" : "hs-verdict hs-wrong";
        parts.push(make("div", { className: "output" }, make("p", { className, textContent: sentence })));
      }
      if (!parts.length) status.textContent = "Done; nothing was printed.";
      output.replaceChildren(...parts);
    }

    function startOver() {
      editing.replace(changed, stub);
      remember(key, null);
      output.replaceChildren(...before);
      status.textContent = "";
      changed.focus();
    }

    run.addEventListener("click", go);
    halt.addEventListener("click", () => stop());
    again.addEventListener("click", startOver);
  }

  document.querySelectorAll(".cell.tag_stub").forEach(exercise);
})();
