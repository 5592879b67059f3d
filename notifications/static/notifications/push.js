"use strict";
// Lets this browser show push messages: subscribes it and registers the subscription at the server. Pages of a game
// close the notification of a question that is no longer open.

(() => {
  const isSupported = "serviceWorker" in navigator && "PushManager" in window && "Notification" in window;
  const offer = () => document.getElementById("push");
  const showStatus = (status) => { offer().querySelector("[role=status]").textContent = offer().dataset[status]; };

  if (offer() && !isSupported) {
    offer().querySelector("button").remove();
    showStatus("unable");
  }

  const decode = (text) => {
    const binary = atob(text.replace(/-/g, "+").replace(/_/g, "/"));
    return Uint8Array.from(binary, (character) => character.charCodeAt(0));
  };

  const subscribe = async ({ worker, key, subscriptions, csrf }) => {
    if (await Notification.requestPermission() !== "granted") return showStatus("refused");
    const registration = await navigator.serviceWorker.register(worker, { scope: "/" });
    await navigator.serviceWorker.ready;
    const cache = await caches.open("push"); // The service worker compares the subscription with it on each visit.
    await cache.delete(subscriptions);
    await (await registration.pushManager.getSubscription())?.unsubscribe();
    const options = { userVisibleOnly: true, applicationServerKey: decode(key) };
    const subscription = JSON.stringify(await registration.pushManager.subscribe(options));
    const response = await fetch(subscriptions, {
      method: "POST",
      headers: { "Content-Type": "application/json", "X-CSRFToken": csrf },
      body: subscription,
    });
    if (!response.ok) return showStatus("failed");
    await cache.put(subscriptions, new Response(subscription));
    showStatus("done");
    window.location.reload();
  };

  document.addEventListener("click", async (event) => {
    const button = event.target.closest("#push button");
    if (!button) return;
    button.disabled = true;
    showStatus("working");
    try {
      await subscribe(offer().dataset);
    } catch {
      showStatus("failed");
    }
    button.disabled = false;
  });

  const closeNotifications = async () => {
    const tag = document.querySelector("[data-closed-push]")?.dataset.closedPush;
    const registration = tag && (await navigator.serviceWorker?.getRegistration());
    for (const notification of (await registration?.getNotifications?.({ tag })) ?? []) {
      if (notification.data?.question) notification.close();
    }
  };

  closeNotifications();
  document.addEventListener("page-changed", closeNotifications);
})();
