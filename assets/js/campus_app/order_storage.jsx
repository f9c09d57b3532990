// Keeps an order in this browser's storage until its confirmation is shown. Reflex's storage variables
// have fixed names, and its way to remove an entry hydrates the page again.
import { useEffect, useEffectEvent } from "react";

const PREFIX = "order_";

// Stores an order under order_{number}, removes the draft that was typed for it, then calls onStored.
export function StoreOrder({ number, content, draftKey, onStored }) {
  const store = useEffectEvent(() => {
    try {
      sessionStorage.removeItem(draftKey);
      localStorage.setItem(PREFIX + number, content);
    } catch {
      // A full or blocked storage is no reason to stop: the server has the order.
    }
    onStored?.(number);
  });
  useEffect(() => {
    if (number && content) store();
  }, [number, content]);
  return null;
}

function takeOrder(number) {
  try {
    const keys = Object.keys(localStorage).filter((key) => key.startsWith(PREFIX));
    const key = keys.find((candidate) => candidate === PREFIX + number) ?? keys[0];
    if (!key) {
      console.warn("No stored order was found");
      return "";
    }
    const content = localStorage.getItem(key);
    localStorage.removeItem(key);
    return content ?? "";
  } catch {
    return "";
  }
}

// After `ms` removes the stored order of this number, or the first that there is, and passes it to
// onTaken.
export function TakeStoredOrder({ number, ms, onTaken }) {
  const take = useEffectEvent(() => onTaken?.(takeOrder(number)));
  useEffect(() => {
    const timer = setTimeout(take, ms);
    return () => clearTimeout(timer);
  }, [number, ms]);
  return null;
}
