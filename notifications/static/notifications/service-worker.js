"use strict";
// Shows push messages, opens the site when one is clicked, and keeps the subscription for them up to date. Without a
// connection it shows the offline page. It stores that page with its files, and no other pages.

const parameters = new URL(self.location).searchParams;
const OFFLINE_PAGE = `/offline/?${new URLSearchParams({ language: parameters.get("language") ?? "en" })}`;
const OFFLINE_CACHE = "offline";
const FILES = /(?:href|src)="(\/static\/[^"]+)"/g;
const SUBSCRIPTION_CACHE = "push"; // push.js stores the subscription in it.
const SUBSCRIPTION = "/push/subscriptions/";
const RENEWAL = "/push/renewals/";

async function storeOfflinePage() {
  const page = await fetch(OFFLINE_PAGE, { credentials: "omit", cache: "reload" });
  if (!page.ok) return;
  const files = [...(await page.clone().text()).matchAll(FILES)].map((match) => match[1]);
  await caches.delete(OFFLINE_CACHE);
  const cache = await caches.open(OFFLINE_CACHE);
  await cache.put(OFFLINE_PAGE, page);
  await Promise.allSettled(files.map((file) => cache.add(file)));
}

async function loadPage(event) {
  try {
    return (await event.preloadResponse) ?? (await fetch(event.request));
  } catch (error) {
    const offlinePage = await caches.match(OFFLINE_PAGE);
    if (offlinePage) return offlinePage;
    throw error;
  }
}

self.addEventListener("install", (event) => {
  self.skipWaiting();
  event.waitUntil(storeOfflinePage());
});

self.addEventListener("activate", (event) => {
  event.waitUntil(Promise.all([self.clients.claim(), self.registration.navigationPreload?.enable()]));
});

self.addEventListener("fetch", (event) => {
  const { request } = event;
  if (request.mode === "navigate") {
    event.waitUntil(renewSubscription());
    return event.respondWith(loadPage(event));
  }
  if (request.method !== "GET" || !new URL(request.url).pathname.startsWith("/static/")) return;
  event.respondWith(fetch(request).catch(async (error) => (await caches.match(request.url)) ?? Promise.reject(error)));
});

async function showMessage({ title, body, lang, tag, renotify, url, question }) {
  // Without a new sound, the user would not notice that a question replaces an older one.
  const options = { body, lang, dir: "auto", tag, renotify: Boolean(renotify && tag), data: { url, question } };
  await self.registration.showNotification(title || "Darbar", options);
}

// Browsers end a subscription whose messages show nothing, so a notification without a sound is shown for a moment.
async function closeQuestion({ title, lang, tag, question }) {
  const notifications = await self.registration.getNotifications({ tag });
  const isNewer = notifications.some(({ data }) => data?.question !== question);
  const closingTag = isNewer ? `${tag}-closed` : tag; // A notification with the same tag would be replaced.
  await self.registration.showNotification(title, { lang, dir: "auto", tag: closingTag, silent: true });
  for (const notification of await self.registration.getNotifications({ tag: closingTag })) notification.close();
}

self.addEventListener("push", (event) => {
  const message = event.data ? event.data.json() : {};
  // The badge shows no number here. An open page shows how many questions are waiting.
  const badge = message.closes ? null : self.navigator.setAppBadge?.().catch(() => {});
  event.waitUntil(Promise.all([message.closes ? closeQuestion(message) : showMessage(message), badge]));
});

self.addEventListener("notificationclick", (event) => {
  event.notification.close();
  const home = new URL("/", self.location.origin);
  const target = new URL(event.notification.data?.url || "/", home);
  event.waitUntil(self.clients.openWindow(target.origin === home.origin ? target : home));
});

async function currentSubscription() {
  const key = parameters.get("key");
  const subscription = await self.registration.pushManager.getSubscription();
  const subscribedKey = btoa(String.fromCharCode(...new Uint8Array(subscription?.options.applicationServerKey ?? [])));
  const encodedKey = subscribedKey.replace(/\+/g, "-").replace(/\//g, "_").replace(/=+$/, "");
  if (subscription && encodedKey === key) return subscription.toJSON();
  await subscription?.unsubscribe(); // The key of the server has changed.
  return (await self.registration.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: key })).toJSON();
}

// Tells the server about a changed subscription. The former one proves that this is the same browser, so the new one
// belongs to the same account, also if another account is logged in by now.
async function replaceSubscription() {
  const cache = await caches.open(SUBSCRIPTION_CACHE);
  const former = await (await cache.match(SUBSCRIPTION))?.json();
  if (!former) return; // Pushes were not chosen in this browser.
  const current = await currentSubscription();
  if (current.endpoint === former.endpoint && current.keys.auth === former.keys.auth) return;
  const body = JSON.stringify({ former, current });
  const headers = { "Content-Type": "application/json" };
  const response = await fetch(RENEWAL, { method: "POST", credentials: "omit", headers, body });
  if (response.ok) await cache.put(SUBSCRIPTION, new Response(JSON.stringify(current)));
  else if (response.status === 404) await cache.delete(SUBSCRIPTION); // The device was removed in the settings.
}

// If it fails, because there is no connection or no permission, the next visit tries again.
function renewSubscription() {
  return replaceSubscription().catch(() => {});
}

self.addEventListener("pushsubscriptionchange", (event) => {
  event.waitUntil(renewSubscription());
});
