// Detects whether the server can be reached, over Reflex's socket and over HTTP, and shows a banner while
// it cannot.
import { useContext, useEffect, useState } from "react";
import { EventLoopContext } from "$/utils/context";
import { useKept } from "./kept.js";

// Returns whether `attempts` attempts to connect have failed since the last successful one.
export function useIsDisconnected(attempts) {
  const [, errors] = useContext(EventLoopContext);
  return errors.length >= attempts;
}

// Returns whether the page has waited longer than `ms` for a response. A change of `answers`, the number
// of responses, restarts the time. Some connections are open but transfer nothing.
export function useIsTimedOut(isWaiting, ms, answers) {
  const [isTimedOut, setTimedOut] = useState(false);
  useEffect(() => {
    if (!isWaiting) return undefined;
    const timer = setTimeout(() => setTimedOut(true), ms);
    return () => {
      clearTimeout(timer);
      setTimedOut(false);
    };
  }, [isWaiting, ms, answers]);
  return isWaiting && isTimedOut;
}

// A fetch whose timeout includes reading the body. Browsers before 2023 have no AbortSignal.timeout.
export function fetchWithTimeout(url, ms, options = {}) {
  const controller = new AbortController();
  setTimeout(() => controller.abort(), ms);
  return fetch(url, { ...options, signal: controller.signal });
}

// Replaces Reflex's own message. `kept` is said of a page that the service worker has kept, with `{time}`.
export function ConnectionBanner({ words, kept }) {
  const isDisconnected = useIsDisconnected(2);
  const time = useKept();
  return (
    <div className={isDisconnected || time ? "connection-banner shown" : "connection-banner"} role="status">
      {isDisconnected ? words : ""}
      {time ? ` ${kept.replace("{time}", time)}` : ""}
    </div>
  );
}
