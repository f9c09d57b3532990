// The form that a replayed call fills in, and the steps of the pipeline behind the call.

// `entries`: the entries of all turns so far, by field. `recent`: those of the current turn, which are marked.
export function Form({ call, entries, recent = {} }) {
  return (
    <div className="replay__form">
      <div className="replay__top">
        <h3>{call.form}</h3>
        <p className="note">{call.business}</p>
      </div>
      <dl>
        {call.fields.map(({ id, label }) => (
          <div key={id} data-new={recent[id] ? "" : undefined}>
            <dt>{label}</dt>
            {/* A new key makes a new element, which starts the animation. */}
            <dd key={entries[id]}>{entries[id]}</dd>
          </div>
        ))}
      </dl>
    </div>
  );
}

// Each step has its `name` and what TARA `does` in it (voice_site/content/replay.py). `reached`: the ids of the steps that
// the call has reached, the last one being the current step.
export function Steps({ steps, words, reached }) {
  const current = reached[reached.length - 1];
  return (
    <ol className="replay__steps" aria-label={words.pipeline}>
      {steps.map(({ id, name, does }) => (
        <li
          key={id}
          data-reached={reached.includes(id) ? "" : undefined}
          aria-current={id === current ? "step" : undefined}
        >
          <h3>{name}</h3>
          <span>{does}</span>
        </li>
      ))}
    </ol>
  );
}
