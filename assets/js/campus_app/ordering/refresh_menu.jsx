// Keeps the open menu current.
import { useEffect, useEffectEvent, useRef } from "react";
import { useCart } from "./cart_store.js";
import { isMenuKept, refreshMenu, useOpenMenu } from "../catalogue/menu.jsx";
import { paiseOf } from "./new_prices.js";
import { menuRevisionOf, useStatuses } from "../catalogue/statuses.js";

const RETRY_MS = 5_000;

// Replaces the menu by the current one: a kept one once the server can be reached, another one when the server says
// that it has changed, or when the server's `subtotal` of the cart is not that of the shown prices.
export function RefreshMenu({ hydrated, subtotal, onChange }) {
  const menu = useOpenMenu();
  const { id } = menu.restaurant;
  const cart = useCart();
  const revision = menuRevisionOf(useStatuses(), id);
  const known = useRef({});
  const follow = useEffectEvent(async () => (await refreshMenu()) && onChange?.());
  useEffect(() => {
    if (!id || revision === undefined) return;
    const before = known.current;
    known.current = { id, revision };
    if (before.id === id && before.revision !== revision) follow();
  }, [id, revision]);
  const isOther = hydrated && !cart.isPending && Math.round(subtotal * 100) !== paiseOf(cart, menu);
  useEffect(() => {
    if (isOther) follow();
  }, [isOther, subtotal]);
  useEffect(() => {
    let timer;
    let isUnmounted = false;
    // The browser says that it is online before the first request succeeds: the menu may be a kept one again.
    const replaceKept = async () => {
      clearTimeout(timer);
      if (!isMenuKept() || !navigator.onLine) return;
      await refreshMenu();
      if (!isUnmounted && isMenuKept()) timer = setTimeout(replaceKept, RETRY_MS);
    };
    if (hydrated) replaceKept();
    addEventListener("online", replaceKept);
    return () => {
      isUnmounted = true;
      clearTimeout(timer);
      removeEventListener("online", replaceKept);
    };
  }, [hydrated]);
  return null;
}
