export default { render({ model, el }) {
  let receive; // grab.js waits for a frame before it requests the next one
  model.on("msg:custom", (frame) => receive?.(frame));
  const requestFrame = (state) => new Promise((resolve) => {
    receive = resolve;
    model.send({ state });
  });
  el.innerHTML = model.get("html");
  el.querySelectorAll("[data-do=openPlayground], .hs-paste").forEach((part) => part.remove());
  attach(el.querySelector("figure"), requestFrame);
} };
