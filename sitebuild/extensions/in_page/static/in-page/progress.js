/* What a reader has answered and solved.  It is kept in this browser alone, and marked at
   the exercises, in the contents of their page, and in the table of chapters on the first
   page, where it can be saved to a file, loaded, and forgotten. */
window.progress = (function () {
  "use strict";

  const { make, button, download } = window.elements;
  const OURS = "halfspaces:";
  const unkept = new Map(); // fallback without storage, until reload

  function get(key) {
    if (unkept.has(key)) return unkept.get(key);
    try {
      return localStorage.getItem(OURS + key);
    } catch {
      return null;
    }
  }

  // Store a text, or delete it if it is null; returns false if storage fails.
  function set(key, text) {
    unkept.delete(key);
    try {
      if (text === null) localStorage.removeItem(OURS + key);
      else localStorage.setItem(OURS + key, text);
      return true;
    } catch {
      unkept.set(key, text);
      return false;
    }
  }

  // The verdict on the stored answer: {right, sentence}, or null.
  function verdict(key) {
    try {
      const { right, sentence } = JSON.parse(get(`${key}:verdict`));
      return typeof sentence === "string" ? { right: right === true, sentence } : null;
    } catch {
      return null;
    }
  }

  function judged(key, right, sentence) {
    const kept = set(`${key}:verdict`, JSON.stringify({ right, sentence }));
    const other = / \(Seed [1-9]\d*\.\)$/.test(sentence); // not the printed numbers
    if (right && !(other && get(`${key}:solved`))) set(`${key}:solved`, other ? "other" : "yes");
    changed();
    return kept;
  }

  // Has a chapter any stored answer?
  const begun = (chapter) =>
    ours().some(([key]) => key.startsWith(`${OURS}${chapter}:`) || key.startsWith(`${OURS}review:${chapter}:`));

  const changed = () => dispatchEvent(new Event("progress"));

  // A right answer to the printed numbers solves an exercise for good.
  const state = (key) =>
    ({ yes: "solved", other: "solved with other numbers" })[get(`${key}:solved`)] ||
    (verdict(key) || get(key) ? "tried" : "not tried");

  // A mark at the end of an element, updated by words(), which returns [state, words].
  function mark(element, words) {
    const span = make("span", { className: "hs-mark" });
    element.append(" ", span);
    const show = () => ([span.dataset.state, span.textContent] = words());
    ["progress", "storage"].forEach((event) => addEventListener(event, show));
    show();
  }

  function markExercise(title, key) {
    mark(title, () => [state(key), (state(key) === "solved" ? "✓ " : "") + state(key)]);
  }

  // The number of solved exercises; empty before the first attempt.
  function markCount(element, keys) {
    mark(element, function () {
      const solved = keys.filter((key) => state(key) === "solved").length;
      if (keys.every((key) => state(key) === "not tried")) return ["not tried", ""];
      const done = solved === keys.length ? ["solved", "✓ "] : ["tried", ""];
      return [done[0], `${done[1]}${solved} of ${keys.length} solved`];
    });
  }

  function ours() {
    try {
      return Object.entries(localStorage).filter(([key]) => key.startsWith(OURS));
    } catch {
      return [];
    }
  }

  function save() {
    const kept = ours();
    if (!kept.length) return "Nothing is kept yet.";
    download("halfspaces-answers.json", JSON.stringify(Object.fromEntries(kept), null, 1));
    return "Saved as halfspaces-answers.json.";
  }

  // Answers in the file replace stored ones; solved exercises stay solved.
  async function load(file) {
    const found = await file.text().then(JSON.parse).catch(() => null);
    const isOurs = ([key, text]) => key.startsWith(OURS) && typeof text === "string";
    const good = Object.entries(found instanceof Object ? found : {}).filter(isOurs);
    if (!good.length) return `${file.name} holds no answers of this book. Nothing was changed.`;
    const kept = good.map(([key, text]) => set(key.slice(OURS.length), text));
    changed();
    return kept.every(Boolean) ? "Loaded." : "Loaded for this page alone: the browser keeps no more.";
  }

  function forget() {
    if (!confirm("Forget all answers, and what was solved, in every chapter?")) return "";
    unkept.clear();
    ours().forEach(([key]) => localStorage.removeItem(key));
    changed();
    return "All is forgotten.";
  }

  // On the first page: a count for each chapter, and buttons.
  function overview(exercises) {
    let table;
    for (const [name, keys] of Object.entries(exercises)) {
      const link = document.querySelector(`td a[href$="${name}.html"]`);
      if (!link) continue;
      table ||= link.closest("table");
      markCount(link.parentElement, keys);
    }
    const status = make("span", { className: "hs-status" });
    status.setAttribute("role", "status");
    const input = make("input", { type: "file", accept: ".json", hidden: true });
    input.addEventListener("change", async function () {
      if (input.files[0]) status.textContent = await load(input.files[0]);
      input.value = "";
    });
    const say = (words) => (status.textContent = words);
    const buttons = [
      button("Save my answers", () => say(save())),
      button("Load them", () => input.click()),
      button("Forget them", () => say(forget())),
    ];
    table?.parentElement.after(make("div", { className: "hs-bar" }, ...buttons, input, status));
    say("What you answer and solve is kept in this browser alone.");
  }

  const { exercises } = document.currentScript.dataset;
  if (exercises) overview(JSON.parse(exercises));
  return { get, set, begun, verdict, judged, markExercise, markCount };
})();
