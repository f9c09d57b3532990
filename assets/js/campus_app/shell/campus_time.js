// The time on the campus: the browser's clock, corrected by the server's. CAMPUS_NOW may have set that one, and
// a phone's own may be wrong.
const KEY = "clockOffset";
const TOLERANCE_MS = 5_000;

// The server's clock minus the browser's, in ms, of an earlier page until the server has answered.
let offset = import.meta.env.SSR ? 0 : Number(localStorage.getItem(KEY)) || 0;

export const campusTime = () => Date.now() + offset;

export function setServerTime(time) {
  const before = offset;
  offset = new Date(time) - Date.now();
  if (Math.abs(offset - before) > TOLERANCE_MS) localStorage.setItem(KEY, offset);
}
