// Detects whether the server can be reached, over Reflex's socket and over HTTP, and shows the banner of
// a lost connection, which an unreachable server cannot send.
import { useContext, useEffect, useState } from "react";
import { EventLoopContext } from "$/utils/context";

// Returns whether `attempts` attempts to connect have failed since the last successful one.
export function useIsDisconnected(attempts) {
  const [, errors] = useContext(EventLoopContext);
  return errors.length >= attempts;
}

// Returns whether the server has sent nothing for `ms` while the page waits, counted from the last
// change of `answers`: some connections open and carry nothing.
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
export function fetchWithTimeout(address, ms, options = {}) {
  const controller = new AbortController();
  setTimeout(() => controller.abort(), ms);
  return fetch(address, { ...options, signal: controller.signal });
}

// Replaces the framework's own message.
export function ConnectionBanner({ words }) {
  const isDisconnected = useIsDisconnected(2);
  return (
    <div className={isDisconnected ? "connection-banner shown" : "connection-banner"} role="status">
      {isDisconnected ? words : ""}
    </div>
  );
}
