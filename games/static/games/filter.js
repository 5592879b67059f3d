// Applies the filter of a list as soon as a choice changes. Without scripts, its button does that.
(() => {
  "use strict";
  document.querySelector("[data-filter]").addEventListener("change", ({ currentTarget, target }) => {
    if (target.matches("select")) currentTarget.requestSubmit();
  });
})();
