// A call that plays in the hero: bars, caption, play and pause, languages. It is loaded at the first press,
// and plays in the browser.
import { useEffect, useRef } from "react";
import { Bars } from "./player_bars.jsx";
import { Caption, cueAt, useVoiceState } from "./player_caption.jsx";
import { Languages, PlayButton } from "./player_controls.jsx";
import { useCues, usePlayback } from "./player_sample.js";
import { play, sound } from "./voice_sound.js";

export function HeroStage({ samples, code, words, choose, openPlayer, setLevelSource }) {
  const spoken = samples.filter(({ calls }) => calls.length);
  const sample = spoken.find((each) => each.code === code) ?? spoken[0];
  const [call] = sample.calls;
  const cues = useCues(call);
  const { isOn, isAudible, isUnplayable, seconds, toggle } = usePlayback(call);
  const cue = cueAt(cues, seconds);
  const state = useVoiceState(isAudible, cue.speaker, setLevelSource);
  // Where another language has to continue the call: the id of the turn, and the part of it that was spoken.
  const place = useRef(null);
  const changeLanguage = (next) => {
    if (cue.id) {
      const part = (seconds - cue.starts) / (cue.ends - cue.starts);
      place.current = { id: cue.id, part: Math.min(Math.max(part, 0), 1), isOn };
    }
    choose(next);
  };
  useEffect(() => {
    if (!place.current || !cues.length) return;
    const { id, part, isOn: wasOn } = place.current;
    const { starts, ends } = cues.find((each) => each.id === id) ?? cues[0];
    place.current = null;
    sound().currentTime = starts + part * (ends - starts);
    if (wasOn) play().catch((error) => console.warn("The sample did not play:", error.message));
  }, [cues]);
  return (
    <div className="hero-call">
      <Bars state={state} />
      <Caption {...{ sample, cues, cue, isAudible, seconds, words }} />
      <div className="hero-call__act">
        <PlayButton isOn={isOn} words={words} toggle={toggle} />
        <p className="status" role="status">
          {isUnplayable ? words.unplayable : words[state]}
        </p>
        <Languages samples={spoken} code={sample.code} words={words} choose={changeLanguage} />
        <button type="button" className="txt" aria-haspopup="dialog" onClick={() => openPlayer(sample.code)}>
          {words.more}
        </button>
      </div>
    </div>
  );
}
