// What the parts of a page share in the browser: one picture, and who looks at it.
import { useSyncExternalStore } from "react";

// `change` replaces some of the picture; `use` is the hook that reads it, or what a function makes
// of it: who uses that is drawn anew only when it has changed. What the server draws is always the
// first picture.
export function createStore(first) {
  const listeners = new Set();
  const subscribe = (listener) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  };
  const store = {
    picture: first,
    change(next) {
      store.picture = { ...store.picture, ...next };
      listeners.forEach((listener) => listener());
    },
    use: (of = (picture) => picture) =>
      useSyncExternalStore(subscribe, () => of(store.picture), () => of(first)),
  };
  return store;
}
