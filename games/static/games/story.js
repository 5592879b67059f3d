// Plays the new sentences of the story one after the other, and marks the seat that each sentence is about. A click,
// Escape or the button ends the playback. Answers can be sent all the time.
(() => {
  "use strict";
  const still = matchMedia("(prefers-reduced-motion: reduce)");
  const STEP = 800, LONGEST = 8000; // Milliseconds of one step, and of the whole playback.
  const CARD_STEPS = 2; // A step in which a card is turned over takes this number of times as long.
  const MANY = LONGEST / STEP; // A larger number of sentences is played line by line.
  const key = `story ${location.pathname}`;
  const storySection = () => document.querySelector(".tale");
  const sentences = () => [...document.querySelectorAll(".tale [data-number]")];
  // The length tells a changed sentence from the one before. The text itself is never stored in the browser.
  const nameOf = (sentence) => `${sentence.dataset.number} ${sentence.textContent.length}`;
  let playedNames = new Set(JSON.parse(sessionStorage.getItem(key) ?? "[]"));
  let currentNames = [], timer = 0, until = 0, byLine = false, height = 0;

  const waiting = () => sentences().filter((sentence) => !playedNames.has(nameOf(sentence)));

  function store() {
    const present = sentences().map(nameOf);
    playedNames = new Set(present.filter((name) => playedNames.has(name)));
    sessionStorage.setItem(key, JSON.stringify([...playedNames]));
  }

  const cardsOf = (sentence) => [...(sentence.nextElementSibling?.matches(".cards") ? sentence.nextElementSibling.children : [])];

  // Turns the cards of these sentences over on the board, at the seats that show them.
  function turnCards(current) {
    const cards = current.flatMap(cardsOf), board = document.querySelector(".play .picture");
    const names = cards.map((card) => `${card.dataset.turned} ${card.dataset.card}`).join();
    if (!board || (board.dataset.turned ?? "") === names && board.querySelectorAll(":scope > .turned").length === cards.length) return;
    for (const card of board.querySelectorAll(":scope > .turned")) card.remove();
    board.dataset.turned = names;
    const frame = board.getBoundingClientRect();
    for (const card of cards) {
      const seat = board.querySelector(`[data-place="${card.dataset.turned}"]`), copy = card.cloneNode(true);
      const place = (seat?.querySelector('[data-part="card"]') ?? seat)?.getBoundingClientRect();
      if (!place) continue;
      copy.className = "turned";
      copy.style.left = `${(100 * (place.left + place.width / 2 - frame.left)) / frame.width}%`;
      copy.style.top = `${(100 * (place.top + place.height / 2 - frame.top)) / frame.height}%`;
      board.append(copy);
    }
  }

  // The sentences of the present turn whose cards the board does not show by itself.
  function stillShown() {
    const board = document.querySelector(".tale[data-plays]") && document.querySelector(".play .picture");
    return !board ? [] : [...document.querySelectorAll(".tale li:last-child [data-number]")].filter((sentence) =>
      cardsOf(sentence).some((card) => !board.querySelector(`[data-place="${card.dataset.turned}"] [data-shown^="${card.dataset.card}"]`)));
  }

  // Marks the remaining sentences and the current ones.
  function show() {
    const remaining = new Set(timer ? waiting() : []);
    const box = document.querySelector(".told");
    if (box) box.style.height = timer ? `${height}px` : ""; // The answers below do not move.
    for (const sentence of sentences()) {
      sentence.classList.toggle("later", remaining.has(sentence));
      sentence.classList.toggle("now", currentNames.includes(nameOf(sentence)));
    }
    for (const line of document.querySelectorAll(".tale li")) {
      line.classList.toggle("later", line.children.length > 0 && [...line.childNodes].every((node) => node.nodeType === 3 ? !node.data.trim() : node.matches(".cards") || remaining.has(node)));
    }
    const current = sentences().filter((sentence) => currentNames.includes(nameOf(sentence)));
    const seats = current.map((sentence) => sentence.dataset.by);
    document.querySelector(".play")?.classList.toggle("playing", timer !== 0);
    turnCards(timer ? current : stillShown());
    for (const place of document.querySelectorAll(".play .picture [data-place]")) {
      place.classList.toggle("acting", timer !== 0 && seats.includes(place.dataset.place));
    }
    const skip = document.querySelector("[data-skip]");
    if (skip) skip.hidden = !timer;
  }

  function announce(step) {
    const status = document.querySelector("[data-told]");
    if (status) status.textContent = step.map((sentence) => sentence.textContent).join(" ");
    for (const sentence of step) playedNames.add(nameOf(sentence));
    currentNames = step.map(nameOf);
  }

  function end() {
    clearTimeout(timer);
    timer = 0;
    for (const sentence of waiting()) playedNames.add(nameOf(sentence));
    currentNames = [];
    store();
    show();
  }

  // Returns the remaining sentences, one per step, or a line per step if there are many.
  function steps() {
    const remaining = waiting();
    byLine ||= remaining.length > MANY;
    if (!byLine) return remaining.map((sentence) => [sentence]);
    const lines = new Set(remaining.map((sentence) => sentence.closest("li")));
    return [...lines].map((line) => remaining.filter((sentence) => line.contains(sentence)));
  }

  function playNext() {
    const [first, ...others] = steps(), pause = until - performance.now();
    if (!first || pause <= 0) return end();
    announce(first);
    const length = first.some((sentence) => cardsOf(sentence).length) ? CARD_STEPS * STEP : STEP;
    timer = setTimeout(playNext, Math.min(length, (length / STEP * pause) / (length / STEP + others.length)));
    store();
    show();
  }

  function play() {
    if (document.hidden) return;
    if (!waiting().length) return turnCards(stillShown());
    if (still.matches || (!playedNames.size && !storySection().matches("[data-plays]"))) return end();
    height = document.querySelector(".told").offsetHeight;
    until = performance.now() + LONGEST;
    byLine = false;
    playNext();
  }

  document.addEventListener("page-changed", () => {
    if (timer) show();
    else {
      if (still.matches && !document.hidden) announce(waiting());
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
