// Detects whether the server can be reached, over Reflex's socket and over HTTP, and shows a banner while
// it cannot.
import { useContext, useEffect, useLayoutEffect, useRef, useState } from "react";
// Not from utils/context, which each compile under `make dev` writes anew: Vite would then execute all modules that import
// it, directly or not, a second time, and the page would have two of each store, such as that of the menu.
import { EventLoopContext } from "$/utils/context-registry";
import { useKept } from "./kept.js";
import { createStore } from "./store.js";

const LONGEST_ANSWER_MS = 3_000;
// From the event `offline` until the server is asked: shorter losses are not shown. Then the time for its answer.
const OFFLINE_MS = 1_000;

// Whether the network is gone, until the server has answered again, and whether the server has sent nothing for too long
// since it was asked; the `texts` of the open page. Later also whether the last press needs a connection (`isRefused`).
export const connection = createStore({ isOffline: false, isSilent: false, texts: {} });
let silence;
let height = 0; // by which the banner has moved the page down

function endSilence() {
  clearTimeout(silence);
  silence = undefined;
  if (connection.state.isSilent) connection.change({ isSilent: false });
}

// `navigator.onLine` may be wrong, as beside a VPN, so the server is asked. If it does not answer, the socket is closed: it
// may stay open without a network, and only a closed one connects at the event `online`.
function checkNetwork() {
  if (navigator.onLine) return;
  fetchWithTimeout("/ping", OFFLINE_MS).catch(() => {
    connection.change({ isOffline: true });
    dispatchEvent(new Event("stalled"));
  });
}

// The prerendering of the build has no window. kit/reflex/patches/connection_events.patch dispatches the events that are
// not the browser's own.
if (!import.meta.env.SSR) {
  const expectAnswer = () => {
    silence ??= setTimeout(() => connection.change({ isSilent: true }), LONGEST_ANSWER_MS);
  };
  for (const name of ["asked", "reconnecting"]) addEventListener(name, expectAnswer);
  addEventListener("answered", () => {
    endSilence();
    if (!connection.state.isOffline) return;
    connection.change({ isOffline: false, isRefused: false });
    setTimeout(checkNetwork, OFFLINE_MS); // the answer may have been on its way before the network was gone
  });
  addEventListener("offline", () => setTimeout(checkNetwork, OFFLINE_MS));
  checkNetwork();
}

// Returns whether as many attempts to connect have failed since the last successful attempt. The banner waits for two.
export function useIsDisconnected(attempts = 1) {
  const [, errors] = useContext(EventLoopContext);
  return errors.length >= attempts;
}

// Returns whether the banner says that the connection is lost.
export function useIsLost() {
  const isDisconnected = useIsDisconnected(2);
  return connection.useStore(({ isOffline }) => isOffline) || isDisconnected;
}

// Returns whether the network is gone, or the server has not answered for too long.
export const useIsSilent = () => connection.useStore(({ isOffline, isSilent }) => isOffline || isSilent);

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

// Replaces texts of the banner (`words`, `silent`) on the page that renders it.
export function ConnectionTexts({ words, silent }) {
  useLayoutEffect(() => {
    connection.change({ texts: { words, silent } });
    return () => connection.change({ texts: {} });
  }, [words, silent]);
  return null;
}

// Replaces Reflex's own message. `words`: the text while the connection is lost. `refused`: the text after a press that needs
// one. `silent`: the text while the server does not answer. `kept`: the text on a page that the service worker has
// stored, with the place `{time}`.
export function ConnectionBanner({ words, refused, silent, kept }) {
  const isDisconnected = useIsDisconnected(2);
  const isLost = useIsLost();
  const { isSilent, isRefused, texts } = connection.useStore();
  const time = useKept();
  const banner = useRef(null);
  const top = import.meta.env.SSR ? 0 : scrollY; // before the page becomes shorter, perhaps too short for it
  useLayoutEffect(endSilence, [isDisconnected]); // a new connection is not silent yet
  // The banner of a short silence lies over the page, so that nothing moves under the visitor's finger.
  const look = isLost || time ? " shown" : isSilent ? " silent" : "";
  const usual = isLost ? words : isSilent ? silent : "";
  const ofPage = isLost ? texts.words : isSilent ? texts.silent : "";
  const text = isRefused ? refused : (ofPage ?? usual);
  // The page scrolls by the banner's height, so that nothing moves under the visitor's finger. Beside a stored page, where
  // the banner appears with the page, the navigation stays in view.
  useLayoutEffect(() => {
    const before = height;
    height = isLost || time ? banner.current.offsetHeight : 0;
    if (!time && height !== before) scrollTo({ top: top + height - before, behavior: "instant" });
  });
  return (
    <div ref={banner} className={`connection-banner${look}`} role="status">
      {text}
      {time ? ` ${kept.replace("{time}", time)}` : ""}
    </div>
  );
}
