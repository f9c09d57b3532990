// The chime and the blinking title of a kitchen board.
import { useEffect, useRef, useState } from "react";
import { useKitchenBoard } from "./kitchen_board.js";
import { chime } from "./kitchen_chime.js";

const CHIME_MS = 8_000;
const BLINK_MS = 1_000;
const GESTURES = ["pointerup", "keydown"];
const STORED = "kitchenSound";

function isKeptOn() {
  try {
    return localStorage.getItem(STORED) !== null;
  } catch {
    return false; // without storage the sound is turned on by its button after each reload
  }
}

function keepOn(isOn) {
  try {
    if (isOn) localStorage.setItem(STORED, "on");
    else localStorage.removeItem(STORED);
  } catch {
    // It holds for as long as the page is open.
  }
}

// Keeps the screen of a tablet on; browsers release the lock whenever the page is hidden.
function useWakeLock(isWanted) {
  useEffect(() => {
    if (!isWanted || !("wakeLock" in navigator)) return undefined;
    let lock;
    let isOver = false;
    const request = async () => {
      if (document.hidden) return;
      lock = await navigator.wakeLock.request("screen").catch(() => undefined);
      if (isOver) lock?.release();
    };
    request();
    document.addEventListener("visibilitychange", request);
    return () => {
      isOver = true;
      document.removeEventListener("visibilitychange", request);
      lock?.release();
    };
  }, [isWanted]);
}

// Opens the sound if it was on before a reload, and follows whether it runs. Browsers play no sound before a touch, and a
// call or the lock screen suspends it: then any touch of the page resumes it. Returns the sound (null while it is off),
// whether it runs, and a function that opens or closes it.
function useSound(button) {
  const [audio, setAudio] = useState(null);
  const [isOn, setOn] = useState(false);
  useEffect(() => {
    if (isKeptOn()) setAudio(new AudioContext());
  }, []);
  useEffect(() => {
    if (!audio) return undefined;
    const follow = () => setOn(audio.state === "running");
    const resume = () => document.hidden || audio.resume();
    // The button itself decides what its press does.
    const touch = ({ target }) => button.current?.contains(target) || resume();
    follow();
    audio.addEventListener("statechange", follow);
    document.addEventListener("visibilitychange", resume);
    GESTURES.forEach((each) => addEventListener(each, touch, true));
    return () => {
      audio.removeEventListener("statechange", follow);
      document.removeEventListener("visibilitychange", resume);
      GESTURES.forEach((each) => removeEventListener(each, touch, true));
      audio.close();
      setOn(false);
    };
  }, [audio, button]);
  const change = (next) => {
    keepOn(next !== null);
    setAudio(next);
  };
  return [audio, audio !== null && isOn, change];
}

// Repeats the chime while an order is unseen and the sound runs. Chimes that are played while it is suspended would all
// sound at once later.
function useChime(audio, isOn, unseen) {
  useEffect(() => {
    if (!unseen || !isOn) return undefined;
    chime(audio);
    const timer = setInterval(chime, CHIME_MS, audio);
    return () => clearInterval(timer);
  }, [unseen, audio, isOn]);
}

// Alternates the page's title with `title` while an order is unseen.
function useBlinkingTitle(title, unseen) {
  useEffect(() => {
    if (!unseen) return undefined;
    const usual = document.title;
    const alert = title.replace("{count}", unseen);
    document.title = alert;
    const timer = setInterval(() => {
      document.title = document.title === alert ? usual : alert;
    }, BLINK_MS);
    return () => {
      clearInterval(timer);
      document.title = usual;
    };
  }, [unseen, title]);
}

// The button that turns the chime on and off, with the text `off`, `on`, or `waiting`: the sound is on, but waits for a
// touch. `title`: the title of the page while orders are unseen, with their number `{count}`.
export function KitchenAlarm({ off, on, waiting, title, ...rest }) {
  const { unseen } = useKitchenBoard();
  const button = useRef(null);
  const [audio, isOn, change] = useSound(button);
  useWakeLock(audio !== null);
  useChime(audio, isOn, unseen);
  useBlinkingTitle(title, unseen);
  const toggle = () => {
    if (isOn) change(null);
    else if (audio) audio.resume();
    else {
      const started = new AudioContext();
      chime(started); // so that the cook hears how loud it is
      change(started);
    }
  };
  const words = audio ? waiting : off;
  return (
    <button {...rest} ref={button} type="button" aria-pressed={isOn} onClick={toggle}>
      {isOn ? on : words}
    </button>
  );
}
