// Whether orders can be taken: asked of the server every five seconds in the waiting room.
// And whether it has answered this visit: what it said before was of an earlier one, whose button
// could be pressed before the server has heard of this one.
import { useContext, useEffect, useRef, useState, useSyncExternalStore } from "react";
import { EventLoopContext } from "$/utils/context";
import { fetchInTime } from "./fetch.js";

const CHECK_MS = 5_000;
const TIME_OUT_MS = 4_500;
const GRACE_SECONDS = 10;
const GOOD = { isConnected: true, isShown: false, secondsLeft: GRACE_SECONDS };
const FRESH = { ...GOOD, arePaymentsUp: true, problems: 0, isAnswered: false, isChecked: false };

let connection = FRESH;
let checkTimer;
let graceTimer;
const listeners = new Set();

function change(next) {
  connection = { ...connection, ...next };
  listeners.forEach((listener) => listener());
}

export function showProblem() {
  if (connection.isShown) return;
  clearInterval(graceTimer);
  const end = Date.now() + GRACE_SECONDS * 1000;
  change({ isShown: true, secondsLeft: GRACE_SECONDS });
  graceTimer = setInterval(() => {
    const secondsLeft = Math.max(0, Math.ceil((end - Date.now()) / 1000));
    change({ secondsLeft });
    if (secondsLeft === 0) clearInterval(graceTimer);
  }, 250);
}

async function check() {
  if (document.hidden) return;
  let isConnected = false;
  let arePaymentsUp = true;
  try {
    const answer = await fetchInTime("/health", TIME_OUT_MS);
    arePaymentsUp = (await answer.json()).services.payments !== "down";
    isConnected = answer.ok;
  } catch {
    // No answer, or none of ours: not connected.
  }
  if (listeners.size === 0) return;
  if (arePaymentsUp !== connection.arePaymentsUp || !connection.isChecked)
    change({ arePaymentsUp, isChecked: true });
  if (isConnected) {
    if (connection.isConnected || connection.problems > 1) return;
    clearInterval(graceTimer);
    change(GOOD);
  } else {
    change({ isConnected: false });
    showProblem();
  }
}

function subscribe(listener) {
  listeners.add(listener);
  if (listeners.size === 1) {
    check();
    checkTimer = setInterval(check, CHECK_MS);
  }
  return () => {
    listeners.delete(listener);
    if (listeners.size === 0) {
      clearInterval(checkTimer);
      clearInterval(graceTimer);
      connection = FRESH;
    }
  };
}

export const useConnection = () => useSyncExternalStore(subscribe, () => connection, () => FRESH);

// Each answer to a visit brings another mark; the one that was there already is an earlier visit's.
export function Visit({ mark, hydrated }) {
  useConnection(); // what is known of a visit is kept for as long as the visit
  const before = useRef(mark);
  useEffect(() => {
    if (hydrated && mark !== before.current) change({ isAnswered: true });
  }, [mark, hydrated]);
  return null;
}

// The server itself says that it could not get on. The first time the overlay goes as soon as a
// check finds all well, and PAY is there again; the second time only the kitchen's phone helps.
function reportProblem() {
  showProblem();
  change({ isConnected: false, problems: connection.problems + 1 });
  if (connection.problems === 1) return;
  clearInterval(graceTimer);
  change({ secondsLeft: 0 });
}

export function ReportProblem() {
  const isReported = useRef(false); // effects run twice where the framework watches for mistakes
  useEffect(() => {
    if (!isReported.current) reportProblem();
    isReported.current = true;
  }, []);
  return null;
}

// Whether so many attempts to reach the server have failed since the last that did not.
export function useIsLost(attempts) {
  const [, errors] = useContext(EventLoopContext);
  return errors.length >= attempts;
}

// Whether the server has left the page waiting for so long since the last of its answers: some
// connections open, and carry nothing.
export function useIsSilent(isWaiting, ms, answers) {
  const [isSilent, setIsSilent] = useState(false);
  useEffect(() => {
    if (!isWaiting) return undefined;
    const timer = setTimeout(() => setIsSilent(true), ms);
    return () => {
      clearTimeout(timer);
      setIsSilent(false);
    };
  }, [isWaiting, ms, answers]);
  return isWaiting && isSilent;
}

async function askHealth() {
  try {
    const answer = await fetch("/health");
    const { status, services } = await answer.json();
    if (status !== "ok") console.warn("Health:", status, JSON.stringify(services));
  } catch (error) {
    console.warn("Health: no answer", String(error));
  }
}

// Asks once how the services are; what comes of it is only logged.
export function AskHealth() {
  const isAsked = useRef(false); // effects run twice where the framework watches for mistakes
  useEffect(() => {
    if (!isAsked.current) askHealth();
    isAsked.current = true;
  }, []);
  return null;
}

// Our words for a lost line, in place of the framework's.
export function ConnectionBanner({ words }) {
  const isLost = useIsLost(2);
  return (
    <div className={isLost ? "connection-banner shown" : "connection-banner"} role="status">
      {isLost ? words : ""}
    </div>
  );
}
