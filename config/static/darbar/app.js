// Makes the site an app: it registers the service worker, offers to install the app and to show notifications after
// the first move, and signals a new question by a sound or a vibration if the user has chosen that in this browser.
(() => {
  "use strict";
  const REFUSED = "offers-refused";
  const worker = document.querySelector('meta[name="service-worker"]').content;
  let installPrompt = null; // The browser's event that opens its dialog for installing the app.
  let knownQuestions = questions();
  let hasMoved = false; // Whether the user has sent a move since the page was opened. Nothing is offered before.

  if (navigator.serviceWorker) navigator.serviceWorker.register(worker, { scope: "/" }).catch(() => {});

  function questions() {
    return new Set([...document.querySelectorAll(".answers [name=question]")].map((field) => field.value));
  }

  const canPush = () =>
    navigator.serviceWorker && "PushManager" in window && "Notification" in window && Notification.permission === "default";

  function showOffers() {
    const offers = document.getElementById("offers");
    if (!offers || !hasMoved) return;
    const install = offers.querySelector("[data-install]"), push = offers.querySelector("#push");
    install.hidden = !installPrompt;
    push.hidden = !canPush();
    offers.hidden = localStorage.getItem(REFUSED) !== null || (install.hidden && push.hidden);
  }

  function sound() {
    const audio = new AudioContext(), volume = audio.createGain();
    volume.gain.value = 0.06;
    volume.connect(audio.destination);
    for (const [frequency, delay] of [[660, 0], [880, 0.12]]) {
      const oscillator = audio.createOscillator();
      oscillator.frequency.value = frequency;
      oscillator.connect(volume);
      oscillator.start(audio.currentTime + delay);
      oscillator.stop(audio.currentTime + delay + 0.1);
    }
    setTimeout(() => audio.close(), 1000);
  }

  const signals = { sound, vibration: () => navigator.vibrate?.(80) };

  function signalNewQuestions() {
    const openQuestions = questions();
    const hasNew = [...openQuestions].some((question) => !knownQuestions.has(question));
    knownQuestions = openQuestions;
    if (!hasNew) return;
    for (const [name, signal] of Object.entries(signals)) if (localStorage.getItem(name) === "on") signal();
  }

  function showSettings() {
    for (const box of document.querySelectorAll("[data-signal]")) {
      box.checked = localStorage.getItem(box.dataset.signal) === "on";
    }
  }

  window.addEventListener("beforeinstallprompt", (event) => {
    event.preventDefault();
    installPrompt = event;
    showOffers();
  });
  window.addEventListener("appinstalled", () => {
    installPrompt = null;
    showOffers();
  });
  document.addEventListener("click", async (event) => {
    if (event.target.closest("[data-install]")) {
      const promptEvent = installPrompt;
      installPrompt = null;
      await promptEvent.prompt();
      showOffers();
    }
    if (event.target.closest("[data-refuse]")) {
      localStorage.setItem(REFUSED, new Date().toISOString());
      showOffers();
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
    showOffers();
    signalNewQuestions();
  });
  showSettings();
})();
