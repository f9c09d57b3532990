// What can travel with a demo request: where the visitor came from, the calculator's figures, the last call, whether the
// demonstration was tried. It stays
// in this tab (sessionStorage), without a cookie, and is sent with a request alone.
import { figuresIn, initialFigures } from "./estimate.js";
import { read, write } from "./storage.js";

const ARRIVAL = "demoArrival";
const CALL = "demoCall";
const TRIED = "demoTried";
const CAMPAIGN = ["utm_source", "utm_medium", "utm_campaign", "utm_term", "utm_content"];
const LONGEST = 100; // the server keeps no more
const CALL_FILE = /\/audio\/([a-z]+-[a-z]+)\.\w+$/;

function foreignHost() {
  try {
    const { host, hostname } = new URL(document.referrer);
    return host === location.host ? "" : hostname;
  } catch {
    return ""; // no referrer
  }
}

// Stores the host and the advertisement that led here; a visit from within the site leaves them.
export function noteArrival() {
  const query = new URLSearchParams(location.search);
  const told = CAMPAIGN.map((name) => [name, query.get(name)?.slice(0, LONGEST)]).filter(([, value]) => value);
  const referrer = foreignHost();
  if (referrer || told.length) write("sessionStorage", ARRIVAL, { referrer, campaign: Object.fromEntries(told) });
}

// Stores that a call plays, by the address of its file.
export function noteCall(address) {
  const name = CALL_FILE.exec(address)?.[1];
  if (name) write("sessionStorage", CALL, name);
}

// Stores that the demonstration has answered a sentence, not what was said.
export function noteTried() {
  write("sessionStorage", TRIED, true);
}

// Returns what is known: `figures` only if the visitor has changed a figure, which puts it into the address.
export function journey(fields) {
  const linked = figuresIn(location.search, fields);
  const { referrer = "", campaign = {} } = read("sessionStorage", ARRIVAL, {});
  return {
    figures: Object.keys(linked).length ? { ...initialFigures(fields), ...linked } : null,
    call: read("sessionStorage", CALL, ""),
    tried: read("sessionStorage", TRIED, false) === true,
    arrival: referrer || Object.keys(campaign).length ? { referrer, campaign } : null,
  };
}

// Returns the members of a request: the known parts but those that the visitor leaves out.
export function membersOf(parts, leftOut) {
  const kept = Object.entries(parts).filter(([name, part]) => part && !leftOut.includes(name));
  const { arrival, ...others } = Object.fromEntries(kept);
  return { ...others, ...arrival };
}
