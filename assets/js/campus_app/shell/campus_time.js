// The time on the campus: the browser's clock, corrected by the server's. The clock of a phone may be wrong, and
// CAMPUS_NOW may have set the server's to another time.
const KEY = "clockOffset";
const TOLERANCE_MS = 5_000;

// The server's clock minus the browser's, in ms. Until the server has answered, it is the stored one of an earlier page.
let offset = import.meta.env.SSR ? 0 : Number(localStorage.getItem(KEY)) || 0;

export const campusTime = () => Date.now() + offset;

export function setServerTime(time) {
  const before = offset;
  offset = new Date(time) - Date.now();
  if (Math.abs(offset - before) > TOLERANCE_MS) localStorage.setItem(KEY, offset);
}
