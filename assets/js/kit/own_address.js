// Replaces the address of the screen at `path` by what `change` returns for it, a URL or its text. Nothing happens
// once the visitor has left: the browser has the address of the next screen already while that one still loads.
export function changeAddress(path, change) {
  if (location.pathname === path) history.replaceState(history.state, "", change(new URL(location.href)));
}
