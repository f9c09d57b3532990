// The contact details that a visitor lets this browser remember. Only a submitted form of an order sends them to the
// server: a storage variable of Reflex would send them with each connection.
import { createStore } from "../../kit/store.js";
import { campusTime } from "../shell/campus_time.js";

const STORED = "rememberedDetails";
const SUBMITTED = "detailsToRemember"; // in this tab, until the server has accepted the form
const KEPT_MS = 90 * 24 * 3_600_000; // after the last order
const CHOICE = "typed_remember"; // the box, in this tab, until a form is accepted
const NAMES = ["fullName", "email", "phoneNumber"];

const isServer = import.meta.env.SSR;
const text = (value) => (typeof value === "string" ? value : "");

// Returns the details as they are shown: `addresses` by the campus' id, `at` the campus time of the last order, in ms,
// `isChecked` whether all went through the check of an order. null if there are none, or if what is stored is too old.
function parse(stored, now) {
  let kept;
  try {
    kept = JSON.parse(stored);
  } catch {
    return null;
  }
  if (typeof kept?.at !== "number" || !(Math.abs(now - kept.at) < KEPT_MS)) return null;
  const addresses = Object.entries(kept.addresses ?? {}).map(([campus, address]) => [campus, text(address)]);
  return {
    ...Object.fromEntries(NAMES.map((name) => [name, text(kept[name])])),
    addresses: Object.fromEntries(addresses.filter(([, address]) => address)),
    at: kept.at,
    isChecked: kept.isChecked === true,
  };
}

function read() {
  const stored = localStorage.getItem(STORED);
  const details = stored && parse(stored, campusTime());
  if (stored && !details) localStorage.removeItem(STORED);
  return details || null;
}

const UNKNOWN = { details: null, isForgotten: false, choice: null };
const store = createStore(
  isServer ? UNKNOWN : { ...UNKNOWN, details: read(), choice: sessionStorage.getItem(CHOICE) },
);

// A full storage keeps nothing rather than what was stored before.
function replaceItem(storage, key, value) {
  storage.removeItem(key);
  if (value) storage.setItem(key, JSON.stringify(value));
}

function keep(details) {
  replaceItem(localStorage, STORED, details);
  store.change({ details: read() });
}

// Other tabs show and use what this one has kept or forgotten; so does a page that the browser shows again.
function follow() {
  const details = read();
  store.change({ details, isForgotten: store.state.isForgotten && !details });
}
if (!isServer) {
  addEventListener("storage", ({ key }) => [STORED, null].includes(key) && follow());
  addEventListener("pageshow", ({ persisted }) => persisted && follow());
}

export const useDetails = () => store.useStore((state) => state.details, UNKNOWN);

export const useIsForgotten = () => store.useStore((state) => state.isForgotten, UNKNOWN);

// Whether the box is ticked: as the visitor has chosen for the next order, by default if details are remembered.
export const useIsTicked = () =>
  store.useStore(({ choice, details }) => (choice === null ? details !== null : choice !== ""), UNKNOWN);

export function tick(isTicked) {
  const choice = isTicked ? "yes" : "";
  sessionStorage.setItem(CHOICE, choice);
  store.change({ choice });
}

function forgetChoice() {
  sessionStorage.removeItem(CHOICE);
  store.change({ choice: null });
}

// What this tab has stored of the form (draft_field.jsx) would be filled in before what is remembered.
export function clearTyped() {
  const isOfDetail = (key) => [...NAMES, "address"].some((name) => key.startsWith(`typed_${name}`));
  for (const key of Object.keys(sessionStorage).filter(isOfDetail)) sessionStorage.removeItem(key);
  sessionStorage.removeItem(SUBMITTED);
}

// Forgets the details, also those that were typed in this tab.
export function forget() {
  clearTyped();
  forgetChoice();
  keep(null);
  store.change({ isForgotten: true });
}

const withAddress = (campus, address) => ({ ...store.state.details?.addresses, [campus]: address });

// Changes one of the remembered details, which no order has checked then.
export function change(name, campus, value) {
  const changed = name === "address" ? { addresses: withAddress(campus, value) } : { [name]: value };
  keep({ ...store.state.details, ...changed, isChecked: false });
}

// Keeps the values of a submitted form until the server has accepted it; null if they are not to be remembered.
export const submitted = (values) => replaceItem(sessionStorage, SUBMITTED, { values });

// Remembers the values of the submitted form, or forgets the details as it asked. An order for a table has no address,
// and leaves the one before.
export function rememberSubmitted() {
  const stored = sessionStorage.getItem(SUBMITTED);
  sessionStorage.removeItem(SUBMITTED);
  if (!stored) return;
  forgetChoice();
  const { values } = JSON.parse(stored);
  if (!values) return keep(null);
  const { campus, address, ...details } = values;
  const addresses = address ? withAddress(campus, address) : store.state.details?.addresses;
  keep({ ...details, addresses, at: campusTime(), isChecked: true });
}

// Returns what is remembered for a field of the form, by its name, at most `most` characters; empty if nothing is.
export function remembered(name, campus, most = Infinity) {
  const { details } = store.state;
  return ((name === "address" ? details?.addresses?.[campus] : details?.[name]) ?? "").slice(0, most);
}

// Returns whether the values of a form, by name, are those that are remembered and checked. The form of a table has no
// address.
export function isRemembered(values, campus) {
  if (!store.state.details?.isChecked) return false;
  const names = "address" in values ? [...NAMES, "address"] : NAMES;
  return names.every((name) => values[name] && values[name] === remembered(name, campus));
}
