// One call: its cues, and the state of the audio element, which is the browser's.
import { useEffect, useState } from "react";
import { hasFailed, play, setSource, sound, soundOwner } from "./voice_sound.js";

const REFRESH_MS = 100;
const NO_CUES = [];

// The cues of a call: [{ speaker, starts, text, words: [[starts, text]] }], starts in seconds; none until
// they are loaded. The file has the turns of the other replies too, after the end of the call.
export function useCues({ cues, seconds }) {
  const [loaded, setLoaded] = useState({ address: "", cues: [] });
  useEffect(() => {
    const controller = new AbortController();
    fetch(cues, { signal: controller.signal })
      .then((response) => {
        if (!response.ok) throw new Error(`status ${response.status}`);
        return response.json();
      })
      .then(({ turns }) => setLoaded({ address: cues, cues: turns.filter(({ starts }) => starts < seconds) }))
      .catch((error) => {
        if (error.name === "AbortError") return;
        console.warn("The cues did not load:", error.message);
        setLoaded({ address: cues, cues: [] });
      });
    return () => controller.abort();
  }, [cues, seconds]);
  return loaded.address === cues ? loaded.cues : NO_CUES;
}

// Plays a call. Returns whether it is started (`isOn`) and audible, its position, and its controls.
export function usePlayback(call) {
  const [isOn, setOn] = useState(false);
  const [isAudible, setAudible] = useState(false);
  const [isUnplayable, setUnplayable] = useState(false);
  const [seconds, setSeconds] = useState(0);
  useEffect(() => {
    const audio = sound();
    const owner = soundOwner();
    const showPosition = () => {
      setSeconds(Math.min(audio.currentTime, call.seconds));
      if (audio.currentTime >= call.seconds) audio.pause();
    };
    const stop = () => {
      setOn(false);
      setAudible(false);
      showPosition();
    };
    const fail = (error) => {
      console.warn("The sample did not play:", error?.message ?? "unknown");
      stop();
      setUnplayable(true);
    };
    const listeners = {
      play: () => {
        setOn(true);
        setUnplayable(false);
      },
      playing: () => setAudible(true),
      timeupdate: showPosition,
      seeked: showPosition,
      pause: stop,
      ended: stop,
      error: () => fail(audio.error),
    };
    // The hero's press plays before this component is there.
    setUnplayable(hasFailed(call));
    setSource(call);
    setOn(!audio.paused);
    setAudible(!audio.paused);
    showPosition();
    Object.entries(listeners).forEach(([name, listener]) => audio.addEventListener(name, listener));
    return () => {
      Object.entries(listeners).forEach(([name, listener]) => audio.removeEventListener(name, listener));
      // Another part of the page may be playing already.
      if (soundOwner() === owner) {
        audio.pause();
        audio.currentTime = 0;
        setSource(call); // forgets a failure
      }
      setOn(false);
      setAudible(false);
    };
  }, [call]);
  // `timeupdate` comes four times a second, too seldom to follow words.
  useEffect(() => {
    if (!isAudible) return undefined;
    const timer = setInterval(() => setSeconds(Math.min(sound().currentTime, call.seconds)), REFRESH_MS);
    return () => clearInterval(timer);
  }, [isAudible, call]);
  const toggle = () => {
    if (isOn) {
      sound().pause();
      return;
    }
    if (sound().currentTime >= call.seconds) sound().currentTime = 0;
    play().catch((error) => {
      // The element's own errors have an event; a pause aborts the promise without a failure.
      if (sound().error || error.name === "AbortError") return;
      console.warn("The sample did not play:", error.message);
      setOn(false);
      setUnplayable(true);
    });
  };
  const seek = (to) => {
    const position = Math.min(Math.max(to, 0), call.seconds);
    sound().currentTime = position;
    setSeconds(position);
  };
  return { isOn, isAudible, isUnplayable, seconds, toggle, seek };
}
