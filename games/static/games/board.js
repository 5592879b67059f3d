// Lets users choose answers by pressing places of the picture. After a press, only the answers about this place are
// shown, until it is pressed again or the button for all answers is pressed.
(() => {
  "use strict";
  let places = [], question = "";

  const openQuestion = () => document.querySelector(".answers [name=question]")?.value ?? "";
  const answersAbout = (...names) =>
    [...document.querySelectorAll("[data-places]")].filter((answer) => {
      const about = answer.dataset.places.split(" ");
      return names.every((name) => about.includes(name));
    });

  function pick(names) {
    const answers = names.length ? answersAbout(...names) : [];
    places = answers.length ? names : [];
    question = openQuestion();
    for (const answer of document.querySelectorAll(".picked")) answer.classList.remove("picked");
    for (const answer of answers) answer.classList.add("picked");
    for (const form of document.querySelectorAll(".answers")) form.classList.toggle("narrowed", !!form.querySelector(".picked"));
    for (const button of document.querySelectorAll("[data-all]")) button.hidden = !answers.length;
    return answers;
  }

  // A second place is added to the first if there are answers about both.
  function press(name) {
    if (places.includes(name)) return pick(places.filter((place) => place !== name));
    return pick(answersAbout(...places, name).length ? [...places, name] : [name]);
  }

  // Returns the innermost place around an element that has answers, or the innermost place if none has.
  function placeAt(target) {
    const innermost = target.closest?.(".picture [data-place]");
    for (let place = innermost; place; place = place.parentElement.closest("[data-place]")) {
      if (answersAbout(place.dataset.place).length) return place;
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
    if (places.length) pick(openQuestion() === question ? places : []);
  });
  document.addEventListener("pointerover", ({ target }) => {
    const place = placeAt(target);
    place?.classList.toggle("pressable", answersAbout(place.dataset.place).length > 0);
  });
})();
