// Say it in your own words: the visitor types or speaks, rules on the server answer, and the form and the steps show what came of
// it. It is written in JavaScript, because the page measures each exchange and the browser's speech has no Python.
import { useEffect, useEffectEvent, useState } from "react";
import { replyOf, restart, say, store, take } from "./talk_store.js";
import { Log, Steps, Voice, whole } from "./talk_parts.jsx";

const BOX = "talk-box";
// The language of the page; the build has no document.
const pageLanguage = () => (typeof document === "undefined" ? "en" : document.documentElement.lang.split("-")[0]);

// `answer` is TalkState.answer; `onSay` sends a sentence. The texts and forms come from voice_site/content/talk.py.
export function Talk({ words, steps, forms, suggestions, longest, answer, onSay }) {
  const state = store.useStore();
  const { turns, pending, times, unsent, message, by } = state;
  const [text, setText] = useState("");
  const [isAloud, setAloud] = useState(false);
  const [isMute, setMute] = useState(false);
  const language = replyOf(state)?.language ?? pageLanguage();

  const receive = useEffectEvent((answered) => {
    const reply = take(answered);
    if (!reply || !isAloud) return;
    import("./talk_voice.js").then(({ speak }) => speak(reply.reply, reply.language)).then((was) => setMute(!was));
  });
  useEffect(() => receive(answer), [answer]);
  useEffect(() => {
    if (unsent) setText((typed) => typed || unsent);
  }, [unsent]);

  const send = (sentence, more) => {
    if (!say(sentence, onSay, more)) return;
    setText("");
    document.getElementById(BOX).focus({ preventScroll: true });
  };
  const changeAloud = (isOn) => {
    setAloud(isOn);
    setMute(false);
    import("./talk_voice.js").then(({ hush }) => hush());
  };
  const submit = (event) => {
    event.preventDefault();
    send(text);
  };
  const begin = () => {
    restart();
    setText("");
    document.getElementById(BOX).focus({ preventScroll: true });
  };

  return (
    <div className="replay talk" data-begun={turns.length ? "" : undefined}>
      <div className="replay__talk">
        <Log {...{ state, words, suggestions }} send={(said) => send(said)} />
        <p className="sr-only" role="status" data-testid="talk-reply" lang={language}>
          {replyOf(state)?.text}
        </p>
        <form className="talk__say" onSubmit={submit}>
          <label htmlFor={BOX}>{words.box}</label>
          <div className="talk__line">
            <input
              id={BOX}
              value={text}
              maxLength={longest}
              onChange={({ target }) => setText(target.value)}
              placeholder={words.hint}
              autoComplete="off"
              autoCapitalize="sentences"
              enterKeyHint="send"
            />
            <button type="submit" className="btn" aria-disabled={Boolean(pending) || !text.trim()}>
              {words.send}
            </button>
          </div>
        </form>
        {answer.hasModel && <p className="note">{words.provider}</p>}
        <div className="talk__more">
          <Voice {...{ words, language, isAloud, isMute }} setAloud={changeAloud} onHeard={send} />
          {turns.length > 0 && (
            <button type="button" className="txt" onClick={begin}>
              {words.restart}
            </button>
          )}
        </div>
        <p className="status" role="status">
          {message && words[message].replace("{seconds}", state.seconds)}
        </p>
      </div>
      <Entries form={forms[state.form] ?? Object.values(forms)[0]} state={state} />
      <div className="talk__measured">
        <Steps state={state} steps={steps} words={words} />
        <p className="note num" data-testid="talk-latency" role="status">
          {times && !pending && `${words.latency.replace("{ms}", whole(times.total))}. ${words[by]}`}
        </p>
      </div>
    </div>
  );
}

// The form that the conversation fills in; new entries are marked.
function Entries({ form, state: { entries, recent } }) {
  return (
    <div className="replay__form">
      <div className="replay__top">
        <h3>{form.title}</h3>
        <p className="note">{form.business}</p>
      </div>
      <dl>
        {form.fields.map(({ id, label }) => (
          <div key={id} data-new={recent[id] ? "" : undefined}>
            <dt>{label}</dt>
            {/* A new key makes a new element, which starts the animation. */}
            <dd key={entries[id]} data-testid={`talk-field-${id}`}>
              {entries[id]}
            </dd>
          </div>
        ))}
      </dl>
    </div>
  );
}
