// The caption of a call: its speaker and its words, which the dialog and the hero show alike.
import { useEffect } from "react";
import { loudness } from "./voice_sound.js";

const DEMO_INTERVAL_MS = 3_000;
export const TARA = "TARA";
const CALLER = "Caller";

// Returns the cue at a time, or the last cue before it. Without cues, which may have failed to load, the speakers
// alternate in the demo interval, so that the shown state still changes.
export function cueAt(cues, seconds) {
  if (cues.length) return [...cues].reverse().find(({ starts }) => starts <= seconds) ?? cues[0];
  const isTara = Math.floor((seconds * 1_000) / DEMO_INTERVAL_MS) % 2 === 0;
  return { speaker: isTara ? TARA : CALLER };
}

// Returns the state: "ready", "listening" (to the caller) or "speaking" (TARA). The hero's ribbons move with TARA's voice
// only.
export function useVoiceState(isAudible, speaker, setLevelSource) {
  const state = !isAudible ? "ready" : speaker === CALLER ? "listening" : "speaking";
  useEffect(() => {
    if (state !== "speaking") return undefined;
    setLevelSource(loudness);
    return () => setLevelSource(() => 0);
  }, [state, setLevelSource]);
  return state;
}

// A turn's words; while it plays, those that are not spoken yet are fainter.
export const Spoken = ({ words, seconds }) =>
  words.map(([starts, text]) => (
    <span key={starts} className={starts > seconds ? "is-ahead" : undefined}>
      {text}{" "}
    </span>
  ));

// Returns the translated name of a speaker of the cues.
export const speakerName = (speaker, words) => (speaker === CALLER ? words.caller : speaker);

// Each turn takes as much height as the longest one, so that nothing below moves.
export function Caption({ sample, cues, cue, isAudible, seconds, words: texts }) {
  return (
    <div className="caption">
      <p className="who">{speakerName(cue.speaker, texts)}</p>
      <div className="said-now">
        {cues.map(({ starts, text, words }) => (
          <p
            key={starts}
            className="c"
            lang={sample.code}
            dir={sample.direction}
            aria-hidden={starts === cue.starts ? undefined : true}
          >
            {isAudible && starts === cue.starts ? <Spoken words={words} seconds={seconds} /> : text}
          </p>
        ))}
      </div>
    </div>
  );
}
