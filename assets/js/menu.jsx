// The dishes of the menu that is open, fetched once per visit.
import { useEffect, useRef, useState, useSyncExternalStore } from "react";

// `message` is the server's; where it has said nothing `failure` is its status, or "none".
const LOADING = { status: "loading", message: "", failure: "", restaurant: {}, sections: [] };
const ADDRESS = /^\/menu\/([^/]+)\/?$/;
let menu = LOADING;
let asked = "";
const listeners = new Set();

function change(next) {
  menu = next;
  listeners.forEach((listener) => listener());
}

// The page asked before this file was there.
async function early(path) {
  const asked = window.earlyMenu;
  window.earlyMenu = undefined;
  return asked?.path === path ? asked.answer : null;
}

async function load(id) {
  asked = id;
  change(LOADING);
  let next;
  try {
    const path = `/api/menus/${id}`;
    const answer = (await early(path)) ?? (await fetch(path, { signal: AbortSignal.timeout(10_000) }));
    const body = await answer.json();
    const message = body.error?.message ?? "";
    next = answer.ok
      ? { ...LOADING, status: "ready", restaurant: body.restaurant, sections: body.sections }
      : { ...LOADING, status: "error", message, failure: message ? "" : String(answer.status) };
  } catch {
    next = { ...LOADING, status: "error", failure: "none" };
  }
  if (asked === id) change(next);
}

function subscribe(listener) {
  listeners.add(listener);
  const id = ADDRESS.exec(window.location.pathname)?.[1];
  if (id && id !== asked) load(id);
  return () => {
    listeners.delete(listener);
    // The next visit asks again: a menu may have changed since.
    queueMicrotask(() => {
      if (listeners.size === 0) {
        asked = "";
        menu = LOADING;
      }
    });
  };
}

export const useMenu = () => useSyncExternalStore(subscribe, () => menu, () => LOADING);

export const sectionId = (index) => `section-${index}`;

// A picture that can't be had gives way to the shared one.
export function Picture({ src, fallback, ...rest }) {
  const [failed, setFailed] = useState(false);
  const image = useRef(null);
  useEffect(() => {
    // It may have failed before this page could listen.
    const { complete, naturalWidth } = image.current;
    setFailed(complete && !naturalWidth);
  }, [src]);
  return <img {...rest} ref={image} src={failed ? fallback : src} onError={() => setFailed(true)} />;
}
