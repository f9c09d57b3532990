// Sends demo requests over HTTP. The browser stores a failed request and sends it again with the same
// idempotency key; an event of Reflex would be lost with its connection.
import { fetchWithTimeout } from "../kit/connection.jsx";
import { read, write } from "./storage.js";

const ADDRESS = "/api/demo-requests";
const UNSENT = "demoUnsent";
const TIMEOUT_MS = 10_000;

// Requests that could not be stored.
let memory = [];

export function newKey() {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

export function unsent() {
  const entries = read("localStorage", UNSENT, []);
  const stored = Array.isArray(entries) ? entries.filter((each) => each?.key && each?.fields) : [];
  return [...stored, ...memory.filter((each) => !stored.some(({ key }) => key === each.key))];
}

// Returns whether a request survives a reload.
export const isStored = (request) => !memory.includes(request);

export function enqueue(request) {
  if (!write("localStorage", UNSENT, [...unsent(), request])) memory = [...memory, request];
}

function dequeue({ key }) {
  memory = memory.filter((each) => each.key !== key);
  write("localStorage", UNSENT, unsent().filter((each) => each.key !== key));
}

async function post({ key, fields }) {
  try {
    const response = await fetchWithTimeout(ADDRESS, TIMEOUT_MS, {
      method: "POST",
      headers: { "content-type": "application/json", "idempotency-key": key },
      body: JSON.stringify(fields),
    });
    if (response.ok) return { outcome: "received", id: (await response.json()).id };
    if (response.status < 500 && response.status !== 429) {
      return { outcome: "refused", errors: (await response.json()).error.fields ?? {} };
    }
    throw new Error(`status ${response.status}`);
  } catch (error) {
    console.warn("The demo request did not arrive:", error.message);
    return { outcome: "unreached" };
  }
}

// Sends a request and returns its outcome; the outbox keeps it until there is a response.
export async function send(request) {
  const result = await post(request);
  if (result.outcome !== "unreached") dequeue(request);
  return result;
}
