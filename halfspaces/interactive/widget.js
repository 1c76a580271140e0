export default { render({ model, el }) {
  let asked; // one question at a time
  model.on("msg:custom", (frame) => asked?.(frame));
  const ask = (state) => new Promise((done) => {
    asked = done;
    model.send({ state });
  });
  el.innerHTML = model.get("html");
  el.querySelectorAll("[data-do=take], .hs-own").forEach((part) => part.remove());
  attach(el.querySelector("figure"), ask);
} };
