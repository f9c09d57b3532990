// Step 2 of the demo request: what travels with it, each part with a box to leave it out. Only the browser knows it.
import { useEffect, useState } from "react";
import { closeDemo, leaveOut, travelWith, useDemo } from "./demo_store.js";
import { fill, grouped } from "./estimate.js";
import { journey } from "./journey.js";
import { goTo } from "./sections.jsx";

// Returns the parts that are known, as [name, text].
function partsOf({ figures, call, tried, arrival }, calls, words) {
  const places = arrival ? [arrival.referrer, ...Object.values(arrival.campaign)] : [];
  return [
    ["figures", figures && fill(words.figures, mapped(figures))],
    ["call", calls[call] && fill(words.call, { call: calls[call] })],
    ["tried", tried && words.tried],
    ["arrival", arrival && fill(words.arrival, { places: places.filter(Boolean).join(", ") })],
  ].filter(([, text]) => text);
}

const mapped = (figures) => Object.fromEntries(Object.entries(figures).map(([name, each]) => [name, grouped(each)]));

function changeFigures() {
  closeDemo();
  setTimeout(goTo, 0, "calculator"); // the dialog gives the focus back first
}

export function DemoJourney({ fields: given, calls, words }) {
  const [fields] = useState(given); // Reflex makes the same list again with each rendering
  const { isOpen, step, travels, leftOut } = useDemo();
  useEffect(() => {
    if (isOpen && step === 2) travelWith(journey(fields));
  }, [isOpen, step, fields]);
  const parts = partsOf(travels, calls, words);
  if (!parts.length) return <p className="along__more">{words.more}</p>;
  return (
    <fieldset className="along">
      <legend>{words.legend}</legend>
      {parts.map(([name, text]) => (
        <div key={name}>
          <label>
            <input
              type="checkbox"
              checked={!leftOut.includes(name)}
              onChange={({ target }) => leaveOut(name, !target.checked)}
            />
            <span>{text}</span>
          </label>
          {name === "figures" && (
            <button type="button" className="txt to-page" onClick={changeFigures}>
              {words.change}
            </button>
          )}
        </div>
      ))}
      <p className="along__more">{words.more}</p>
    </fieldset>
  );
}
