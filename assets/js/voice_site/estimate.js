// The estimate of the cost calculator, its rounding, and the link that carries the figures. It runs in the
// browser, so that the bill follows each key without the server. The limits of the figures, from
// voice_site/domain/estimate.py, keep all products below 2^53, up to which numbers are exact.

const WHOLE = /^\d{1,9}$/;
const SECTION = "calculator";

// Returns the number that a text stands for, or null unless it is a whole number within the field's limits.
export function parseFigure(text, { minimum, maximum }) {
  const number = WHOLE.test(text) ? Number(text) : -1;
  return number >= minimum && number <= maximum ? number : null;
}

export const initialFigures = (fields) =>
  Object.fromEntries(fields.map(({ name, initial }) => [name, initial]));

// Returns the valid figures of a query, by name; all others are left out.
export function figuresIn(query, fields) {
  const parameters = new URLSearchParams(query);
  const parsed = fields.map((field) => [field.name, parseFigure(parameters.get(field.name) ?? "", field)]);
  return Object.fromEntries(parsed.filter(([, figure]) => figure !== null));
}

// Returns the address with the figures in its query; other parameters stay.
export function linkTo(address, figures) {
  const link = new URL(address);
  Object.entries(figures).forEach(([name, figure]) => link.searchParams.set(name, figure));
  link.hash = SECTION;
  return link.href;
}

// Returns one month of a call centre: rupees, except `leaving`, the agents who leave in a year. The cost of
// replacing them is rounded to whole rupees, halves up.
function monthOf(agents, { cost, attrition, replacement }) {
  const salaries = agents * cost;
  const replacing = Math.floor((agents * attrition * replacement + 600) / 1200);
  return { agents, leaving: (agents * attrition) / 100, salaries, replacing, total: salaries + replacing };
}

// `plans` are sorted by their limits; the last plan has no limit. TARA takes over its share of the conversations,
// rounded up to a whole conversation, each of which counts as an interaction; the agents for the other conversations
// remain, rounded up to whole people. The plan that fits is the first plan whose limit suffices.
// Returns the bill of one month in rupees: `taken`, the conversations of TARA; `plan`, and `smaller`, the plan
// before it, or null; `today` and `remaining`, from monthOf; `total` with TARA; `increase`, this total minus
// today's.
export function estimate(figures, plans) {
  const { conversations, agents, share } = figures;
  const taken = Math.ceil((conversations * share) / 100);
  const place = plans.findIndex(({ limit }) => limit === null || taken <= limit);
  const plan = plans[place];
  const today = monthOf(agents, figures);
  const remaining = monthOf(Math.ceil((agents * (100 - share)) / 100), figures);
  const total = plan.price + remaining.total;
  const smaller = plans[place - 1] ?? null;
  return { taken, plan, smaller, today, remaining, total, increase: total - today.total };
}

// Returns a number with India's digit grouping, 1,53,282, and up to two decimals.
export function grouped(number) {
  const [whole, decimals] = String(number).split(".");
  const head = whole.replace(/\B(?=(\d\d)+\d$)/g, ",");
  return decimals ? `${head}.${decimals}` : head;
}

export const rupees = (amount) => `₹${grouped(amount)}`;

// Replaces `{name}` in a text.
export const fill = (text, values) => text.replace(/\{(\w+)\}/g, (_, name) => values[name]);
