// An animation whose frames are computed by Python.  When a slider or Play stops, the
// caption of the frame is announced.

import { cleaned, typeset } from "./show.js";

const { elements } = window;
const { make } = elements;

export function animation({ sliders, interval, html }, ask, figure) {
  let drawing = false, again = false;
  const frame = make("div", { className: "hs-frame" });
  const controls = sliders.map((slider) => control(slider, draw));
  const status = make("p", { className: "visually-hidden" });
  status.setAttribute("role", "status");
  const box = make("div", { className: "output hs-animation" });
  box.append(...controls.map(({ row }) => row), frame, status);
  const plays = interval && player(controls[0], interval);
  if (plays) controls[0].row.append(plays);
  show(html);
  return box;

  async function show(picture) {
    const fragment = cleaned(picture, figure);
    await typeset(fragment);
    frame.replaceChildren(fragment);
  }

  // Draw one frame at a time; skip positions passed meanwhile.
  async function draw() {
    if (drawing) return void (again = true);
    drawing = true;
    do {
      again = false;
      const answer = await ask({ values: controls.map(({ input }) => input.valueAsNumber) });
      if (answer.html) await show(answer.html);
      else if (answer.error) frame.replaceChildren(make("pre", { textContent: answer.error }));
    } while (again);
    drawing = false;
    const plain = plays?.textContent !== "Pause";
    if (plain) status.textContent = frame.querySelector("figcaption")?.textContent;
  }
}

function control({ title, kind, labels, low, high, step, start, stops }, draw) {
  const input = make("input", { type: "range", min: low, max: high, step });
  input.value = start;
  const output = make("output", {});
  const read = () => {
    const value = input.valueAsNumber;
    const number = kind === "ratio" ? 10 ** value : value;
    output.textContent = kind === "stops" ? labels[value] : String(+number.toPrecision(3));
    input.setAttribute("aria-valuetext", output.textContent);
  };
  const change = () => (read(), draw());
  input.addEventListener("input", change);
  read();
  const row = make("div", { className: "hs-slider" }, make("label", {}, title + " ", input), output);
  return { row, input, stops, change };
}

// Step through the same values as the stored frames.
function player({ input, stops, change }, interval) {
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
