// Keeps an open page up to date. What changes by itself bears data-live and an id: it is taken from the page as the
// server has it now. The event stream says when to look; one tab listens for all of them.
(() => {
  "use strict";
  const streamAddress = document.querySelector('meta[name="event-stream"]')?.content;
  const TOGETHER = 2; // milliseconds within which all comes that the stream tells of one move
  const APART = 50; // milliseconds between two looks
  const AGAIN = [5000, 15000, 60000]; // milliseconds until a stream that was refused is opened again
  const UNREAD = 500; // milliseconds: a press so soon after a new question was meant for the one before
  const PATIENCE = 30000; // milliseconds for an answer of the server: after that it is asked again
  let changedAt = -Infinity, lookedAt = -Infinity, heardAt = -Infinity;
  let looking = false, lookAgain = false, timer = 0, pollTimer = 0, refusals = 0, answers = 0;

  function edited(field) {
    if (field.type === "hidden") return false;
    if (field.type === "radio" && field.form) {
      return [...field.form.elements].some((each) => each.name === field.name && each.checked !== each.defaultChecked);
    }
    if (field.type === "checkbox" || field.type === "radio") return field.checked !== field.defaultChecked;
    if (field.options) {
      const initial = [...field.options].findIndex((each) => each.defaultSelected);
      return field.selectedIndex !== Math.max(initial, 0);
    }
    return field.value !== field.defaultValue;
  }

  const callbacks = {
    beforeNodeMorphed: (node, fresh) =>
      !(node instanceof Element && node.matches("input, select, textarea") && edited(node)) &&
      !(fresh instanceof Element && fresh.hasAttribute("data-unchanged")),
    beforeAttributeUpdated: (name, node) =>
      !(name === "open" && node.localName === "details") && !(name === "hidden" && node.matches("[data-revealed]")),
  };

  // the parts that this page has: what would come again unchanged, or is closed, is left out of the answer
  const isClosed = (part) => part.matches("[data-lazy]:has(details)") && !part.querySelector("details").open;
  const have = () =>
    [...document.querySelectorAll("[data-digest]")]
      .map((part) => `${part.id.replace("part-", "")}=${isClosed(part) ? "closed" : part.dataset.digest}`)
      .join(" ");

  const questions = () => [...document.querySelectorAll(".answers [name=question]")].map((each) => each.value).join();

  // a game that has just started for the reader of this page
  const opens = () => document.querySelector("[data-opens]")?.dataset.opens;
  const isFilledIn = () => [...document.querySelectorAll("textarea, input:not([type=hidden])")].some(edited);

  // for a reader with a keyboard whose place in the page is gone
  const focusOnQuestion = () => document.querySelector("#question, #stands")?.focus({ preventScroll: true });

  function put(page, parts) {
    const asked = questions(), opened = opens(), isFocused = document.activeElement !== document.body;
    document.dispatchEvent(new Event("page-changes"));
    document.title = page.title;
    for (const part of document.querySelectorAll(parts)) {
      const fresh = page.getElementById(part.id);
      if (fresh) Idiomorph.morph(part, fresh, { morphStyle: "outerHTML", callbacks });
    }
    if (isFocused && document.activeElement === document.body) focusOnQuestion();
    if (questions() !== asked) changedAt = performance.now();
    document.dispatchEvent(new Event("page-changed"));
    tell();
    if (opens() && opens() !== opened && !isFilledIn()) location.assign(opens());
  }

  function show(html, parts) {
    const page = new DOMParser().parseFromString(html, "text/html");
    if (streamAddress && !page.querySelector('meta[name="event-stream"]')) location.reload(); // signed out
    else put(page, parts); // without a transition of the whole view: while that lasts, presses are lost
  }

  function tell() {
    const count = Number(document.getElementById("waiting")?.dataset.count ?? 0);
    (count ? navigator.setAppBadge?.(count) : navigator.clearAppBadge?.())?.catch(() => {});
    const seconds = Number(document.querySelector("[data-refresh]")?.dataset.refresh ?? 0);
    clearTimeout(pollTimer);
    if (seconds) pollTimer = setTimeout(look, seconds * 1000);
  }

  async function look() {
    clearTimeout(timer);
    timer = 0;
    if (looking) {
      lookAgain = true;
      return;
    }
    looking = true;
    const before = answers;
    try {
      const answer = await fetch(location.href, { cache: "no-store", headers: { Accept: "text/html", "X-Live": have() }, signal: AbortSignal.timeout(PATIENCE) });
      if (answer.redirected) location.reload(); // signed out here too
      else if (answer.ok) {
        const html = await answer.text();
        if (answers === before) show(html, "[data-live]");
        else lookAgain = true; // what was answered meanwhile may not be in it yet
      } else tell();
    } catch {
      tell(); // offline: the next event or the next turn of the clock tries again
    }
    looking = false;
    lookedAt = performance.now();
    if (lookAgain) {
      lookAgain = false;
      lookSoon();
    }
  }

  function lookSoon() {
    timer ||= setTimeout(look, Math.max(TOGETHER, lookedAt + APART - performance.now()));
  }

  document.addEventListener("submit", async (event) => {
    const form = event.target;
    if (form.matches(".answers") && performance.now() - changedAt < UNREAD) return event.preventDefault();
    const here = document.querySelector("#page[data-live]");
    if (event.defaultPrevented || !here?.contains(form) || !form.matches("[data-in-place]")) return;
    event.preventDefault();
    const body = new FormData(form, event.submitter), sentAt = performance.now();
    const isFocused = form.contains(document.activeElement), isAnswer = form.matches(".answers");
    for (const button of form.querySelectorAll("button")) button.disabled = true;
    try {
      const signal = AbortSignal.timeout(PATIENCE);
      const answer = await fetch(form.action, { method: "POST", headers: { "X-Live": have() }, body: new URLSearchParams(body), signal });
      if (new URL(answer.url).pathname !== location.pathname) location.assign(answer.url);
      else {
        form.reset();
        document.getElementById("messages").replaceChildren(); // what is said once more is heard once more
        const html = await answer.text();
        answers += 1;
        show(html, "[data-live], #messages");
        if (isFocused && (isAnswer || document.activeElement === document.body)) focusOnQuestion();
        if (lookedAt > sentAt) lookSoon(); // what was shown meanwhile may not be in it yet
      }
    } catch {
      location.reload();
    }
  });

  document.addEventListener("toggle", ({ target }) => {
    if (target.open && target.closest("[data-lazy]")) look(); // it may have changed while it was closed
  }, true);

  const tabs = new BroadcastChannel("darbar");
  tabs.onmessage = ({ data }) => {
    if (!data.madeAt) lookSoon();
    else if (heardAt >= data.madeAt) tabs.postMessage("missed");
  };

  function listen() {
    const source = new EventSource(streamAddress, { withCredentials: true });
    let isOpen = false;
    const heard = (event) => {
      refusals = 0;
      heardAt = Date.now();
      tabs.postMessage(event.type);
      lookSoon();
    };
    for (const kind of ["question", "closed", "event", "game", "chat", "presence", "ready", "reset"]) source.addEventListener(kind, heard);
    source.addEventListener("open", () => { isOpen = true; });
    source.addEventListener("error", () => {
      const isRefused = source.readyState === EventSource.CLOSED;
      if (isOpen || isRefused) { // a session that is over shows by this, before the stream is asked for again
        tabs.postMessage("error");
        lookSoon();
      }
      isOpen = false;
      if (isRefused) setTimeout(listen, AGAIN[Math.min(refusals++, AGAIN.length - 1)]);
    });
    return source;
  }

  tell();
  if (!streamAddress) return;
  tabs.postMessage({ madeAt: Date.now() - performance.now() }); // what was heard since, this tab could not hear
  if (navigator.locks) {
    navigator.locks.request("event-stream", () => new Promise(listen)); // held until this tab is closed
  } else {
    listen();
  }
})();
