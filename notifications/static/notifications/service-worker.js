"use strict";
// Shows what was pushed, and opens the site when it is clicked. Where there is no connection it shows the page that
// says so, in the language that stands in its own address. It keeps that page and its files, and nothing else.

const OFFLINE = `/offline/?${new URLSearchParams({ language: new URL(self.location).searchParams.get("language") ?? "en" })}`;
const KEPT = "offline";
const FILES = /(?:href|src)="(\/static\/[^"]+)"/g;

async function keep() {
  const page = await fetch(OFFLINE, { credentials: "omit", cache: "reload" });
  if (!page.ok) return;
  const files = [...(await page.clone().text()).matchAll(FILES)].map((found) => found[1]);
  await caches.delete(KEPT);
  const cache = await caches.open(KEPT);
  await cache.put(OFFLINE, page);
  await Promise.allSettled(files.map((file) => cache.add(file)));
}

async function arrive(event) {
  try {
    return (await event.preloadResponse) ?? (await fetch(event.request));
  } catch (error) {
    const kept = await caches.match(OFFLINE);
    if (kept) return kept;
    throw error;
  }
}

self.addEventListener("install", (event) => {
  self.skipWaiting();
  event.waitUntil(keep());
});

self.addEventListener("activate", (event) => {
  event.waitUntil(Promise.all([self.clients.claim(), self.registration.navigationPreload?.enable()]));
});

self.addEventListener("fetch", (event) => {
  const { request } = event;
  if (request.mode === "navigate") return event.respondWith(arrive(event));
  if (request.method !== "GET" || !new URL(request.url).pathname.startsWith("/static/")) return;
  event.respondWith(fetch(request).catch(async (error) => (await caches.match(request.url)) ?? Promise.reject(error)));
});

self.addEventListener("push", (event) => {
  const said = event.data ? event.data.json() : {};
  const shown = { body: said.body, lang: said.lang, dir: "auto", tag: said.tag, data: { url: said.url } };
  const marked = self.navigator.setAppBadge?.().catch(() => {}); // an open page says how many wait
  event.waitUntil(Promise.all([self.registration.showNotification(said.title || "Darbar", shown), marked]));
});

self.addEventListener("notificationclick", (event) => {
  event.notification.close();
  const home = new URL("/", self.location.origin);
  const asked = new URL((event.notification.data && event.notification.data.url) || "/", home);
  event.waitUntil(self.clients.openWindow(asked.origin === home.origin ? asked : home));
});
