// Commits to a seed when the user joins a game, and reveals it later. Before that, it checks the list of the deal, stores
// the head of the list, and checks that the same head is published to other clients. The server's operator provides this
// script, so it doesn't protect against an operator who cheats on purpose (see docs/fairness.md).
(() => {
  "use strict";
  const bytes = (text) => new TextEncoder().encode(text);
  const hex = (buffer) => [...new Uint8Array(buffer)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  const digest = async (text) => hex(await crypto.subtle.digest("SHA-256", bytes(text)));
  const store = (name, value) => localStorage.setItem(name, JSON.stringify(value));
  const stored = (name) => JSON.parse(localStorage.getItem(name));
  const promiseKey = (commitment) => `darbar-seed:${commitment}`;
  const dealKey = (game) => `darbar-deal:${game}`;

  async function commit() {
    const seed = hex(crypto.getRandomValues(new Uint8Array(32)));
    const commitment = await digest(`darbar-seed|${seed}`);
    store(promiseKey(commitment), { seed });
    return commitment;
  }

  // Stores a head of the deal of a game, with the time at which this browser saw it first.
  function storeHead(game, head) {
    const heads = stored(dealKey(game)) ?? [];
    if (head && !heads.some((entry) => entry.head === head)) {
      store(dealKey(game), [...heads, { head, at: new Date().toISOString() }]);
    }
  }

  // Returns whether a list of the deal is for this game, has every seat once, and contains this browser's commitment.
  async function isValid(list, head, game, commitment) {
    if (head !== (await digest(`darbar-deal|${list}`))) return false;
    const { game: gameOfList, seats } = JSON.parse(list);
    const isFixed = (seat, index) =>
      seat.seat === index + 1 && (seat.player === "" || /^[0-9a-f]{64}$/.test(seat.seed + seat.seed_commitment));
    const ownSeats = seats.filter((seat) => seat.seed_commitment === commitment);
    return gameOfList === game && seats.length > 1 && seats.every(isFixed) && ownSeats.length === 1;
  }

  // Returns whether anonymous requests get the same head. The server can't tell who sends them.
  async function isPublished(game, head) {
    const response = await fetch(`/api/v1/games/${game}/commitment/`, { credentials: "omit", cache: "no-store" });
    return response.ok && (await response.json()).deal_head === head;
  }

  async function reveal(form) {
    const { reveal: commitment, list, head, game } = form.dataset;
    const { seed, head: storedHead } = stored(promiseKey(commitment));
    if ((storedHead && storedHead !== head) || !(await isValid(list, head, game, commitment))) return refuse(form);
    store(promiseKey(commitment), { seed, head, list });
    if (!(await isPublished(game, head))) return refuse(form);
    form.elements.seed.value = seed;
    form.requestSubmit();
  }

  function refuse(form) {
    form.querySelector("[data-refused]").hidden = false;
  }

  function show() {
    for (const place of document.querySelectorAll("[data-deal-head]")) storeHead(place.dataset.game, place.dataset.dealHead);
    for (const place of document.querySelectorAll("[data-kept]")) {
      const heads = stored(dealKey(place.dataset.kept)) ?? [];
      // Set attributes only if they change, because the observer below would be called each time.
      if (place.hidden !== (heads.length === 0)) place.hidden = heads.length === 0;
      const lines = heads.map(({ head, at }) => `${head} (${at})`).join("\n");
      if (place.lastElementChild.textContent !== lines) place.lastElementChild.textContent = lines;
    }
    if (!crypto.subtle) return; // Browsers offer it only on encrypted connections.
    for (const place of document.querySelectorAll("[data-commit]")) place.hidden = false;
    for (const form of document.querySelectorAll("form[data-reveal]")) {
      if (!stored(promiseKey(form.dataset.reveal)) || form.dataset.sent) continue;
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

  // live.js replaces parts of the page, and the new parts are hidden again.
  new MutationObserver(show).observe(document.body, { attributeFilter: ["hidden"], childList: true, subtree: true });
  show();
})();
