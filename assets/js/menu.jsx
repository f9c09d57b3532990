// The menu that is open: it comes with the page, or is fetched, once per visit.
import { useEffect, useRef, useState, useSyncExternalStore } from "react";
import { useParams } from "react-router";
import { fetchInTime } from "./fetch.js";

const TIME_OUT_MS = 10_000;

// `message` is the server's; where it has said nothing `failure` is its status, or "none".
const LOADING = { status: "loading", message: "", failure: "", restaurant: {}, sections: [] };
const ready = ({ restaurant, sections }) => ({ ...LOADING, status: "ready", restaurant, sections });

// What is drawn at the build, by the address: nothing yet, or a template that the server fills in
// (pages/drawn_menu.py). It has a section and a dish of each shape; those are drawn otherwise.
function templates() {
  const fill = (thing, names) => Object.fromEntries(names.map((name) => [name, `⟦${thing}.${name}⟧`]));
  const dish = fill("dish", ["id", "testId", "name", "description", "price"]);
  const section = {
    ...fill("section", ["id", "number", "name", "count"]),
    dishes: ["veg", "non_veg", ""].map((diet) => ({ ...dish, diet })),
  };
  const restaurant = fill("restaurant", ["id", "name", "image", "rating", "deliveryMinutes", "hours"]);
  const sections = [
    section,
    { ...section, name: "⟦ section.name ⟧", count: 1 },
  ];
  return {
    example: ready({ restaurant: { ...restaurant, hasTables: false }, sections }),
    "example-with-tables": ready({ restaurant: { ...restaurant, hasTables: true }, sections }),
  };
}

const DRAWN = import.meta.env.SSR ? templates() : {}; // no browser is sent them
const came = import.meta.env.SSR || !window.openMenu ? null : ready(window.openMenu);
let menu = came ?? LOADING;
let asked = came ? decodeURIComponent(window.location.pathname.split("/")[2]) : "";
const listeners = new Set();

function change(next) {
  menu = next;
  listeners.forEach((listener) => listener());
}

async function load(id) {
  asked = id;
  change(LOADING);
  let next;
  try {
    const answer = await fetchInTime(`/api/menus/${encodeURIComponent(id)}`, TIME_OUT_MS);
    const body = await answer.json();
    const message = body.error?.message ?? "";
    next = answer.ok
      ? ready(body)
      : { ...LOADING, status: "error", message, failure: message ? "" : String(answer.status) };
  } catch {
    next = { ...LOADING, status: "error", failure: "none" };
  }
  if (asked === id) change(next);
}

function subscribe(listener) {
  listeners.add(listener);
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

export function useMenu() {
  const { restaurant_id: page } = useParams();
  const first = () => DRAWN[page] ?? came ?? LOADING;
  // Not once for the screen: the back button may lead from one menu straight to another.
  useEffect(() => {
    if (page !== asked) load(page);
  }, [page]);
  return useSyncExternalStore(subscribe, () => menu, first);
}

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
