"use strict";
// Shows what was pushed, and opens the site when it is clicked. It keeps nothing and answers no requests.

self.addEventListener("push", (event) => {
  const said = event.data ? event.data.json() : {};
  const shown = { body: said.body, lang: said.lang, dir: "auto", tag: said.tag, data: { url: said.url } };
  event.waitUntil(self.registration.showNotification(said.title || "Darbar", shown));
});

self.addEventListener("notificationclick", (event) => {
  event.notification.close();
  const home = new URL("/", self.location.origin);
  const asked = new URL((event.notification.data && event.notification.data.url) || "/", home);
  event.waitUntil(self.clients.openWindow(asked.origin === home.origin ? asked : home));
});
