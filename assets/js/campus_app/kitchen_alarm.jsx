// The chime and the blinking title of a kitchen board.
import { useEffect, useState } from "react";
import { useKitchenBoard } from "./kitchen_board.js";

const CHIME_MS = 8_000;
const BLINK_MS = 1_000;
const NOTES = [
  [880, 0],
  [1174.66, 0.18],
];

function chime(audio) {
  audio.resume(); // a call or the lock screen may have suspended it
  for (const [hertz, delay] of NOTES) {
    const tone = audio.createOscillator();
    const volume = audio.createGain();
    const at = audio.currentTime + delay;
    tone.type = "triangle";
    tone.frequency.value = hertz;
    volume.gain.setValueAtTime(0.0001, at);
    volume.gain.exponentialRampToValueAtTime(0.6, at + 0.02);
    volume.gain.exponentialRampToValueAtTime(0.0001, at + 0.9);
    tone.connect(volume).connect(audio.destination);
    tone.start(at);
    tone.stop(at + 1);
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

// A button that turns the chime on: browsers play no sound before a press. While an order is unseen, the chime
// repeats and the page's title blinks.
export function KitchenAlarm({ off, on, title, ...rest }) {
  const { unseen } = useKitchenBoard();
  const [audio, setAudio] = useState(null);
  const [isOn, setOn] = useState(false); // false also while the device has suspended the sound
  useWakeLock(audio !== null);
  useEffect(() => {
    if (!audio) return undefined;
    const follow = () => setOn(audio.state === "running");
    const resume = () => document.hidden || audio.resume();
    follow();
    audio.addEventListener("statechange", follow);
    document.addEventListener("visibilitychange", resume);
    return () => {
      audio.removeEventListener("statechange", follow);
      document.removeEventListener("visibilitychange", resume);
      audio.close();
      setOn(false);
    };
  }, [audio]);
  useEffect(() => {
    if (!unseen || !audio) return undefined;
    chime(audio);
    const timer = setInterval(chime, CHIME_MS, audio);
    return () => clearInterval(timer);
  }, [unseen, audio]);
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
  const toggle = () => {
    if (audio) {
      if (isOn) setAudio(null);
      else audio.resume();
      return;
    }
    const started = new AudioContext();
    chime(started); // so that the cook hears how loud it is
    setAudio(started);
  };
  return (
    <button {...rest} type="button" aria-pressed={isOn} onClick={toggle}>
      {isOn ? on : off}
    </button>
  );
}
