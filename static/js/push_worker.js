// The service worker of notifications. It is for no page (its scope is an empty folder): it only
// shows what the push service of the browser delivers, and opens the page of the board. What phones
// keep is the work of offline_worker.js.

"use strict";

self.addEventListener("install", () => self.skipWaiting());

self.addEventListener("push", (event) => {
  const { title, body, path, tag } = event.data.json();
  const icon = new URL("../img/icon-192.png", self.location).href;
  event.waitUntil(self.registration.showNotification(title, { body, tag, icon, data: { path } }));
});

self.addEventListener("notificationclick", (event) => {
  event.notification.close();
  event.waitUntil(show(new URL(event.notification.data.path, self.location.origin)));
});

async function show(address) {
  if (address.origin !== self.location.origin) return undefined;
  const windows = await self.clients.matchAll({ type: "window", includeUncontrolled: true });
  const open = windows.find(({ url }) => new URL(url).pathname === address.pathname);
  return open ? open.focus() : self.clients.openWindow(address.href);
}
