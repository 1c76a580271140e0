// An animation whose frames are computed by Python.  When a slider or Play stops, the
// caption of the frame is announced.

import { sanitize, typeset } from "./show.js";

const { elements } = window;
const { make } = elements;

export function animation({ sliders, interval, html }, requestFrame, figure) {
  let drawing = false, moved = false; // since the last request
  const frame = make("div", { className: "hs-frame" });
  const controls = sliders.map((slider) => control(slider, draw));
  const status = make("p", { className: "visually-hidden" });
  status.setAttribute("role", "status");
  const box = make("div", { className: "output hs-animation" });
  box.append(...controls.map(({ row }) => row), frame, status);
  const playButton = interval && makePlayButton(controls[0], interval);
  if (playButton) controls[0].row.append(playButton);
  show(html);
  return box;

  async function show(picture) {
    const fragment = sanitize(picture, figure);
    await typeset(fragment);
    frame.replaceChildren(fragment);
  }

  // Draw one frame at a time; skip the positions in between.
  async function draw() {
    if (drawing) return void (moved = true);
    drawing = true;
    do {
      moved = false;
      const answer = await requestFrame({ values: controls.map(({ input }) => input.valueAsNumber) });
      if (answer.html) await show(answer.html);
      else if (answer.error) frame.replaceChildren(make("pre", { textContent: answer.error }));
    } while (moved);
    drawing = false;
    const isPlaying = playButton?.textContent === "Pause";
    if (!isPlaying) status.textContent = frame.querySelector("figcaption")?.textContent;
  }
}

function control({ title, kind, labels, low, high, step, start, stops }, draw) {
  const input = make("input", { type: "range", min: low, max: high, step });
  input.value = start;
  const output = make("output", {});
  const showValue = () => {
    const value = input.valueAsNumber;
    const number = kind === "ratio" ? 10 ** value : value;
    output.textContent = kind === "stops" ? labels[value] : String(+number.toPrecision(3));
    input.setAttribute("aria-valuetext", output.textContent);
  };
  const change = () => (showValue(), draw());
  input.addEventListener("input", change);
  showValue();
  const row = make("div", { className: "hs-slider" }, make("label", {}, title + " ", input), output);
  return { row, input, stops, change };
}

// Step through the same values as the stored frames.
function makePlayButton({ input, stops, change }, interval) {
  const button = elements.button("Play", toggle);
  let timer = null;
  const pause = () => {
    clearInterval(timer);
    timer = null;
    button.textContent = "Play";
  };
  return button;

  function toggle() {
    if (timer) return pause();
    button.textContent = "Pause";
    let next = stops.findIndex((stop) => stop > input.valueAsNumber);
    timer = setInterval(() => {
      if (!button.isConnected || next < 0 || next >= stops.length) return pause();
      input.value = stops[next++];
      change();
    }, interval);
  }
}
