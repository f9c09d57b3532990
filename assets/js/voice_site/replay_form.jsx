// The form that a replayed call fills in, and the steps of the pipeline. `recent` are the entries of the
// current turn, `reached` the ids of the steps.

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
            <dd key={entries[id]}>{entries[id]}</dd>
          </div>
        ))}
      </dl>
    </div>
  );
}

export function Steps({ steps, words, reached }) {
  const current = reached[reached.length - 1];
  return (
    <ol className="replay__steps" aria-label={words.pipeline}>
      {steps.map(({ id, name, target, measure, source, address }) => (
        <li
          key={id}
          data-reached={reached.includes(id) ? "" : undefined}
          aria-current={id === current ? "step" : undefined}
        >
          <h3>{name}</h3>
          <b className="num">{target}</b>
          <span className="replay__source">
            <span className="replay__measure">{measure}</span>{" "}
            <a href={address} rel="noopener">
              {source}
            </a>
          </span>
        </li>
      ))}
    </ol>
  );
}
