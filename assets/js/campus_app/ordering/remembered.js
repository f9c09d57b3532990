// The contact details that a visitor lets this browser remember. Only a submitted form of an order sends them to the
// server: a storage variable of Reflex would send them with each connection.
import { createStore } from "../../kit/store.js";
import { campusTime } from "../shell/campus_time.js";

const STORED = "rememberedDetails";
const KEPT_MS = 90 * 24 * 3_600_000; // after the last order
const MOST_CHARACTERS = 400;
const NAMES = ["fullName", "email", "phoneNumber"];

const isServer = import.meta.env?.SSR ?? false;
const text = (value) => (typeof value === "string" ? value.slice(0, MOST_CHARACTERS) : "");

// Returns the details as they are shown: `addresses` by the campus' id, `at` the campus time of the last order, in ms.
// null if there are none, or if what is stored is too old or no details.
export function parse(stored, now) {
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
  };
}

function read() {
  const stored = localStorage.getItem(STORED);
  const details = stored && parse(stored, campusTime());
  if (stored && !details) localStorage.removeItem(STORED);
  return details || null;
}

const store = createStore({ details: isServer ? null : read(), isForgotten: false });

// Details that the visitor has forgotten on this page are told from those that there never were.
function keep(details) {
  if (details) localStorage.setItem(STORED, JSON.stringify(details));
  else localStorage.removeItem(STORED);
  store.change({ details, isForgotten: !details });
}

// Other tabs show and use what this one has kept or forgotten.
if (!isServer) addEventListener("storage", ({ key }) => key === STORED && store.change({ details: read() }));

export const useDetails = () => store.useStore((state) => state.details, { details: null });

export const useIsForgotten = () => store.useStore((state) => state.isForgotten, { isForgotten: false });

export const forget = () => keep(null);

const withAddress = (campus, address) => ({ ...store.state.details?.addresses, [campus]: address });

// Changes one of the remembered details, without counting as an order.
export function change(name, campus, value) {
  const changed = name === "address" ? { addresses: withAddress(campus, value) } : { [name]: value };
  keep({ ...store.state.details, ...changed });
}

// Remembers the details of an order. An order for a table has no address, and leaves the one before.
export function remember({ campus, address, ...details }) {
  const addresses = address ? withAddress(campus, address) : store.state.details?.addresses;
  keep({ ...details, addresses, at: campusTime() });
}

// Returns what is remembered for a field of the form, by its name; empty if nothing is.
export function remembered(name, campus) {
  const { details } = store.state;
  return (name === "address" ? details?.addresses?.[campus] : details?.[name]) ?? "";
}

// Returns whether the values of a form, by name, are those that are remembered. The form of a table has no address.
export function isRemembered(values, campus) {
  const names = "address" in values ? [...NAMES, "address"] : NAMES;
  return names.every((name) => values[name] && values[name] === remembered(name, campus));
}
