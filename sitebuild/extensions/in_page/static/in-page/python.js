// The Python of this page: one worker, started when it is first asked for.

import { get } from "./get.js";

let data, worker, starting, doing, count = 0;
const waiting = new Map(); // number of a question -> what to do with phases and the answer
export const python = new EventTarget(); // tells when it ended, and all names with it

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

// The cells of the page's notebook without those of exercises, which are there when Python is.
export const cells = () => data.cells;

// End the worker, and with it all that it was asked; `said` if it is broken.
export function stop(said = "Stopped. Is there a loop that never ends? Change the code, and run it again.") {
  worker?.terminate();
  worker = starting = null;
  doing = "";
  python.dispatchEvent(new Event("end"));
  for (const id of [...waiting.keys()]) finish(id, { said });
}

// What the worker answers to a message, or what is `said` if it cannot; `phase` is told what
// it is doing.  It answers an empty message when it is ready.
export async function ask(page, message, phase = () => {}) {
  try {
    await (starting ||= start(page));
  } catch (error) {
    starting = null;
    return { said: `Python could not be started: ${error.message}` };
  }
  const id = ++count;
  return new Promise((done) => {
    waiting.set(id, { done, phase });
    if (doing) phase(doing);
    worker.postMessage({ id, ...message });
  });
}
