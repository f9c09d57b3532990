// Loads the open menu again when the shown one is outdated.
import { useEffect, useEffectEvent, useRef } from "react";
import { useCart } from "./cart_store.js";
import { isMenuKept, refreshMenu, useOpenMenu } from "../catalogue/menu.jsx";
import { paiseOf } from "./new_prices.js";
import { menuRevisionOf, useStatuses } from "../catalogue/statuses.js";

const RETRY_MS = 5_000;

// Loads the menu again, and calls `onChange` if it differs, when the server has published another revision of it, or
// when the server's `subtotal` of the cart differs from the sum of the shown prices. Also replaces a copy that the
// service worker has stored, without calling `onChange`, once the server can be reached.
export function RefreshMenu({ hydrated, subtotal, onChange }) {
  const menu = useOpenMenu();
  const { id } = menu.restaurant;
  const cart = useCart();
  const revision = menuRevisionOf(useStatuses(), id);
  const known = useRef({}); // the revision of the shown menu
  const follow = useEffectEvent(async () => {
    const isChanged = await refreshMenu();
    if (isChanged) onChange?.();
    return isChanged !== undefined && !isMenuKept();
  });
  useEffect(() => {
    if (!id || revision === undefined) return;
    if (known.current.id !== id) known.current = { id, revision };
    if (known.current.revision === revision) return;
    let timer;
    let isLeft = false;
    const load = async () => {
      known.current = { id }; // what is on its way may be either revision
      const isLoaded = await follow();
      if (isLeft) return;
      if (isLoaded) known.current = { id, revision };
      else timer = setTimeout(load, RETRY_MS);
    };
    load();
    return () => {
      isLeft = true;
      clearTimeout(timer);
    };
  }, [id, revision]);
  const isOther = hydrated && !cart.isPending && Math.round(subtotal * 100) !== paiseOf(cart, menu);
  useEffect(() => {
    if (isOther) follow();
  }, [isOther, subtotal]);
  useEffect(() => {
    let timer;
    let isUnmounted = false;
    // The browser fires `online` before the first request succeeds: that may return the stored copy again.
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
