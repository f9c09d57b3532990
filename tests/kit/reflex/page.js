// What Reflex's state.js finds in a browser and in the modules that it imports, for one connected page. Put before the
// script itself by state_script.py; `report` prints a test's result.
const dispatched = [], timers = [], sent = [], states = {};
const listeners = {};
const listen = (name, listener) => (listeners[name] ??= []).push(listener);
const dispatchEvent = (event) => {
  dispatched.push(event.type);
  for (const listener of listeners[event.type] ?? []) listener(event);
};
class CustomEvent extends Event {
  constructor(name, { detail }) {
    super(name);
    this.detail = detail;
  }
}
const stored = {};
const sessionStorage = { getItem: (key) => stored[key] ?? null, setItem: (key, value) => (stored[key] = value) };
const setTimeout = (run, ms) => timers.push({ run, ms: Math.round(ms) });
const clearTimeout = (number) => number && (timers[number - 1] = undefined);
const location = { host: "shop.example:3100", hostname: "shop.example", protocol: "http:", pathname: "/menu", search: "", hash: "" };
const document = { cookie: "", visibilityState: "visible", hidden: false, addEventListener: listen };
const window = {
  addEventListener: listen, removeEventListener() {}, dispatchEvent, setTimeout, clearTimeout, sessionStorage, location,
};
const queueMicrotask = () => {}; // opens a transport before the page is rendered
const fetch = async () => ({ ok: !server.isDown });
console.log = console.warn = console.error = () => {};
Math.random = () => 0.5;

const env = { EVENT: "ws://localhost:8000/_event", PING: "http://localhost:8000/ping", TRANSPORT: "websocket" };
const reflexEnvironment = { version: "test" };
const parseJson = JSON.parse;
const app = {
  stateSchema: "page's", state_name: "root", initialState: { root: {}, shop: {} },
  initialEvents: () => [{ name: "hydrate", payload: {} }],
};

// A socket of Socket.IO's client, of which the test is the server.
const handlers = {};
const server = {
  isDown: false, // whether it answers no request over HTTP
  attempts: [], // the query of each attempt to connect
  accept() { socket.connected = true; return handlers.connect(); },
  refuse() { handlers.connect_error(new Error("refused")); },
  lose() { socket.connected = false; handlers.disconnect("transport close"); },
  update(delta, rest = {}) { handlers.event({ delta, events: [], ...rest }); },
};
const socket = {
  connected: false,
  io: { opts: {}, encoder: { encode: () => [""] }, decoder: {}, engine: { close: () => server.lose() } },
  on: (name, handler) => (handlers[name] = handler),
  emit: (name) => sent.push(name),
  connect: () => server.attempts.push({ ...socket.io.opts.query }),
  disconnect() {},
};
const io = (address, options) => {
  socket.io.opts = options;
  return socket;
};
const dispatch = Object.fromEntries(["root", "reflex___state____state", "shop"].map(
  (name) => [name, (delta) => (states[name] = delta)],
));
const opened = { current: null };
let errors = [];
const setErrors = (change) => (errors = typeof change === "function" ? change(errors) : change);
const openPage = () => connect(opened, dispatch, ["websocket"], setErrors, {}, () => {}, { current: {} });

// Runs the timers that were set, and returns the milliseconds that each would have taken.
const runTimers = async () => {
  const due = timers.map((each, index) => (timers[index] = undefined, each)).filter(Boolean);
  for (const each of due) await each.run();
  return due.map((each) => each.ms);
};
const report = (value) => process.stdout.write(JSON.stringify(value));
