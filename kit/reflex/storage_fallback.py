"""Keeps Reflex's scripts running where the browser's storage is full, blocked or oversized."""

from typing import Any, cast

import reflex as rx

STORAGE_FALLBACK = """
const { setItem } = Storage.prototype;
Storage.prototype.setItem = function (key, value) {
  try {
    setItem.call(this, key, value);
  } catch (error) {
    if (error.name !== "QuotaExceededError") throw error;
  }
};
for (const name of ["localStorage", "sessionStorage"]) {
  try {
    const all = window[name];
    for (const key of Object.keys(all)) if (all[key].length > 32768) all.removeItem(key);
  } catch {
    const entries = new Map();
    const value = {
      getItem: (key) => entries.get(String(key)) ?? null,
      setItem: (key, value) => void entries.set(String(key), String(value)),
      removeItem: (key) => void entries.delete(String(key)),
      clear: () => entries.clear(),
      key: (index) => [...entries.keys()][index] ?? null,
      get length() { return entries.size; },
      forgetsAll: true,
    };
    Object.defineProperty(window, name, { value });
  }
}
"""


def storage_fallback() -> rx.Component:
    """Return a script for the head of every page.

    Reflex catches no errors of the browser's storage. Where reading `localStorage` or
    `sessionStorage` raises SecurityError, its socket would never connect: a substitute in memory,
    marked by `forgetsAll`, takes their place. With a value above the socket's limit for a message,
    a page could not connect: such values, which no page writes, are removed. In a full storage an
    error of `setItem` would end a state update: it does nothing instead. Code that has to know
    whether a value was stored reads it back. Other errors are raised as before.
    """
    return cast("Any", rx.el).script(STORAGE_FALLBACK)
