/* Put the lines of a proof in order by mouse, touch or keys.

   The unused lines are shuffled above the reader's proof.  Pressing a line moves it to the
   other list; dragging or the arrow keys move a line within the proof.  An order is right if
   each line comes after the lines that it uses. */
(function () {
  "use strict";

  const { progress } = window; // from progress.js
  const { make, button, shuffle } = window.elements;

  // Check the lines of a proof: return {right, message} and the line to show after the message.
  function checkLines(proof, all) {
    if (!proof.length) return { message: "Your proof is empty: press a line to begin." };
    const position = new Map(proof.map(({ dataset }, k) => [dataset.key, k]));
    for (const [k, { dataset, children }] of proof.entries()) {
      if (dataset.needs === undefined) return { message: `Line ${k + 1} is wrong. `, line: children[2] };
      const missing = [...dataset.needs].find((need) => !(position.get(need) < k));
      if (missing) {
        const line = all.find((other) => other.dataset.key === missing).children[1];
        return { message: `Line ${k + 1} uses a line that does not come before it: `, line };
      }
    }
    if (proof.length < all.filter(({ dataset }) => dataset.needs !== undefined).length)
      return { message: "Every line uses only lines before it, but some lines are missing." };
    return { right: true, message: "Every line uses only lines before it." };
  }

  function lineOf(item) {
    const line = make("div", { tabIndex: 0, role: "button" }, ...item.childNodes);
    line.prepend(make("span", { className: "hs-handle" })); // shows its number in the proof
    Object.assign(line.dataset, item.dataset);
    return line;
  }

  function start(container, number) {
    const key = `${location.pathname.split("/").pop().replace(/\.html$/, "")}:${number + 1}`;
    const all = [...container.querySelectorAll("li[data-key]")].map(lineOf);
    const list = (name) => make("div", { className: "hs-lines", role: "group", ariaLabel: name });
    const unused = list("Unused lines");
    const proof = list("Your proof");
    const hint = make("p", { className: "hs-drop", textContent: "Your proof: press a line to add it." });
    const status = make("p", { className: "hs-verdict hs-untried" });
    const liveRegion = make("div", { role: "status" }); // empty until the reader acts
    for (const kind of ["click", "keydown", "pointerdown"])
      container.addEventListener(kind, () => liveRegion.append(status), { capture: true, once: true });
    const next = button("Show the next step", showNext);
    const bar = make("div", { className: "hs-bar" }, button("Check", check), next, button("Start over", reset));
    let wrongChecks = 0; // after two a step can be shown
    const inProof = (line) => line.parentElement === proof;

    for (const line of all) {
      line.addEventListener("click", () => line.dataset.moved || toggle(line));
      line.addEventListener("keydown", (event) => onKey(event, line));
      line.addEventListener("pointerdown", (event) => drag(event, line));
    }
    const title = container.closest("section")?.querySelector("h2, h3");
    container.setAttribute("role", "group");
    if (title) {
      container.setAttribute("aria-label", title.firstChild.textContent.trim());
      progress.markExercise(title, key);
    }
    container.querySelectorAll("ol, details").forEach((old) => old.remove());
    container.append(unused, hint, proof, bar, status, liveRegion);
    const stored = progress.get(key) || "", wasChecked = progress.verdict(key);
    reset();
    proof.append(...[...stored].map((k) => all.find((l) => l.dataset.key === k)).filter(Boolean));
    update();
    if (wasChecked) check();

    // line: the moved line, which is announced to screen readers
    function update(line) {
      hint.hidden = proof.children.length > 0;
      all.forEach(({ firstChild }) => (firstChild.textContent = ""));
      [...proof.children].forEach(({ firstChild }, k) => (firstChild.textContent = `${k + 1}.`));
      const keys = [...proof.children].map(({ dataset }) => dataset.key).join("");
      progress.set(key, keys || null);
      progress.set(`${key}:verdict`, null);
      status.className = "hs-verdict hs-untried";
      const where = !line ? "" : inProof(line) ? `Now line ${line.firstChild.textContent} ` : "Removed. ";
      status.textContent = where + (keys ? "Not checked yet." : "Not tried yet.");
    }

    function toggle(line) {
      (inProof(line) ? unused : proof).append(line);
      line.focus();
      update(line);
    }

    function onKey(event, line) {
      const up = event.key === "ArrowUp", down = event.key === "ArrowDown";
      const neighbor = up ? line.previousElementSibling : line.nextElementSibling;
      if (event.key === "Enter" || event.key === " ") toggle(line);
      else if ((up || down) && inProof(line)) {
        if (neighbor) up ? neighbor.before(line) : neighbor.after(line);
        line.focus();
        update(line);
      } else return;
      event.preventDefault();
    }

    // Touch moves a line by its handle, and scrolls elsewhere.
    function drag(press, line) {
      delete line.dataset.moved;
      const onHandle = press.target.className === "hs-handle";
      if (!inProof(line) || press.button || !(onHandle || press.pointerType === "mouse")) return;
      const follow = ({ clientY }) => {
        if (Math.abs(clientY - press.clientY) > 8) line.dataset.moved = "yes";
        if (!line.dataset.moved) return;
        const others = [...proof.children].filter((other) => other !== line);
        const middle = (other) => other.getBoundingClientRect().top + other.offsetHeight / 2;
        const next = others.find((other) => clientY < middle(other)) || null;
        if (next !== line.nextElementSibling) proof.insertBefore(line, next);
      };
      const end = () => {
        line.onpointermove = line.onpointerup = line.onpointercancel = null;
        if (line.dataset.moved) update(line);
      };
      line.setPointerCapture(press.pointerId);
      line.onpointermove = follow;
      line.onpointerup = line.onpointercancel = end;
    }

    function check() {
      const { right, message, line } = checkLines([...proof.children], all);
      const sentence = `${right ? "Right." : "Not yet."} ${message}`;
      status.className = `hs-verdict ${right ? "" : "hs-wrong"}`;
      status.replaceChildren(sentence, ...(line ? line.cloneNode(true).childNodes : []));
      progress.setVerdict(key, Boolean(right), sentence);
      wrongChecks = right ? 0 : wrongChecks + 1;
      next.hidden = wrongChecks < 2;
    }

    // Insert a valid next line after the first right lines, and explain it.
    function showNext() {
      const lines = [...proof.children];
      const mayFollow = ({ dataset: { needs } }, before) =>
        needs !== undefined && [...needs].every((need) => before.some((line) => line.dataset.key === need));
      const count = lines.findIndex((line, k) => !mayFollow(line, lines.slice(0, k)));
      const validLines = count < 0 ? lines : lines.slice(0, count);
      const wrong = lines.slice(validLines.length, validLines.length + 1).filter(({ dataset }) => dataset.needs === undefined);
      unused.append(...wrong);
      const ready = all.filter((line) => !validLines.includes(line) && mayFollow(line, validLines));
      const step = ready.sort((a, b) => (a.dataset.key < b.dataset.key ? -1 : 1))[0];
      if (!step) return void check();
      proof.insertBefore(step, proof.children[validLines.length] || null);
      update();
      const uses = [...step.dataset.needs].map((need) => 1 + validLines.findIndex((line) => line.dataset.key === need));
      const several = `lines ${uses.slice(0, -1).join(", ")} and ${uses.at(-1)}`;
      const used = uses.length === 0 ? "no other line" : uses.length === 1 ? `line ${uses[0]}` : several;
      const removal = wrong.length ? "Removed a wrong line. " : "";
      status.textContent = `${removal}Placed as line ${validLines.length + 1}: it uses ${used}. Not checked yet.`;
    }

    function reset() {
      wrongChecks = 0;
      next.hidden = true;
      unused.append(...shuffle(all));
      update();
    }
  }

  document.querySelectorAll(".hs-order").forEach(start);
})();
