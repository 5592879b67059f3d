// The button that shares the link to a game, where the browser can, and else copies it.
(() => {
  "use strict";
  let copied = false;

  function show() {
    for (const place of document.querySelectorAll("[data-share]")) {
      const status = place.querySelector("[role=status]");
      place.hidden = false;
      if (copied && !status.textContent) status.textContent = status.dataset.copied;
    }
  }

  document.addEventListener("click", async (event) => {
    const place = event.target.closest("[data-share] button")?.closest("[data-share]");
    if (!place) return;
    const { share: url, title } = place.dataset;
    try {
      if (navigator.share) await navigator.share({ title, url });
      else {
        await navigator.clipboard.writeText(url);
        copied = true;
        show();
      }
    } catch {
      // the reader thought better of it, or the browser allows neither: the link stands above
    }
  });

  // live.js puts the page in place again as the server has it: hidden, and with nothing copied
  new MutationObserver(show).observe(document.body, { attributeFilter: ["hidden"], childList: true, subtree: true });
  show();
})();
