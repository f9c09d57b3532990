// Checks for the waiting room whether orders can be taken, over HTTP every five seconds: Reflex's socket
// may be connected while the server cannot work, or the other way round.
import { useEffect, useEffectEvent, useRef } from "react";
import { connection, fetchWithTimeout } from "../../kit/connection.jsx";
import { createStore } from "../../kit/store.js";

const CHECK_MS = 5_000;
const TIMEOUT_MS = 4_500;
const GRACE_SECONDS = 10;
const TICK_MS = 250; // by this much a shown second may be late
const RETRY_MS = 5_000;
const HEALTHY = { isConnected: true, isShown: false, secondsLeft: GRACE_SECONDS };
const INITIAL = { ...HEALTHY, arePaymentsUp: true, problems: 0, isAnswered: false, isChecked: false };

let checkTimer;
let graceTimer;
const health = createStore(INITIAL, { onSubscribed: start, onUnsubscribed: stop });

// The network may be gone before the next check.
export function useHealth() {
  const { isOffline } = connection.useStore();
  const state = health.useStore();
  return isOffline ? { ...state, isConnected: false } : state;
}

// Shows the overlay of a lost connection, which counts down ten seconds. The next successful check hides it.
export function showProblem() {
  if (health.state.isShown) return;
  clearInterval(graceTimer);
  const end = Date.now() + GRACE_SECONDS * 1000;
  health.change({ isShown: true, isConnected: false, secondsLeft: GRACE_SECONDS });
  graceTimer = setInterval(() => {
    const secondsLeft = Math.max(0, Math.ceil((end - Date.now()) / 1000));
    health.change({ secondsLeft });
    if (secondsLeft === 0) clearInterval(graceTimer);
  }, TICK_MS);
}

async function fetchHealth() {
  try {
    const response = await fetchWithTimeout("/health", TIMEOUT_MS);
    const { services } = await response.json();
    return { isConnected: response.ok, arePaymentsUp: services.payments !== "down" };
  } catch {
    return { isConnected: false, arePaymentsUp: true };
  }
}

async function check() {
  if (document.hidden) return;
  const { isConnected, arePaymentsUp } = await fetchHealth();
  if (!health.hasSubscribers()) return;
  if (arePaymentsUp !== health.state.arePaymentsUp || !health.state.isChecked)
    health.change({ arePaymentsUp, isChecked: true });
  if (isConnected) {
    if (health.state.isConnected || health.state.problems > 0) return;
    clearInterval(graceTimer);
    health.change(HEALTHY);
  } else {
    health.change({ isConnected: false });
    showProblem();
  }
}

function start() {
  check();
  checkTimer = setInterval(check, CHECK_MS);
}

function stop() {
  clearInterval(checkTimer);
  clearInterval(graceTimer);
  health.change(INITIAL);
}

// Detects the server's first response to this visit, which changes `mark`. Until then the page has the state of an
// earlier visit, and the server would refuse a press of its button.
export function VisitWatch({ mark, hydrated }) {
  useHealth(); // keeps the store for as long as the visit
  const before = useRef(mark);
  useEffect(() => {
    if (hydrated && mark !== before.current) health.change({ isAnswered: true });
  }, [mark, hydrated]);
  return null;
}

// Pays again, unless the server still cannot take orders: then the error is forgotten, and the next successful check hides
// the overlay.
async function tryAgain(onRetry) {
  const { isConnected } = await fetchHealth();
  if (!health.hasSubscribers()) return;
  if (isConnected) onRetry();
  else health.change({ problems: 0 });
}

// Shows the overlay after an error of the server's own, even if its health is good. The payment is tried once more while
// the overlay counts down; a second error ends the countdown, which shows the kitchen's phone number.
function reportProblem(onRetry) {
  showProblem();
  health.change({ isConnected: false, problems: health.state.problems + 1 });
  if (health.state.problems === 1) return setTimeout(() => tryAgain(onRetry), RETRY_MS);
  clearInterval(graceTimer);
  health.change({ secondsLeft: 0 });
}

// Hides the overlay when the server has answered without an error.
function endProblem() {
  if (health.state.problems === 0) return;
  clearInterval(graceTimer);
  health.change({ ...HEALTHY, problems: 0 });
}

export function ReportProblem({ failed, paying, onRetry }) {
  const retry = useEffectEvent(() => onRetry?.());
  useEffect(() => {
    if (!failed) {
      if (!paying) endProblem();
      return undefined;
    }
    const timer = reportProblem(retry);
    return () => clearTimeout(timer);
  }, [failed, paying]);
  return null;
}

async function logHealth() {
  try {
    const response = await fetch("/health");
    const { status, services } = await response.json();
    if (status !== "ok") console.warn("Health:", status, JSON.stringify(services));
  } catch (error) {
    console.warn("Health: no answer", String(error));
  }
}

// Fetches the health once, and writes a failure to the browser's console.
export function LogUnhealthyServices() {
  const isLogged = useRef(false); // React's strict mode runs effects twice
  useEffect(() => {
    if (!isLogged.current) logHealth();
    isLogged.current = true;
  }, []);
  return null;
}
