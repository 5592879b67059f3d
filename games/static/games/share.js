// Shares the link to a game, or copies it if the browser can't share.
(() => {
  "use strict";
  let isCopied = false;

  function show() {
    for (const place of document.querySelectorAll("[data-share]")) {
      const status = place.querySelector("[role=status]");
      place.hidden = false;
      if (isCopied && !status.textContent) status.textContent = status.dataset.copied;
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
        isCopied = true;
        show();
      }
    } catch {
      // The user has cancelled, or the browser allows neither. The link is on the page.
    }
  });

  // live.js replaces parts of the page, and the new parts are hidden again.
  new MutationObserver(show).observe(document.body, { attributeFilter: ["hidden"], childList: true, subtree: true });
  show();
})();
