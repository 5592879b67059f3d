// Shows another step of a game without loading the page: by links, the slider, the graph, arrow keys or a timer. Without
// scripts, the links and the button "Show" load the page of the step.
(() => {
  "use strict";
  const INTERVAL = 1600; // Milliseconds between two steps while the game is played back.
  const right = document.dir === "rtl" ? "prev" : "next";
  const callbacks = { beforeAttributeUpdated: (name) => name !== "open" && name !== "aria-pressed" };
  let timer = 0, latestAddress = "";

  async function show(address) {
    latestAddress = address;
    const response = await fetch(address);
    if (!response.ok || response.redirected) return location.assign(address);
    const page = new DOMParser().parseFromString(await response.text(), "text/html");
    if (latestAddress !== address) return; // The user has chosen another step meanwhile.
    Idiomorph.morph(document.getElementById("replay"), page.getElementById("replay"), { callbacks });
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

  function goTo(number) {
    const slider = document.getElementById("step");
    slider.value = number;
    slider.dispatchEvent(new Event("change", { bubbles: true }));
  }

  function pause() {
    clearInterval(timer);
    timer = 0;
    document.getElementById("play").setAttribute("aria-pressed", "false");
  }

  document.addEventListener("click", (event) => {
    const link = event.target.closest('#replay a[href^="?"]'), graph = event.target.closest("#replay .chances svg");
    if (event.ctrlKey || event.metaKey || event.shiftKey || !(link || graph)) return;
    event.preventDefault();
    if (link) return show(link.getAttribute("href"));
    const slider = document.getElementById("step"), { left, width } = graph.getBoundingClientRect();
    const part = (event.clientX - left) / width;
    goTo(1 + Math.round((right === "next" ? part : 1 - part) * (slider.max - 1)));
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
      goTo(event.key === "Home" ? 1 : document.getElementById("step").max);
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
