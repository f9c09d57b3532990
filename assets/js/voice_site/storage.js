// JSON in the browser's storage, which may be full, blocked or changed by hand. Reflex's storage
// variables live on the server, which the demo request must do without.
export function read(storage, key, otherwise) {
  try {
    return JSON.parse(window[storage].getItem(key)) ?? otherwise;
  } catch {
    return otherwise;
  }
}

// Returns whether the value was stored.
export function write(storage, key, value) {
  try {
    const text = JSON.stringify(value);
    window[storage].setItem(key, text);
    return window[storage].getItem(key) === text && !window[storage].forgetsAll;
  } catch {
    return false;
  }
}
