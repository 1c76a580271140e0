// Python of this page: one worker, started on first use.

import { get } from "./get.js";

let data, worker, starting, doing, count = 0;
const waiting = new Map(); // request number -> callbacks for phases and the answer
export const python = new EventTarget(); // fires when Python ended and all variables are lost

async function start({ root, name }) {
  data ||= await (await get(new URL(`in-page/${name}.json`, root))).json();
  data.wheel = new URL(data.wheel, root).href;
  worker = new Worker(new URL("worker.js", import.meta.url), { type: "module" });
  worker.onmessage = ({ data }) => {
    if (data.phase) waiting.forEach(({ phase }) => phase((doing = data.phase)));
    else if (data.fatal) stop(data.fatal);
    else {
      doing = "";
      finish(data.id, data);
    }
  };
  worker.onerror = () => stop("Python could not be started: worker.js could not be fetched.");
  worker.postMessage({ start: data });
}

function finish(id, answer) {
  const question = waiting.get(id);
  waiting.delete(id);
  if (question) question.done(answer);
}

// The cells of the page's notebook without exercises, loaded with Python.
export const cells = () => data.cells;

// End the worker and all pending requests; `failure` is the message if it failed.
export function stop(failure = "Stopped. Is there a loop that never ends? Change the code, and run it again.") {
  worker?.terminate();
  worker = starting = null;
  doing = "";
  python.dispatchEvent(new Event("end"));
  for (const id of [...waiting.keys()]) finish(id, { failure });
}

// Send a message to the worker; resolves to its answer or to {failure} on failure, and calls
// `phase` with its progress.  The answer to an empty message means that Python is ready.
export async function ask(page, message, phase = () => {}) {
  try {
    await (starting ||= start(page));
  } catch (error) {
    starting = null;
    return { failure: `Python could not be started: ${error.message}` };
  }
  const id = ++count;
  return new Promise((done) => {
    waiting.set(id, { done, phase });
    if (doing) phase(doing);
    worker.postMessage({ id, ...message });
  });
}
