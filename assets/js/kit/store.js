// State that several components of a page share, and that needs no server: Reflex's own client state
// (rx._x.client_state) cannot fetch, start timers or be changed from outside of a component.
import { useSyncExternalStore } from "react";

const whole = (state) => state;

// `change` replaces parts of the state. The hook `useStore` returns the state, or the result of `select`:
// a component renders again only when that result has changed, so `select` must return the same value
// for the same state. The prerendered page shows the `initial` state.
// `onFirst` is called when the first component subscribes, `onLast` when the last one unsubscribes.
export function createStore(initial, { onFirst, onLast } = {}) {
  const listeners = new Set();
  const subscribe = (listener) => {
    listeners.add(listener);
    if (listeners.size === 1) onFirst?.();
    return () => {
      listeners.delete(listener);
      if (listeners.size === 0) onLast?.();
    };
  };
  const store = {
    state: initial,
    isUsed: () => listeners.size > 0,
    change(next) {
      store.state = { ...store.state, ...next };
      listeners.forEach((listener) => listener());
    },
    useStore: (select = whole, prerendered = initial) =>
      useSyncExternalStore(subscribe, () => select(store.state), () => select(prerendered)),
  };
  return store;
}

const choices = createStore({});

// A choice by name, like the selected tab or an open dialog, that any component of the page can read.
export const choose = (name, value) => choices.change({ [name]: value });

export const useChoice = (name, initial) => choices.useStore((state) => state[name] ?? initial);
