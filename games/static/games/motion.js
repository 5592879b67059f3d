// Moves what has changed in the picture of a game: a card turns, coins go from whoever pays to whoever takes, a claim
// pops up. The parts are named in the drawing. Whoever wants no motion sees none.
(() => {
  "use strict";
  const still = matchMedia("(prefers-reduced-motion: reduce)");
  const TURN = 450, FLIGHT = 700, APART = 90; // milliseconds
  const MOST = 5; // coins that are seen to go at once
  let before = new Map();

  // of each place: its parts of each kind, with what they show
  function parts() {
    const found = new Map();
    for (const part of document.querySelectorAll(".play .picture [data-part]")) {
      const kind = part.dataset.part;
      const name = `${part.closest("[data-place]")?.dataset.place ?? ""} ${kind}`;
      if (!found.has(name)) found.set(name, []);
      found.get(name).push({ part, kind, shown: kind === "claim" ? part.textContent : part.dataset.shown });
    }
    return found;
  }

  // those that show what none of them showed before, wherever among them they lie
  function changed(now, earlier) {
    const left = earlier.map(({ shown }) => shown);
    return now.filter(({ shown }) => {
      const at = left.indexOf(shown);
      if (at >= 0) left.splice(at, 1);
      return at < 0;
    });
  }

  function middle(part) {
    const box = (part.querySelector("use") ?? part).getBBox();
    return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
  }

  function fly(from, to, delay) {
    const coin = from.querySelector("use")?.cloneNode();
    if (!coin) return;
    const start = middle(from), end = middle(to);
    coin.classList.add("flying");
    from.ownerSVGElement.append(coin);
    const path = [{ transform: "none" }, { transform: `translate(${end.x - start.x}px, ${end.y - start.y}px)` }];
    const flight = coin.animate(path, { duration: FLIGHT, delay, easing: "ease-in-out" });
    flight.onfinish = flight.oncancel = () => coin.remove();
  }

  function pay(purses) {
    const paid = purses.flatMap(({ part, by }) => Array(Math.min(MOST, Math.max(0, -by))).fill(part));
    const taken = purses.flatMap(({ part, by }) => Array(Math.min(MOST, Math.max(0, by))).fill(part));
    for (let at = 0; at < Math.min(paid.length, taken.length); at += 1) fly(paid[at], taken[at], at * APART);
  }

  const gestures = {
    card: (part) => part.animate([{ transform: "scaleX(0)" }, { transform: "none" }], { duration: TURN, easing: "ease-out" }),
    claim: (part) =>
      part.animate([{ opacity: 0, transform: "scale(.85)" }, { transform: "none" }], { duration: TURN, easing: "ease-out" }),
  };

  document.addEventListener("page-changes", () => {
    before = parts();
  });
  document.addEventListener("page-changed", () => {
    if (still.matches || document.hidden) return;
    const purses = [];
    for (const [name, now] of parts()) {
      const earlier = before.get(name) ?? [];
      for (const { part, kind, shown } of changed(now, earlier)) {
        gestures[kind]?.(part);
        if (kind === "coins" && earlier[0]) purses.push({ part, by: Number(shown) - Number(earlier[0].shown) });
      }
    }
    pay(purses);
  });
})();
