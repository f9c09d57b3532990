// Caches files that never change, and shows an offline page without a network. It never caches another
// page, a response of the API, or personal data.
const CACHE = "kept-1";
const OFFLINE = "/offline.html";
const MAXIMUM_ENTRIES = 160;

const isImmutable = (url) =>
  url.origin === location.origin && (url.pathname.startsWith("/assets/") || url.pathname.startsWith("/fonts/"));

const cacheOfflinePage = () => caches.open(CACHE).then((cache) => cache.add(new Request(OFFLINE, { cache: "reload" })));

self.addEventListener("install", (event) => event.waitUntil(cacheOfflinePage().then(() => self.skipWaiting())));

// Sent by a page when its language changes. If the new offline page can't be fetched, the old one stays.
self.addEventListener("message", (event) => event.waitUntil(cacheOfflinePage().catch(() => {})));

self.addEventListener("activate", (event) => {
  const tidied = caches.keys().then((names) =>
    Promise.all(names.filter((name) => name !== CACHE).map((name) => caches.delete(name))));
  event.waitUntil(tidied.then(() => self.clients.claim()));
});

// Each build's files have new names: this deletes those of old builds, oldest first.
async function store(request, response) {
  const cache = await caches.open(CACHE);
  await cache.put(request, response);
  const requests = await cache.keys();
  const old = requests.filter(({ url }) => !url.endsWith(OFFLINE)).slice(0, Math.max(0, requests.length - MAXIMUM_ENTRIES));
  await Promise.all(old.map((request) => cache.delete(request)));
}

async function cachedOrFetched(event) {
  const cached = await caches.match(event.request);
  if (cached) return cached;
  const response = await fetch(event.request);
  if (response.ok && response.type === "basic") event.waitUntil(store(event.request, response.clone()));
  return response;
}

self.addEventListener("fetch", (event) => {
  const { request } = event;
  if (request.method !== "GET") return;
  if (request.mode === "navigate") event.respondWith(fetch(request).catch(() => caches.match(OFFLINE)));
  else if (isImmutable(new URL(request.url))) event.respondWith(cachedOrFetched(event));
});
