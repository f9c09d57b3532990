// Caches files that never change, and keeps the last lists and menus for a visitor without a network; other
// pages are replaced by an offline page. It never caches personal data. It shows push messages as notifications.
const FILES = "files-1";
// Pages of lists and menus, and the data of menus.
const PAGES = "pages-2";
const OFFLINE = "/offline.html";
const PICTURE = "/images/default.svg";
const MAXIMUM_ENTRIES = 160;
const MAXIMUM_PAGES = 24;
const KEPT_AT = "x-kept-at";
const LONGEST_WAIT_MS = 6_000;
const FRESH_MS = 600_000;
const LONGEST_KEPT_MS = 7 * 86_400_000;
// Answers of a proxy whose server is down.
const UNREACHABLE = [502, 503, 504];
const isKeptPage = ({ pathname }) => /^\/(campus|about\d?|menu\/\d{1,6})$/.test(pathname);
const menuOf = ({ pathname }) => /^\/api\/menus\/(\d{1,6})$/.exec(pathname)?.[1];

const isImmutable = (url) =>
  url.origin === location.origin && (url.pathname.startsWith("/assets/") || url.pathname.startsWith("/fonts/"));

const cacheOfflinePage = () =>
  caches
    .open(FILES)
    .then((cache) => cache.addAll([OFFLINE, PICTURE].map((path) => new Request(path, { cache: "reload" }))));

self.addEventListener("install", (event) => event.waitUntil(cacheOfflinePage().then(() => self.skipWaiting())));

// "language": a page changes its language; if the new offline page can't be fetched, the old one stays. A path: a
// page was opened by a link inside the app, which fetches no document.
self.addEventListener("message", (event) => {
  const { data } = event;
  if (data === "language") event.waitUntil(Promise.all([caches.delete(PAGES), cacheOfflinePage().catch(() => {})]));
  else if (isKeptPage({ pathname: data })) event.waitUntil(Promise.allSettled(pathsOf(data).map(keepOpened)));
});

self.addEventListener("activate", (event) => {
  const tidied = caches.keys().then((names) =>
    Promise.all(names.filter((name) => ![FILES, PAGES].includes(name)).map((name) => caches.delete(name))));
  event.waitUntil(tidied.then(() => self.clients.claim()).then(keepOpenPages));
});

// Each build's files have new names: this deletes those of old builds, oldest first.
async function store(request, response) {
  const cache = await caches.open(FILES);
  await cache.put(request, response);
  const requests = await cache.keys();
  const old = requests.filter(({ url }) => !url.endsWith(OFFLINE) && !url.endsWith(PICTURE)).slice(0, Math.max(0, requests.length - MAXIMUM_ENTRIES));
  await Promise.all(old.map((request) => cache.delete(request)));
}

// The browser's own cache can hold an error of a proxy in place of a file: the server is asked again.
async function fetchedFile(request) {
  const response = await fetch(request);
  return response.ok ? response : fetch(request, { cache: "reload" });
}

async function cachedOrFetched(event) {
  const cached = await caches.match(event.request);
  if (cached) return cached;
  const response = await fetchedFile(event.request);
  if (response.status === 200 && response.type === "basic") event.waitUntil(store(event.request, response.clone()));
  return response;
}

// Keeps a page or a menu under its path, whatever its query, with its time.
async function keep(path, response) {
  const headers = new Headers(response.headers);
  headers.set(KEPT_AT, new Date(headers.get("date") ?? Date.now()).toISOString());
  // What was received is decompressed already.
  headers.delete("content-encoding");
  headers.delete("content-length");
  headers.delete("vary");
  const body = await response.blob(); // a line may break before its end: what was kept then stays
  const cache = await caches.open(PAGES);
  await cache.delete(path);
  await cache.put(path, new Response(body, { headers }));
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

const ageOf = (kept) => Date.now() - new Date(kept.headers.get(KEPT_AT));

async function keptAt(path) {
  const kept = await caches.match(path, { cacheName: PAGES });
  return kept && ageOf(kept) < LONGEST_KEPT_MS ? kept : undefined;
}

// A menu has data beside its page: a link inside the app fetches only these.
const pathsOf = (page) => (page.startsWith("/menu/") ? [page, `/api/menus/${page.slice("/menu/".length)}`] : [page]);

async function keepOpened(path) {
  const kept = await keptAt(path);
  if (!kept || ageOf(kept) > FRESH_MS) await keepFetched(path);
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
  const lists = (await cache.keys()).filter(({ url }) => /\/about\d?$/.test(url));
  return lists.length ? cache.match(lists.at(-1)) : undefined;
}

// A line that transfers nothing must not hide what is kept.
const inTime = (response) =>
  Promise.race([response, new Promise((_, reject) => setTimeout(reject, LONGEST_WAIT_MS, new Error("too late")))]);

async function fetchedOrKept(event) {
  const { request } = event;
  const { pathname } = new URL(request.url);
  const kept = (await keptAt(pathname)) ?? (await lastListFor(pathname));
  try {
    const response = await (kept ? inTime(fetch(request)) : fetch(request));
    if (UNREACHABLE.includes(response.status)) throw new Error(`status ${response.status}`);
    if (response.ok && !response.redirected) {
      event.waitUntil(keep(pathname, response.clone()).catch(() => {}));
    }
    return response;
  } catch (error) {
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
  else if (isOwn && url.pathname === PICTURE) event.respondWith(fetch(request).catch(() => caches.match(PICTURE)));
  else if (isImmutable(url)) event.respondWith(cachedOrFetched(event));
});

const APP_NAME = "FOOD_points";
const APP_ICON = "/images/app-192.png";
const OWN_ORDERS = "/underprogress";
const textOr = (value, otherwise) => (typeof value === "string" && value ? value : otherwise);

// The path of a page of this site; the list of own orders for any other address.
function ownPath(address) {
  try {
    const { origin, pathname, search } = new URL(textOr(address, OWN_ORDERS), location.origin);
    return origin === location.origin ? pathname + search : OWN_ORDERS;
  } catch {
    return OWN_ORDERS;
  }
}

function messageOf(data) {
  try {
    return data?.json() ?? {};
  } catch {
    return {};
  }
}

// A message that can't be read shows a notification, too: browsers require one for each message.
self.addEventListener("push", (event) => {
  const { title, body, tag, url } = messageOf(event.data);
  const shown = self.registration.showNotification(textOr(title, APP_NAME), {
    body: textOr(body, ""),
    tag: textOr(tag, APP_NAME),
    renotify: true, // what replaces an unread message is news, too: 'please choose', then 'your money goes back'
    icon: APP_ICON,
    data: { url: ownPath(url) },
  });
  event.waitUntil(shown);
});

async function openPage(path) {
  const pages = await self.clients.matchAll({ type: "window", includeUncontrolled: true });
  const opened = pages.find(({ url }) => url === new URL(path, location.origin).href);
  return opened ? opened.focus() : self.clients.openWindow(path);
}

self.addEventListener("notificationclick", (event) => {
  const { notification } = event;
  notification.close();
  event.waitUntil(openPage(ownPath(notification.data?.url)));
});
