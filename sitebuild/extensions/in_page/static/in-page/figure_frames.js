// Request the frames of an interactive figure, for grab.js.

import { request } from "./python.js";

export const frameRequester = (page, cell) => async (state, showStatus) => {
  const { failure, error, frame } = await request(page, { figure: cell, state }, showStatus);
  if (frame) return JSON.parse(frame);
  if (failure) return { failure };
  const message = error.trim().split("\n").at(-1);
  return { failure: `The code of this figure stopped: ${message}. Fix its cell and run it again, or reload the page.` };
};
