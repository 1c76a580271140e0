// A figure that is grabbed: moves what is under the finger at once, and asks Python for the
// rest.  It knows points, keys and fingers; what they mean is in the scene that Python draws.
//
// `ask(state, told)` gives the frame of a state.  One question at a time: of the states passed
// meanwhile only the last is asked.

const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] };

// Make the children of an element those that [tag, attributes, inside] describe.
export function patch(parent, elements) {
  elements.forEach(([tag, attributes, inside], k) => {
    let element = parent.children[k];
    if (element?.localName !== tag) {
      element = document.createElementNS(parent.namespaceURI, tag);
      parent.insertBefore(element, parent.children[k] ?? null);
    }
    for (const [name, value] of Object.entries(attributes)) {
      if (element.getAttribute(name) !== String(value)) element.setAttribute(name, value);
    }
    for (const { name } of [...element.attributes]) {
      if (!(name in attributes) && !element.hasAttribute("tabindex")) element.removeAttribute(name);
    }
    if (typeof inside !== "string") patch(element, inside);
    else if (element.textContent !== inside) element.textContent = inside;
  });
  while (parent.children.length > elements.length) parent.lastElementChild.remove();
}

// The points of a state, as an address holds them.
export const rows = ({ at, labels }) => at.map((point, k) => [...point, labels[k]]).join("~");

// first: what is said before anything is touched, of what a touch will fetch
export function attach(figure, ask, first = "") {
  const { planes, state, last } = JSON.parse(figure.dataset.grab);
  const start = structuredClone(state);
  const find = (what) => figure.querySelector(what);
  const pictures = figure.querySelectorAll("svg"), svg = pictures[0];
  const grips = find(".hs-grips"), status = find("[role=status]"), goal = find(".hs-goal");
  const caption = find("figcaption > span:last-child"), inputs = figure.querySelectorAll("[data-name]");
  const free = Object.keys(state).find((name) => state[name].fixed === false);
  let [plane] = planes, [left, top, right, bottom] = plane.box;
  let held = null, chosen = null, reached = false;

  find(".hs-help span").textContent = first;
  find(".hs-controls").hidden = false;
  figure.classList.add("hs-grabbable");
  svg.setAttribute("role", "application"); // an image would hide the points in it
  svg.setAttribute("aria-roledescription", "figure with points that move");

  const lerp = ([low, high], t) => low + t * (high - low);
  const share = ([low, high], value) => (value - low) / (high - low);
  const px = ([u, v]) => [lerp([left, right], share(plane.x, u)), lerp([bottom, top], share(plane.y, v))];
  const all = () => [...grips.querySelectorAll(".hs-grip")];
  const part = (key) => [state[key.split(":")[0]], Number(key.split(":")[1])];
  const at = (key) => part(key)[0].at?.[part(key)[1]];
  const editable = (key) => key && !part(key)[0].fixed;

  function unit({ clientX, clientY }) {
    const { x, y } = new DOMPoint(clientX, clientY).matrixTransform(svg.getScreenCTM().inverse());
    return [lerp(plane.x, share([left, right], x)), lerp(plane.y, share([bottom, top], y))];
  }

  // The nearest thing within reach, not the topmost: points lie close together.
  function nearest({ clientX, clientY, pointerType }) {
    let best = null, least = pointerType === "mouse" ? 16 : 28;
    for (const grip of all().filter((grip) => at(grip.dataset.grip))) {
      const { x, y } = new DOMPoint(...px(at(grip.dataset.grip))).matrixTransform(svg.getScreenCTM());
      const far = Math.hypot(x - clientX, y - clientY);
      if (far < least) [best, least] = [grip, far];
    }
    return best;
  }

  // A point is where the hand has it, while the answer is to come; nowhere, if it was deleted.
  function place(grip) {
    const where = at(grip.dataset.grip);
    if (where) grip.setAttribute("transform", `translate(${px(where).map((c) => c.toFixed(1))})`);
  }

  // One of the points has a place among the stops of Tab.
  function choose(key, focus = false) {
    const known = all(), here = known.find((grip) => grip.dataset.grip === key);
    chosen = here ? key : null;
    for (const grip of known) {
      grip.setAttribute("tabindex", grip === (here || known[0]) ? 0 : -1);
      grip.setAttribute("role", "button");
      grip.setAttribute("aria-roledescription", "movable");
      grip.classList.toggle("hs-chosen", grip === here);
    }
    if (focus) here?.focus({ preventScroll: true });
  }

  function move(key, where) {
    const [thing, k] = part(key);
    thing.at[k] = where.map((c, axis) => {
      const [low, high] = [plane.x, plane.y][axis];
      const digits = Math.max(0, 4 - Math.floor(Math.log10(high - low)));
      return Number(Math.min(high, Math.max(low, c)).toFixed(digits));
    });
    all().forEach(place);
    want();
  }

  const acts = {
    flip(key) {
      part(key)[0].labels[part(key)[1]] *= -1;
      want();
    },
    async remove(key) {
      const [thing, k] = part(key), focused = grips.contains(document.activeElement);
      if (thing.at.length < 2) return tell("One point has to stay.");
      thing.at.splice(k, 1);
      thing.labels.splice(k, 1);
      await want();
      choose(`${free}:${Math.min(k, thing.at.length - 1)}`, focused);
    },
    async add(key, where) {
      const thing = state[free], shift = 0.5 + 0.07 * ((thing.at.length % 5) - 2);
      thing.labels.push(editable(key) ? thing.labels[part(key)[1]] : 1);
      thing.at.push([0, 0]);
      const fresh = `${free}:${thing.at.length - 1}`;
      move(fresh, where || [lerp(plane.x, shift), lerp(plane.y, shift)]);
      await want();
      choose(fresh, Boolean(where));
    },
    async again() {
      Object.assign(state, structuredClone(start));
      reached = false;
      inputs.forEach(read);
      await want();
      choose(null);
    },
    take: () => location.assign(`playground.html#points=${rows(state[free])}`),
  };

  function act(name, where) {
    const one = ["flip", "remove"].includes(name); // of the points, which has to be marked
    if (one && !chosen) tell("First choose a point: tap it, click it, or go to it by Tab.");
    else if ((!one || editable(chosen)) && (!free || state[free].at)) acts[name](chosen, where);
  }

  svg.addEventListener("pointerdown", (event) => {
    const grip = event.button === 0 && nearest(event);
    if (!grip || held) return;
    event.preventDefault(); // no text is marked
    const key = grip.dataset.grip, [u, v] = unit(event), from = at(key);
    held = { key, id: event.pointerId, off: [from[0] - u, from[1] - v], from };
    svg.setPointerCapture(event.pointerId);
    choose(key, true);
  });
  // A finger that holds a point scrolls nothing; beside the points it scrolls the page.
  const hold = (event) => nearest(event.changedTouches[0]) && event.preventDefault();
  svg.addEventListener("touchstart", hold, { passive: false });
  svg.addEventListener("pointermove", (event) => {
    if (event.pointerId !== held?.id) return;
    const [u, v] = unit(event);
    move(held.key, [u + held.off[0], v + held.off[1]]);
  });
  svg.addEventListener("lostpointercapture", ({ pointerId }) => pointerId === held?.id && (held = null));
  svg.addEventListener("dblclick", (event) => free && !nearest(event) && act("add", unit(event)));

  grips.addEventListener("focusin", ({ target }) => choose(target.dataset.grip));
  svg.addEventListener("keydown", (event) => {
    const key = event.target.dataset.grip;
    if (!key || !at(key) || event.ctrlKey || event.metaKey || event.altKey) return;
    const next = { n: 1, p: -1 }[event.key.toLowerCase()];
    if (event.key in ARROWS) {
      const [dx, dy] = ARROWS[event.key], far = event.shiftKey ? 0.05 : 0.01;
      const [u, v] = at(key), step = far * (plane.x[1] - plane.x[0]);
      const up = far * Math.min(plane.y[1] - plane.y[0], plane.x[1] - plane.x[0]);
      move(key, [u + dx * step, v + dy * up]);
    } else if (next) {
      const known = all(), now = known.findIndex((grip) => grip.dataset.grip === key);
      choose(known.at((now + next) % known.length).dataset.grip, true);
    } else if (event.key === "Enter") act("flip");
    else if (event.key === "Delete" || event.key === "Backspace") act("remove");
    else if (event.key === "Escape" && held) {
      move(held.key, held.from);
      held = null;
    } else return;
    event.preventDefault();
    event.stopPropagation(); // the page has keys of its own
  });

  // The buttons are one stop of Tab, too; arrow keys go from one to the next.
  const buttons = [...figure.querySelectorAll("[data-do]")];
  buttons.forEach((button, k) => {
    button.tabIndex = k ? -1 : 0;
    button.addEventListener("click", () => act(button.dataset.do));
    button.addEventListener("keydown", (event) => {
      const step = ARROWS[event.key]?.[0], other = buttons.at((k + step) % buttons.length);
      if (!step) return;
      event.preventDefault();
      [button.tabIndex, other.tabIndex] = [-1, 0];
      other.focus();
    });
  });

  // What a slider or a choice says of the state.
  function read(input) {
    const { name, kind } = input.dataset, value = Math.min(state[name].value, last[name] ?? Infinity);
    if (name in last) input.max = last[name];
    input.value = value;
    if (input.localName === "select") return;
    const words = String(+(kind === "ratio" ? 10 ** value : value).toPrecision(3));
    input.closest(".hs-slider").querySelector("output").textContent = words;
    input.setAttribute("aria-valuetext", words);
  }
  for (const input of inputs) {
    input.addEventListener("input", () => {
      state[input.dataset.name].value = Number(input.value);
      read(input);
      want();
    });
    read(input);
  }

  // Ask Python until what it says is as new as the state.
  let changed = false, asking = null;
  const want = () => ((changed = true), (asking ??= go()));
  async function go() {
    find(".hs-help span").textContent = "";
    while (changed) {
      changed = false;
      figure.classList.toggle("hs-late", !figure.dataset.frames);
      const points = state[free], frame = await ask(JSON.stringify(state), tell);
      if (points !== state[free]) delete frame.read; // another text came meanwhile
      show(frame);
      if (changed) await new Promise(requestAnimationFrame); // never more often than the screen
    }
    asking = null;
  }

  function show({ said, ...frame }) {
    figure.classList.toggle("hs-refused", Boolean(said || frame.refused));
    if (frame.read) Object.assign(state, frame.read); // Python has read a text
    if (frame.planes) [plane] = frame.planes;
    if (frame.axes) patch(find(".hs-axes"), frame.axes);
    if (frame.grips) {
      patch(grips, frame.grips);
      all().forEach(place);
      choose(chosen);
      figure.dataset.frames = 1 + Number(figure.dataset.frames || 0);
      figure.classList.remove("hs-late");
    }
    tell(said || frame.refused || "");
    if (!frame.marks) return;
    pictures.forEach((picture, k) => {
      patch(picture.querySelector(".hs-marks"), frame.marks[k]);
      picture.setAttribute("aria-label", frame.caption);
    });
    if (caption.textContent !== frame.caption) caption.textContent = frame.caption;
    patch(find(".hs-numbers"), frame.numbers);
    if (frame.code) find("pre").textContent = frame.code;
    if (frame.notes.length) patch(find(".hs-notes"), frame.notes);
    if (frame.goal) aim(...frame.goal);
    Object.assign(last, frame.last);
    inputs.forEach((input) => input.dataset.name in last && read(input));
    quiet = setTimeout(say, 800);
  }

  // What was reached is kept until the figure is started over.
  function aim(words, now) {
    goal.classList.toggle("hs-reached", (reached ||= now));
    goal.firstElementChild.textContent = now ? "Goal reached" : reached ? "Goal, reached before" : "Goal";
    goal.lastElementChild.textContent = words;
  }

  let quiet; // until things have rested for a while
  function tell(words, seenAnyway = false) {
    clearTimeout(quiet);
    status.classList.toggle("visually-hidden", seenAnyway);
    if (status.textContent !== words) status.textContent = words;
  }

  // Once things rest, who hears the page hears what was moved and what came of it.
  function say() {
    if (asking || held || figure.matches(".hs-refused")) return;
    const point = grips.contains(document.activeElement) && document.activeElement.getAttribute("aria-label");
    const done = goal?.textContent.startsWith("Goal reached") ? "Goal reached." : "";
    tell([point && `${point}.`, caption.textContent, done].filter(Boolean).join(" "), true);
  }
  choose(null);
  return { state, want, say: read };
}
