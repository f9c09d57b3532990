// The dishes of the menu that is open, fetched once per visit, and the figures beside them.
// What a line costs is shown here from the price that was fetched; every sum, discount and fee
// comes from the server, which believes none of it.
import { useEffect, useRef, useState, useSyncExternalStore } from "react";

const LOADING = { status: "loading", message: "", restaurant: {}, sections: [] };
const ADDRESS = /^\/menu\/([^/]+)\/?$/;
let menu = LOADING;
let asked = "";
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
    const answer = await fetch(`/api/menus/${id}`, { signal: AbortSignal.timeout(10_000) });
    const body = await answer.json();
    next = answer.ok
      ? { status: "ready", message: "", restaurant: body.restaurant, sections: body.sections }
      : { ...LOADING, status: "error", message: body.error?.message ?? `Failed to load menu (Status: ${answer.status})` };
  } catch {
    next = { ...LOADING, status: "error", message: "Failed to load menu (Status: no connection)" };
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

// A cart is kept as restaurant|changed|key|dish:quantity,dish:quantity
const parts = (cart) => (cart ?? "").split("|");

function quantities(cart, restaurantId) {
  const [restaurant, , , dishes] = parts(cart);
  if (!dishes || restaurant !== String(restaurantId)) return [];
  return dishes.split(",").map((dish) => dish.split(":"));
}

export function quantityOf(cart, restaurantId, dishId) {
  const found = quantities(cart, restaurantId).find(([id]) => id === dishId);
  return found ? Number(found[1]) : 0;
}

const rupees = new Intl.NumberFormat("en-IN", { minimumFractionDigits: 2, maximumFractionDigits: 2 });

export const formatPaise = (paise) => `₹${rupees.format(paise / 100).replace(/\.00$/, "")}`;

export function lineTotal(cart, restaurantId, dish) {
  const quantity = quantityOf(cart, restaurantId, dish.id);
  return quantity ? formatPaise(quantity * dish.paise) : "";
}

export function cartLines(menu, cart) {
  const dishes = new Map(menu.sections.flatMap((section) => section.dishes).map((dish) => [dish.id, dish]));
  return quantities(cart, menu.restaurant.id)
    .filter(([id]) => dishes.has(id))
    .map(([id, quantity]) => {
      const dish = dishes.get(id);
      return { id, name: dish.name, times: `${quantity}×`, total: formatPaise(quantity * dish.paise) };
    });
}

// The cart's figures, where the cart is the open menu's; else those of an empty one.
export function ownFigures(cart, restaurantId, figures, empty) {
  return quantities(cart, restaurantId).length ? figures : empty;
}

export const dishCount = (cart, restaurantId) =>
  quantities(cart, restaurantId).reduce((sum, [, quantity]) => sum + Number(quantity), 0);

export const amountIn = (text) => Number((text ?? "").replace(/[^0-9.]/g, "")) || 0;

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
