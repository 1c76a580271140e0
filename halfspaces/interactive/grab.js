// Interactive figures: moves a point under the pointer at once, and asks Python for the rest.
// This script handles points, keys and pointers; Python draws the frame of each state.
//
// `ask(state, tell)` resolves to the frame of a state.  One request runs at a time; of the
// states that arrive meanwhile, only the last is sent.

const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] };

const interpolate = ([low, high], t) => low + t * (high - low);
const fraction = ([low, high], value) => (value - low) / (high - low);

// Update the children of an element to match a list of [tag, attributes, content].
export function patch(parent, elements) {
  elements.forEach(([tag, attributes, content], k) => {
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
    if (typeof content !== "string") patch(element, content);
    else if (element.textContent !== content) element.textContent = content;
  });
  while (parent.children.length > elements.length) parent.lastElementChild.remove();
}

// The points of a state as text, for an address.
export const rows = ({ at, labels }) => at.map((point, k) => [...point, labels[k]]).join("~");

// help: shown until the first question, for example the size of a download
export function attach(element, ask, help = "") {
  const figure = new Figure(element, ask, help);
  return { state: figure.state, update: () => figure.update(), showValue: (input) => figure.showValue(input) };
}

// A point is named by a key, "points:0"; the handle of a key is [its points, its index].
class Figure {
  constructor(element, ask, help) {
    const { planes, state, max } = JSON.parse(element.dataset.grab);
    const find = (selector) => element.querySelector(selector);
    Object.assign(this, { element, ask, state, max, plane: planes[0], find });
    this.start = structuredClone(state);
    this.svgs = element.querySelectorAll("svg");
    this.svg = this.svgs[0];
    this.grips = find(".hs-grips");
    this.status = find("[role=status]");
    this.goal = find(".hs-goal");
    this.caption = find("figcaption > span:last-child");
    this.inputs = element.querySelectorAll("[data-name]");
    this.free = Object.keys(state).find((name) => state[name].fixed === false);
    this.held = this.chosen = this.asking = this.undo = null;
    this.reached = this.changed = this.pressed = false;

    find(".hs-help span").textContent = help;
    find(".hs-controls").hidden = false;
    element.classList.add("hs-grabbable");
    this.svg.setAttribute("role", "application"); // an image would hide its points
    this.svg.setAttribute("aria-roledescription", "figure with points that move");
    this.listenToPointer();
    this.listenToKeys();
    this.listenToToolbar();
    this.listenToInputs();
    this.allGrips().forEach((grip) => this.place(grip));
    this.choose(null);
    this.heard = new Set(this.texts());
  }

  // ------------------------------------------------------------------- points and pixels

  handle(key) {
    const [name, index] = key.split(":");
    return [this.state[name], Number(index)];
  }

  at(key) {
    const [points, k] = this.handle(key);
    return points.at?.[k];
  }

  editable(key) {
    return key && !this.handle(key)[0].fixed;
  }

  allGrips() {
    return [...this.grips.querySelectorAll(".hs-grip")];
  }

  toPixels([u, v]) {
    const { x, y, box: [left, top, right, bottom] } = this.plane;
    return [interpolate([left, right], fraction(x, u)), interpolate([bottom, top], fraction(y, v))];
  }

  toData({ clientX, clientY }) {
    const screen = this.svg.getScreenCTM().inverse();
    const point = new DOMPoint(clientX, clientY).matrixTransform(screen);
    const { x, y, box: [left, top, right, bottom] } = this.plane;
    return [interpolate(x, fraction([left, right], point.x)), interpolate(y, fraction([bottom, top], point.y))];
  }

  // The nearest grip within reach, not the topmost: points lie close together.
  nearest({ clientX, clientY, pointerType }) {
    let best = null, smallest = pointerType === "mouse" ? 16 : 28;
    for (const grip of this.allGrips().filter((grip) => this.at(grip.dataset.grip))) {
      const pixels = this.toPixels(this.at(grip.dataset.grip));
      const { x, y } = new DOMPoint(...pixels).matrixTransform(this.svg.getScreenCTM());
      const distance = Math.hypot(x - clientX, y - clientY);
      if (distance < smallest) [best, smallest] = [grip, distance];
    }
    return best;
  }

  // Show a point at its place in the state, before Python answers; it may have been deleted.
  place(grip) {
    const point = this.at(grip.dataset.grip);
    if (!point) return;
    const pixels = this.toPixels(point).map((c) => c.toFixed(1));
    grip.setAttribute("transform", `translate(${pixels})`);
    const [u, v] = point.map((c) => String(+c.toPrecision(3)).replace("-", "−"));
    grip.setAttribute("aria-valuenow", point[0]);
    grip.setAttribute("aria-valuetext", `${u} and ${v}`);
  }

  // Mark a point as chosen; only one point is in the Tab order.  A point is a slider because
  // screen readers leave the arrow keys to sliders.
  choose(key, focus = false) {
    const grips = this.allGrips(), chosen = grips.find((grip) => grip.dataset.grip === key);
    this.chosen = chosen ? key : null;
    for (const grip of grips) {
      grip.setAttribute("tabindex", grip === (chosen || grips[0]) ? 0 : -1);
      grip.setAttribute("role", "slider");
      grip.setAttribute("aria-roledescription", "movable point");
      grip.setAttribute("aria-label", grip.dataset.label);
      [grip.ariaValueMin, grip.ariaValueMax] = this.plane.x;
      grip.classList.toggle("hs-chosen", grip === chosen);
    }
    if (focus) chosen?.focus({ preventScroll: true });
  }

  move(key, point) {
    const [points, k] = this.handle(key);
    points.at[k] = point.map((c, axis) => {
      const [low, high] = [this.plane.x, this.plane.y][axis];
      const digits = Math.max(0, 4 - Math.floor(Math.log10(high - low)));
      return Number(Math.min(high, Math.max(low, c)).toFixed(digits));
    });
    this.allGrips().forEach((grip) => this.place(grip));
    this.update();
  }

  // ------------------------------------------------- actions, by their data-do attribute

  act(action, point) {
    const needsChoice = ["flip", "remove"].includes(action);
    this.undo = null;
    if (needsChoice && !this.chosen) {
      this.tell("First choose a point: tap it, click it, or go to it by Tab.");
    } else if ((!needsChoice || this.editable(this.chosen)) && (!this.free || this.state[this.free].at)) {
      this[action](this.chosen, point);
    }
  }

  flip(key) {
    const [points, k] = this.handle(key);
    points.labels[k] *= -1;
    this.update();
  }

  async remove(key) {
    const [points, k] = this.handle(key), focused = this.grips.contains(document.activeElement);
    if (points.at.length < 2) return this.tell("One point has to stay.");
    points.at.splice(k, 1);
    points.labels.splice(k, 1);
    await this.update();
    this.choose(`${this.free}:${Math.min(k, points.at.length - 1)}`, focused);
  }

  async add(key, point) {
    const points = this.state[this.free], shift = 0.5 + 0.07 * ((points.at.length % 5) - 2);
    points.labels.push(this.editable(key) ? points.labels[this.handle(key)[1]] : 1);
    points.at.push([0, 0]);
    const added = `${this.free}:${points.at.length - 1}`;
    this.move(added, point || [interpolate(this.plane.x, shift), interpolate(this.plane.y, shift)]);
    await this.update();
    this.choose(added, Boolean(point));
  }

  async again() {
    Object.assign(this.state, structuredClone(this.start));
    this.reached = false;
    this.inputs.forEach((input) => this.showValue(input));
    await this.update();
    this.choose(null);
  }

  take() {
    const values = [...this.inputs].map((input) => `&${input.dataset.name}=${input.ariaValueText}`);
    location.assign(`playground.html#shown&points=${rows(this.state[this.free])}${values.join("")}`);
  }

  // ------------------------------------------------------------------------------ events

  listenToPointer() {
    const { svg } = this;
    svg.addEventListener("pointerdown", (event) => {
      const grip = event.button === 0 && this.nearest(event);
      this.pressed = Boolean(grip);
      if (!grip || this.held) return;
      event.preventDefault(); // otherwise text is selected
      const key = grip.dataset.grip, [u, v] = this.toData(event), from = this.at(key);
      this.held = { key, id: event.pointerId, offset: [from[0] - u, from[1] - v] };
      this.undo = { key, from };
      svg.setPointerCapture(event.pointerId);
      this.choose(key, true);
    });
    // A finger on a point does not scroll the page; a finger elsewhere does.
    const hold = (event) => this.nearest(event.changedTouches[0]) && event.preventDefault();
    svg.addEventListener("touchstart", hold, { passive: false });
    svg.addEventListener("pointermove", (event) => {
      if (event.pointerId !== this.held?.id) return;
      const [u, v] = this.toData(event), { key, offset } = this.held;
      this.move(key, [u + offset[0], v + offset[1]]);
    });
    svg.addEventListener("lostpointercapture", ({ pointerId }) => {
      if (pointerId === this.held?.id) this.held = null;
    });
    // A click moves the chosen point, for readers who cannot drag; a double click adds one.
    svg.addEventListener("click", (event) => {
      if (!this.chosen || this.pressed || event.detail > 1) return;
      const key = this.chosen, from = this.at(key), place = this.toData(event);
      const jump = () => {
        this.undo = { key, from };
        this.move(key, place);
        this.choose(key, true);
      };
      this.click = setTimeout(jump, this.free ? 300 : 0);
    });
    svg.addEventListener("dblclick", (event) => {
      if (!this.free || this.nearest(event)) return;
      clearTimeout(this.click);
      this.act("add", this.toData(event));
    });
  }

  listenToKeys() {
    this.grips.addEventListener("focusin", ({ target }) => this.choose(target.dataset.grip));
    this.svg.addEventListener("keydown", (event) => {
      const key = event.target.dataset.grip;
      if (!key || !this.at(key) || event.ctrlKey || event.metaKey || event.altKey) return;
      if (!this.press(key, event)) return;
      event.preventDefault();
      event.stopPropagation(); // the page has shortcuts, too
    });
  }

  // Handle a key on a point; return false if the figure does not use it.
  press(key, event) {
    const next = { n: 1, p: -1 }[event.key.toLowerCase()];
    if (event.key in ARROWS) this.step(key, ARROWS[event.key], event.shiftKey ? 0.05 : 0.01);
    else if (next) {
      const grips = this.allGrips(), now = grips.findIndex((grip) => grip.dataset.grip === key);
      this.choose(grips.at((now + next) % grips.length).dataset.grip, true);
    } else if (event.key === "Enter") this.act("flip");
    else if (event.key === "Delete" || event.key === "Backspace") this.act("remove");
    else if (event.key === "Escape" && this.undo) {
      this.move(this.undo.key, this.undo.from);
      this.held = this.undo = null;
    } else return false;
    return true;
  }

  step(key, [dx, dy], size) {
    const [u, v] = this.at(key), { x, y } = this.plane, width = x[1] - x[0];
    if (this.undo?.key !== key) this.undo = { key, from: [u, v] };
    this.move(key, [u + dx * size * width, v + dy * size * Math.min(y[1] - y[0], width)]);
  }

  // All buttons together are one stop of Tab; the arrow keys move between them.
  listenToToolbar() {
    const buttons = [...this.element.querySelectorAll("[data-do]")];
    buttons.forEach((button, k) => {
      button.tabIndex = k ? -1 : 0;
      button.addEventListener("click", () => this.act(button.dataset.do));
      button.addEventListener("keydown", (event) => {
        const step = ARROWS[event.key]?.[0], other = buttons.at((k + step) % buttons.length);
        if (!step) return;
        event.preventDefault();
        [button.tabIndex, other.tabIndex] = [-1, 0];
        other.focus();
      });
    });
  }

  listenToInputs() {
    for (const input of this.inputs) {
      input.addEventListener("input", () => {
        this.state[input.dataset.name].value = Number(input.value);
        this.showValue(input);
        this.update();
      });
      this.showValue(input);
    }
  }

  // Show the value of the state in a slider or menu.
  showValue(input) {
    const { name, kind } = input.dataset;
    const value = Math.min(this.state[name].value, this.max[name] ?? Infinity);
    if (name in this.max) input.max = this.max[name];
    input.value = value;
    if (input.localName === "select") return;
    const text = String(+(kind === "ratio" ? 10 ** value : value).toPrecision(3));
    input.closest(".hs-slider").querySelector("output").textContent = text;
    input.setAttribute("aria-valuetext", text);
  }

  // ------------------------------------------------------------------- frames from Python

  // Ask Python until its frame matches the state.
  update() {
    this.changed = true;
    return (this.asking ??= this.askPython());
  }

  async askPython() {
    const { element } = this, help = this.find(".hs-help span");
    const tell = (phase) => {
      help.textContent = phase; // changes often; one message is spoken
      this.tell("Python is loading.", true);
    };
    while (this.changed) {
      this.changed = false;
      element.classList.toggle("hs-late", !element.dataset.frames);
      const points = this.state[this.free], frame = await this.ask(JSON.stringify(this.state), tell);
      help.textContent = "";
      if (points !== this.state[this.free]) delete frame.read; // the text was replaced meanwhile
      this.show(frame);
      if (this.changed) await new Promise(requestAnimationFrame); // at most once per screen frame
    }
    this.asking = null;
  }

  show({ failure, ...frame }) {
    const { element, find } = this;
    element.classList.toggle("hs-refused", Boolean(failure || frame.refused));
    if (frame.read) Object.assign(this.state, frame.read); // Python has parsed a text
    if (frame.planes) [this.plane] = frame.planes;
    if (frame.axes) patch(find(".hs-axes"), frame.axes);
    if (frame.grips) {
      patch(this.grips, frame.grips);
      this.allGrips().forEach((grip) => this.place(grip));
      this.choose(this.chosen);
      element.dataset.frames = 1 + Number(element.dataset.frames || 0);
      element.classList.remove("hs-late");
    }
    this.tell(failure || frame.refused || "");
    if (!frame.marks) return;
    this.svgs.forEach((svg, k) => {
      patch(svg.querySelector(".hs-marks"), frame.marks[k]);
      svg.setAttribute("aria-label", frame.caption);
    });
    if (this.caption.textContent !== frame.caption) this.caption.textContent = frame.caption;
    patch(find(".hs-numbers"), frame.numbers);
    if (frame.code) find("pre").textContent = frame.code;
    if (frame.notes.length) patch(find(".hs-notes"), frame.notes);
    if (frame.goal) this.showGoal(...frame.goal);
    Object.assign(this.max, frame.max);
    this.inputs.forEach((input) => input.dataset.name in this.max && this.showValue(input));
    this.timer = setTimeout(() => this.announce(), 800);
  }

  // A goal stays reached until the figure starts over.
  showGoal(text, now) {
    this.goal.classList.toggle("hs-reached", (this.reached ||= now));
    const title = now ? "Goal reached" : this.reached ? "Goal, reached before" : "Goal";
    this.goal.firstElementChild.textContent = title;
    this.goal.lastElementChild.textContent = text;
  }

  tell(text, hidden = false) {
    clearTimeout(this.timer);
    this.status.classList.toggle("visually-hidden", hidden);
    if (this.status.textContent !== text) this.status.textContent = text;
  }

  // The texts that change with a point: caption, numbers, notes and goal.
  texts() {
    const words = (one) => [...one.childNodes].map((part) => part.textContent).join(" ");
    const changing = ".hs-numbers > li, .hs-notes > li, .hs-reached";
    return [this.caption, ...this.element.querySelectorAll(changing)].map(words);
  }

  // Tell screen readers, once nothing moves, which point moved and which texts changed.
  announce() {
    if (this.asking || this.held || this.element.matches(".hs-refused")) return;
    const active = this.grips.contains(document.activeElement) && document.activeElement;
    const texts = this.texts(), news = texts.filter((text) => !this.heard.has(text));
    this.heard = new Set(texts);
    const sentences = [active && active.dataset.label, ...news].filter(Boolean);
    this.tell(sentences.map((text) => text.replace(/\.?$/, ".")).join(" "), true);
  }
}
