// See it work: a call that is replayed turn by turn, the form that it fills in, and the steps of the pipeline behind it.
// It is written in JavaScript, because only the browser knows the position in the audio.

// `calls`, `steps` and `languages` come from voice_site/content/replay.py; `words` are the texts of the controls.
import { TARA } from "./player_caption.jsx";
import { Form, Steps } from "./replay_form.jsx";
import {
  callOf,
  chooseCall,
  chooseLanguage,
  entriesAt,
  isWhole,
  NO_REPLY,
  pathOf,
  phaseOf,
  press,
  stepsAt,
  store,
  turnsOf,
} from "./replay_store.js";
import { Talk } from "./replay_talk.jsx";

export function Replay({ words, calls, steps, languages }) {
  const state = store.useStore();
  const { reply, index, mode } = state;
  const call = callOf(calls);
  const language = languages.find(({ code }) => code === state.code) ?? languages[0];
  const path = pathOf(call, reply);
  const turns = turnsOf(call, state);
  const turn = turns?.[path[index]] ?? { speaker: TARA, text: call.first[language.code] };
  const phase = phaseOf(turn, state);
  const effect = call.effects[path[index]];
  const isDone = phase === "after" || (phase === "during" && turn.speaker === TARA);
  const isEnd = isWhole(state) && index === path.length - 1;
  const isBranch = isEnd && reply === NO_REPLY;
  return (
    <div className="replay" data-testid="call-replay" data-begun={turns ? "" : undefined}>
      <div className="replay__pick">
        <Radios
          legend={words.calls}
          name="replay-call"
          value={call.id}
          options={calls.map(({ id, name, industry }) => [id, name, industry])}
          choose={chooseCall}
        />
        <Radios
          legend={words.languages}
          name="replay-language"
          value={language.code}
          options={languages.map(({ code, ownName }) => [code, ownName])}
          choose={(code) => chooseLanguage(call, code)}
        />
      </div>
      <Talk
        {...{ call, turns, turn, language, words, state, isBranch }}
        isOver={isEnd && !isBranch}
        shown={path.slice(0, index + 1).map((id) => ({ id, ...(turns?.[id] ?? turn) }))}
        act={(action, value) => press(call, action, value)}
      />
      <Form
        call={call}
        entries={entriesAt(call, path, index, isDone)}
        recent={isDone ? effect?.entries : undefined}
      />
      <Steps
        steps={steps}
        words={words}
        reached={stepsAt(turn, phase, { action: effect?.action, isFirst: index === 0 })}
      />
      <p className="sr-only" role="status">
        {mode === "reading" && turns && <Announcement {...{ call, turn, effect, language, words }} />}
        {isBranch && turns && words.choose}
      </p>
    </div>
  );
}

function Radios({ legend, name, value, options, choose }) {
  return (
    <fieldset>
      <legend className="note">{legend}</legend>
      {options.map(([id, text, more]) => (
        <label key={id}>
          <input type="radio" name={name} value={id} checked={id === value} onChange={() => choose(id)} />
          <span lang={name === "replay-language" ? id : undefined}>{text}</span>
          {more && <small>{more}</small>}
        </label>
      ))}
    </fieldset>
  );
}

// Announces the turn to which the visitor has stepped, and its entries. A turn that is played is heard, so it is not
// announced.
function Announcement({ call, turn, effect, language, words }) {
  return (
    <>
      {turn.speaker === TARA ? TARA : words.caller}: <span lang={language.code}>{turn.text}</span>{" "}
      {call.fields
        .filter(({ id }) => effect?.entries[id])
        .map(({ id, label }) => `${label}: ${effect.entries[id]}. `)}
    </>
  );
}
