// Run Python for this page in one worker, started on first use.

import { fetchFile } from "./fetch_file.js";

let data, worker, starting, phase, count = 0;
const pending = new Map(); // request id -> callbacks for phases and the answer
export const python = new EventTarget(); // "end": Python ended, and all variables are lost

async function start({ root, name }) {
  data ||= await (await fetchFile(new URL(`in-page/${name}.json`, root))).json();
  data.wheel = new URL(data.wheel, root).href;
  worker = new Worker(new URL("worker.js", import.meta.url), { type: "module" });
  worker.onmessage = ({ data }) => {
    if (data.phase) pending.forEach(({ onPhase }) => onPhase((phase = data.phase)));
    else if (data.fatal) stop(data.fatal);
    else {
      phase = "";
      finish(data.id, data);
    }
  };
  worker.onerror = () => stop("Python could not be started: worker.js could not be fetched.");
  worker.postMessage({ start: data });
}

function finish(id, answer) {
  pending.get(id)?.resolve(answer);
  pending.delete(id);
}

// Return the code cells of the page except exercises; Python must have started.
export const cells = () => data.cells;

// End the worker and all pending requests; `failure` is the message if it failed.
export function stop(failure = "Stopped. Is there a loop that never ends? Change the code, and run it again.") {
  worker?.terminate();
  worker = starting = null;
  phase = "";
  python.dispatchEvent(new Event("end"));
  for (const id of [...pending.keys()]) finish(id, { failure });
}

// Send a message to the worker; resolves to its answer or to {failure}, and calls `onPhase`
// with its progress.  The answer to an empty message means that Python is ready.
export async function request(page, message, onPhase = () => {}) {
  try {
    await (starting ||= start(page));
  } catch (error) {
    starting = null;
    return { failure: `Python could not be started: ${error.message}` };
  }
  const id = ++count;
  return new Promise((resolve) => {
    pending.set(id, { resolve, onPhase });
    if (phase) onPhase(phase);
    worker.postMessage({ id, ...message });
  });
}
