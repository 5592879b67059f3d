// The page works without this: the button "Show" does the same.
for (const choice of document.querySelectorAll("#step, #as")) {
  choice.addEventListener("change", () => choice.form.requestSubmit());
}
