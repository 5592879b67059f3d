// Keeps an open page up to date. Elements with data-live and an id are replaced by their present versions. They are
// loaded again when the event stream reports a change. Only one tab reads the stream, and it notifies the others.
(() => {
  "use strict";
  const streamAddress = document.querySelector('meta[name="event-stream"]')?.content;
  const GATHERING_TIME = 2; // Milliseconds in which the stream sends all messages about one move.
  const SHORTEST_INTERVAL = 50; // Milliseconds between two updates.
  const RETRY_DELAYS = [5000, 15000, 60000]; // Milliseconds before the stream is opened again after a refusal.
  const READING_TIME = 500; // Milliseconds. Answers this soon after a new question were meant for the previous one.
  const TIMEOUT = 30000; // Milliseconds after which a request to the server is given up.
  const RECENT_USE = 120000; // Milliseconds for which a hidden tab still counts as attended after it was used.
  const PRESENCE_INTERVAL = 60000; // Milliseconds between updates that show the server that the user is present.
  let usedAt = performance.now(), wasAttended = true;
  let questionChangedAt = -Infinity, updatedAt = -Infinity, lastMessageAt = -Infinity;
  let isUpdating = false, updateAgain = false, updateTimer = 0, pollTimer = 0, refusals = 0, responses = 0;

  function isEdited(field) {
    if (field.type === "hidden") return false;
    if (field.type === "radio" && field.form) {
      return [...field.form.elements].some((radio) => radio.name === field.name && radio.checked !== radio.defaultChecked);
    }
    if (field.type === "checkbox" || field.type === "radio") return field.checked !== field.defaultChecked;
    if (field.options) {
      const initial = [...field.options].findIndex((option) => option.defaultSelected);
      return field.selectedIndex !== Math.max(initial, 0);
    }
    return field.value !== field.defaultValue;
  }

  const callbacks = {
    beforeNodeMorphed: (node, fresh) =>
      !(node instanceof Element && node.matches("input, select, textarea") && isEdited(node)) &&
      !(fresh instanceof Element && fresh.hasAttribute("data-unchanged")),
    beforeAttributeUpdated: (name, node) =>
      !(name === "open" && node.localName === "details") && !(name === "hidden" && node.matches("[data-revealed]")),
  };

  // The digests of this page's parts, for the header X-Live. The server leaves out closed and unchanged parts.
  const isClosed = (part) => part.matches("[data-lazy]:has(details)") && !part.querySelector("details").open;
  const digests = () =>
    [...document.querySelectorAll("[data-digest]")]
      .map((part) => `${part.id.replace("part-", "")}=${isClosed(part) ? "closed" : part.dataset.digest}`)
      .join(" ");

  // Without attention, the user counts neither as present nor as having seen a new question.
  const isAttended = () => document.visibilityState === "visible" || performance.now() - usedAt < RECENT_USE;

  function liveHeaders() {
    wasAttended = isAttended();
    return { "X-Live": digests(), "X-Attended": wasAttended ? "yes" : "no" };
  }

  const questions = () => [...document.querySelectorAll(".answers [name=question]")].map((field) => field.value).join();

  // The address of a game that has just started for the user, if there is one.
  const startedGame = () => document.querySelector("[data-opens]")?.dataset.opens;
  const isFilledIn = () => [...document.querySelectorAll("textarea, input:not([type=hidden])")].some(isEdited);

  // Used if the element that had the keyboard focus has been removed.
  const focusOnQuestion = () => document.querySelector("#question, #stands")?.focus({ preventScroll: true });

  function replaceParts(page, parts) {
    const oldQuestions = questions(), oldGame = startedGame(), isFocused = document.activeElement !== document.body;
    document.dispatchEvent(new Event("page-changes"));
    document.title = page.title;
    for (const part of document.querySelectorAll(parts)) {
      const newPart = page.getElementById(part.id);
      if (newPart) Idiomorph.morph(part, newPart, { morphStyle: "outerHTML", callbacks });
    }
    if (isFocused && document.activeElement === document.body) focusOnQuestion();
    if (questions() !== oldQuestions) questionChangedAt = performance.now();
    document.dispatchEvent(new Event("page-changed"));
    showCount();
    if (startedGame() && startedGame() !== oldGame && !isFilledIn()) location.assign(startedGame());
  }

  function show(html, parts) {
    const page = new DOMParser().parseFromString(html, "text/html");
    if (streamAddress && !page.querySelector('meta[name="event-stream"]')) location.reload(); // The user has logged out.
    else replaceParts(page, parts); // Not in a view transition, because clicks during a transition are lost.
  }

  // Shows the number of open questions at the app's icon, and sets the timer of a page that updates itself.
  function showCount() {
    const count = Number(document.getElementById("waiting")?.dataset.count ?? 0);
    (count ? navigator.setAppBadge?.(count) : navigator.clearAppBadge?.())?.catch(() => {});
    const seconds = Number(document.querySelector("[data-refresh]")?.dataset.refresh ?? 0);
    clearTimeout(pollTimer);
    if (seconds) pollTimer = setTimeout(update, seconds * 1000);
  }

  async function update() {
    clearTimeout(updateTimer);
    updateTimer = 0;
    if (isUpdating) {
      updateAgain = true;
      return;
    }
    isUpdating = true;
    const responsesBefore = responses;
    try {
      const response = await fetch(location.href, { cache: "no-store", headers: { Accept: "text/html", ...liveHeaders() }, signal: AbortSignal.timeout(TIMEOUT) });
      if (response.redirected) location.reload(); // The user has logged out.
      else if (response.ok) {
        const html = await response.text();
        if (responses === responsesBefore) show(html, "[data-live]");
        else updateAgain = true; // The page may be older than the answer that was sent meanwhile.
      } else showCount();
    } catch {
      showCount(); // The browser is offline. The next message or the timer tries again.
    }
    isUpdating = false;
    updatedAt = performance.now();
    if (updateAgain) {
      updateAgain = false;
      updateSoon();
    }
  }

  function updateSoon() {
    updateTimer ||= setTimeout(update, Math.max(GATHERING_TIME, updatedAt + SHORTEST_INTERVAL - performance.now()));
  }

  document.addEventListener("submit", async (event) => {
    const form = event.target;
    if (form.matches(".answers") && performance.now() - questionChangedAt < READING_TIME) return event.preventDefault();
    const livePage = document.querySelector("#page[data-live]");
    if (event.defaultPrevented || !livePage?.contains(form) || !form.matches("[data-in-place]")) return;
    event.preventDefault();
    const body = new FormData(form, event.submitter), sentAt = performance.now();
    const isFocused = form.contains(document.activeElement), isAnswer = form.matches(".answers");
    for (const button of form.querySelectorAll("button")) button.disabled = true;
    try {
      const signal = AbortSignal.timeout(TIMEOUT);
      const response = await fetch(form.action, { method: "POST", headers: liveHeaders(), body: new URLSearchParams(body), signal });
      if (new URL(response.url).pathname !== location.pathname) location.assign(response.url);
      else {
        form.reset();
        document.getElementById("messages").replaceChildren(); // So that screen readers read out the same message again.
        const html = await response.text();
        responses += 1;
        show(html, "[data-live], #messages");
        if (isFocused && (isAnswer || document.activeElement === document.body)) focusOnQuestion();
        if (updatedAt > sentAt) updateSoon(); // The response may be older than an update that was shown meanwhile.
      }
    } catch {
      location.reload();
    }
  });

  document.addEventListener("toggle", ({ target }) => {
    if (target.open && target.closest("[data-lazy]")) update(); // It may have changed while it was closed.
  }, true);

  const showsPresence = () => document.querySelector("[data-presence]") !== null;
  const noteUse = () => { usedAt = performance.now(); };
  for (const type of ["pointerdown", "keydown"]) document.addEventListener(type, noteUse, true);
  document.addEventListener("visibilitychange", () => {
    noteUse();
    if (document.visibilityState === "visible" && (showsPresence() || !wasAttended)) updateSoon();
  });
  setInterval(() => {
    if (showsPresence() && document.visibilityState === "visible") updateSoon();
  }, PRESENCE_INTERVAL);

  const tabs = new BroadcastChannel("darbar");
  tabs.onmessage = ({ data }) => {
    if (!data.loadedAt) updateSoon();
    else if (lastMessageAt >= data.loadedAt) tabs.postMessage("missed");
  };

  function listen() {
    const source = new EventSource(streamAddress, { withCredentials: true });
    let isOpen = false;
    const onMessage = (event) => {
      refusals = 0;
      lastMessageAt = Date.now();
      tabs.postMessage(event.type);
      updateSoon();
    };
    for (const kind of ["question", "closed", "event", "game", "chat", "presence", "ready", "reset"]) source.addEventListener(kind, onMessage);
    source.addEventListener("open", () => { isOpen = true; });
    source.addEventListener("error", () => {
      const isRefused = source.readyState === EventSource.CLOSED;
      if (isOpen || isRefused) { // The session may have ended: an update shows that before the stream is opened again.
        tabs.postMessage("error");
        updateSoon();
      }
      isOpen = false;
      if (isRefused) setTimeout(listen, RETRY_DELAYS[Math.min(refusals++, RETRY_DELAYS.length - 1)]);
    });
    return source;
  }

  showCount();
  if (!streamAddress) return;
  // Another tab answers "missed" if a message has arrived since this page was loaded.
  tabs.postMessage({ loadedAt: Date.now() - performance.now() });
  if (navigator.locks) {
    navigator.locks.request("event-stream", () => new Promise(listen)); // The lock is held until this tab is closed.
  } else {
    listen();
  }
})();
