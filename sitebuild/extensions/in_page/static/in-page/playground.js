// The page Playground: points from a text or the URL, and text to copy.

import { rows } from "../grab.js";

export function own(figure, { state, want, say }) {
  const box = figure.querySelector(".hs-own"), text = box.querySelector("textarea");
  const code = figure.querySelector("pre"), inputs = figure.querySelectorAll("[data-name]");
  const tell = (words) => (box.querySelector("[role=status]").textContent = words);
  box.hidden = false;

  // Python parses the text; invalid text leaves the points unchanged.
  async function read(words) {
    const before = state.points, asked = { text: words };
    state.points = asked;
    tell("Reading …");
    await want();
    if (state.points.text !== undefined && state.points !== asked) return; // a newer text
    const refused = state.points === asked && figure.querySelector(".hs-said").textContent;
    tell(refused || `${state.points.at.length} points.`);
    if (!refused) return;
    state.points = before;
    want();
  }

  // Options are announced by name, other values as shown.
  function address() {
    const said = [...inputs].map((input) => {
      const value = input.selectedOptions ? input.selectedOptions[0].text : input.ariaValueText;
      return `${input.dataset.name}=${encodeURIComponent(value)}`;
    });
    return ["shown", `points=${rows(state.points)}`, ...said].join("&");
  }

  function open() {
    const told = new URLSearchParams(location.hash.slice(1));
    if (!told.has("points")) return;
    for (const input of inputs) {
      const value = told.get(input.dataset.name), options = [...(input.options || [])];
      if (value === null || (!input.options && !Number.isFinite(Number(value)))) continue;
      const chosen = options.findIndex((option) => option.text === value);
      // URLs of earlier editions, without "shown", contain the logarithm
      const ratio = input.dataset.kind === "ratio" && told.has("shown");
      const place = ratio ? Math.log10(value) : Number(value);
      const [low, high] = [Number(input.min), Number(input.max)];
      const within = Math.min(high, Math.max(low, place));
      state[input.dataset.name].value = input.options ? Math.max(0, chosen) : within;
      say(input);
    }
    read(told.get("points"));
  }

  const copy = (words, done, otherwise) =>
    Promise.resolve(navigator.clipboard?.writeText(words) ?? Promise.reject()).then(
      () => tell(done),
      () => tell(otherwise),
    );
  const acts = {
    read: () => read(text.value),
    address() {
      if (!state.points.at) return;
      history.replaceState(null, "", `#${address()}`);
      copy(location.href, "Copied. The address bar has it, too.", "The address bar has it now.");
    },
    code() {
      figure.querySelector("details").open = true;
      copy(code.textContent, "Copied.", "Copy it from below the picture.");
    },
  };
  for (const button of box.querySelectorAll("[data-own]")) {
    button.addEventListener("click", () => acts[button.dataset.own]());
  }
  text.addEventListener("paste", (event) => {
    const words = event.clipboardData.getData("text/plain");
    event.preventDefault();
    text.value = words.length < 10_000 ? words : ""; // thousands of rows would block the page
    read(words);
  });
  addEventListener("hashchange", open);
  open();
}
