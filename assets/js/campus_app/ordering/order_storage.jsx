// Stores an order in the browser until its confirmation is shown. Reflex's storage variables have fixed
// names, and removing an entry of theirs hydrates the page again.
import { useEffect, useEffectEvent } from "react";

const PREFIX = "order_";

// Stores an order under order_{number}, then calls onStored.
export function StoreOrder({ number, content, onStored }) {
  const store = useEffectEvent(() => {
    localStorage.setItem(PREFIX + number, content);
    onStored?.(number);
  });
  useEffect(() => {
    if (number && content) store();
  }, [number, content]);
  return null;
}

function takeOrder(number) {
  const keys = Object.keys(localStorage).filter((key) => key.startsWith(PREFIX));
  const key = keys.includes(PREFIX + number) ? PREFIX + number : keys[0];
  if (!key) {
    console.warn("No stored order was found");
    return "";
  }
  const content = localStorage.getItem(key);
  localStorage.removeItem(key);
  return content;
}

// After `ms` removes the stored order of this number, or the first stored one, and passes it to onTaken.
export function TakeStoredOrder({ number, ms, onTaken }) {
  const take = useEffectEvent(() => onTaken?.(takeOrder(number)));
  useEffect(() => {
    const timer = setTimeout(take, ms);
    return () => clearTimeout(timer);
  }, [number, ms]);
  return null;
}
