// The cost calculator: its fields, and the bill that follows them. Reflex would send each key to the server.
import { useEffect, useState } from "react";
import { useLocation } from "react-router";
import { changeAddress } from "../kit/screen_address.js";
import { CalculatorBill, resultOf } from "./calculator_bill.jsx";
import { Field, Slider } from "./calculator_fields.jsx";
import { CalculatorLink } from "./calculator_link.jsx";
import { estimate, figuresIn, initialFigures, linkTo, parseFigure } from "./estimate.js";
import { openDemo } from "./demo_store.js";
import { goTo } from "./sections.jsx";

const SECTION = "calculator";
const LINK_MS = 400; // Safari allows 100 changes of the address in 30 s
const ANNOUNCE_MS = 900;

const isOpenedByLink = () =>
  location.hash === `#${SECTION}` && performance.getEntriesByType("navigation")[0]?.type !== "reload";

// Returns the result a while after the last change, so that a screen reader does not read each key.
function useAnnouncement(result, isChanged) {
  const [announced, announce] = useState("");
  useEffect(() => {
    if (!isChanged) return;
    const timer = setTimeout(announce, ANNOUNCE_MS, result);
    return () => clearTimeout(timer);
  }, [result, isChanged]);
  return announced;
}

// Returns the texts of the fields, the last valid figure of each, and `change`, which sets the text of a field. After a
// change the address has the figures, so that a reload keeps them.
function useFigures(given) {
  const { pathname } = useLocation();
  const [fields] = useState(given); // Reflex makes the same list again with each rendering
  const [state, setState] = useState({ figures: initialFigures(fields), texts: {}, isChanged: false });
  const { figures, isChanged } = state;
  useEffect(() => {
    const linked = figuresIn(location.search, fields);
    setState((before) => ({ ...before, figures: { ...before.figures, ...linked } }));
    if (isOpenedByLink()) goTo(SECTION);
  }, [fields]);
  useEffect(() => {
    if (!isChanged) return;
    const timer = setTimeout(changeAddress, LINK_MS, pathname, (address) => linkTo(address, figures));
    return () => clearTimeout(timer);
  }, [figures, isChanged, pathname]);
  const change = (field, text) => {
    const figure = parseFigure(text, field);
    setState(({ figures: valid, texts }) => ({
      figures: figure === null ? valid : { ...valid, [field.name]: figure },
      texts: { ...texts, [field.name]: text },
      isChanged: true,
    }));
  };
  return { ...state, change };
}

export function CostCalculator({ groups, plans, words }) {
  const { figures, texts, isChanged, change } = useFigures(groups.flatMap(({ fields }) => fields));
  const bill = estimate(figures, plans);
  const announced = useAnnouncement(resultOf(bill, words).join(""), isChanged);
  return (
    <div className="grid calc" data-testid="cost-calculator">
      <div className="calc__fields">
        {groups.map(({ legend, fields }) => (
          <fieldset key={legend}>
            <legend>{legend}</legend>
            {fields.map((field) => {
              const figure = figures[field.name];
              const props = { field, figure, words, change };
              if (field.isShare) return <Slider key={field.name} {...props} />;
              return <Field key={field.name} text={texts[field.name] ?? String(figure)} {...props} />;
            })}
          </fieldset>
        ))}
      </div>
      <div className="calc__bill">
        <CalculatorBill bill={bill} figures={figures} words={words} />
        <output className="sr-only" aria-live="polite">
          {announced}
        </output>
        <div className="calc__act">
          <button
            type="button"
            className="btn"
            aria-haspopup="dialog"
            onClick={() => openDemo(SECTION, bill.plan.id)}
          >
            {words.demo}
          </button>
          <noscript>
            <a href="#cta-section" className="btn">
              {words.demo}
            </a>
          </noscript>
          <CalculatorLink figures={figures} words={words} />
        </div>
      </div>
      <p className="label calc__excluded">{words.excluded}</p>
    </div>
  );
}
