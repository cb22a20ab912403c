// Instead of the service worker, where the site does not want one: browsers remove theirs, and what it kept.

"use strict";

self.addEventListener("install", () => self.skipWaiting());
self.addEventListener("activate", (event) => event.waitUntil(end()));

async function end() {
  const ours = (await caches.keys()).filter((name) => /^offline-\d+ /.test(name) && name.split(" ")[1] === config.scope);
  await Promise.all(ours.map((name) => caches.delete(name)));
  await self.registration.unregister();
}
