// Lets people press the places of a picture. A place that answers name leads to them; the list of answers does the same.
(() => {
  "use strict";
  const answersAbout = (place) =>
    [...document.querySelectorAll("[data-places]")].filter((each) => each.dataset.places.split(" ").includes(place));

  document.addEventListener("click", (event) => {
    const place = event.target.closest?.(".picture [data-place]");
    const found = place && !event.target.closest("a") ? answersAbout(place.dataset.place) : [];
    if (place || !event.target.closest("[data-places]")) {
      for (const each of document.querySelectorAll(".picked")) each.classList.remove("picked");
    }
    for (const each of found) each.classList.add("picked");
    found[0]?.focus();
  });

  document.addEventListener("pointerover", (event) => {
    const place = event.target.closest?.(".picture [data-place]");
    place?.classList.toggle("pressable", answersAbout(place.dataset.place).length > 0);
  });
})();
