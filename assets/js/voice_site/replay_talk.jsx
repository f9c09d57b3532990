// The turns of a replayed call up to the current one, the choice of a reply, and the controls.
import { useEffect, useRef } from "react";
import { Bars } from "./player_bars.jsx";
import { Spoken, TARA } from "./player_caption.jsx";
import { isPlaying, isWhole } from "./replay_store.js";

const ICONS = {
  play: "M4 1v18l14-9z",
  pause: "M4 1h3.4v18H4zM12.6 1H16v18h-3.4z",
  back: "M14 3l-8 7 8 7",
  forward: "M6 3l8 7-8 7",
  restart: "M3.5 6.5A7.5 7.5 0 1 1 2.5 10M3 2v5h5",
};
const KEYS = { ArrowLeft: "back", ArrowRight: "forward" };

// `shown`: the turns up to the current one, `turn`. `isBranch`: whether the visitor has to choose the caller's reply.
// `isOver`: whether the call has ended. `act` calls a function of replay_engine.js by its name.
// The arrow keys step wherever the focus is among the turns and the controls.
export function Talk({ call, turns, turn, shown, language, words, state, isBranch, isOver, act }) {
  const playButton = useRef(null);
  const stepByKey = (event) => {
    const action = KEYS[event.key];
    if (!action || event.altKey || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    act(action);
  };
  // Moves the focus to the play button: the pressed button is removed, which would lose the focus.
  const actAndKeepFocus = (action, value) => {
    act(action, value);
    playButton.current.focus({ preventScroll: true });
  };
  const isOn = isPlaying(state);
  const speaking = turn.speaker === TARA ? "speaking" : "listening";
  return (
    <div className="replay__talk" role="group" aria-label={words.conversation} onKeyDown={stepByKey}>
      <Conversation {...{ call, shown, language, words, state, isBranch }} />
      {isBranch && turns ? (
        <Replies {...{ call, turns, language, words }} act={actAndKeepFocus} />
      ) : (
        <Bars state={isOn ? speaking : "ready"} />
      )}
      <div className="replay__act">
        <Control name="back" words={words} act={act} isOff={state.index === 0} />
        <button
          type="button"
          className={isOn ? "disc is-on" : "disc"}
          aria-label={isOn ? words.pause : words.play}
          onClick={() => act("toggle")}
          ref={playButton}
        >
          <Icon name={isOn ? "pause" : "play"} />
        </button>
        <Control name="forward" words={words} act={act} isOff={isBranch || isOver} />
        <Control name="restart" words={words} act={act} isOff={state.index === 0 && !isOn} />
        <div className="replay__say">
          <p className="status" role="status">
            {message(state, words, { isOver, hasBegun: Boolean(turns) })}
          </p>
          {isOver && (
            <button type="button" className="txt" onClick={() => actAndKeepFocus("chooseAgain")}>
              {words.other}
            </button>
          )}
        </div>
      </div>
    </div>
  );
}

function message({ hasFailed, isLoading, isUnplayable }, words, { isOver, hasBegun }) {
  if (hasFailed) return words.missing;
  if (isLoading && !hasBegun) return words.fetching;
  if (isUnplayable) return words.unplayable;
  if (isOver) return words.over;
  return hasBegun ? "" : words.start;
}

function Conversation({ call, shown, language, words, state, isBranch }) {
  const element = useRef(null);
  // The current turn is the last one; the choice of a reply makes the list shorter.
  useEffect(() => {
    element.current.scrollTop = element.current.scrollHeight;
  }, [shown.length, isBranch, call, language]);
  return (
    <div className="replay__log" tabIndex={0} role="region" aria-label={words.turns} ref={element}>
      <ol>
        {shown.map(({ id, speaker, text, words: spoken }, number) => {
          const isCurrent = number === shown.length - 1;
          return (
            <li
              key={id}
              data-by={speaker === TARA ? "tara" : "caller"}
              aria-current={isCurrent ? "true" : undefined}
            >
              <span className="replay__who">{speaker === TARA ? TARA : words.caller}</span>
              <p lang={language.code} dir={language.direction}>
                {isCurrent && !isWhole(state) ? <Spoken words={spoken} seconds={state.seconds} /> : text}
              </p>
              {call.effects[id]?.action && <p className="note">{call.effects[id].action}</p>}
            </li>
          );
        })}
      </ol>
    </div>
  );
}

function Replies({ call, turns, language, words, act }) {
  return (
    <div className="replay__ask" role="group" aria-labelledby="replay-ask">
      <p className="note" id="replay-ask">
        {words.choose}
      </p>
      {call.replies.map(([id], number) => (
        <button key={id} type="button" lang={language.code} onClick={() => act("choose", number)}>
          {turns[id].text}
        </button>
      ))}
    </div>
  );
}

function Control({ name, words, act, isOff }) {
  return (
    <button
      type="button"
      className="replay__control"
      aria-label={words[name]}
      aria-disabled={isOff}
      onClick={() => isOff || act(name)}
    >
      <Icon name={name} />
    </button>
  );
}

const Icon = ({ name }) => (
  <svg viewBox="0 0 20 20" aria-hidden="true">
    <path d={ICONS[name]} />
  </svg>
);
