// Caches files that never change, and keeps the last lists and menus for a visitor without a network; other
// pages are replaced by an offline page. It never caches personal data.
const CACHE = "kept-1";
const PAGES = "pages-1";
const OFFLINE = "/offline.html";
const MAXIMUM_ENTRIES = 160;
const MAXIMUM_PAGES = 24;
const KEPT_AT = "x-kept-at";
const isKeptPage = ({ pathname }) => /^\/(campus|about2?|menu\/\d{1,6})$/.test(pathname);
const menuOf = ({ pathname }) => /^\/api\/menus\/(\d{1,6})$/.exec(pathname)?.[1];

const isImmutable = (url) =>
  url.origin === location.origin && (url.pathname.startsWith("/assets/") || url.pathname.startsWith("/fonts/"));

const cacheOfflinePage = () => caches.open(CACHE).then((cache) => cache.add(new Request(OFFLINE, { cache: "reload" })));

self.addEventListener("install", (event) => event.waitUntil(cacheOfflinePage().then(() => self.skipWaiting())));

// Sent by a page when its language changes. If the new offline page can't be fetched, the old one stays.
self.addEventListener("message", (event) =>
  event.waitUntil(Promise.all([caches.delete(PAGES), cacheOfflinePage().catch(() => {})])));

self.addEventListener("activate", (event) => {
  const tidied = caches.keys().then((names) =>
    Promise.all(names.filter((name) => ![CACHE, PAGES].includes(name)).map((name) => caches.delete(name))));
  event.waitUntil(tidied.then(() => self.clients.claim()).then(keepOpenPages));
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

const timeOnCampus = (date) =>
  new Date(date ?? Date.now()).toLocaleTimeString("en-GB", { timeZone: "Asia/Kolkata", hour: "2-digit", minute: "2-digit" });

// Keeps a page or a menu under its path, whatever its query, with the time of day.
async function keep(path, response) {
  const headers = new Headers(response.headers);
  headers.set(KEPT_AT, timeOnCampus(headers.get("date")));
  // What was received is decompressed already.
  headers.delete("content-encoding");
  headers.delete("content-length");
  headers.delete("vary");
  const cache = await caches.open(PAGES);
  await cache.delete(path);
  await cache.put(path, new Response(await response.blob(), { headers }));
  const kept = await cache.keys();
  await Promise.all(kept.slice(0, Math.max(0, kept.length - MAXIMUM_PAGES)).map((each) => cache.delete(each)));
}

async function keepFetched(path) {
  const response = await fetch(path);
  if (response.ok && !response.redirected) await keep(path, response);
}

// The pages that were open before this worker was there.
async function keepOpenPages() {
  const open = (await self.clients.matchAll()).map(({ url }) => new URL(url)).filter(isKeptPage);
  await Promise.all(open.map(({ pathname }) => keepFetched(pathname).catch(() => {})));
}

// A visitor who came to a menu from the list has its data, but not its page, which a reload needs.
async function keepPageOf(menu, request) {
  const page = `/menu/${menu}`;
  if (!request.referrer || new URL(request.referrer).pathname !== page) return;
  await keepFetched(page);
}

// Marks a kept page by an attribute of its root; menus have the time in a header.
async function marked(kept) {
  const { headers } = kept;
  if (!headers.get("content-type")?.startsWith("text/html")) return kept;
  const html = (await kept.text()).replace("<html ", `<html data-kept="${headers.get(KEPT_AT)}" `);
  return new Response(html, { headers });
}

// The app starts at the choice of a campus, which leads to the list of the chosen one.
async function lastListFor(path) {
  if (path !== "/campus") return undefined;
  const cache = await caches.open(PAGES);
  const lists = (await cache.keys()).filter(({ url }) => /\/about2?$/.test(url));
  return lists.length ? cache.match(lists.at(-1)) : undefined;
}

async function fetchedOrKept(event) {
  const { request } = event;
  const url = new URL(request.url);
  const menu = menuOf(url);
  try {
    const response = await fetch(request);
    if (response.ok && !response.redirected) {
      const copy = response.clone();
      event.waitUntil(keep(url.pathname, copy).then(() => menu && keepPageOf(menu, request)).catch(() => {}));
    }
    return response;
  } catch (error) {
    const kept = (await caches.match(url.pathname, { cacheName: PAGES })) ?? (await lastListFor(url.pathname));
    if (kept) return marked(kept);
    if (request.mode === "navigate") return caches.match(OFFLINE);
    throw error;
  }
}

self.addEventListener("fetch", (event) => {
  const { request } = event;
  if (request.method !== "GET") return;
  const url = new URL(request.url);
  const isOwn = url.origin === location.origin;
  const isNavigation = request.mode === "navigate";
  if (isOwn && (isNavigation ? isKeptPage(url) : menuOf(url))) event.respondWith(fetchedOrKept(event));
  else if (isNavigation) event.respondWith(fetch(request).catch(() => caches.match(OFFLINE)));
  else if (isImmutable(url)) event.respondWith(cachedOrFetched(event));
});
