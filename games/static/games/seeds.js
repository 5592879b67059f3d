// Seeds of this browser: it commits to one when its reader joins a table, keeps it, and reveals it when all are there.
// As it does so it commits to one more, for a rematch, which nobody joins.
(() => {
  "use strict";
  const bytes = (text) => new TextEncoder().encode(text);
  const hex = (buffer) => [...new Uint8Array(buffer)].map((each) => each.toString(16).padStart(2, "0")).join("");
  const name = (commitment) => `darbar-seed:${commitment}`;

  async function commit() {
    const seed = hex(crypto.getRandomValues(new Uint8Array(32)));
    const commitment = hex(await crypto.subtle.digest("SHA-256", bytes(`darbar-seed|${seed}`)));
    localStorage.setItem(name(commitment), seed);
    return commitment;
  }

  function show() {
    if (!crypto.subtle) return; // not over an encrypted connection
    for (const place of document.querySelectorAll("[data-commit]")) place.hidden = false;
    for (const form of document.querySelectorAll("form[data-reveal]")) {
      const seed = localStorage.getItem(name(form.dataset.reveal));
      if (!seed || form.dataset.sent) continue;
      form.dataset.sent = "yes";
      reveal(form, seed);
    }
  }

  async function reveal(form, seed) {
    form.elements.seed.value = seed;
    form.elements.next_seed_commitment.value = await commit();
    form.requestSubmit();
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
