"""What the generated frontend is told to do otherwise."""

from typing import Any, ClassVar

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


class SameOriginPlugin(Plugin):
    """Lets browsers talk to the address that the page came from, whatever was built in."""

    file: ClassVar = "utils/state.js"

    def pre_compile(self, **context: Any) -> None:
        context["add_modify_task"](self.file, _talk_to_own_origin)


def _talk_to_own_origin(script: str) -> str:
    if _SAME_ORIGIN in script:  # the file of an earlier build
        return script
    if _ENDPOINT not in script:
        raise RuntimeError("Reflex's state.js has changed: look at reflex_build.py")
    return script.replace(_ENDPOINT, _SAME_ORIGIN, 1)
