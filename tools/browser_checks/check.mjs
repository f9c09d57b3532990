// Rejects built pages whose scripts or styles use a feature that one of the oldest browsers lacks:
// node check.mjs '{"chrome": "100"}' {folder of the built pages}
import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import bcd from "@mdn/browser-compat-data" with { type: "json" };
import { Linter } from "eslint";
import esx from "eslint-plugin-es-x";
import postcss from "postcss";
import stylelint from "stylelint";
import baseline from "stylelint-plugin-use-baseline";

const [oldest, folder] = process.argv.slice(2);
const OLDEST = Object.entries(JSON.parse(oldest));
const MOBILE = { chrome: "chrome_android", firefox: "firefox_android", safari: "safari_ios" };

// The language of spring 2022. Safari has these two features of it since 16.4.
const ECMA_VERSION = 2022;
const SYNTAX = ["es-x/no-regexp-lookbehind-assertions", "es-x/no-class-static-block"];

// Features that scripts detect before they use them, and names that a library uses for other things.
const GUARDED = new Set([
  ...["Notification", "requestIdleCallback", "setImmediate", "WebTransport", "navigation", "startViewTransition"],
  ...["ariaChecked", "ariaValueNow", "alpha", "capture", "displayName", "escape", "popover", "role", "use"],
]);
// Defined in the page's head by assets/js/kit/stream_polyfills.js.
const POLYFILLED = new Set(["TransformStream", "TextEncoderStream", "pipeThrough"]);

// The oldest browsers know the features that all browsers have since 2021, and these later ones:
const BASELINE = 2021;
const ANY = ["/./"];
const KNOWN_PROPERTIES = [
  // known to Safari 15.4, Chrome 100 and Firefox 100, or written with a prefix by the build
  ...["accent-color", "appearance", "background-clip", "color-scheme", "font-synthesis", "mask"],
  ...["outline", "overflow-wrap", "scroll-behavior"],
  // pages work without them
  ...["/^contain-intrinsic/", "container-type", "content-visibility", "forced-color-adjust"],
  ...["overscroll-behavior", "resize", "scrollbar-gutter", "scrollbar-width", "text-wrap"],
];
const KNOWN_LATER = {
  ignoreProperties: Object.fromEntries(KNOWN_PROPERTIES.map((name) => [name, ANY])),
  ignoreSelectors: ["backdrop", "focus-visible", "selection"],
  // The rules outside of @container are the layout without it.
  ignoreAtRules: ["container", "layer", "page"],
};
const KNOWN_CONDITION = 'Media condition "forced-colors"';
const CONFIG = {
  plugins: [baseline],
  rules: {
    "plugin/use-baseline": [true, { available: BASELINE, ...KNOWN_LATER }],
    "media-feature-range-notation": "prefix",
  },
};

const number = (version) => version.replace("≤", "").split(".").map(Number);
function isAtMost(version, most) {
  const [[major, minor = 0], [mostMajor, mostMinor = 0]] = [number(version), number(most)];
  return major < mostMajor || (major === mostMajor && minor <= mostMinor);
}

function isKnownIn(support, most) {
  return [support].flat().some((each) => {
    if (!each || each.flags || each.prefix || each.alternative_name || each.version_removed) return false;
    return typeof each.version_added === "string" && each.version_added !== "preview" && isAtMost(each.version_added, most);
  });
}

const isKnown = ({ support }) =>
  OLDEST.every(([name, version]) => isKnownIn(support[name], version) && isKnownIn(support[MOBILE[name]] ?? support[name], version));

// Yields each interface with its members, by their names in scripts.
function* interfaces() {
  for (const group of [bcd.api, bcd.javascript.builtins]) {
    for (const [name, members] of Object.entries(group)) {
      if (!members.__compat) continue;
      const own = Object.entries(members).filter(([member, each]) => each.__compat && /^[a-z]\w*$/i.test(member) && !/_(event|permission|parameter)$|^[A-Z]/.test(member));
      yield [name, members.__compat, own];
    }
  }
}

// Members can't be distinguished from a library's own by their names alone, so only those of the
// language and of these interfaces are checked.
const PAGES_OWN = ["Document", "Element", "HTMLElement", "HTMLDialogElement", "HTMLInputElement", "Node", "Response", "URLSearchParams"];

// A member is rejected if no interface with a member of its name is known.
function refused() {
  const globals = new Map();
  const members = new Map();
  const statics = [];
  const GLOBAL = ["Window", "WorkerGlobalScope", "WindowOrWorkerGlobalScope"];
  for (const [name, compat, own] of interfaces()) {
    globals.set(name, isKnown(compat));
    for (const [key, { __compat }] of own) {
      const known = isKnown(__compat);
      if (key.endsWith("_static")) {
        if (!known && !GUARDED.has(name)) statics.push({ object: name, property: key.replace("_static", "") });
        continue;
      }
      const isOwn = name in bcd.javascript.builtins || PAGES_OWN.includes(name);
      members.set(key, { known: members.get(key)?.known || known, isOwn: members.get(key)?.isOwn || isOwn });
      if (GLOBAL.includes(name)) globals.set(key, globals.get(key) || known);
    }
  }
  const isRefused = (name) => !GUARDED.has(name) && !POLYFILLED.has(name);
  const unknownGlobals = [...globals].filter(([, known]) => !known).map(([name]) => name);
  const unknownMembers = [...members].filter(([, { known, isOwn }]) => isOwn && !known).map(([name]) => name);
  return {
    globals: unknownGlobals.filter(isRefused),
    properties: [...statics, ...unknownMembers.filter(isRefused).map((property) => ({ property }))],
  };
}

const { globals, properties } = refused();
const linter = new Linter();
const LINT = {
  plugins: { "es-x": esx },
  languageOptions: { ecmaVersion: ECMA_VERSION },
  linterOptions: { noInlineConfig: true, reportUnusedDisableDirectives: "off" },
  rules: {
    ...Object.fromEntries(SYNTAX.map((rule) => [rule, "error"])),
    "no-restricted-globals": ["error", ...globals],
    "no-restricted-properties": ["error", ...properties],
  },
};

// Many pages contain the same script.
const checked = new Map();

function inScript(code, sourceType) {
  if (!checked.has(code)) {
    const config = { ...LINT, languageOptions: { ...LINT.languageOptions, sourceType } };
    const messages = linter.verify(code, [config]);
    checked.set(code, messages.map(({ message, line, column }) => `${line}:${column} ${message}`));
  }
  return checked.get(code);
}

// Removes declarations that override an earlier fallback; a value with a variable stays, since browsers
// parse it too late to use the fallback.
function withoutReplacements(css) {
  const root = postcss.parse(css);
  root.walkDecls((decl) => {
    const earlier = decl.parent.nodes.slice(0, decl.parent.index(decl));
    if (!decl.value.includes("var(") && earlier.some(({ prop }) => prop === decl.prop)) decl.remove();
  });
  return root.toString();
}

async function inStyle(css) {
  const { results } = await stylelint.lint({ code: withoutReplacements(css), config: CONFIG });
  const [{ warnings, invalidOptionWarnings }] = results;
  // Stylelint itself would only skip the rule.
  if (invalidOptionWarnings.length) throw new Error(JSON.stringify(invalidOptionWarnings));
  const refusals = warnings.filter(({ text }) => !text.startsWith(KNOWN_CONDITION));
  return refusals.map(({ text, line, column }) => `${line}:${column} ${text}`);
}

const SCRIPT = /<script(?<attributes>[^>]*)>(?<code>.*?)<\/script>/gs;
const STYLE = /<style[^>]*>(?<code>.*?)<\/style>/gs;

async function inPage(html) {
  const scripts = [...html.matchAll(SCRIPT)].filter(({ groups }) => !/src=|ld\+json/.test(groups.attributes));
  const styles = [...html.matchAll(STYLE)];
  const found = scripts.flatMap(({ groups }) => inScript(groups.code, /module|text\/plain/.test(groups.attributes) ? "module" : "script"));
  for (const { groups } of styles) found.push(...(await inStyle(groups.code)));
  return found;
}

const CHECKS = { js: (code) => inScript(code, "module"), css: inStyle, html: inPage };
const problems = [];
for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
  const check = entry.isFile() && CHECKS[entry.name.split(".").at(-1)];
  if (!check) continue;
  const file = join(entry.parentPath, entry.name);
  for (const problem of await check(readFileSync(file, "utf8"))) {
    problems.push(`${file}:${problem}`);
  }
}
for (const problem of problems) console.error(problem);
console.log(`${problems.length} features that the oldest browsers do not know, below ${folder}`);
process.exit(problems.length ? 1 : 0);
