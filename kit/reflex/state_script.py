"""What the framework's own script does otherwise in the browser."""

from collections.abc import Callable
from typing import Any, ClassVar

from reflex.constants import Templates
from reflex.plugins import Plugin

_ENDPOINT = "  const endpoint = new URL(url_str);\n"
_SAME_ORIGIN = """  const endpoint = new URL(url_str);
  if (typeof window !== "undefined") {
    // One build serves every port, host and scheme: the page's own.
    const secure = window.location.protocol === "https:";
    endpoint.host = window.location.host;
    endpoint.protocol = endpoint.protocol.startsWith("ws")
      ? (secure ? "wss:" : "ws:")
      : window.location.protocol;
    return endpoint;
  }
"""
_UPDATES = '  socket.current.on("event", (update) => {\n'
_LAST_UPDATE_LINES = """      reportStateUpdateError(error);
    }
  });
"""
_WHOLE_UPDATES = """  // A page that was whole stays as it is until the next snapshot is whole too.
  let wasWhole = false;
  let kept;
  let patience;
  const showKept = () => {
    window.clearTimeout(patience);
    const updates = kept;
    kept = undefined;
    updates.forEach(apply); // in one tick: the page is drawn once
  };
  socket.current.on("event", (update) => {
    const isWhole = update.delta?.reflex___state____state?.is_hydrated_rx_state_;
    const isSnapshot =
      isWhole === false && Object.keys(dispatch).every((name) => name in update.delta);
    if (isSnapshot && wasWhole && !kept) {
      kept = [];
      patience = window.setTimeout(showKept, 1000);
    }
    wasWhole ||= isWhole === true;
    if (!kept) {
      apply(update);
      return;
    }
    kept.push(update);
    if (isWhole) {
      showKept();
    }
  });
  const apply = (update) => {
    const leaves = update.events?.some((event) => event.name === "_redirect");
    window.dispatchEvent(new CustomEvent("answered", { detail: { leaves } }));
"""

_STORING = """const applyClientStorageDelta = (client_storage, delta) => {
"""
_STORING_NEWS = """// What the server said last of each value that tabs share.
const saidStorageValues = {};
const takeRepeats = (client_storage, delta) => {
  const repeats = new Set();
  for (const substate in delta) {
    for (const [key, value] of Object.entries(delta[substate])) {
      const state_key = `${substate}.${key}`;
      if (!client_storage.local_storage?.[state_key]?.sync) continue;
      saidStorageValues[state_key] ??= app.initialState?.[substate]?.[key];
      if (value === saidStorageValues[state_key]) repeats.add(state_key);
      saidStorageValues[state_key] = value;
    }
  }
  return repeats;
};

const applyClientStorageDelta = (client_storage, delta) => {
  const repeats = takeRepeats(client_storage, delta);
"""
_UNLESS_ECHO = """        if (
          !echo ||
          (last?.writes > echo.writes &&
            localStorage.getItem(name) === last.value)
        ) {
"""
_UNLESS_SAID_BEFORE = """        if (
          !repeats.has(state_key) &&
          (!echo ||
            (last?.writes > echo.writes &&
              localStorage.getItem(name) === last.value))
        ) {
"""

_DYNAMIC_IMPORT = "eval(`import(dataUri)`)"
_PLAIN_IMPORT = "import(/* @vite-ignore */ dataUri)"


class StateScriptPlugin(Plugin):
    """Changes the framework's own script in the browser, always from the text that it ships with.

    What an earlier build has left would hold the changes of then.
    """

    file: ClassVar = "utils/state.js"

    def __init__(self, *changes: Callable[[str], str]) -> None:
        """Prepare; each of the `changes` takes and returns the whole script."""
        self._changes = changes

    def pre_compile(self, **context: Any) -> None:
        context["add_modify_task"](self.file, self._changed)

    def _changed(self, _earlier: str) -> str:
        script = (Templates.Dirs.WEB_TEMPLATE / self.file).read_text(encoding="utf-8")
        for change in self._changes:
            script = change(script)
        return script


def talk_to_own_origin(script: str) -> str:
    """Let browsers talk to the address that the page came from, whatever was built in."""
    return replaced(script, _ENDPOINT, _SAME_ORIGIN)


def show_whole_pages(script: str) -> str:
    """Let a page that comes back to the server keep what it shows until it is whole again.

    Each time that a browser connects, the server sends a snapshot of its states, and then what the
    page's loading makes of them. A server that knows the session no more has nothing but defaults
    for the snapshot: drawn, it empties the page for an instant, and with it the place to which its
    reader had scrolled, the focus of the keyboard, and the button under a finger. What is not whole
    within a second is shown as it comes.

    Each answer is told to the page as an event, `answered`, whose detail says whether it `leaves`
    for another page.
    """
    script = replaced(script, _UPDATES, _WHOLE_UPDATES)
    before, after = script.split(_WHOLE_UPDATES)
    ended = _LAST_UPDATE_LINES.replace("});", "};")
    return before + _WHOLE_UPDATES + replaced(after, _LAST_UPDATE_LINES, ended)


def keep_only_news(script: str) -> str:
    """Let a tab keep what the server says of a value that all tabs share only where that is news.

    What a handler sets is sent, changed or not. A tab that wakes up, or whose answers are late,
    would write what it was told long ago over what another tab has kept since, and the storage's
    own event would carry that to the other tab's server: what was chosen there would be lost.
    """
    script = replaced(script, _STORING, _STORING_NEWS)
    return replaced(script, _UNLESS_ECHO, _UNLESS_SAID_BEFORE)


def evaluate_globally(script: str) -> str:
    """Let the bundler shorten the names of the framework's code: 5 kB less on every page.

    A direct `eval` sees every name around it, so the bundler keeps them all in the chunk that
    has one. What the server asks the browser to run, as `rx.call_script` does, is run in the
    global scope instead: it finds `window`, `document` and no name of the framework's own.
    """
    return replaced(script, _DYNAMIC_IMPORT, _PLAIN_IMPORT).replace(" eval(", " (0, eval)(")


def replaced(script: str, expected: str, wanted: str, file: str = "state.js") -> str:
    """Return a `file` of the framework's with one text changed.

    Raises:
        RuntimeError: if the text is not in it: another release is looked at before it is built.
    """
    if expected not in script:
        raise RuntimeError(f"Reflex's {file} has changed: look at kit/reflex")
    return script.replace(expected, wanted, 1)
