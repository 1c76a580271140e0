// The Python of this page: one worker, started when it is first asked for.

let data, worker, starting, count = 0;
const waiting = new Map(); // number of a question -> what to do with phases and the answer

async function python({ root, name }) {
  if (!data) {
    const answer = await fetch(new URL(`in-page/${name}.json`, root));
    if (!answer.ok) throw new Error(`${answer.url} is missing (${answer.status})`);
    data = await answer.json();
    data.wheel = new URL(data.wheel, root).href;
  }
  worker = new Worker(new URL("worker.js", import.meta.url), { type: "module" });
  worker.onmessage = ({ data }) => {
    if (data.phase) waiting.forEach(({ phase }) => phase(data.phase));
    else if (data.fatal) stop(data.fatal);
    else finish(data.id, data);
  };
  worker.onerror = () => stop("Python could not be started: a file of the book is missing.");
  worker.postMessage({ start: data });
}

function finish(id, answer) {
  const question = waiting.get(id);
  waiting.delete(id);
  if (question) question.done(answer);
}

// Get ready, if that was not begun.
export function warmUp(page) {
  starting ||= python(page);
  return starting;
}

// The cells of the page's notebook.
export async function cells(page) {
  await warmUp(page);
  return data.cells;
}

// End the worker, and with it all that it was asked; `why` if it is broken.
export function stop(why) {
  if (worker) worker.terminate();
  worker = starting = null;
  for (const id of [...waiting.keys()]) finish(id, why ? { fatal: why } : { stopped: true });
}

// What the worker answers to a message; `phase` is told what it is doing.
export async function ask(page, message, phase = () => {}) {
  try {
    await warmUp(page);
  } catch (error) {
    stop();
    return { fatal: `Python could not be started: ${error.message}` };
  }
  const id = ++count;
  return new Promise((done) => {
    waiting.set(id, { done, phase });
    worker.postMessage({ id, ...message });
  });
}
