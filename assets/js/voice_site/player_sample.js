// React hooks for one recorded call: the times of its words (cues), and its playback by the page's only audio element
// (voice_sound.js). A call is { cues: address of the JSON, seconds: length, sources }.
import { useEffect, useState } from "react";
import { hasFailed, play, setSource, sound, soundOwner } from "./voice_sound.js";

const REFRESH_MS = 100;
const NO_CUES = [];

// The cues of a call: [{ speaker, starts, text, words: [[starts, text]] }], starts in seconds; empty until
// they are loaded. After the end of the call the file has the alternative replies too, which only the replay plays:
// they are left out.
export function useCues({ cues: address, seconds }) {
  const [loaded, setLoaded] = useState({ address: "", list: [] });
  useEffect(() => {
    const controller = new AbortController();
    fetch(address, { signal: controller.signal })
      .then((response) => {
        if (!response.ok) throw new Error(`status ${response.status}`);
        return response.json();
      })
      .then(({ turns }) => setLoaded({ address, list: turns.filter(({ starts }) => starts < seconds) }))
      .catch((error) => {
        if (error.name === "AbortError") return;
        console.warn("The cues did not load:", error.message);
        setLoaded({ address, list: [] });
      });
    return () => controller.abort();
  }, [address, seconds]);
  return loaded.address === address ? loaded.list : NO_CUES;
}

// Plays a call. Returns whether it is started (`isOn`), audible, or can't be played, its position in seconds, and its
// controls.
export function usePlayback(call) {
  const [isOn, setOn] = useState(false);
  const [isAudible, setAudible] = useState(false);
  const [isUnplayable, setUnplayable] = useState(false);
  const [seconds, setSeconds] = useState(0);
  useEffect(() => {
    const audio = sound();
    const owner = soundOwner();
    const followPosition = () => {
      setSeconds(Math.min(audio.currentTime, call.seconds));
      if (audio.currentTime >= call.seconds) audio.pause();
    };
    const stop = () => {
      setOn(false);
      setAudible(false);
      followPosition();
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
      timeupdate: followPosition,
      seeked: followPosition,
      pause: stop,
      ended: stop,
      error: () => fail(audio.error),
    };
    // A press of play in the hero has started the sound before this component was mounted: take over its state.
    setUnplayable(hasFailed(call));
    setSource(call);
    setOn(!audio.paused);
    setAudible(!audio.paused);
    followPosition();
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
