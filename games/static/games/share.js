// The button that shares the link to a game, where the browser can, and else copies it.
(() => {
  "use strict";
  const show = () => {
    for (const place of document.querySelectorAll("[data-share]")) place.hidden = false;
  };

  document.addEventListener("click", async (event) => {
    const place = event.target.closest("[data-share] button")?.closest("[data-share]");
    if (!place) return;
    const { share: url, title } = place.dataset;
    try {
      if (navigator.share) await navigator.share({ title, url });
      else {
        await navigator.clipboard.writeText(url);
        const status = place.querySelector("[role=status]");
        status.textContent = status.dataset.copied;
      }
    } catch {
      // the reader thought better of it, or the browser allows neither: the link stands above
    }
  });

  new MutationObserver(show).observe(document.body, { attributeFilter: ["hidden"], childList: true, subtree: true }); // live.js
  show();
})();
