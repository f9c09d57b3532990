// A demo request, from the first field to the answer: one store for the dialog and the buttons that
// open it. What is typed is kept in the tab; what could not be sent stays in the browser and is sent
// when the server is in reach again, always under the key that it had the first time.
import { useEffect, useRef } from "react";
import { ModalDialog } from "./dialog.jsx";
import { fetchInTime } from "./fetch.js";
import { openPlayer } from "./player.jsx";
import { createStore } from "./store.js";

const ADDRESS = "/api/demo-requests";
const DRAFT = "demoDraft";
const UNSENT = "demoUnsent";
const VARIANT = "selectedVariant";
const SOONEST_MS = 2_000;
const TIME_OUT_MS = 10_000;
const RETRY_MS = 30_000;

const CLOSED = {
  isOpen: false,
  step: 1,
  errors: {},
  variant: "",
  source: "",
  isSending: false,
  outcome: "",
  sent: { key: "", reference: "", email: "", variant: "" },
};
const store = createStore(CLOSED);
const { change } = store;
let openedAt = 0;
let memory = [];
let isResending = false;

export const useDemo = store.use;

const dialog = () => document.querySelector("dialog.demo");
const controls = (step) => [
  ...dialog().querySelectorAll(`form[data-step="${step}"] :is(input, select)`),
];

function read(storage, key, otherwise) {
  try {
    return JSON.parse(window[storage].getItem(key)) ?? otherwise;
  } catch {
    return otherwise;
  }
}

function write(storage, key, value) {
  try {
    const text = JSON.stringify(value);
    window[storage].setItem(key, text);
    return window[storage].getItem(key) === text && !window[storage].forgetsAll;
  } catch {
    return false;
  }
}

function newKey() {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

// Open, close, step

export function openDemo(source, variant = "") {
  if (store.picture.outcome && !store.picture.isSending) {
    [1, 2].forEach((step) => dialog().querySelector(`form[data-step="${step}"]`).reset());
    change({ ...CLOSED, sent: CLOSED.sent });
  }
  openedAt ||= Date.now();
  change({ isOpen: true, step: 1, source, variant: variant || store.picture.variant });
}

export function closeDemo() {
  change({ isOpen: false });
}

export function previousStep() {
  change({ step: 1 });
}

export function editAgain() {
  change({ step: 1, outcome: "" });
}

export function leaveToListen() {
  closeDemo();
  setTimeout(() => openPlayer());
}

function problemOf(control) {
  const isEmpty = control.required && !control.value.trim();
  return isEmpty || !control.checkValidity() ? control.dataset.message : "";
}

function nextStep() {
  const wrong = controls(1).filter(problemOf);
  change({ errors: Object.fromEntries(wrong.map((each) => [each.name, problemOf(each)])) });
  if (wrong.length) wrong[0].focus();
  else change({ step: 2 });
}

// What is typed

function keepDraft({ target }) {
  const { [target.name]: _, ...errors } = store.picture.errors;
  change(target.name === VARIANT ? { variant: target.value } : { errors });
  write("sessionStorage", DRAFT, typed());
}

function typed() {
  const fields = controls(1).map(({ name, value }) => [name, value]);
  return { ...Object.fromEntries(fields), [VARIANT]: store.picture.variant };
}

function restoreDraft() {
  const draft = read("sessionStorage", DRAFT, {});
  controls(1).forEach((control) => {
    if (!control.value && typeof draft[control.name] === "string") control.value = draft[control.name];
  });
  const plans = [...dialog().querySelectorAll(`[name=${VARIANT}]`)].map(({ value }) => value);
  if (plans.includes(draft[VARIANT])) change({ variant: draft[VARIANT] });
}

// What is sent

function unsent() {
  const kept = read("localStorage", UNSENT, []);
  const ours = Array.isArray(kept) ? kept.filter((each) => each?.key && each?.fields) : [];
  return [...ours, ...memory.filter((each) => !ours.some(({ key }) => key === each.key))];
}

function keep(request) {
  const isKept = write("localStorage", UNSENT, [...unsent(), request]);
  if (!isKept) memory = [...memory, request];
  return isKept;
}

function forget({ key }) {
  memory = memory.filter((each) => each.key !== key);
  write("localStorage", UNSENT, unsent().filter((each) => each.key !== key));
}

async function post({ key, fields }) {
  try {
    const answer = await fetchInTime(ADDRESS, TIME_OUT_MS, {
      method: "POST",
      headers: { "content-type": "application/json", "idempotency-key": key },
      body: JSON.stringify(fields),
    });
    if (answer.ok) return { outcome: "received", id: (await answer.json()).id };
    if (answer.status < 500 && answer.status !== 429) {
      return { outcome: "refused", errors: (await answer.json()).error.fields ?? {} };
    }
    throw new Error(`status ${answer.status}`);
  } catch (error) {
    console.warn("The demo request did not arrive:", error.message);
    return { outcome: "unreached" };
  }
}

// Sends a request and says what came of it; only an answer makes the browser forget it.
async function deliver(request, isKept) {
  const { outcome, id, errors } = await post(request);
  if (outcome !== "unreached") forget(request);
  if (request.key !== store.picture.sent.key || store.picture.outcome === "received") return;
  change({
    isSending: false,
    step: 3,
    outcome: outcome === "unreached" && !isKept ? "adrift" : outcome,
    errors: errors ?? {},
    sent: { ...store.picture.sent, reference: id?.slice(0, 8) ?? "" },
  });
  if (outcome === "received") write("sessionStorage", DRAFT, {});
}

async function send() {
  if (store.picture.isSending) return;
  const fields = { ...typed(), useCase: "", additionalNotes: "", source: store.picture.source };
  const chosen = dialog().querySelector(`[name=${VARIANT}]:checked`);
  const sent = { key: newKey(), reference: "", email: fields.email, variant: chosen.dataset.name };
  change({ isSending: true, sent });
  const wait = Math.max(0, openedAt + SOONEST_MS - Date.now());
  if (wait) await new Promise((resolve) => setTimeout(resolve, wait));
  const request = { key: sent.key, fields: { ...fields, elapsedMs: Date.now() - openedAt } };
  await deliver(request, keep(request));
}

export async function sendUnsent() {
  if (isResending) return;
  isResending = true;
  for (const request of unsent()) await deliver(request, !memory.includes(request));
  isResending = false;
}

// The visitor asks for it, and is told that it is under way.
export async function tryAgain() {
  change({ isSending: true });
  await sendUnsent();
  change({ isSending: false });
}

// Views

export function DemoDialog({ children, ...rest }) {
  const { isOpen, step, variant, outcome } = useDemo();
  const element = useRef(null);
  const place = `${step} ${outcome}`;
  const placeBefore = useRef(place);
  useEffect(() => {
    if (isOpen && place !== placeBefore.current) {
      element.current.querySelector(`[data-step="${step}"] h3`)?.focus();
      element.current.scrollTo(0, 0);
    }
    placeBefore.current = place;
  }, [isOpen, place]);
  useEffect(() => {
    const radio = element.current.querySelector(`[name=${VARIANT}][value="${variant}"]`);
    if (radio) radio.checked = true;
  }, [variant, isOpen]); // between two visits of the dialog its forms are emptied
  useEffect(() => {
    restoreDraft();
    sendUnsent();
    const timer = setInterval(() => document.hidden || sendUnsent(), RETRY_MS);
    addEventListener("online", sendUnsent);
    return () => {
      clearInterval(timer);
      removeEventListener("online", sendUnsent);
      change({ isOpen: false });
    };
  }, []);
  return (
    <ModalDialog {...rest} element={element} isOpen={isOpen} onClose={closeDemo}>
      {children}
    </ModalDialog>
  );
}

export function DemoForm({ step, children, ...rest }) {
  const { step: current } = useDemo();
  const submit = (event) => {
    event.preventDefault();
    if (step === 1) nextStep();
    else send();
  };
  return (
    <form {...rest} data-step={step} hidden={current !== step} noValidate onSubmit={submit} onInput={keepDraft}>
      {children}
    </form>
  );
}

export function DemoSteps({ names, ...rest }) {
  const { step } = useDemo();
  return (
    <ol {...rest}>
      {names.map((name, index) => (
        <li
          key={name}
          data-s={index + 1 < step || step === 3 ? "done" : ""}
          aria-current={index + 1 === step ? "step" : undefined}
        >
          {name}
        </li>
      ))}
    </ol>
  );
}
