// The query of the dish filter in the address of its screen, for a reload and the back button.
import { changeAddress } from "../../kit/own_address.js";

const QUERY = "find";
const WAIT_MS = 400; // Safari allows 100 changes of the address in 30 s

let ownPath;
let changed = null; // the query that the address does not have yet
let timer;

// Begins the screen at `path`, and returns the query of its address.
export function startAddress(path) {
  dropQuery();
  ownPath = path;
  return new URLSearchParams(location.search).get(QUERY) ?? "";
}

// Puts the query into the address soon.
export function putQuery(query) {
  dropQuery();
  changed = query;
  timer = setTimeout(flushQuery, WAIT_MS);
}

// Puts a query that waits into the address now.
export function flushQuery() {
  if (changed === null) return;
  changeAddress(ownPath, (address) => {
    if (changed) address.searchParams.set(QUERY, changed);
    else address.searchParams.delete(QUERY);
    return address;
  });
  dropQuery();
}

// Forgets a query that waits.
export function dropQuery() {
  clearTimeout(timer);
  changed = null;
}
