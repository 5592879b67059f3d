// Seeds of this browser: it commits to one when its reader joins a table, and keeps it. Once the list of the deal is
// fixed, it checks the list, keeps its head, looks once more whether the same list is published, and only then reveals.
// This script comes from the operator of the server: against an operator who cheats on purpose only a program of one's
// own helps (docs/fairness.md).
(() => {
  "use strict";
  const bytes = (text) => new TextEncoder().encode(text);
  const hex = (buffer) => [...new Uint8Array(buffer)].map((each) => each.toString(16).padStart(2, "0")).join("");
  const digest = async (text) => hex(await crypto.subtle.digest("SHA-256", bytes(text)));
  const keep = (name, value) => localStorage.setItem(name, JSON.stringify(value));
  const kept = (name) => JSON.parse(localStorage.getItem(name));
  const promise = (commitment) => `darbar-seed:${commitment}`;
  const deal = (game) => `darbar-deal:${game}`;

  async function commit() {
    const seed = hex(crypto.getRandomValues(new Uint8Array(32)));
    const commitment = await digest(`darbar-seed|${seed}`);
    keep(promise(commitment), { seed });
    return commitment;
  }

  // keeps each head of the deal of a game that this browser is shown, with the time at which it saw it first
  function keepHead(game, head) {
    const heads = kept(deal(game)) ?? [];
    if (head && !heads.some((each) => each.head === head)) {
      keep(deal(game), [...heads, { head, at: new Date().toISOString() }]);
    }
  }

  // whether a list of the deal is of this game, names each seat once, and has the promise of this browser
  async function isRight(list, head, game, commitment) {
    if (head !== (await digest(`darbar-deal|${list}`))) return false;
    const read = JSON.parse(list);
    const isFixed = (seat, index) =>
      seat.seat === index + 1 && (seat.player === "" || /^[0-9a-f]{64}$/.test(seat.seed + seat.seed_commitment));
    const own = read.seats.filter((seat) => seat.seed_commitment === commitment);
    return read.game === game && read.seats.length > 1 && read.seats.every(isFixed) && own.length === 1;
  }

  // whether the same head is published to somebody who does not say who they are
  async function isPublished(game, head) {
    const answer = await fetch(`/api/v1/games/${game}/commitment/`, { credentials: "omit", cache: "no-store" });
    return answer.ok && (await answer.json()).deal_head === head;
  }

  async function reveal(form) {
    const { reveal: commitment, list, head, game } = form.dataset;
    const { seed, head: before } = kept(promise(commitment));
    if ((before && before !== head) || !(await isRight(list, head, game, commitment))) return refuse(form);
    keep(promise(commitment), { seed, head, list });
    if (!(await isPublished(game, head))) return refuse(form);
    form.elements.seed.value = seed;
    form.requestSubmit();
  }

  function refuse(form) {
    form.querySelector("[data-refused]").hidden = false;
  }

  function show() {
    for (const place of document.querySelectorAll("[data-deal-head]")) keepHead(place.dataset.game, place.dataset.dealHead);
    for (const place of document.querySelectorAll("[data-kept]")) {
      const heads = kept(deal(place.dataset.kept)) ?? [];
      // only a change: the observer below is told of each time that an attribute is set, even to the same value
      if (place.hidden !== (heads.length === 0)) place.hidden = heads.length === 0;
      const lines = heads.map(({ head, at }) => `${head} (${at})`).join("\n");
      if (place.lastElementChild.textContent !== lines) place.lastElementChild.textContent = lines;
    }
    if (!crypto.subtle) return; // not over an encrypted connection
    for (const place of document.querySelectorAll("[data-commit]")) place.hidden = false;
    for (const form of document.querySelectorAll("form[data-reveal]")) {
      if (!kept(promise(form.dataset.reveal)) || form.dataset.sent) continue;
      form.dataset.sent = "yes";
      reveal(form);
    }
  }

  document.addEventListener("submit", async (event) => {
    const form = event.target, box = form.querySelector("[data-commit] input[type=checkbox]");
    if (!box?.checked || form.elements.seed_commitment.value) return;
    event.preventDefault();
    form.elements.seed_commitment.value = await commit();
    form.submit();
  });

  // live.js puts the page in place again as the server has it
  new MutationObserver(show).observe(document.body, { attributeFilter: ["hidden"], childList: true, subtree: true });
  show();
})();
