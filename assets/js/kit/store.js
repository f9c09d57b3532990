// State in the browser that several components of a page share. Reflex's own client state
// (rx._x.client_state) cannot fetch, start timers or be changed outside of a component.
import { useSyncExternalStore } from "react";

const identity = (state) => state;

// `change` replaces members of the state. The hook `useStore` returns the state, or the result of `select`:
// a component renders again only when that result has changed, so `select` must return the same value
// for the same state. The prerendered page shows the state `prerendered`, by default the `initial` one.
// `onSubscribed` is called when the first component subscribes, `onUnsubscribed` when the last one
// unsubscribes.
export function createStore(initial, { onSubscribed, onUnsubscribed } = {}) {
  const listeners = new Set();
  const subscribe = (listener) => {
    listeners.add(listener);
    if (listeners.size === 1) onSubscribed?.();
    return () => {
      listeners.delete(listener);
      if (listeners.size === 0) onUnsubscribed?.();
    };
  };
  const store = {
    state: initial,
    hasSubscribers: () => listeners.size > 0,
    change(next) {
      store.state = { ...store.state, ...next };
      listeners.forEach((listener) => listener());
    },
    useStore: (select = identity, prerendered = initial) =>
      useSyncExternalStore(subscribe, () => select(store.state), () => select(prerendered)),
  };
  return store;
}

const choices = createStore({});

// A named choice, such as the selected tab or an open dialog, that any component of the page can read.
export const choose = (name, value) => choices.change({ [name]: value });

export const useChoice = (name, initial) => choices.useStore((state) => state[name] ?? initial);
