// Lets people press the places of a picture. A place that answers name leaves those answers alone to choose from, until
// it is pressed once more or all answers are wanted again. The list of answers does the same.
(() => {
  "use strict";
  let place = "", question = "";

  const asked = () => document.querySelector(".answers [name=question]")?.value ?? "";
  const answersAbout = (name) =>
    [...document.querySelectorAll("[data-places]")].filter((each) => each.dataset.places.split(" ").includes(name));

  function pick(name) {
    const found = name ? answersAbout(name) : [];
    place = found.length ? name : "";
    question = asked();
    for (const each of document.querySelectorAll(".picked")) each.classList.remove("picked");
    for (const each of found) each.classList.add("picked");
    for (const form of document.querySelectorAll(".answers")) form.classList.toggle("narrowed", found.length > 0);
    for (const all of document.querySelectorAll("[data-all]")) all.hidden = !found.length;
    return found;
  }

  document.addEventListener("click", ({ target }) => {
    const pressed = target.closest?.(".picture [data-place]")?.dataset.place;
    if (pressed) pick(pressed === place ? "" : pressed)[0]?.focus();
    else if (target.closest?.("[data-all]")) {
      pick("");
      document.querySelector(".answers button")?.focus();
    }
  });
  document.addEventListener("page-changed", () => {
    if (place) pick(asked() === question ? place : "");
  });
  document.addEventListener("pointerover", ({ target }) => {
    const over = target.closest?.(".picture [data-place]");
    over?.classList.toggle("pressable", answersAbout(over.dataset.place).length > 0);
  });
})();
