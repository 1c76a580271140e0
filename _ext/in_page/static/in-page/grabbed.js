// What Python says to a figure that is grabbed, as grab.js asks for it.

import { ask } from "./python.js";

export const shownBy = (page, cell) => async (state, tell) => {
  const { said, error, frame } = await ask(page, { grab: cell, state }, tell);
  if (frame) return JSON.parse(frame);
  return { said: said || `The figure could not be computed. ${error.trim().split("\n").at(-1)}` };
};
