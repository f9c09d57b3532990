// The player: bars, caption, position, play and pause, transcript, languages. It is loaded when the
// dialog opens, and plays in the browser.
import { useEffect, useId, useState } from "react";
import { Bars } from "./player_bars.jsx";
import { Caption, cueAt, TARA, useVoiceState } from "./player_caption.jsx";
import { Calls, Languages, PhoneSwitch, PlayButton, Seek, Transcript } from "./player_controls.jsx";
import { useCues, usePlayback } from "./player_sample.js";
import { telephone } from "./voice_phone.js";
import { setFilter } from "./voice_sound.js";

// The greeting of a language whose voice is in preparation.
function Greeting({ sample, words }) {
  return (
    <div className="player__body">
      <Bars state="ready" />
      <div className="caption">
        <p className="who">{TARA}</p>
        <p className="c" lang={sample.code} dir={sample.direction}>
          {sample.greeting}
        </p>
      </div>
      <p className="status" role="status">
        {words.preparing}
      </p>
    </div>
  );
}

export function PlayerStage({ samples, code, callId, words, choose, chooseCall, setLevelSource }) {
  const sample = samples.find((each) => each.code === code) ?? samples[0];
  const call = sample.calls.find(({ id }) => id === callId) ?? sample.calls[0];
  const [isPhone, setPhone] = useState(false);
  useEffect(() => {
    if (isPhone) setFilter(telephone);
    return () => setFilter(); // the hero and the replay have no switch
  }, [isPhone]);
  return (
    <>
      {call ? (
        <Call {...{ sample, call, words, chooseCall, setLevelSource, isPhone, setPhone }} />
      ) : (
        <Greeting sample={sample} words={words} />
      )}
      <Languages samples={samples} code={sample.code} words={words} choose={choose} />
    </>
  );
}

function Call({ sample, call, words, chooseCall, setLevelSource, isPhone, setPhone }) {
  const written = { ...sample, code: call.lang ?? sample.code };
  const cues = useCues(call);
  const { isOn, isAudible, isUnplayable, seconds, toggle, seek } = usePlayback(call);
  const [isReading, setReading] = useState(false);
  const transcriptId = useId();
  useEffect(() => {
    if (isUnplayable) setReading(true);
  }, [isUnplayable]);
  const cue = cueAt(cues, seconds);
  const state = useVoiceState(isAudible, cue.speaker, setLevelSource);
  return (
    <div className="player__body">
      <Calls calls={sample.calls} id={call.id} words={words} choose={chooseCall} />
      <Bars state={state} />
      <Caption {...{ sample: written, cues, cue, isAudible, seconds, words }} />
      <Seek seconds={seconds} whole={call.seconds} words={words} seek={seek} />
      <div className="player__act">
        <PlayButton isOn={isOn} words={words} toggle={toggle} />
        <p className="status" role="status">
          {words[state]}
        </p>
        <PhoneSwitch isOn={isPhone} words={words} choose={setPhone} />
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
      {isReading && <Transcript id={transcriptId} sample={written} cues={cues} words={words} />}
    </div>
  );
}
