// Say it in your own words: the exchange that is under way, and what the page shows of those before. The conversation
// itself stays on the server, which forgets it with the page.
import { createStore } from "../kit/store.js";
import { noteTried } from "./journey.js";

const LATE_MS = 4_000;
const LOST_MS = 20_000;

const START = {
  turns: [],
  number: 0,
  pending: null,
  unsent: "",
  form: "",
  entries: {},
  recent: {},
  times: null,
  by: "",
  message: "",
  seconds: 0,
};
// `turns`: who said what in which language, TARA's last reply included. `pending`: the key of the sentence without an answer, when
// it ended (ms of performance.now), and how long it took to hear it. `unsent`: a sentence that goes back into the box.
// `times`: ms of the last exchange by step, and in total. `message`: 'late', 'busy' or ''; `seconds`: how long.
export const store = createStore(START);
const { change } = store;
let timers = [];

export const replyOf = ({ turns }) => turns.filter(({ by }) => by === "tara").pop();

function stopTimers() {
  timers.forEach(clearTimeout);
  timers = [];
}

export function restart() {
  stopTimers();
  change(START);
}

// Sends a sentence with `onSay`, the event of the server. `endedAt` is when it ended, `heard` the ms until it was text.
export function say(text, onSay, { endedAt = performance.now(), heard = null } = {}) {
  const said = text.trim();
  if (!said || store.state.pending) return false;
  const key = Math.random().toString(36).slice(2);
  const number = store.state.number + 1;
  const turns = [...store.state.turns, { by: "you", text: said }];
  change({ turns, number, pending: { key, endedAt, heard, said }, unsent: "", message: "" });
  timers = [
    setTimeout(() => change({ message: "late" }), LATE_MS),
    // The server has restarted before it could answer; the sentence can be sent again.
    setTimeout(giveBack, LOST_MS),
  ];
  onSay(said, key, number);
  return true;
}

function giveBack(more = {}) {
  stopTimers();
  const { turns, number, pending } = store.state;
  change({ turns: turns.slice(0, -1), number: number - 1, unsent: pending.said, pending: null, ...more });
}

// Takes the server's answer to the pending sentence; returns the reply, or undefined for any other answer.
export function take(answer) {
  const { pending, turns } = store.state;
  if (!pending || answer.key !== pending.key) return undefined;
  if (answer.busy) {
    giveBack({ message: "busy", seconds: answer.busy });
    return undefined;
  }
  stopTimers();
  const { reply, language, form, entries, understand, decide, by } = answer;
  const before = form === store.state.form ? store.state.entries : {};
  const recent = Object.fromEntries(Object.entries(entries).filter(([id, entry]) => before[id] !== entry));
  change({
    turns: [...turns, { by: "tara", text: reply, language }],
    pending: null,
    message: "",
    ...(form ? { form, entries, recent } : { recent: {} }),
    by,
  });
  // The frame in which the reply is drawn.
  requestAnimationFrame(() => {
    const total = performance.now() - pending.endedAt;
    const hear = pending.heard ?? 0;
    const rest = Math.max(0, total - hear - understand - decide);
    change({ times: { hear: pending.heard, understand, decide, answer: rest, total } });
  });
  noteTried();
  return { reply, language };
}
