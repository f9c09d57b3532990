// One sample of the player: its cues, and the state of the audio element, which is the browser's.
import { useEffect, useState } from "react";
import { play, sound } from "./voice_sound.js";

function sourceOf({ sources }) {
  return (sources.find(({ type }) => sound().canPlayType(type)) ?? sources[0]).src;
}

// The cues of a sample: [{ speaker, starts, text }], starts in seconds; none until they are loaded.
export function useCues({ cues }) {
  const [loaded, setLoaded] = useState({ address: "", cues: [] });
  useEffect(() => {
    const controller = new AbortController();
    fetch(cues, { signal: controller.signal })
      .then((response) => {
        if (!response.ok) throw new Error(`status ${response.status}`);
        return response.json();
      })
      .then(({ turns }) => setLoaded({ address: cues, cues: turns }))
      .catch((error) => {
        if (error.name === "AbortError") return;
        console.warn("The cues did not load:", error.message);
        setLoaded({ address: cues, cues: [] });
      });
    return () => controller.abort();
  }, [cues]);
  return loaded.address === cues ? loaded.cues : [];
}

// Plays a sample. Returns whether it is started (`isOn`) and audible, its position, and its controls.
export function useSample(sample) {
  const [isOn, setOn] = useState(false);
  const [isAudible, setAudible] = useState(false);
  const [isUnplayable, setUnplayable] = useState(false);
  const [seconds, setSeconds] = useState(0);
  useEffect(() => {
    const audio = sound();
    const showPosition = () => setSeconds(Math.min(audio.currentTime, sample.seconds));
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
    audio.src = sourceOf(sample);
    setSeconds(0);
    setUnplayable(false);
    Object.entries(listeners).forEach(([name, listener]) => audio.addEventListener(name, listener));
    return () => {
      Object.entries(listeners).forEach(([name, listener]) => audio.removeEventListener(name, listener));
      audio.pause();
      setOn(false);
      setAudible(false);
    };
  }, [sample]);
  const toggle = () => {
    if (isOn) {
      sound().pause();
      return;
    }
    play().catch((error) => {
      // The element's own errors have an event; a pause aborts the promise without a failure.
      if (sound().error || error.name === "AbortError") return;
      console.warn("The sample did not play:", error.message);
      setOn(false);
      setUnplayable(true);
    });
  };
  const seek = (to) => {
    const position = Math.min(Math.max(to, 0), sample.seconds);
    sound().currentTime = position;
    setSeconds(position);
  };
  return { isOn, isAudible, isUnplayable, seconds, toggle, seek };
}
