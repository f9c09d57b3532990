// The player's position, transcript and languages. They render with each change of the position, which
// only the browser knows.
import { useEffect, useRef } from "react";
import { speakerName } from "./player_caption.jsx";

const KEY_SECONDS = { ArrowLeft: -1, ArrowDown: -1, ArrowRight: 1, ArrowUp: 1, PageDown: -5, PageUp: 5 };

const clock = (seconds) =>
  `${Math.floor(seconds / 60)}:${String(Math.floor(seconds % 60)).padStart(2, "0")}`;

const ICONS = { play: "M3 1v18l16-9z", pause: "M4 1h3.4v18H4zM12.6 1H16v18h-3.4z" };

export function PlayButton({ isOn, words, toggle }) {
  return (
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
  );
}

// Nothing where the browser has no Web Audio API, whose filters make the sound.
export const PhoneSwitch = ({ isOn, words, choose }) =>
  "AudioContext" in window && (
    <label className="phone">
      <input type="checkbox" role="switch" checked={isOn} onChange={() => choose(!isOn)} />
      <span>{words.phone}</span>
    </label>
  );

export function Seek({ seconds, whole, words, seek }) {
  const seekByKey = (event) => {
    const by = KEY_SECONDS[event.key];
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
        onKeyDown={seekByKey}
      />
      <time>{clock(whole)}</time>
    </div>
  );
}

export function Transcript({ id, sample, cues, words }) {
  const element = useRef(null);
  useEffect(() => element.current.scrollIntoView({ block: "nearest" }), []);
  return (
    <div className="lines" id={id} ref={element}>
      {cues.length ? (
        <dl>
          {cues.map(({ speaker, starts, text }) => (
            <div key={starts}>
              <dt>{speakerName(speaker, words)}</dt>
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

export function Calls({ calls, id, words, choose }) {
  return (
    <fieldset className="calls">
      <legend>{words.calls}</legend>
      <div className="calls__l">
        {calls.map((each) => (
          <label key={each.id}>
            <input
              type="radio"
              name="call"
              value={each.id}
              checked={each.id === id}
              onChange={() => choose(each.id)}
            />
            <span>{words[`call_${each.id}`]}</span>
          </label>
        ))}
      </div>
    </fieldset>
  );
}

export function Languages({ samples, code, words, choose }) {
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
            {each.ownName !== words[`language_${each.code}`] && (
              <span className="sr-only"> {words[`language_${each.code}`]}</span>
            )}
          </label>
        ))}
      </div>
    </fieldset>
  );
}
