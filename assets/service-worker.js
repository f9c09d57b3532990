// Keeps what never changes, and says so plainly when there is no network. It never keeps a page,
// an answer of the server, or anything of a person.
const KEPT = "kept-1";
const OFFLINE = "/offline.html";
const MOST_KEPT = 160;

const isKept = (url) =>
  url.origin === location.origin && (url.pathname.startsWith("/assets/") || url.pathname.startsWith("/fonts/"));

const keepOffline = () => caches.open(KEPT).then((kept) => kept.add(new Request(OFFLINE, { cache: "reload" })));

self.addEventListener("install", (event) => event.waitUntil(keepOffline().then(() => self.skipWaiting())));

// A page says that another language was chosen; where that page is not to be had, the old one stays.
self.addEventListener("message", (event) => event.waitUntil(keepOffline().catch(() => {})));

self.addEventListener("activate", (event) => {
  const tidied = caches.keys().then((names) =>
    Promise.all(names.filter((name) => name !== KEPT).map((name) => caches.delete(name))));
  event.waitUntil(tidied.then(() => self.clients.claim()));
});

// A build's files have names of their own: those of builds long past are let go, oldest first.
async function keep(request, answer) {
  const kept = await caches.open(KEPT);
  await kept.put(request, answer);
  const requests = await kept.keys();
  const old = requests.filter(({ url }) => !url.endsWith(OFFLINE)).slice(0, Math.max(0, requests.length - MOST_KEPT));
  await Promise.all(old.map((request) => kept.delete(request)));
}

async function keptOrFetched(event) {
  const kept = await caches.match(event.request);
  if (kept) return kept;
  const answer = await fetch(event.request);
  if (answer.ok && answer.type === "basic") event.waitUntil(keep(event.request, answer.clone()));
  return answer;
}

self.addEventListener("fetch", (event) => {
  const { request } = event;
  if (request.method !== "GET") return;
  if (request.mode === "navigate") event.respondWith(fetch(request).catch(() => caches.match(OFFLINE)));
  else if (isKept(new URL(request.url))) event.respondWith(keptOrFetched(event));
});
