// The weekday and time on the campus. The browser counts the minutes: from the server each minute would
// be an event for every visitor.
import { useEffect, useState } from "react";

const TICK_MS = 60_000;
const ZONE = "Asia/Kolkata";

// The server's clock minus the browser's, in ms; fetched once. CAMPUS_NOW may have set the server's.
let offset;

const format = (moment, options, language = "en-GB") =>
  new Intl.DateTimeFormat(language, { timeZone: ZONE, hour12: false, ...options }).format(moment);

const weekdayOf = (moment) =>
  format(moment, { weekday: "short" }, document.documentElement.lang || undefined).toUpperCase();

export function CampusClock(props) {
  const [now, setNow] = useState(null);
  useEffect(() => {
    let isUnmounted = false;
    const show = () => !isUnmounted && setNow(new Date(Date.now() + (offset ?? 0)));
    const timer = setInterval(show, TICK_MS);
    if (offset === undefined) {
      fetch("/api/clock")
        .then((response) => response.json())
        .then((body) => (offset = new Date(body.now) - Date.now()))
        .catch(() => {})
        .finally(show);
    } else show();
    return () => {
      isUnmounted = true;
      clearInterval(timer);
    };
  }, []);
  return (
    <time {...props} dateTime={now?.toISOString()}>
      <i>{now ? weekdayOf(now) : "\u00a0"}</i>
      {now ? format(now, { hour: "2-digit", minute: "2-digit" }) : "\u2013\u2013:\u2013\u2013"}
    </time>
  );
}
