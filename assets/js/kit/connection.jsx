// Detects whether the server can be reached, over Reflex's socket and over HTTP, and shows a banner while
// it cannot.
import { useContext, useEffect, useLayoutEffect, useState } from "react";
// Not from utils/context, which each compile under `make dev` writes anew: Vite would then execute all modules that import
// it, directly or not, a second time, and the page would have two of each store, such as that of the menu.
import { EventLoopContext } from "$/utils/context-registry";
import { useKept } from "./kept.js";
import { createStore } from "./store.js";

const LONGEST_ANSWER_MS = 3_000;

// Whether the browser is offline, and whether the server has sent nothing for too long since it was asked.
const connection = createStore({ isOffline: false, isSilent: false });
let silence;

function endSilence() {
  clearTimeout(silence);
  silence = undefined;
  if (connection.state.isSilent) connection.change({ isSilent: false });
}

// The prerendering of the build has no window. kit/reflex/patches/connection_events.patch dispatches the events that are
// not the browser's own.
if (!import.meta.env.SSR) {
  const expectAnswer = () => {
    silence ??= setTimeout(() => connection.change({ isSilent: true }), LONGEST_ANSWER_MS);
  };
  const showOffline = () => connection.change({ isOffline: !navigator.onLine });
  for (const name of ["asked", "reconnecting"]) addEventListener(name, expectAnswer);
  addEventListener("answered", endSilence);
  for (const name of ["online", "offline"]) addEventListener(name, showOffline);
  showOffline();
}

// Returns whether `attempts` attempts to connect have failed since the last successful one.
export function useIsDisconnected(attempts) {
  const [, errors] = useContext(EventLoopContext);
  return errors.length >= attempts;
}

// Returns whether the browser is offline, or the server has not answered for too long.
export function useIsSilent() {
  const { isOffline, isSilent } = connection.useStore();
  return isOffline || isSilent;
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

// Replaces Reflex's own message. `words`: the text while the connection is lost. `silent`: the text while the server does
// not answer. `kept`: the text on a page that the service worker has stored, with the place `{time}`.
export function ConnectionBanner({ words, silent, kept }) {
  const isDisconnected = useIsDisconnected(2);
  const { isOffline, isSilent } = connection.useStore();
  const time = useKept();
  useLayoutEffect(endSilence, [isDisconnected]); // a new connection is not silent yet
  const isLost = isDisconnected || isOffline;
  // The banner of a short silence lies over the page, so that nothing moves under the visitor's finger.
  const look = isLost || time ? " shown" : isSilent ? " silent" : "";
  return (
    <div className={`connection-banner${look}`} role="status">
      {isLost ? words : isSilent ? silent : ""}
      {time ? ` ${kept.replace("{time}", time)}` : ""}
    </div>
  );
}
