// JSON in the browser's storage, which may be full, blocked or changed by hand. The demo request cannot
// use Reflex's storage variables: they live on the server.
export function read(storage, key, otherwise) {
  try {
    return JSON.parse(window[storage].getItem(key)) ?? otherwise;
  } catch {
    return otherwise;
  }
}

// Returns whether the value was stored.
export function write(storage, key, value) {
  const text = JSON.stringify(value);
  window[storage].setItem(key, text);
  return window[storage].getItem(key) === text && !window[storage].forgetsAll;
}
