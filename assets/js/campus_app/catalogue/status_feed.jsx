// Passes pushed statuses to the store, and detects a socket that is open but transfers nothing: the
// browser may report that only after minutes.
import { useEffect, useEffectEvent, useRef, useState } from "react";
import { useIsDisconnected, useIsSilent, useIsTimedOut } from "../../kit/connection.jsx";
import { POLL_MS, acceptPush, setDisconnected } from "./statuses.js";

const HYDRATION_MS = 2_000;
const HEARTBEAT_MS = 12_000; // while the indicator says LIVE, statuses are at most 15 s old
const TIMEOUT_MS = 10_000;

// Sends heartbeats over the socket while the page is visible; the server responds to each with a push.
// Returns whether a push is overdue.
function useMissedHeartbeat(isConnected, pushed, onHeartbeat) {
  const [isMissed, setMissed] = useState(false);
  const heartbeat = useEffectEvent(() => onHeartbeat?.());
  const timeout = useRef(null);
  const stopWaiting = () => {
    clearTimeout(timeout.current);
    timeout.current = null;
  };
  useEffect(() => {
    stopWaiting();
    setMissed(false);
  }, [pushed]);
  useEffect(() => {
    if (!isConnected) return undefined;
    const send = () => {
      if (document.hidden) return;
      heartbeat();
      timeout.current ??= setTimeout(() => setMissed(true), TIMEOUT_MS);
    };
    const timer = setInterval(send, isMissed ? POLL_MS : HEARTBEAT_MS);
    document.addEventListener("visibilitychange", send);
    return () => {
      clearInterval(timer);
      document.removeEventListener("visibilitychange", send);
      stopWaiting();
    };
  }, [isConnected, isMissed]);
  return isConnected && isMissed;
}

// Rendered once on each screen that shows statuses (catalogue/screens/statuses_react.py). `pushed`: the last push, as JSON
// text with its time; until the page is hydrated, that of an earlier visit.
export function StatusFeed({ pushed, hydrated, onHeartbeat }) {
  const isTimedOut = useIsTimedOut(!hydrated, HYDRATION_MS);
  const isSilent = useIsSilent();
  const isUnreachable = useIsDisconnected() || isTimedOut;
  const isMissed = useMissedHeartbeat(!isUnreachable, pushed, onHeartbeat);
  const isDisconnected = isUnreachable || isSilent || isMissed;
  useEffect(() => {
    setDisconnected(isDisconnected);
    return () => setDisconnected(false);
  }, [isDisconnected]);
  useEffect(() => {
    if (hydrated && pushed) acceptPush(JSON.parse(pushed));
  }, [hydrated, pushed]);
  return null;
}
