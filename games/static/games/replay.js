// Shows another step of a game without loading the whole page, by links, the slider, arrow keys or a timer. Without
// scripts, the links and the button "Show" load the page of the step.
(() => {
  "use strict";
  const INTERVAL = 1600; // Milliseconds between two steps while the game is played back.
  const right = document.dir === "rtl" ? "prev" : "next";
  let timer = 0, latestAddress = "";

  async function show(address) {
    latestAddress = address;
    const response = await fetch(address);
    if (!response.ok || response.redirected) return location.assign(address);
    const page = new DOMParser().parseFromString(await response.text(), "text/html");
    if (latestAddress !== address) return; // The user has chosen another step meanwhile.
    Idiomorph.morph(document.getElementById("replay"), page.getElementById("replay"));
    history.replaceState(null, "", address);
    scrollToMove();
  }

  function scrollToMove() {
    const move = document.querySelector(".moves .now"), list = move?.parentElement;
    if (list) list.scrollTop = move.offsetTop - (list.clientHeight - move.clientHeight) / 2;
  }

  function step(direction, attribute = "rel") {
    const link = document.querySelector(`#replay a[${attribute}=${direction}]`);
    if (link) show(link.href);
    else pause();
  }

  function pause() {
    clearInterval(timer);
    timer = 0;
    document.getElementById("play").setAttribute("aria-pressed", "false");
  }

  document.addEventListener("click", (event) => {
    const link = event.target.closest("#replay :is(.steps, .moves) a");
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
    if (timer) return pause();
    timer = setInterval(() => step("next"), INTERVAL);
    button.setAttribute("aria-pressed", "true");
    step("next");
  });
  scrollToMove();
})();
