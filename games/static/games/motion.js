// Animates changes in the picture of a game: a card turns, coins fly from one purse to another, a claim appears. The
// drawing names its parts with data-part. Nothing moves if the user prefers reduced motion.
(() => {
  "use strict";
  const reducedMotion = matchMedia("(prefers-reduced-motion: reduce)");
  const TURN = 450, FLIGHT = 700, COIN_INTERVAL = 90; // Milliseconds.
  const MOST_COINS = 5; // The maximum number of coins that fly together.
  let oldParts = new Map();

  // Returns the parts by place and kind, with the values that they show.
  function parts() {
    const byName = new Map();
    for (const part of document.querySelectorAll(".play .picture [data-part]")) {
      const kind = part.dataset.part;
      const name = `${part.closest("[data-place]")?.dataset.place ?? ""} ${kind}`;
      if (!byName.has(name)) byName.set(name, []);
      byName.get(name).push({ part, kind, value: kind === "claim" ? part.textContent : part.dataset.shown });
    }
    return byName;
  }

  // Returns the parts whose values are new, in any order.
  function changedParts(newParts, earlierParts) {
    const values = earlierParts.map(({ value }) => value);
    return newParts.filter(({ value }) => {
      const index = values.indexOf(value);
      if (index >= 0) values.splice(index, 1);
      return index < 0;
    });
  }

  function center(part) {
    const box = (part.querySelector("use") ?? part).getBBox();
    return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
  }

  function fly(from, to, delay) {
    const coin = from.querySelector("use")?.cloneNode();
    if (!coin) return;
    const start = center(from), end = center(to);
    coin.classList.add("flying");
    from.ownerSVGElement.append(coin);
    const path = [{ transform: "none" }, { transform: `translate(${end.x - start.x}px, ${end.y - start.y}px)` }];
    const flight = coin.animate(path, { duration: FLIGHT, delay, easing: "ease-in-out" });
    flight.onfinish = flight.oncancel = () => coin.remove();
  }

  // Lets coins fly from the purses that have lost some to those that have got some.
  function moveCoins(purses) {
    const repeat = (part, count) => Array(Math.min(MOST_COINS, Math.max(0, count))).fill(part);
    const sources = purses.flatMap(({ part, change }) => repeat(part, -change));
    const targets = purses.flatMap(({ part, change }) => repeat(part, change));
    const count = Math.min(sources.length, targets.length);
    for (let index = 0; index < count; index += 1) fly(sources[index], targets[index], index * COIN_INTERVAL);
  }

  const animations = {
    card: (part) => part.animate([{ transform: "scaleX(0)" }, { transform: "none" }], { duration: TURN, easing: "ease-out" }),
    claim: (part) =>
      part.animate([{ opacity: 0, transform: "scale(.85)" }, { transform: "none" }], { duration: TURN, easing: "ease-out" }),
  };

  document.addEventListener("page-changes", () => {
    oldParts = parts();
  });
  document.addEventListener("page-changed", () => {
    if (reducedMotion.matches || document.hidden) return;
    const purses = [];
    for (const [name, newParts] of parts()) {
      const earlierParts = oldParts.get(name) ?? [];
      for (const { part, kind, value } of changedParts(newParts, earlierParts)) {
        animations[kind]?.(part);
        if (kind === "coins" && earlierParts[0]) purses.push({ part, change: value - earlierParts[0].value });
      }
    }
    moveCoins(purses);
  });
})();
