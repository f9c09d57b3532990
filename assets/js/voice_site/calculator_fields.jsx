// The fields of the cost calculator. They show a wrong figure at once, so the browser checks each key.
import { fill, grouped, parseFigure } from "./estimate.js";

function Label({ id, field: { label, hint } }) {
  return (
    <label htmlFor={id}>
      {label}
      {hint && <small>{hint}</small>}
    </label>
  );
}

export function Field({ field, text, figure, words, change }) {
  const { name, minimum, maximum } = field;
  const id = `calc-${name}`;
  const isWrong = parseFigure(text, field) === null;
  const limits = { minimum: grouped(minimum), maximum: grouped(maximum), used: grouped(figure) };
  return (
    <div className="calc__row">
      <Label id={id} field={field} />
      <input
        id={id}
        name={name}
        type="number"
        inputMode="numeric"
        min={minimum}
        max={maximum}
        autoComplete="off"
        value={text}
        aria-invalid={isWrong}
        aria-describedby={isWrong ? `${id}-error` : undefined}
        onChange={(event) => change(field, event.target.value)}
      />
      {isWrong && (
        <p id={`${id}-error`} className="err">
          {fill(words.invalid, limits)}
        </p>
      )}
    </div>
  );
}

export function Slider({ field, figure, words, change }) {
  const { name, minimum, maximum } = field;
  const id = `calc-${name}`;
  const percent = fill(words.percent, { number: figure });
  return (
    <div className="calc__row calc__row--share">
      <Label id={id} field={field} />
      <b className="num" aria-hidden="true">
        {percent}
      </b>
      <div className="seek">
        <input
          id={id}
          name={name}
          type="range"
          min={minimum}
          max={maximum}
          value={figure}
          style={{ "--p": `${figure}%` }}
          aria-valuetext={percent}
          onChange={(event) => change(field, event.target.value)}
        />
      </div>
    </div>
  );
}
