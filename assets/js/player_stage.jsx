// The player: 48 bars, caption, place in the sample, play and pause, transcript, languages. Whose
// turn it is comes from the sample's cues, which are fetched with it.
import { useEffect, useId, useRef, useState } from "react";
import { levels, loudness, play, profile, sound } from "./voice_sound.js";

const BARS = 48;
const REFRESH_MS = 100;
const DEMO_INTERVAL_MS = 3_000;
const LEAST = 0.03;
const LEAP_SECONDS = { ArrowLeft: -1, ArrowDown: -1, ArrowRight: 1, ArrowUp: 1, PageDown: -5, PageUp: 5 };
const TARA = "TARA";
const CALLER = "Caller";

const ICONS = { play: "M3 1v18l16-9z", pause: "M4 1h3.4v18H4zM12.6 1H16v18h-3.4z" };

const wantsStillness = () => matchMedia("(prefers-reduced-motion: reduce)").matches;

const clock = (seconds) =>
  `${Math.floor(seconds / 60)}:${String(Math.floor(seconds % 60)).padStart(2, "0")}`;

function sourceOf({ sources }) {
  return (sources.find(({ type }) => sound().canPlayType(type)) ?? sources[0]).src;
}

// The turn that is heard at a time, or was last; without cues the two take turns.
function turnAt(turns, seconds) {
  if (turns.length) return [...turns].reverse().find(({ starts }) => starts <= seconds) ?? turns[0];
  const isTara = Math.floor((seconds * 1_000) / DEMO_INTERVAL_MS) % 2 === 0;
  return { speaker: isTara ? TARA : CALLER };
}

function useCues({ cues }) {
  const [read, setRead] = useState({ cues: "", turns: [] });
  useEffect(() => {
    const leaving = new AbortController();
    fetch(cues, { signal: leaving.signal })
      .then((answer) => {
        if (!answer.ok) throw new Error(`status ${answer.status}`);
        return answer.json();
      })
      .then(({ turns }) => setRead({ cues, turns }))
      .catch((error) => {
        if (error.name === "AbortError") return;
        console.warn("The cues did not load:", error.message);
        setRead({ cues, turns: [] });
      });
    return () => leaving.abort();
  }, [cues]);
  return read.cues === cues ? read.turns : [];
}

// Plays a sample: what is asked for (`isOn`), what is heard, and where in it we are.
function useSample(sample) {
  const [isOn, setOn] = useState(false);
  const [isHeard, setHeard] = useState(false);
  const [isUnplayable, setUnplayable] = useState(false);
  const [seconds, setSeconds] = useState(0);
  useEffect(() => {
    const audio = sound();
    const look = () => setSeconds(Math.min(audio.currentTime, sample.seconds));
    const rest = () => {
      setOn(false);
      setHeard(false);
      look();
    };
    const give = (error) => {
      console.warn("The sample did not play:", error?.message ?? "unknown");
      rest();
      setUnplayable(true);
    };
    const listeners = {
      play: () => {
        setOn(true);
        setUnplayable(false);
      },
      playing: () => setHeard(true),
      timeupdate: look,
      seeked: look,
      pause: rest,
      ended: rest,
      error: () => give(audio.error),
    };
    audio.src = sourceOf(sample);
    setSeconds(0);
    setUnplayable(false);
    Object.entries(listeners).forEach(([name, listener]) => audio.addEventListener(name, listener));
    return () => {
      Object.entries(listeners).forEach(([name, listener]) => audio.removeEventListener(name, listener));
      audio.pause();
      setOn(false);
      setHeard(false);
    };
  }, [sample]);
  const toggle = () => {
    if (isOn) {
      sound().pause();
      return;
    }
    play().catch((error) => {
      // The element tells of its own errors; a press of pause is none.
      if (sound().error || error.name === "AbortError") return;
      console.warn("The sample did not play:", error.message);
      setOn(false);
      setUnplayable(true);
    });
  };
  const seek = (to) => {
    const place = Math.min(Math.max(to, 0), sample.seconds);
    sound().currentTime = place;
    setSeconds(place);
  };
  return { isOn, isHeard, isUnplayable, seconds, toggle, seek };
}

function Bars({ state }) {
  const element = useRef(null);
  const isMoving = state !== "ready";
  useEffect(() => {
    const bars = [...element.current.children];
    const draw = (heights) =>
      heights.forEach((height, band) => {
        const value = Math.max(height, LEAST).toFixed(3);
        [BARS / 2 - 1 - band, BARS / 2 + band].forEach((bar) => bars[bar].style.setProperty("--v", value));
      });
    let tick = 0;
    let wasStill = false;
    const refresh = () => {
      const isStill = wantsStillness();
      if (!isStill) draw(levels(tick++));
      else if (!wasStill) draw(profile());
      wasStill = isStill;
    };
    if (!isMoving) {
      bars.forEach((bar) => bar.style.setProperty("--v", LEAST));
      return;
    }
    refresh();
    const timer = setInterval(refresh, REFRESH_MS);
    return () => clearInterval(timer);
  }, [isMoving]);
  return (
    <div className="bars" data-state={state} aria-hidden="true" ref={element}>
      {Array.from({ length: BARS }, (_, bar) => (
        <i key={bar} style={{ "--i": bar }} />
      ))}
    </div>
  );
}

function Seek({ seconds, whole, words, seek }) {
  const leap = (event) => {
    const by = LEAP_SECONDS[event.key];
    if (!by) return;
    event.preventDefault();
    seek(seconds + by);
  };
  return (
    <div className="seek">
      <time>{clock(seconds)}</time>
      <input
        type="range"
        min="0"
        max={whole}
        step="any"
        value={seconds}
        style={{ "--p": `${(seconds / whole) * 100}%` }}
        aria-label={words.position}
        aria-valuetext={`${clock(seconds)} / ${clock(whole)}`}
        onChange={(event) => seek(Number(event.target.value))}
        onKeyDown={leap}
      />
      <time>{clock(whole)}</time>
    </div>
  );
}

function Transcript({ id, sample, turns, words }) {
  const element = useRef(null);
  useEffect(() => element.current.scrollIntoView({ block: "nearest" }), []);
  return (
    <div className="lines" id={id} ref={element}>
      {turns.length ? (
        <dl>
          {turns.map(({ speaker, starts, text }) => (
            <div key={starts}>
              <dt>{speaker}</dt>
              <dd lang={sample.code} dir={sample.direction}>
                {text}
              </dd>
            </div>
          ))}
        </dl>
      ) : (
        <p>{words.unwritten}</p>
      )}
    </div>
  );
}

function Languages({ samples, code, words, choose }) {
  return (
    <fieldset className="langs">
      <legend>{words.languages}</legend>
      <div className="langs__l">
        {samples.map((each) => (
          <label key={each.code}>
            <input
              type="radio"
              name="sample"
              value={each.code}
              checked={each.code === code}
              onChange={() => choose(each.code)}
            />
            <span lang={each.code} dir={each.direction}>
              {each.ownName}
            </span>
            {each.ownName !== each.name && <span className="sr-only"> {each.name}</span>}
          </label>
        ))}
      </div>
    </fieldset>
  );
}

export function PlayerStage({ samples, code, words, choose, answerTo }) {
  const sample = samples.find((each) => each.code === code) ?? samples[0];
  const turns = useCues(sample);
  const { isOn, isHeard, isUnplayable, seconds, toggle, seek } = useSample(sample);
  const [isReading, setReading] = useState(false);
  const lines = useId();
  useEffect(() => {
    if (isUnplayable) setReading(true);
  }, [isUnplayable]);
  const { speaker, starts } = turnAt(turns, seconds);
  const state = !isHeard ? "ready" : speaker === CALLER ? "listening" : "speaking";
  // The hero's voices are TARA's: they answer to her alone.
  useEffect(() => {
    if (state !== "speaking") return undefined;
    answerTo(loudness);
    return () => answerTo(() => 0);
  }, [state, answerTo]);
  return (
    <>
      <div className="player__body">
        <Bars state={state} />
        <div className="caption">
          <p className="who">{`${speaker}, in ${sample.voice}`}</p>
          <div className="said-now">
            {turns.map((turn) => (
              <p
                key={turn.starts}
                className="c"
                lang={sample.code}
                dir={sample.direction}
                aria-hidden={turn.starts === starts ? undefined : true}
              >
                {turn.text}
              </p>
            ))}
          </div>
        </div>
        <Seek seconds={seconds} whole={sample.seconds} words={words} seek={seek} />
        <div className="player__act">
          <button
            type="button"
            className={isOn ? "disc is-on" : "disc"}
            aria-label={isOn ? words.pause : words.play}
            onClick={toggle}
          >
            <svg viewBox="0 0 20 20" aria-hidden="true">
              <path d={isOn ? ICONS.pause : ICONS.play} />
            </svg>
          </button>
          <p className="status" role="status">
            {words[state]}
          </p>
          <button
            type="button"
            className="txt"
            aria-expanded={isReading}
            aria-controls={isReading ? lines : undefined}
            onClick={() => setReading(!isReading)}
          >
            {words.transcript}
          </button>
        </div>
        {isUnplayable && (
          <p className="alert" role="alert">
            {words.unplayable}
          </p>
        )}
        {isReading && <Transcript id={lines} sample={sample} turns={turns} words={words} />}
      </div>
      <Languages samples={samples} code={sample.code} words={words} choose={choose} />
    </>
  );
}
