// Countdowns and timers. They run in the browser: on the server each second would be an event.
import { useEffect, useEffectEvent, useState } from "react";
import { useIsDisconnected, useIsLost } from "../../kit/connection.jsx";

const TICK_MS = 250; // by this much a shown second may be late
const BARS = 30;
const BAR_SECONDS = 5;
const ANNOUNCED_SECONDS = [60, 30, 10];

// Counts whole seconds from `seconds` to 0, then calls onFinish once. With null it does not count, and while it `isPaused`.
function useSecondsLeft(seconds, onFinish, isPaused = false) {
  const [counted, setCounted] = useState({ seconds: null });
  const left = counted.seconds === seconds ? counted.left : seconds;
  const finish = useEffectEvent(() => onFinish?.());
  const endFromNow = useEffectEvent(() => Date.now() + left * 1000);
  useEffect(() => {
    if (seconds === null || isPaused) return undefined;
    const end = endFromNow();
    const tick = () => {
      const rest = Math.max(0, Math.ceil((end - Date.now()) / 1000));
      setCounted({ seconds, left: rest });
      if (rest === 0) {
        clearInterval(timer);
        finish();
      }
    };
    const timer = setInterval(tick, TICK_MS);
    tick();
    return () => clearInterval(timer);
  }, [seconds, isPaused]);
  return left;
}

const twoDigits = (number) => String(number).padStart(2, "0");

// The waiting room's countdown with a bar for each five seconds; `seconds` is null until it is known.
// Screen readers announce only some of the seconds, in the sentence `left`.
export function WaitingCountdown({ seconds, left: words, onFinish }) {
  const left = useSecondsLeft(seconds, onFinish);
  const isKnown = seconds !== null;
  const shown = isKnown ? left : BARS * BAR_SECONDS;
  const spent = BARS - Math.ceil(shown / BAR_SECONDS);
  const announced = ANNOUNCED_SECONDS.includes(shown) ? words.replace("{seconds}", shown) : "";
  return (
    <>
      <time className="countdown" role="timer" aria-live="off" data-testid="countdown">
        {isKnown ? Math.floor(shown / 60) : "–"}
        <span>:</span>
        {isKnown ? twoDigits(shown % 60) : "––"}
      </time>
      <div className="fuse" aria-hidden="true">
        {Array.from({ length: BARS }, (_, index) => (
          <i key={index} className={index >= BARS - spent ? "spent" : ""} />
        ))}
      </div>
      <p className="visually-hidden" role="status">{announced}</p>
    </>
  );
}

// A sentence whose `{seconds}` count down while there is a connection: its end could not lead anywhere without one, and
// would be sent before what the visitor presses meanwhile.
export function CountdownText({ seconds, words, onFinish, ...rest }) {
  const left = useSecondsLeft(seconds, onFinish, useIsLost());
  return <span {...rest}>{words.replace("{seconds}", left)}</span>;
}

// Calls onDone once, `ms` after it was mounted.
export function Timeout({ ms, onDone }) {
  const finish = useEffectEvent(() => onDone?.());
  useEffect(() => {
    const timer = setTimeout(() => finish(), ms);
    return () => clearTimeout(timer);
  }, [ms]);
  return null;
}

// Calls onTick every `ms`, but not while the server is unreachable: Reflex would queue the events and
// send all of them at once later.
export function Interval({ ms, onTick }) {
  const isDisconnected = useIsDisconnected();
  const tick = useEffectEvent(() => isDisconnected || onTick?.());
  useEffect(() => {
    const timer = setInterval(() => tick(), ms);
    return () => clearInterval(timer);
  }, [ms]);
  return null;
}
