// The query of the dish filter in the address of its screen, for a reload and the back button.
import { changeAddress } from "../../kit/screen_address.js";

const QUERY = "find";
const WAIT_MS = 400; // Safari allows 100 changes of the address in 30 s

let screenPath = null; // null on a screen whose address has no query
let changed = null; // the query that the address does not have yet
let timer;

function dropQuery() {
  clearTimeout(timer);
  changed = null;
}

// Begins the screen at `path`, and returns the query of its address.
export function beginScreen(path) {
  screenPath = path;
  return new URLSearchParams(location.search).get(QUERY) ?? "";
}

// Ends the screen; a query that waits is forgotten.
export function endScreen() {
  dropQuery();
  screenPath = null;
}

// Puts the query into the address soon.
export function putQuery(query) {
  dropQuery();
  changed = query;
  timer = setTimeout(flushQuery, WAIT_MS);
}

// Puts a query that waits into the address now; it goes on waiting while the next screen loads.
export function flushQuery() {
  if (changed === null) return;
  const isPut = changeAddress(screenPath, (address) => {
    if (changed) address.searchParams.set(QUERY, changed);
    else address.searchParams.delete(QUERY);
    return address;
  });
  if (isPut) dropQuery();
}
