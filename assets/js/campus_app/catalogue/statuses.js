// The statuses of all restaurants, one store for every badge of a page. The server pushes them
// (status_feed.jsx). This file fetches them: on the first page, on Refresh, and while the socket is
// disconnected.
import { connection, fetchWithTimeout } from "../../kit/connection.jsx";
import { createStore } from "../../kit/store.js";

const RETRY_MS = [1_000, 2_000, 4_000, 8_000, 10_000];
const TIMEOUT_MS = 10_000;
const FRESH_MS = 10_000;
const TOAST_MS = 6_000;
const STORED = "restaurantStatuses";
const TIME_OF_DAY = [11, 19]; // the place of hh:mm:ss in the server's ISO time, in the campus's zone

export const POLL_MS = 5_000;

const UNKNOWN = { isLive: false, isKnown: false, lastChecked: "", statuses: {}, soldOut: {}, menus: {}, openCount: 0, problem: "" };

const store = createStore(UNKNOWN, { onSubscribed: start });
let isOpen = false; // whether the socket has carried statuses since the page was loaded
let isDisconnected = false;
let pushes = 0;
let receivedAt = -Infinity;
let hasReported = false;
let retryTimer;
let toastTimer;

export const useStatuses = () => store.useStore();

function change(next) {
  const { isKnown } = { ...store.state, ...next };
  store.change({ ...next, isLive: isKnown && isOpen && !isDisconnected });
}

function report(problem) {
  clearTimeout(toastTimer);
  change({ problem });
  toastTimer = setTimeout(() => change({ problem: "" }), TOAST_MS);
}

function accept({ statuses, metadata, soldOut = {}, menus = {} }) {
  const openCount = Object.values(statuses).filter((status) => status.state === "OPEN").length;
  const lastChecked = metadata.lastChecked.slice(...TIME_OF_DAY);
  receivedAt = performance.now();
  change({ isKnown: true, statuses, soldOut, menus, openCount, lastChecked });
}

function storeInTab(body) {
  sessionStorage.setItem(STORED, JSON.stringify({ at: Date.now(), ...body }));
}

async function load(path, problem, isReported = () => true) {
  const before = pushes;
  try {
    const response = await fetchWithTimeout(path, TIMEOUT_MS);
    if (!response.ok) throw new Error(`status ${response.status}`);
    const body = await response.json();
    if (pushes !== before) return; // a push in the meantime is newer
    accept(body);
    change({ problem: "" });
    storeInTab(body);
  } catch {
    if (isReported()) report(problem);
  }
}

// The statuses in the page's HTML, or those that the tab stored in the last 10 s.
function prefetched() {
  if (window.initialStatuses && performance.now() < FRESH_MS) return window.initialStatuses;
  try {
    const stored = JSON.parse(sessionStorage.getItem(STORED));
    return stored && Math.abs(Date.now() - stored.at) < FRESH_MS ? stored : null;
  } catch {
    return null;
  }
}

function start() {
  if (performance.now() - receivedAt < FRESH_MS) return;
  store.change(UNKNOWN);
  const early = prefetched();
  if (early) accept(early);
  else load("/api/restaurants/status/init", "Failed to load restaurant statuses");
}

// Five retries with growing delays, then a poll every five seconds.
function retry(attempt = 0) {
  retryTimer = setTimeout(async () => {
    // The banner stays while the socket is disconnected, so the toast is shown once, and not at all while the banner says that
    // the network is gone: a browser may be online before a request succeeds.
    const isVisible = !document.hidden;
    const isNews = () => isDisconnected && !hasReported && navigator.onLine && !connection.state.isOffline;
    if (isVisible) await load("/api/restaurants/status", "Connection error", isNews);
    hasReported ||= isVisible && store.state.problem !== "";
    if (isDisconnected) retry(attempt + 1);
  }, RETRY_MS[attempt] ?? POLL_MS);
}

export function setDisconnected(is) {
  if (is === isDisconnected) return;
  isDisconnected = is;
  clearTimeout(retryTimer);
  hasReported = false;
  if (is) retry();
  // An error of the lost connection is not shown beside LIVE.
  change(is ? {} : { problem: "" });
}

export function acceptPush(body) {
  pushes += 1;
  isOpen = true;
  accept(body);
  storeInTab(body);
}

export const refreshStatuses = () => load("/api/restaurants/status", "Refresh failed");

export const stateOf = ({ statuses }, id) => statuses[id]?.state ?? "";

export const isClosed = ({ statuses }, id) => Boolean(statuses[id]) && statuses[id].state !== "OPEN";

export const backAtOf = ({ statuses }, id) => statuses[id]?.backAt ?? "";

export const hoursOf = ({ statuses }, id) => statuses[id]?.hours ?? "";

export const opensAtOf = ({ statuses }, id) => statuses[id]?.opens ?? "";

// Changes with a restaurant's menu; undefined until the statuses are known.
export const menuRevisionOf = ({ isKnown, menus }, id) => (isKnown ? (menus[id] ?? "") : undefined);

export const isSoldOut = ({ soldOut }, restaurant, dish) => soldOut[restaurant]?.includes(dish) ?? false;

// Renders the component of one dish again only when that dish changes.
export const useSoldOut = (restaurant, dish) => store.useStore((state) => isSoldOut(state, restaurant, dish));

export const messageOf = ({ statuses }, id) => statuses[id]?.message ?? "";

// Logs the chosen restaurant on the server, without delaying the navigation.
export function reportSelection(restaurantId, restaurantName) {
  const timestamp = new Date().toISOString();
  const body = JSON.stringify({ restaurantId: Number(restaurantId), restaurantName, timestamp });
  const headers = { "content-type": "application/json" };
  fetch("/api/log-restaurant-selection", { method: "POST", body, headers, keepalive: true }).catch(() => {});
}
