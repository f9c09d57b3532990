"""The build plugin of `make dev`: Vite serves the pages, and forwards all other requests."""

import gc
import json
from collections.abc import Sequence
from typing import Any

from reflex.config import get_config
from reflex.plugins import Plugin
from reflex.utils.exec import is_prod_mode

from kit.reflex.configuration import VITE, with_vite_settings

_OF_REFLEX = ("_event", "_upload", "_health", "ping")


class DevelopmentPlugin(Plugin):
    """Makes Vite's development server forward the requests that the backend answers.

    Pages and backend then have one origin, as in production. Garbage collection is off while pages
    are compiled, because it would take a third of that time.
    """

    def __init__(self, paths: Sequence[str]) -> None:
        """`paths` are the first parts of the addresses that are not pages: regular expressions."""
        self._paths = (*_OF_REFLEX, *paths)

    def pre_compile(self, **context: Any) -> None:
        if not is_prod_mode():
            context["add_modify_task"](VITE, self._changed)
            gc.disable()

    def post_compile(self, **_context: Any) -> None:
        gc.enable()

    def _changed(self, config: str) -> str:
        target = f"http://127.0.0.1:{get_config().backend_port}"
        pattern = f"^/({'|'.join(self._paths)})([/?]|$)"
        proxy = {pattern: {"target": target, "ws": True}}
        return with_vite_settings(config, json.dumps({"server": {"proxy": proxy}}))
