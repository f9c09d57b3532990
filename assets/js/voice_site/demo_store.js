// The demo request from the first field to the response: one store for the dialog and the buttons that
// open it, without the server, so that the form works while Reflex is not connected.
import { createStore } from "../kit/store.js";
import { enqueue, isStored, newKey, send, unsent } from "./demo_outbox.js";
import { membersOf } from "./journey.js";
import { openPlayer } from "./player.jsx";
import { read, write } from "./storage.js";

const DRAFT = "demoDraft";
const VARIANT = "selectedVariant";
const MINIMUM_SUBMISSION_MS = 2_000; // the server suspects a bot if a form was sent sooner

const CLOSED = {
  isOpen: false,
  step: 1,
  errors: {},
  variant: "",
  source: "",
  isSending: false,
  outcome: "",
  sent: { key: "", reference: "", email: "", variant: "" },
  travels: {},
  leftOut: [],
};
const store = createStore(CLOSED);
const { change } = store;
let openedAt = 0;
let isResending = false;

export const useDemo = store.useStore;

export const dialog = () => document.querySelector("dialog.demo");
const controls = (step) => [
  ...dialog().querySelectorAll(`form[data-step="${step}"] :is(input, select, textarea)`),
];
// The fields of both steps but the variant, which the store holds, and the boxes without a name.
const fields = () => [...controls(1), ...controls(2)].filter(({ name }) => name && name !== VARIANT);

export function openDemo(source, variant = "") {
  if (store.state.outcome && !store.state.isSending) {
    [1, 2].forEach((step) => dialog().querySelector(`form[data-step="${step}"]`).reset());
    change(CLOSED);
  }
  openedAt ||= Date.now();
  change({ isOpen: true, step: 1, source, variant: variant || store.state.variant });
}

export const closeDemo = () => change({ isOpen: false });

export const previousStep = () => change({ step: 1 });

export const editAgain = () => change({ step: 1, outcome: "" });

export function leaveToListen() {
  closeDemo();
  setTimeout(() => openPlayer());
}

// What travels with the request, from journey(): `leftOut` has the names of the parts that the visitor keeps back.
export const travelWith = (travels) => change({ travels });

export function leaveOut(name, isLeftOut) {
  const others = store.state.leftOut.filter((each) => each !== name);
  change({ leftOut: isLeftOut ? [...others, name] : others });
}

function problemOf(control) {
  const isEmpty = control.required && !control.value.trim();
  return isEmpty || !control.checkValidity() ? control.dataset.message : "";
}

export function nextStep() {
  const wrong = controls(1).filter(problemOf);
  change({ errors: Object.fromEntries(wrong.map((each) => [each.name, problemOf(each)])) });
  if (wrong.length) wrong[0].focus();
  else change({ step: 2 });
}

function typed() {
  const values = fields().map(({ name, value }) => [name, value]);
  return { ...Object.fromEntries(values), [VARIANT]: store.state.variant };
}

export function storeDraft({ target }) {
  const { [target.name]: _, ...errors } = store.state.errors;
  change(target.name === VARIANT ? { variant: target.value } : { errors });
  write("sessionStorage", DRAFT, typed());
}

export function restoreDraft() {
  const draft = read("sessionStorage", DRAFT, {});
  fields().forEach((control) => {
    if (!control.value && typeof draft[control.name] === "string") control.value = draft[control.name];
  });
  const variants = [...dialog().querySelectorAll(`[name=${VARIANT}]`)].map(({ value }) => value);
  if (variants.includes(draft[VARIANT])) change({ variant: draft[VARIANT] });
}

export function selectVariant(variant) {
  const radio = dialog().querySelector(`[name=${VARIANT}][value="${variant}"]`);
  if (radio) radio.checked = true;
}

async function deliver(request) {
  const isPersistent = isStored(request);
  const { outcome, id, errors } = await send(request);
  if (request.key !== store.state.sent.key || store.state.outcome === "received") return;
  change({
    isSending: false,
    step: 3,
    outcome: outcome === "unreached" && !isPersistent ? "unsaved" : outcome,
    errors: errors ?? {},
    sent: { ...store.state.sent, reference: id?.slice(0, 8) ?? "" },
  });
  if (outcome === "received") write("sessionStorage", DRAFT, {});
}

export async function submitDemo() {
  if (store.state.isSending) return;
  const { source, travels, leftOut } = store.state;
  const sentFields = { ...typed(), additionalNotes: "", source, journey: membersOf(travels, leftOut) };
  const chosen = dialog().querySelector(`[name=${VARIANT}]:checked`);
  const sent = { key: newKey(), reference: "", email: sentFields.email, variant: chosen.dataset.name };
  change({ isSending: true, sent });
  const wait = Math.max(0, openedAt + MINIMUM_SUBMISSION_MS - Date.now());
  if (wait) await new Promise((resolve) => setTimeout(resolve, wait));
  const request = { key: sent.key, fields: { ...sentFields, elapsedMs: Date.now() - openedAt } };
  enqueue(request);
  await deliver(request);
}

export async function sendUnsent() {
  if (isResending) return;
  isResending = true;
  for (const request of unsent()) await deliver(request);
  isResending = false;
}

// Retries on the visitor's request, and shows that it is sending.
export async function tryAgain() {
  change({ isSending: true });
  await sendUnsent();
  change({ isSending: false });
}
