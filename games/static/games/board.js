// Lets people press the places of a picture. A place that answers name leaves those answers alone to choose from, until
// it is pressed once more or all answers are wanted again. The list of answers does the same.
(() => {
  "use strict";
  let places = [], question = "";

  const asked = () => document.querySelector(".answers [name=question]")?.value ?? "";
  const answersAbout = (...names) =>
    [...document.querySelectorAll("[data-places]")].filter((each) => {
      const about = each.dataset.places.split(" ");
      return names.every((name) => about.includes(name));
    });

  function pick(names) {
    const found = names.length ? answersAbout(...names) : [];
    places = found.length ? names : [];
    question = asked();
    for (const each of document.querySelectorAll(".picked")) each.classList.remove("picked");
    for (const each of found) each.classList.add("picked");
    for (const form of document.querySelectorAll(".answers")) form.classList.toggle("narrowed", !!form.querySelector(".picked"));
    for (const all of document.querySelectorAll("[data-all]")) all.hidden = !found.length;
    return found;
  }

  // two places are pressed together where answers are about both
  function press(name) {
    if (places.includes(name)) return pick(places.filter((each) => each !== name));
    return pick(answersAbout(...places, name).length ? [...places, name] : [name]);
  }

  // the innermost place here that there are answers about; where there are none, the innermost
  function placeAt(target) {
    const innermost = target.closest?.(".picture [data-place]");
    for (let each = innermost; each; each = each.parentElement.closest("[data-place]")) {
      if (answersAbout(each.dataset.place).length) return each;
    }
    return innermost;
  }

  document.addEventListener("click", ({ target }) => {
    const pressed = placeAt(target);
    if (pressed) press(pressed.dataset.place)[0]?.focus();
    else if (target.closest?.("[data-all]")) {
      pick([]);
      document.querySelector(".answers button")?.focus();
    }
  });
  document.addEventListener("page-changed", () => {
    if (places.length) pick(asked() === question ? places : []);
  });
  document.addEventListener("pointerover", ({ target }) => {
    const over = placeAt(target);
    over?.classList.toggle("pressable", answersAbout(over.dataset.place).length > 0);
  });
})();
