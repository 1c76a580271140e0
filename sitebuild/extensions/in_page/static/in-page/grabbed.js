// Compute the response of an interactive figure, called by grab.js.

import { ask } from "./python.js";

export const shownBy = (page, cell) => async (state, tell) => {
  const { said, error, frame } = await ask(page, { grab: cell, state }, tell);
  if (frame) return JSON.parse(frame);
  if (said) return { said };
  const why = error.trim().split("\n").at(-1);
  return { said: `The code of this figure stopped: ${why}. Mend its cell and run it again, or reload the page.` };
};
