// The bill of the cost calculator, line by line. It changes with each key in the browser.
import { fill, grouped, rupees } from "./estimate.js";

// Returns the sentence of the result in three parts: the text before the amount, the amount, and the text after it.
export function resultOf({ increase }, words) {
  if (increase === 0) return [words.same, "", ""];
  const [before, after] = (increase < 0 ? words.less : words.more).split("{amount}");
  return [before, rupees(Math.abs(increase)), after];
}

// Returns the sentence that says why a plan fits: the conversations that TARA takes over, and the limits of the plan and
// of the next smaller plan.
function fitOf({ taken, plan, smaller }, { conversations, share }, words) {
  const limits = {
    share,
    conversations: grouped(conversations),
    taken: grouped(taken),
    limit: plan.limit && grouped(plan.limit),
    smaller: smaller?.name,
    smaller_limit: smaller && grouped(smaller.limit),
  };
  if (!smaller) return fill(words.fits, limits);
  return fill(plan.limit === null ? words.fitsAny : words.fitsAbove, limits);
}

function Line({ item, note, amount, ...rest }) {
  return (
    <div {...rest}>
      <dt>{item}</dt>
      <dd className="num">{amount}</dd>
      {note && <dd className="calc__fit">{note}</dd>}
    </div>
  );
}

// The lines of the agents' salaries and of replacing the agents who leave. Without a cost of replacing an agent, the second
// line says that it is not counted, or is left out if `isQuiet`.
function Agents({ month, item, figures, words, isQuiet }) {
  const { cost, replacement } = figures;
  const values = { agents: grouped(month.agents), leaving: grouped(month.leaving), cost: rupees(cost) };
  const replacing = fill(words.replacing, { ...values, replacement: rupees(replacement) });
  return (
    <>
      <Line item={fill(item, values)} amount={rupees(month.salaries)} />
      {replacement > 0 && <Line item={replacing} amount={rupees(month.replacing)} />}
      {!replacement && !isQuiet && (
        <Line item={fill(words.leaving, values)} amount={words.notCounted} data-quiet="" />
      )}
    </>
  );
}

export function CalculatorBill({ bill, figures, words }) {
  const { plan, today, remaining, total } = bill;
  const [before, amount, after] = resultOf(bill, words);
  return (
    <>
      <h3>{words.today}</h3>
      <dl>
        <Agents month={today} item={words.agents} figures={figures} words={words} />
        <Line item={words.total} amount={rupees(today.total)} data-total="" />
      </dl>
      <h3>{words.withTara}</h3>
      <dl>
        <Line item={plan.name} note={fitOf(bill, figures, words)} amount={rupees(plan.price)} data-colour={plan.colour} />
        <Agents month={remaining} item={words.remaining} figures={figures} words={words} isQuiet />
        <Line item={words.total} amount={rupees(total)} data-total="" />
      </dl>
      <p className="calc__result">
        {before}
        <strong className="num">{amount}</strong>
        {after}
      </p>
    </>
  );
}
