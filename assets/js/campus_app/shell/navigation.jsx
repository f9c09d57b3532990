// Acts on the page without an event of the server: navigates to other sites, or within the app while the server is
// unreachable, sets the title, and replaces a screen whose data does not arrive.
import { useEffect, useRef, useState } from "react";
import { useNavigate } from "react-router";
import { useIsDisconnected } from "../../kit/connection.jsx";

const RETRY_MS = 2_000;
const DISCONNECTED_MS = 10_000;
const SILENT_MS = 30_000;
const WAITED_BEFORE_MS = 5_000;

const pathOf = (address) => new URL(address, location.origin).pathname.replace(/^\/|\/$/g, "");

// Loads the code of a screen. Without it React Router would reload the page, and without a server the
// browser would show its own error page.
async function loadScreen(address) {
  const routes = Object.values(window.__reactRouterManifest?.routes ?? {});
  const screen = routes.find((each) => each.index && (each.path ?? "") === pathOf(address));
  if (screen) await import(/* @vite-ignore */ screen.module);
}

// Loads a screen's code in advance, while the server can still be reached.
export function usePreloadedScreen(address) {
  useEffect(() => {
    if (address) loadScreen(address).catch(() => {});
  }, [address]);
}

// Navigates to an address of another site when `url` changes. Its first value is ignored: it may be of an earlier visit.
export function ExternalRedirect({ url }) {
  const before = useRef(url);
  useEffect(() => {
    if (url && url !== before.current) window.location.assign(url);
    before.current = url;
  }, [url]);
  return null;
}

// Replaces this screen by the one at `to` after `ms`, or later, once the code of that screen could be loaded.
export function NavigateAfter({ ms, to }) {
  const navigate = useNavigate();
  usePreloadedScreen(to);
  useEffect(() => {
    let timer;
    const leave = async () => {
      try {
        await loadScreen(to);
      } catch {
        timer = setTimeout(leave, RETRY_MS);
        return;
      }
      if (timer !== null) navigate(to, { replace: true });
    };
    timer = setTimeout(leave, ms);
    return () => {
      clearTimeout(timer);
      timer = null;
    };
  }, [ms, to, navigate]);
  return null;
}

// Navigates to `to` if no element of the page has the id `target` after `ms`.
export function NavigateUnlessPresent({ target, ms, to }) {
  const navigate = useNavigate();
  useEffect(() => {
    const timer = setTimeout(() => document.getElementById(target) || navigate(to), ms);
    return () => clearTimeout(timer);
  }, [target, ms, to, navigate]);
  return null;
}

// Sets the title of the page; React Router sets it again at the next route.
export function DocumentTitle({ words }) {
  useEffect(() => {
    document.title = words;
  }, [words]);
  return null;
}

// Shows the first child, and the second one instead if the first is `waiting` for the server too long. The time is
// shorter after a redirect from the payment screen (`hasError=true`), where the visitor has waited before.
export function FallbackAfterTimeout({ waiting, children }) {
  const isDisconnected = useIsDisconnected();
  const [isOver, setIsOver] = useState(false);
  useEffect(() => {
    if (!waiting) {
      setIsOver(false);
      return undefined;
    }
    const hasWaited = new URLSearchParams(location.search).get("hasError") === "true";
    const [disconnectedMs, silentMs] = hasWaited ? [0, WAITED_BEFORE_MS] : [DISCONNECTED_MS, SILENT_MS];
    const ms = isDisconnected ? disconnectedMs : silentMs;
    if (ms === 0) {
      setIsOver(true);
      return undefined;
    }
    const timer = setTimeout(() => setIsOver(true), ms);
    return () => clearTimeout(timer);
  }, [waiting, isDisconnected]);
  const isShown = waiting && isOver;
  return (
    <>
      <div className="contents" hidden={isShown}>
        {children[0]}
      </div>
      {isShown ? children[1] : null}
    </>
  );
}
