export default { render({ model, el }) {
  let receive; // grab.js waits for one answer before its next question
  model.on("msg:custom", (frame) => receive?.(frame));
  const ask = (state) => new Promise((resolve) => {
    receive = resolve;
    model.send({ state });
  });
  el.innerHTML = model.get("html");
  el.querySelectorAll("[data-do=take], .hs-own").forEach((part) => part.remove());
  attach(el.querySelector("figure"), ask);
} };
