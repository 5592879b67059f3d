"use strict";
// The button that has this browser show pushes: subscribes it, and tells the server.

(() => {
  const able = "serviceWorker" in navigator && "PushManager" in window && "Notification" in window;
  const place = () => document.getElementById("push");
  const say = (what) => { place().querySelector("[role=status]").textContent = place().dataset[what]; };

  if (place() && !able) {
    place().querySelector("button").remove();
    say("unable");
  }

  const bytes = (written) => {
    const plain = atob(written.replace(/-/g, "+").replace(/_/g, "/"));
    return Uint8Array.from(plain, (letter) => letter.charCodeAt(0));
  };

  const subscribe = async ({ worker: address, key, subscriptions, csrf }) => {
    if (await Notification.requestPermission() !== "granted") return say("refused");
    const worker = await navigator.serviceWorker.register(address, { scope: "/" });
    await navigator.serviceWorker.ready;
    const known = await worker.pushManager.getSubscription();
    if (known) await known.unsubscribe();
    const subscription = await worker.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: bytes(key) });
    const answer = await fetch(subscriptions, {
      method: "POST",
      headers: { "Content-Type": "application/json", "X-CSRFToken": csrf },
      body: JSON.stringify(subscription),
    });
    if (!answer.ok) return say("failed");
    say("done");
    window.location.reload();
  };

  document.addEventListener("click", async (event) => {
    const button = event.target.closest("#push button");
    if (!button) return;
    button.disabled = true;
    say("working");
    try {
      await subscribe(place().dataset);
    } catch (error) {
      say("failed");
    }
    button.disabled = false;
  });
})();
