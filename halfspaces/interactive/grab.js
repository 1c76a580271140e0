// Interactive figures: this script moves a point at once, and requests the frame of the new
// state from Python.
//
// `requestFrame(state, showStatus)` resolves to the frame of a state.  One request runs at a
// time; of the states that arrive in the meantime, only the last is sent.

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

// Format the points of a state for a URL.
export const formatPoints = ({ positions, labels }) =>
  positions.map((point, k) => [...point, labels[k]]).join("~");

// help: shown until the first request, for example the size of a download
export function attach(element, requestFrame, help = "") {
  const figure = new Figure(element, requestFrame, help);
  return { state: figure.state, update: () => figure.update(), showValue: (input) => figure.showValue(input) };
}

// The key of a point, such as "points:0", is the name of its Points and its index.
class Figure {
  constructor(element, requestFrame, help) {
    const { planes, state, max } = JSON.parse(element.dataset.grab);
    const find = (selector) => element.querySelector(selector);
    Object.assign(this, { element, requestFrame, state, max, plane: planes[0], find });
    this.start = structuredClone(state);
    this.svgs = element.querySelectorAll("svg");
    this.svg = this.svgs[0];
    this.handles = find(".hs-handles");
    this.status = find("[role=status]");
    this.goal = find(".hs-goal");
    this.caption = find("figcaption > span:last-child");
    this.inputs = element.querySelectorAll("[data-name]");
    this.editableName = Object.keys(state).find((name) => state[name].editable); // name of the Points
    this.drag = this.selected = this.pending = this.undo = null;
    this.goalReached = this.changed = this.pressedHandle = false;

    find(".hs-help span").textContent = help;
    find(".hs-controls").hidden = false;
    element.classList.add("hs-grabbable");
    this.svg.setAttribute("role", "application"); // an image would hide its points
    this.svg.setAttribute("aria-roledescription", "figure with points that move");
    this.listenToPointer();
    this.listenToKeys();
    this.listenToToolbar();
    this.listenToInputs();
    this.allHandles().forEach((handle) => this.place(handle));
    this.select(null);
    this.announced = new Set(this.texts());
  }

  // ------------------------------------------------------------------- points and pixels

  // Return the Points and the index that a key names.
  locate(key) {
    const [name, index] = key.split(":");
    return [this.state[name], Number(index)];
  }

  position(key) {
    const [points, k] = this.locate(key);
    return points.positions?.[k];
  }

  isEditable(key) {
    return key && this.locate(key)[0].editable;
  }

  allHandles() {
    return [...this.handles.querySelectorAll(".hs-handle")];
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

  // Return the nearest handle within reach; among close points, the topmost may be farther.
  nearest({ clientX, clientY, pointerType }) {
    let best = null, smallest = pointerType === "mouse" ? 16 : 28;
    for (const handle of this.allHandles().filter((handle) => this.position(handle.dataset.key))) {
      const pixels = this.toPixels(this.position(handle.dataset.key));
      const { x, y } = new DOMPoint(...pixels).matrixTransform(this.svg.getScreenCTM());
      const distance = Math.hypot(x - clientX, y - clientY);
      if (distance < smallest) [best, smallest] = [handle, distance];
    }
    return best;
  }

  // Show a handle at its position in the state, before the frame arrives.
  place(handle) {
    const point = this.position(handle.dataset.key);
    if (!point) return; // it was deleted
    const pixels = this.toPixels(point).map((c) => c.toFixed(1));
    handle.setAttribute("transform", `translate(${pixels})`);
    const [u, v] = point.map((c) => String(+c.toPrecision(3)).replace("-", "−"));
    handle.setAttribute("aria-valuenow", point[0]);
    handle.setAttribute("aria-valuetext", `${u} and ${v}`);
  }

  // Select a point; only one point is in the Tab order.  Its role is slider because screen
  // readers pass the arrow keys on to sliders.
  select(key, focus = false) {
    const handles = this.allHandles(), selected = handles.find((handle) => handle.dataset.key === key);
    this.selected = selected ? key : null;
    for (const handle of handles) {
      handle.setAttribute("tabindex", handle === (selected || handles[0]) ? 0 : -1);
      handle.setAttribute("role", "slider");
      handle.setAttribute("aria-roledescription", "movable point");
      handle.setAttribute("aria-label", handle.dataset.label);
      [handle.ariaValueMin, handle.ariaValueMax] = this.plane.x;
      handle.classList.toggle("hs-selected", handle === selected);
    }
    if (focus) selected?.focus({ preventScroll: true });
  }

  move(key, point) {
    const [points, k] = this.locate(key);
    points.positions[k] = point.map((c, axis) => {
      const [low, high] = [this.plane.x, this.plane.y][axis];
      const digits = Math.max(0, 4 - Math.floor(Math.log10(high - low)));
      return Number(Math.min(high, Math.max(low, c)).toFixed(digits));
    });
    this.allHandles().forEach((handle) => this.place(handle));
    this.update();
  }

  // ------------------------------------------------- actions, by their data-do attribute

  act(action, point) {
    const needsSelection = ["flip", "remove"].includes(action);
    const isParsed = !this.editableName || this.state[this.editableName].positions;
    this.undo = null;
    if (needsSelection && !this.selected) {
      this.showStatus("First choose a point: tap it, click it, or go to it by Tab.");
    } else if (isParsed && (!needsSelection || this.isEditable(this.selected))) {
      this[action](this.selected, point);
    }
  }

  flip(key) {
    const [points, k] = this.locate(key);
    points.labels[k] *= -1;
    this.update();
  }

  async remove(key) {
    const [points, k] = this.locate(key), focused = this.handles.contains(document.activeElement);
    if (points.positions.length < 2) return this.showStatus("One point has to stay.");
    points.positions.splice(k, 1);
    points.labels.splice(k, 1);
    await this.update();
    this.select(`${this.editableName}:${Math.min(k, points.positions.length - 1)}`, focused);
  }

  async add(key, point) {
    const points = this.state[this.editableName], t = 0.5 + 0.07 * ((points.positions.length % 5) - 2);
    points.labels.push(this.isEditable(key) ? points.labels[this.locate(key)[1]] : 1);
    points.positions.push([0, 0]);
    const newKey = `${this.editableName}:${points.positions.length - 1}`;
    this.move(newKey, point || [interpolate(this.plane.x, t), interpolate(this.plane.y, t)]);
    await this.update();
    this.select(newKey, Boolean(point));
  }

  reset() {
    Object.assign(this.state, structuredClone(this.start));
    this.goalReached = false;
    this.inputs.forEach((input) => this.showValue(input));
    this.select(null); // not after the new frame: the reader may have selected a point by then
    this.update();
  }

  openPlayground() {
    const values = [...this.inputs].map((input) => `&${input.dataset.name}=${input.ariaValueText}`);
    const points = formatPoints(this.state[this.editableName]);
    location.assign(`playground.html#shown&points=${points}${values.join("")}`);
  }

  // ------------------------------------------------------------------------------ events

  listenToPointer() {
    const { svg } = this;
    svg.addEventListener("pointerdown", (event) => {
      const handle = event.button === 0 && this.nearest(event);
      this.pressedHandle = Boolean(handle);
      if (!handle || this.drag) return;
      event.preventDefault(); // otherwise text is selected
      const key = handle.dataset.key, [u, v] = this.toData(event), from = this.position(key);
      this.drag = { key, id: event.pointerId, offset: [from[0] - u, from[1] - v] };
      this.undo = { key, from };
      svg.setPointerCapture(event.pointerId);
      this.select(key, true);
    });
    // A finger on a point does not scroll the page; a finger elsewhere does.
    const stopScroll = (event) => this.nearest(event.changedTouches[0]) && event.preventDefault();
    svg.addEventListener("touchstart", stopScroll, { passive: false });
    svg.addEventListener("pointermove", (event) => {
      if (event.pointerId !== this.drag?.id) return;
      const [u, v] = this.toData(event), { key, offset } = this.drag;
      this.move(key, [u + offset[0], v + offset[1]]);
    });
    svg.addEventListener("lostpointercapture", ({ pointerId }) => {
      if (pointerId === this.drag?.id) this.drag = null;
    });
    // A click moves the selected point, for readers who cannot drag; a double click adds one.
    svg.addEventListener("click", (event) => {
      if (!this.selected || this.pressedHandle || event.detail > 1) return;
      const key = this.selected, from = this.position(key), to = this.toData(event);
      const jump = () => {
        this.undo = { key, from };
        this.move(key, to);
        this.select(key, true);
      };
      this.clickTimer = setTimeout(jump, this.editableName ? 300 : 0);
    });
    svg.addEventListener("dblclick", (event) => {
      if (!this.editableName || this.nearest(event)) return;
      clearTimeout(this.clickTimer);
      this.act("add", this.toData(event));
    });
  }

  listenToKeys() {
    this.handles.addEventListener("focusin", ({ target }) => this.select(target.dataset.key));
    this.svg.addEventListener("keydown", (event) => {
      const key = event.target.dataset.key;
      if (!key || !this.position(key) || event.ctrlKey || event.metaKey || event.altKey) return;
      if (!this.press(key, event)) return;
      event.preventDefault();
      event.stopPropagation(); // the page also has shortcuts
    });
  }

  // Handle a key on a point; return false if the figure does not use it.
  press(key, event) {
    const next = { n: 1, p: -1 }[event.key.toLowerCase()];
    if (event.key in ARROWS) this.step(key, ARROWS[event.key], event.shiftKey ? 0.05 : 0.01);
    else if (next) {
      const keys = this.allHandles().map((handle) => handle.dataset.key);
      this.select(keys.at((keys.indexOf(key) + next) % keys.length), true);
    } else if (event.key === "Enter") this.act("flip");
    else if (event.key === "Delete" || event.key === "Backspace") this.act("remove");
    else if (event.key === "Escape" && this.undo) {
      this.move(this.undo.key, this.undo.from);
      this.drag = this.undo = null;
    } else return false;
    return true;
  }

  step(key, [dx, dy], size) {
    const [u, v] = this.position(key), { x, y } = this.plane, width = x[1] - x[0];
    if (this.undo?.key !== key) this.undo = { key, from: [u, v] };
    this.move(key, [u + dx * size * width, v + dy * size * Math.min(y[1] - y[0], width)]);
  }

  // Tab reaches one button of the toolbar; the arrow keys move to the others.
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

  // Copy a value of the state to its slider or menu.
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

  // Request frames until one matches the state.
  update() {
    this.changed = true;
    return (this.pending ??= this.requestFrames());
  }

  async requestFrames() {
    const { element } = this, help = this.find(".hs-help span");
    const showPhase = (phase) => {
      help.textContent = phase; // changes often, so announce only one message
      this.showStatus("Python is loading.", true);
    };
    while (this.changed) {
      this.changed = false;
      element.classList.toggle("hs-waiting", !element.dataset.frames);
      const points = this.state[this.editableName];
      const frame = await this.requestFrame(JSON.stringify(this.state), showPhase);
      help.textContent = "";
      if (points !== this.state[this.editableName]) delete frame.parsed; // from an old text
      this.show(frame);
      if (this.changed) await new Promise(requestAnimationFrame); // at most once per screen frame
    }
    this.pending = null;
  }

  show({ failure, ...frame }) {
    const { element, find } = this;
    element.classList.toggle("hs-invalid", Boolean(failure || frame.error));
    if (frame.parsed) Object.assign(this.state, frame.parsed);
    if (frame.planes) [this.plane] = frame.planes;
    if (frame.axes) patch(find(".hs-axes"), frame.axes);
    if (frame.handles) {
      patch(this.handles, frame.handles);
      this.allHandles().forEach((handle) => this.place(handle));
      this.select(this.selected);
      element.dataset.frames = 1 + Number(element.dataset.frames || 0);
      element.classList.remove("hs-waiting");
    }
    this.showStatus(failure || frame.error || "");
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

  // A goal stays reached until the figure is reset.
  showGoal(text, isReached) {
    this.goal.classList.toggle("hs-reached", (this.goalReached ||= isReached));
    const title = isReached ? "Goal reached" : this.goalReached ? "Goal, reached before" : "Goal";
    this.goal.firstElementChild.textContent = title;
    this.goal.lastElementChild.textContent = text;
  }

  showStatus(text, hidden = false) {
    clearTimeout(this.timer);
    this.status.classList.toggle("visually-hidden", hidden);
    if (this.status.textContent !== text) this.status.textContent = text;
  }

  // Return the texts that may change with a point: caption, numbers, notes and goal.
  texts() {
    const textOf = (parent) => [...parent.childNodes].map((child) => child.textContent).join(" ");
    const selector = ".hs-numbers > li, .hs-notes > li, .hs-reached";
    return [this.caption, ...this.element.querySelectorAll(selector)].map(textOf);
  }

  // Tell screen readers, once nothing moves, which point moved and which texts changed.
  announce() {
    if (this.pending || this.drag || this.element.matches(".hs-invalid")) return;
    const active = this.handles.contains(document.activeElement) && document.activeElement;
    const texts = this.texts(), changed = texts.filter((text) => !this.announced.has(text));
    this.announced = new Set(texts);
    const sentences = [active && active.dataset.label, ...changed].filter(Boolean);
    this.showStatus(sentences.map((text) => text.replace(/\.?$/, ".")).join(" "), true);
  }
}
