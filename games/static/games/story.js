// Plays the new sentences of the story one after the other, with the seat that each is about. A click, Escape or the
// button ends it. The sentences are in the page already, and the answers can be used all the time.
(() => {
  "use strict";
  const still = matchMedia("(prefers-reduced-motion: reduce)");
  const STEP = 800, LONGEST = 8000; // milliseconds of one step, and of all
  const MANY = LONGEST / STEP; // more sentences than these are played line by line
  const key = `story ${location.pathname}`;
  const list = () => document.querySelector(".tale");
  const sentences = () => [...document.querySelectorAll(".tale [data-number]")];
  // The length tells a changed sentence from the one before. The text itself is never stored in the browser.
  const nameOf = (sentence) => `${sentence.dataset.number} ${sentence.textContent.length}`;
  let told = new Set(JSON.parse(sessionStorage.getItem(key) ?? "[]"));
  let now = [], timer = 0, until = 0, byLine = false, height = 0;

  const waiting = () => sentences().filter((sentence) => !told.has(nameOf(sentence)));

  function keep() {
    const present = sentences().map(nameOf);
    told = new Set(present.filter((name) => told.has(name)));
    sessionStorage.setItem(key, JSON.stringify([...told]));
  }

  // hides what has not been told yet, and marks what is being told
  function show() {
    const left = new Set(timer ? waiting() : []);
    const box = document.querySelector(".told");
    if (box) box.style.height = timer ? `${height}px` : ""; // the answers stay where they are
    for (const sentence of sentences()) {
      sentence.classList.toggle("later", left.has(sentence));
      sentence.classList.toggle("now", now.includes(nameOf(sentence)));
    }
    for (const line of document.querySelectorAll(".tale li")) {
      line.classList.toggle("later", line.children.length > 0 && [...line.childNodes].every((node) => node.nodeType === 3 ? !node.data.trim() : left.has(node)));
    }
    const seats = sentences().filter((sentence) => now.includes(nameOf(sentence))).map((sentence) => sentence.dataset.by);
    for (const place of document.querySelectorAll(".play .picture [data-place]")) {
      place.classList.toggle("acting", timer !== 0 && seats.includes(place.dataset.place));
    }
    const skip = document.querySelector("[data-skip]");
    if (skip) skip.hidden = !timer;
  }

  function say(some) {
    const status = document.querySelector("[data-told]");
    if (status) status.textContent = some.map((sentence) => sentence.textContent).join(" ");
    for (const sentence of some) told.add(nameOf(sentence));
    now = some.map(nameOf);
  }

  function end() {
    clearTimeout(timer);
    timer = 0;
    for (const sentence of waiting()) told.add(nameOf(sentence));
    now = [];
    keep();
    show();
  }

  // the sentences that are left, together where they are played at once
  function steps() {
    const left = waiting();
    byLine ||= left.length > MANY;
    if (!byLine) return left.map((sentence) => [sentence]);
    const lines = new Set(left.map((sentence) => sentence.closest("li")));
    return [...lines].map((line) => left.filter((sentence) => line.contains(sentence)));
  }

  function step() {
    const [first, ...others] = steps(), pause = until - performance.now();
    if (!first || pause <= 0) return end();
    say(first);
    timer = setTimeout(step, Math.min(STEP, pause / (others.length + 1)));
    keep();
    show();
  }

  function play() {
    if (document.hidden || !waiting().length) return;
    if (still.matches || (!told.size && !list().matches("[data-plays]"))) return end();
    height = document.querySelector(".told").offsetHeight;
    until = performance.now() + LONGEST;
    byLine = false;
    step();
  }

  document.addEventListener("page-changed", () => {
    if (timer) show();
    else {
      if (still.matches && !document.hidden) say(waiting());
      play();
    }
  });
  document.addEventListener("visibilitychange", () => {
    clearTimeout(timer);
    timer = 0;
    if (document.hidden) return;
    play();
    if (!timer) end();
  });
  document.addEventListener("click", () => {
    if (timer) end();
  });
  document.addEventListener("keydown", ({ key: pressed }) => {
    if (timer && pressed === "Escape") end();
  });
  play();
})();
