// What the campus looks like now: restaurant statuses and the campus clock, one store for all
// components of a page. The server pushes; we ask only for a first picture, when somebody presses
// Refresh, and while the line is lost.
import { useEffect, useRef, useState, useSyncExternalStore } from "react";
import { useIsLost, useIsSilent } from "./connection.jsx";
import { fetchInTime } from "./fetch.js";

const TRIES_MS = [1_000, 2_000, 4_000, 8_000, 10_000];
const SILENCE_MS = 2_000;
const POLL_MS = 5_000;
const BEAT_MS = 12_000; // specification S17: the list is confirmed at least every 15 s while LIVE stands
const TIME_OUT_MS = 10_000;
const CLOCK_MS = 60_000;
const PREFETCHED_MS = 10_000;
const TOAST_MS = 6_000;
const STORED = "restaurantStatuses";
const ZONE = "Asia/Kolkata";
const TIME_OF_DAY = [11, 19]; // of what the server says, which is the campus's time

const UNKNOWN = { isLive: false, isKnown: false, lastChecked: "", statuses: {}, openCount: 0, problem: "" };

let picture = UNKNOWN;
let isOpen = false; // whether the live connection has carried an answer since the page was loaded
let isLost = false;
let pushes = 0;
let knownAt = -Infinity;
let hasComplained = false;
let tryTimer;
let toastTimer;
const listeners = new Set();

const timeOf = (moment, options, language = "en-GB") =>
  new Intl.DateTimeFormat(language, { timeZone: ZONE, hour12: false, ...options }).format(moment);

const weekdayOf = (moment) =>
  timeOf(moment, { weekday: "short" }, document.documentElement.lang || undefined).toUpperCase();

function change(next) {
  picture = { ...picture, ...next };
  picture.isLive = picture.isKnown && isOpen && !isLost;
  listeners.forEach((listener) => listener());
}

function complain(problem) {
  clearTimeout(toastTimer);
  change({ problem });
  toastTimer = setTimeout(() => change({ problem: "" }), TOAST_MS);
}

function accept(body) {
  const { statuses, metadata } = body;
  const openCount = Object.values(statuses).filter((status) => status.state === "OPEN").length;
  const lastChecked = metadata.lastChecked.slice(...TIME_OF_DAY);
  knownAt = performance.now();
  change({ isKnown: true, statuses, openCount, lastChecked });
}

function keep(body) {
  try {
    sessionStorage.setItem(STORED, JSON.stringify({ at: Date.now(), ...body }));
  } catch {
    // Where nothing can be kept, the next page asks again.
  }
}

async function ask(path, problem, isComplaining = true) {
  const before = pushes;
  try {
    const answer = await fetchInTime(path, TIME_OUT_MS);
    if (!answer.ok) throw new Error(`status ${answer.status}`);
    const body = await answer.json();
    if (pushes !== before) return; // what was pushed meanwhile is newer
    accept(body);
    change({ problem: "" });
    keep(body);
  } catch {
    if (isComplaining) complain(problem);
  }
}

function prefetched() {
  if (window.firstStatuses && performance.now() < PREFETCHED_MS) return window.firstStatuses;
  try {
    const stored = JSON.parse(sessionStorage.getItem(STORED));
    return stored && Math.abs(Date.now() - stored.at) < PREFETCHED_MS ? stored : null;
  } catch {
    return null;
  }
}

function start() {
  if (performance.now() - knownAt < PREFETCHED_MS) return;
  picture = UNKNOWN;
  const early = prefetched();
  if (early) accept(early);
  else ask("/api/restaurants/status/init", "Failed to load restaurant statuses");
}

// While the line is lost: five tries, each after a longer wait, then the five-second poll alone.
function askAgain(attempt = 0) {
  tryTimer = setTimeout(async () => {
    // The banner stands for as long as the connection is lost: the toast comes once.
    const isAsking = !document.hidden;
    if (isAsking) await ask("/api/restaurants/status", "Connection error", !hasComplained);
    hasComplained ||= isAsking && picture.problem !== "";
    if (isLost) askAgain(attempt + 1);
  }, TRIES_MS[attempt] ?? POLL_MS);
}

function lineIs(lost) {
  if (lost === isLost) return;
  isLost = lost;
  clearTimeout(tryTimer);
  hasComplained = false;
  if (lost) askAgain();
  change({});
}

function subscribe(listener) {
  listeners.add(listener);
  if (listeners.size === 1) start();
  return () => listeners.delete(listener);
}

export const useLive = () => useSyncExternalStore(subscribe, () => picture, () => UNKNOWN);

// Asks over the live connection itself, every few seconds, for what is shown: the answer proves the
// list, and its absence that nothing gets through though the connection seems to stand. A dead one
// may say so only after minutes. Who looks elsewhere is not asked for.
function useDeadLine(isStanding, pushed, onBeat) {
  const [isDead, setIsDead] = useState(false);
  const beat = useRef(onBeat);
  beat.current = onBeat;
  const awaited = useRef(null);
  const stopWaiting = () => {
    clearTimeout(awaited.current);
    awaited.current = null;
  };
  useEffect(() => {
    stopWaiting();
    setIsDead(false);
  }, [pushed]);
  useEffect(() => {
    if (!isStanding) return undefined;
    const ask = () => {
      if (document.hidden) return;
      beat.current?.();
      awaited.current ??= setTimeout(() => setIsDead(true), TIME_OUT_MS);
    };
    const timer = setInterval(ask, isDead ? POLL_MS : BEAT_MS);
    document.addEventListener("visibilitychange", ask);
    return () => {
      clearInterval(timer);
      document.removeEventListener("visibilitychange", ask);
      stopWaiting();
    };
  }, [isStanding, isDead]);
  return isStanding && isDead;
}

// Takes in what the server pushes. Until the page is hydrated, what it holds may be long past.
export function LiveFeed({ picture: pushed, hydrated, onBeat }) {
  const isSilent = useIsSilent(!hydrated, SILENCE_MS);
  const isCut = useIsLost(1) || isSilent;
  const isDead = useDeadLine(!isCut, pushed, onBeat);
  const lost = isCut || isDead;
  useEffect(() => {
    lineIs(lost);
    return () => lineIs(false);
  }, [lost]);
  useEffect(() => {
    if (!hydrated || !pushed) return;
    const body = JSON.parse(pushed);
    pushes += 1;
    isOpen = true;
    accept(body);
    keep(body);
  }, [hydrated, pushed]);
  return null;
}

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
      <i>{now ? weekdayOf(now) : "\u00a0"}</i>
      {now ? timeOf(now, { hour: "2-digit", minute: "2-digit" }) : "\u2013\u2013:\u2013\u2013"}
    </time>
  );
}
