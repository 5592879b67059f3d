// What makes the site an app: its service worker, what it offers after the first move, and a sound or a buzz for a new
// question where this browser's reader wants them.
(() => {
  "use strict";
  const REFUSED = "offers-refused";
  const worker = document.querySelector('meta[name="service-worker"]').content;
  let prompt = null; // the browser's own question whether to install, kept for later
  let known = questions();
  let hasMoved = false; // since the page was opened: nothing is offered before, and nothing appears by itself

  if (navigator.serviceWorker) navigator.serviceWorker.register(worker, { scope: "/" }).catch(() => {});

  function questions() {
    return new Set([...document.querySelectorAll(".answers [name=question]")].map((each) => each.value));
  }

  const canPush = () =>
    navigator.serviceWorker && "PushManager" in window && "Notification" in window && Notification.permission === "default";

  function offer() {
    const offers = document.getElementById("offers");
    if (!offers || !hasMoved) return;
    const install = offers.querySelector("[data-install]"), push = offers.querySelector("#push");
    install.hidden = !prompt;
    push.hidden = !canPush();
    offers.hidden = localStorage.getItem(REFUSED) !== null || (install.hidden && push.hidden);
  }

  function sound() {
    const audio = new AudioContext(), volume = audio.createGain();
    volume.gain.value = 0.06;
    volume.connect(audio.destination);
    for (const [tone, at] of [[660, 0], [880, 0.12]]) {
      const voice = audio.createOscillator();
      voice.frequency.value = tone;
      voice.connect(volume);
      voice.start(audio.currentTime + at);
      voice.stop(audio.currentTime + at + 0.1);
    }
    setTimeout(() => audio.close(), 1000);
  }

  const signals = { sound, vibration: () => navigator.vibrate?.(80) };

  function signal() {
    const asked = questions();
    const isNew = [...asked].some((each) => !known.has(each));
    known = asked;
    if (!isNew) return;
    for (const [name, give] of Object.entries(signals)) if (localStorage.getItem(name) === "on") give();
  }

  function showSettings() {
    for (const box of document.querySelectorAll("[data-signal]")) {
      box.checked = localStorage.getItem(box.dataset.signal) === "on";
    }
  }

  window.addEventListener("beforeinstallprompt", (event) => {
    event.preventDefault();
    prompt = event;
    offer();
  });
  window.addEventListener("appinstalled", () => {
    prompt = null;
    offer();
  });
  document.addEventListener("click", async (event) => {
    if (event.target.closest("[data-install]")) {
      const asked = prompt;
      prompt = null;
      await asked.prompt();
      offer();
    }
    if (event.target.closest("[data-refuse]")) {
      localStorage.setItem(REFUSED, new Date().toISOString());
      offer();
    }
  });
  document.addEventListener("change", ({ target }) => {
    const name = target.dataset.signal;
    if (!name) return;
    localStorage.setItem(name, target.checked ? "on" : "off");
    if (target.checked) signals[name]();
  });
  document.addEventListener("submit", ({ target }) => {
    if (target.matches(".answers")) hasMoved = true;
  });
  document.addEventListener("page-changed", () => {
    offer();
    signal();
  });
  showSettings();
})();
