// The weekday and time on the campus. The browser counts the minutes: from the server each minute would
// be an event for every visitor.
import { useEffect, useState } from "react";
import { createStore } from "../../kit/store.js";
import { campusTime, setServerTime } from "./campus_time.js";

const TICK_MS = 60_000;
const ZONE = "Asia/Kolkata";

const FRESH_MS = 3_600_000;

// `kitchens`: { name, closes } by restaurant; `closes` is a time, or empty while it is closed.
const clock = createStore({ kitchens: {} });
let fetchedAt = -Infinity;

const format = (moment, options, language = "en-GB") =>
  new Intl.DateTimeFormat(language, { timeZone: ZONE, hour12: false, ...options }).format(moment);

const weekdayOf = (moment) =>
  format(moment, { weekday: "short" }, document.documentElement.lang || undefined).toUpperCase();

export function CampusClock(props) {
  const [now, setNow] = useState(null);
  useEffect(() => {
    let isUnmounted = false;
    let timer;
    // Again at the start of the next minute: a minute after this one would be up to 59 s late.
    const show = () => {
      if (isUnmounted) return;
      const time = campusTime();
      setNow(new Date(time));
      clearTimeout(timer);
      timer = setTimeout(show, TICK_MS - (time % TICK_MS));
    };
    if (performance.now() - fetchedAt > FRESH_MS) {
      fetch("/api/clock")
        .then((response) => response.json())
        .then(({ now: serverTime, kitchens }) => {
          fetchedAt = performance.now();
          setServerTime(serverTime);
          clock.change({ kitchens });
        })
        .catch(() => {})
        .finally(show);
    } else show();
    return () => {
      isUnmounted = true;
      clearTimeout(timer);
    };
  }, []);
  return (
    <time {...props} dateTime={now?.toISOString()}>
      <i>{now ? weekdayOf(now) : "\u00a0"}</i>
      {now ? format(now, { hour: "2-digit", minute: "2-digit" }) : "\u2013\u2013:\u2013\u2013"}
    </time>
  );
}

export const useKitchens = () => clock.useStore(({ kitchens }) => kitchens);

// Shows its content from `within` ms before the time `at` (ms since 1970; 0 for never) until then.
export function ShortlyBefore({ at, within, children }) {
  const { kitchens } = clock.useStore(); // which come with the server's time
  const [isNear, setNear] = useState(false);
  useEffect(() => {
    let timer;
    const look = () => {
      const left = at - campusTime();
      setNear(left > 0 && left <= within);
      if (left > 0) timer = setTimeout(look, Math.min(left > within ? left - within : left, TICK_MS));
    };
    look();
    return () => clearTimeout(timer);
  }, [at, within, kitchens]);
  return isNear ? children : null;
}
