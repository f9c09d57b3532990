// The parts of the demonstration that talks: the conversation, the steps of the last exchange, and the browser's speech.
import { useEffect, useRef, useState } from "react";
import { replyOf } from "./talk_store.js";

const SHORT_MS = 10;
const WARNED = "talkWarned"; // in this tab (sessionStorage): the visitor has read who may hear
export const whole = (ms) => (ms < SHORT_MS ? ms.toFixed(1) : String(Math.round(ms)));

// The turns, or before the first one what could be said: `suggestions`, which `send` says.
export function Log({ state, words, suggestions, send }) {
  const element = useRef(null);
  const { turns, pending } = state;
  const reply = replyOf(state);
  useEffect(() => {
    element.current.scrollTop = element.current.scrollHeight;
  }, [turns.length]);
  return (
    <div className="replay__log" tabIndex={0} role="region" aria-label={words.conversation} ref={element}>
      {!turns.length && <Suggestions {...{ words, suggestions, send }} />}
      <ol>
        {turns.map((turn, number) => (
          <li
            key={number}
            data-by={turn.by === "tara" ? "tara" : "caller"}
            aria-current={turn === reply && !pending ? "true" : undefined}
          >
            <span className="replay__who">{turn.by === "tara" ? "TARA" : words.you}</span>
            <p lang={turn.language}>{turn.text}</p>
          </li>
        ))}
        {pending && (
          <li data-by="tara">
            <span className="replay__who">TARA</span>
            <p className="talk__dots">{words.waiting}</p>
          </li>
        )}
      </ol>
    </div>
  );
}

function Suggestions({ words, suggestions, send }) {
  return (
    <div className="talk__begin" role="group" aria-label={words.suggestions}>
      <p>{words.begin}</p>
      {suggestions.map(({ text, lang }) => (
        <button key={text} type="button" lang={lang || undefined} onClick={() => send(text)}>
          {text}
        </button>
      ))}
    </div>
  );
}

export function Steps({ state, steps, words }) {
  const { times, pending } = state;
  const shown = pending ? null : times;
  const timeOf = (id) => {
    if (!shown) return "";
    return shown[id] === null ? words.typed : words.ms.replace("{ms}", whole(shown[id]));
  };
  return (
    <ol className="replay__steps" aria-label={words.pipeline}>
      {steps.map(({ id, name, note }, number) => (
        <li
          key={id}
          data-reached={shown || (pending && number === 0) ? "" : undefined}
          style={{ "--n": number }}
        >
          <h3>{name}</h3>
          <b className="num">{timeOf(id)}</b>
          <span>{note}</span>
        </li>
      ))}
    </ol>
  );
}

const hasWarned = () => {
  try {
    return sessionStorage.getItem(WARNED) === "1";
  } catch {
    return false;
  }
};

function noteWarned() {
  try {
    sessionStorage.setItem(WARNED, "1");
  } catch {
    // The warning is shown again.
  }
}

// The button that listens, after the visitor has read who may hear it, and the switch of the browser's voice. `onHeard` gets a
// sentence and its times.
export function Voice({ words, language, isAloud, setAloud, onHeard, isMute }) {
  const [canListen, setCanListen] = useState(false);
  const [phase, setPhase] = useState(""); // '', 'warning', 'listening', 'unheard' or 'blocked'
  useEffect(() => setCanListen(Boolean(window.SpeechRecognition ?? window.webkitSpeechRecognition)), []);
  const start = async () => {
    noteWarned();
    setPhase("listening");
    const { listen } = await import("./talk_voice.js");
    listen(language, { onText: onHeard, onEnd: setPhase });
  };
  const press = async () => {
    if (phase === "listening") (await import("./talk_voice.js")).stopListening();
    else if (hasWarned()) start();
    else setPhase("warning");
  };
  return (
    <div className="talk__voice">
      {canListen && (
        <button type="button" className="txt" onClick={press} aria-expanded={phase === "warning"}>
          {phase === "listening" ? words.stop : words.speak}
        </button>
      )}
      <label className="talk__aloud">
        <input type="checkbox" checked={isAloud} onChange={({ target }) => setAloud(target.checked)} />
        <span>{words.aloud}</span>
      </label>
      <p className="status" role="status">
        {["listening", "unheard", "blocked"].includes(phase) ? words[phase] : isMute && words.mute}
      </p>
      {phase === "warning" && (
        <div className="talk__warning" role="group" aria-labelledby="talk-warning">
          <p id="talk-warning">{words.warning}</p>
          <button type="button" className="btn" onClick={start} autoFocus>
            {words.agree}
          </button>
          <button type="button" className="txt" onClick={() => setPhase("")}>
            {words.decline}
          </button>
        </div>
      )}
    </div>
  );
}
