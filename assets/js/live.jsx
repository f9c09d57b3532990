// What the campus looks like now: restaurant statuses and the campus clock, one store for all
// components of a page. Timers run only while somebody looks.
import { useEffect, useState, useSyncExternalStore } from "react";

const POLL_MS = 5_000;
const CLOCK_MS = 60_000;
const PREFETCHED_MS = 10_000;
const TOAST_MS = 6_000;
const STORED = "restaurantStatuses";
const ZONE = "Asia/Kolkata";

const UNKNOWN = { isLive: false, isKnown: false, lastChecked: "", statuses: {}, openCount: 0, problem: "" };
let picture = UNKNOWN;
let pollTimer;
let toastTimer;
const listeners = new Set();

const timeOf = (moment, options) =>
  new Intl.DateTimeFormat("en-GB", { timeZone: ZONE, hour12: false, ...options }).format(moment);

function change(next) {
  picture = { ...picture, ...next };
  listeners.forEach((listener) => listener());
}

function complain(problem) {
  clearTimeout(toastTimer);
  change({ isLive: false, problem });
  toastTimer = setTimeout(() => change({ problem: "" }), TOAST_MS);
}

function accept({ statuses, metadata }) {
  const openCount = Object.values(statuses).filter((status) => status.state === "OPEN").length;
  const lastChecked = timeOf(new Date(metadata.lastChecked), { timeStyle: "medium" });
  change({ isLive: true, isKnown: true, statuses, openCount, lastChecked, problem: "" });
}

async function ask(path, problem) {
  try {
    const answer = await fetch(path, { signal: AbortSignal.timeout(10_000) });
    if (!answer.ok) throw new Error(`status ${answer.status}`);
    const body = await answer.json();
    accept(body);
    sessionStorage.setItem(STORED, JSON.stringify({ at: Date.now(), ...body }));
  } catch {
    complain(problem);
  }
}

function prefetched() {
  try {
    const stored = JSON.parse(sessionStorage.getItem(STORED));
    return stored && Math.abs(Date.now() - stored.at) < PREFETCHED_MS ? stored : null;
  } catch {
    return null;
  }
}

function start() {
  const stored = prefetched();
  if (stored) accept(stored);
  else ask("/api/restaurants/status/init", "Failed to load restaurant statuses");
  pollTimer = setInterval(() => {
    if (!document.hidden) ask("/api/restaurants/status", "Connection error");
  }, POLL_MS);
}

function subscribe(listener) {
  listeners.add(listener);
  if (listeners.size === 1) start();
  return () => {
    listeners.delete(listener);
    if (listeners.size === 0) clearInterval(pollTimer);
  };
}

export const useLive = () => useSyncExternalStore(subscribe, () => picture, () => UNKNOWN);

export const refreshStatuses = () => ask("/api/restaurants/status", "Refresh failed");

export const stateOf = (live, id) => live.statuses[id]?.state ?? "";

export const messageOf = (live, id) => live.statuses[id]?.message ?? "";

export function reportSelection(restaurantId, restaurantName) {
  const body = JSON.stringify({ restaurantId, restaurantName, timestamp: new Date().toISOString() });
  const headers = { "content-type": "application/json" };
  fetch("/api/log-restaurant-selection", { method: "POST", body, headers, keepalive: true }).catch(() => {});
}

// The server's campus clock, which may have been set: asked for once, then ticking here.
let clockOffset;

export function CampusClock(props) {
  const [now, setNow] = useState(null);
  useEffect(() => {
    let isGone = false;
    const show = () => !isGone && setNow(new Date(Date.now() + (clockOffset ?? 0)));
    const timer = setInterval(show, CLOCK_MS);
    if (clockOffset === undefined) {
      fetch("/api/clock")
        .then((answer) => answer.json())
        .then((body) => (clockOffset = new Date(body.now) - Date.now()))
        .catch(() => {})
        .finally(show);
    } else show();
    return () => {
      isGone = true;
      clearInterval(timer);
    };
  }, []);
  return (
    <time {...props} dateTime={now?.toISOString()}>
      <i>{now ? timeOf(now, { weekday: "short" }).toUpperCase() : "\u00a0"}</i>
      {now ? timeOf(now, { hour: "2-digit", minute: "2-digit" }) : "\u2013\u2013:\u2013\u2013"}
    </time>
  );
}
