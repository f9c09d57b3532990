"""Changes to utils/state.js, the script of Reflex that connects a page to the server."""

from collections.abc import Callable
from typing import Any, ClassVar

from reflex.constants import Templates
from reflex.plugins import Plugin

_ENDPOINT = "  const endpoint = new URL(url_str);\n"
_OWN_ORIGIN = """  const endpoint = new URL(url_str);
  if (typeof window !== "undefined") {
    const secure = window.location.protocol === "https:";
    endpoint.host = window.location.host;
    endpoint.protocol = endpoint.protocol.startsWith("ws")
      ? (secure ? "wss:" : "ws:")
      : window.location.protocol;
    return endpoint;
  }
"""
_UPDATES = '  socket.current.on("event", (update) => {\n'
_UPDATES_END = """      reportStateUpdateError(error);
    }
  });
"""
_BUFFERED_UPDATES = """  // Updates of a reconnect, while the page still shows its earlier state.
  let wasHydrated = false;
  let buffer;
  let bufferTimeout;
  const flush = () => {
    window.clearTimeout(bufferTimeout);
    const updates = buffer;
    buffer = undefined;
    updates.forEach(apply); // in one task: React renders once
  };
  socket.current.on("event", (update) => {
    const isHydrated = update.delta?.reflex___state____state?.is_hydrated_rx_state_;
    const isSnapshot =
      isHydrated === false && Object.keys(dispatch).every((name) => name in update.delta);
    if (isSnapshot && wasHydrated && !buffer) {
      buffer = [];
      bufferTimeout = window.setTimeout(flush, 1000);
    }
    wasHydrated ||= isHydrated === true;
    if (!buffer) {
      apply(update);
      return;
    }
    buffer.push(update);
    if (isHydrated) {
      flush();
    }
  });
  const apply = (update) => {
    if (!update.isPush) {
      const leaves = update.events?.some((event) => event.name === "_redirect");
      window.dispatchEvent(new CustomEvent("answered", { detail: { leaves } }));
    }
"""


class StateScriptPlugin(Plugin):
    """Applies changes to the script that Reflex ships, not to the output of an earlier build."""

    file: ClassVar = "utils/state.js"

    def __init__(self, *changes: Callable[[str], str]) -> None:
        """Each of the `changes` takes and returns the whole script."""
        self._changes = changes

    def pre_compile(self, **context: Any) -> None:
        context["add_modify_task"](self.file, self._changed)

    def _changed(self, _earlier: str) -> str:
        script = (Templates.Dirs.WEB_TEMPLATE / self.file).read_text(encoding="utf-8")
        for change in self._changes:
            script = change(script)
        return script


def connect_to_own_origin(script: str) -> str:
    """Connect to the host from which the page came, instead of the `api_url` of the build.

    One build then serves every host, port and scheme: Reflex replaces the host only where it is
    localhost, and never the port on HTTP.

    Raises:
        RuntimeError: if Reflex's script has changed.
    """
    return replaced(script, _ENDPOINT, _OWN_ORIGIN)


def buffer_reconnect(script: str) -> str:
    """Keep showing a page after a reconnect until its new state is complete.

    On each connect Reflex sends a snapshot of all states, then what the handlers on load change. On
    a server without this session the snapshot holds defaults: rendered at once, it would empty the
    page for a moment, and lose the scroll position, the keyboard's focus and the button under a
    finger. Updates are buffered until the page is hydrated, for one second at most.

    Every update but a push (broadcast.py), which answers nothing, also dispatches the event
    `answered`, whose detail says whether the page `leaves` for another one (busy_buttons.jsx).

    Raises:
        RuntimeError: if Reflex's script has changed.
    """
    script = replaced(script, _UPDATES, _BUFFERED_UPDATES)
    before, after = script.split(_BUFFERED_UPDATES)
    ended = _UPDATES_END.replace("});", "};")
    return before + _BUFFERED_UPDATES + replaced(after, _UPDATES_END, ended)


def replaced(script: str, expected: str, replacement: str, file: str = "state.js") -> str:
    """Return a script with one text replaced; `file` is its name for the error.

    Raises:
        RuntimeError: if the text is not in it, as after an upgrade of Reflex.
    """
    if expected not in script:
        raise RuntimeError(f"Reflex's {file} has changed: look at kit/reflex")
    return script.replace(expected, replacement, 1)
