// The player: bars, caption, position, play and pause, transcript, languages. It is loaded when the
// dialog opens, and plays in the browser.
import { useEffect, useId, useState } from "react";
import { Bars } from "./player_bars.jsx";
import { Languages, Seek, Transcript } from "./player_controls.jsx";
import { useCues, useSample } from "./player_sample.js";
import { loudness } from "./voice_sound.js";

const DEMO_INTERVAL_MS = 3_000;
const TARA = "TARA";
const CALLER = "Caller";

const ICONS = { play: "M3 1v18l16-9z", pause: "M4 1h3.4v18H4zM12.6 1H16v18h-3.4z" };

// Returns the cue at a time, or the last one before it; without cues the speakers alternate.
function cueAt(cues, seconds) {
  if (cues.length) return [...cues].reverse().find(({ starts }) => starts <= seconds) ?? cues[0];
  const isTara = Math.floor((seconds * 1_000) / DEMO_INTERVAL_MS) % 2 === 0;
  return { speaker: isTara ? TARA : CALLER };
}

export function PlayerStage({ samples, code, words, choose, setLevelSource }) {
  const sample = samples.find((each) => each.code === code) ?? samples[0];
  const cues = useCues(sample);
  const { isOn, isAudible, isUnplayable, seconds, toggle, seek } = useSample(sample);
  const [isReading, setReading] = useState(false);
  const transcriptId = useId();
  useEffect(() => {
    if (isUnplayable) setReading(true);
  }, [isUnplayable]);
  const { speaker, starts } = cueAt(cues, seconds);
  const state = !isAudible ? "ready" : speaker === CALLER ? "listening" : "speaking";
  // The hero's ribbons move with TARA's voice only, not with the caller's.
  useEffect(() => {
    if (state !== "speaking") return undefined;
    setLevelSource(loudness);
    return () => setLevelSource(() => 0);
  }, [state, setLevelSource]);
  return (
    <>
      <div className="player__body">
        <Bars state={state} />
        <div className="caption">
          <p className="who">{`${speaker}, in ${sample.voice}`}</p>
          <div className="said-now">
            {cues.map((cue) => (
              <p
                key={cue.starts}
                className="c"
                lang={sample.code}
                dir={sample.direction}
                aria-hidden={cue.starts === starts ? undefined : true}
              >
                {cue.text}
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
            aria-controls={isReading ? transcriptId : undefined}
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
        {isReading && <Transcript id={transcriptId} sample={sample} cues={cues} words={words} />}
      </div>
      <Languages samples={samples} code={sample.code} words={words} choose={choose} />
    </>
  );
}
