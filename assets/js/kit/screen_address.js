// Replaces the address of the screen at `path` by what `change` returns for it, a URL or its text. Returns false, and
// replaces nothing, if the browser has another path already: that of the next screen, which still loads.
export function changeAddress(path, change) {
  if (location.pathname !== path) return false;
  history.replaceState(history.state, "", change(new URL(location.href)));
  return true;
}
