// Shows another step of a game without loading the page anew: by links, slider, arrow keys, or by itself.
// The page works without this: its links and the button "Show" do the same.
(() => {
  "use strict";
  const PAUSE = 1600; // milliseconds between two steps that come by themselves
  const right = document.dir === "rtl" ? "prev" : "next";
  let playing = 0, asked = "";

  async function show(address) {
    asked = address;
    const answer = await fetch(address);
    if (!answer.ok || answer.redirected) return location.assign(address);
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    if (asked !== address) return; // another step was asked for meanwhile
    Idiomorph.morph(document.getElementById("replay"), page.getElementById("replay"));
    history.replaceState(null, "", address);
  }

  function step(direction, attribute = "rel") {
    const link = document.querySelector(`#replay a[${attribute}=${direction}]`);
    if (link) show(link.href);
    else pause();
  }

  function pause() {
    clearInterval(playing);
    playing = 0;
    document.getElementById("play").setAttribute("aria-pressed", "false");
  }

  document.addEventListener("click", (event) => {
    const link = event.target.closest("#replay .steps a");
    if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    show(link.href);
  });
  document.addEventListener("change", (event) => {
    if (event.target.matches("#step, #as")) show(`?${new URLSearchParams(new FormData(event.target.form))}`);
  });
  document.addEventListener("keydown", (event) => {
    if (event.target.matches("input, select, textarea") || event.altKey || event.ctrlKey || event.metaKey) return;
    const attribute = event.shiftKey ? "data-jump" : "rel";
    if (event.key === "ArrowRight") step(right, attribute);
    else if (event.key === "ArrowLeft") step(right === "next" ? "prev" : "next", attribute);
    else if (event.key === "Home" || event.key === "End") {
      event.preventDefault();
      const slider = document.getElementById("step");
      slider.value = event.key === "Home" ? slider.min : slider.max;
      slider.dispatchEvent(new Event("change", { bubbles: true }));
    }
  });

  const button = document.getElementById("play");
  button.addEventListener("click", () => {
    if (playing) return pause();
    playing = setInterval(() => step("next"), PAUSE);
    button.setAttribute("aria-pressed", "true");
    step("next");
  });
})();
