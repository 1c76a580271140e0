// Compute the response of an interactive figure, called by grab.js.

import { ask } from "./python.js";

export const shownBy = (page, cell) => async (state, tell) => {
  const { failure, error, frame } = await ask(page, { grab: cell, state }, tell);
  if (frame) return JSON.parse(frame);
  if (failure) return { failure };
  const why = error.trim().split("\n").at(-1);
  return { failure: `The code of this figure stopped: ${why}. Mend its cell and run it again, or reload the page.` };
};
