"use strict";
// The button that has this browser show pushes: subscribes it, and tells the server.

(() => {
  const place = document.getElementById("push");
  if (!place) return;
  const button = place.querySelector("button");
  const said = place.querySelector("[role=status]");
  const say = (what) => { said.textContent = place.dataset[what]; };

  place.hidden = false;
  if (!("serviceWorker" in navigator) || !("PushManager" in window) || !("Notification" in window)) {
    button.remove();
    return say("unable");
  }

  const bytes = (written) => {
    const plain = atob(written.replace(/-/g, "+").replace(/_/g, "/"));
    return Uint8Array.from(plain, (letter) => letter.charCodeAt(0));
  };

  const subscribe = async () => {
    if (await Notification.requestPermission() !== "granted") return say("refused");
    const worker = await navigator.serviceWorker.register(place.dataset.worker, { scope: "/" });
    await navigator.serviceWorker.ready;
    const key = bytes(place.dataset.key);
    const known = await worker.pushManager.getSubscription();
    if (known) await known.unsubscribe();
    const subscription = await worker.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: key });
    const answer = await fetch(place.dataset.subscriptions, {
      method: "POST",
      headers: { "Content-Type": "application/json", "X-CSRFToken": place.dataset.csrf },
      body: JSON.stringify(subscription),
    });
    if (!answer.ok) return say("failed");
    say("done");
    window.location.reload();
  };

  button.addEventListener("click", async () => {
    button.disabled = true;
    say("working");
    try {
      await subscribe();
    } catch (error) {
      say("failed");
    }
    button.disabled = false;
  });
})();
