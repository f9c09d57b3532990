"""A build plugin that joins the small scripts which many pages share."""

import json
from collections.abc import Mapping
from typing import Any, Final

from reflex.plugins import Plugin

from kit.reflex.state_script import replaced

_BUNDLER_CONFIG: Final = "vite.config.js"
_HELPER: Final = r"vite\/preload-helper"
"""The bundler's own module for scripts that load later; it joins the first folder."""
_GROUPS: Final = "          groups: [\n"


class SharedScriptsPlugin(Plugin):
    """Puts the shared modules of a folder of `assets/js` into one script.

    Otherwise each becomes a file of its own, whose headers weigh as much as its content, and which
    compresses worse alone.
    """

    def __init__(self, folders: Mapping[str, int]) -> None:
        """`folders` has the least number of pages that share a module, by folder."""
        self._folders = folders

    def pre_compile(self, **context: Any) -> None:
        context["add_modify_task"](_BUNDLER_CONFIG, self._changed)

    def _changed(self, config: str) -> str:
        groups = "".join(
            f"            {{ name: {json.dumps(folder)}, minShareCount: {pages},"
            f" test: /public\\/js\\/{folder}\\/|{_HELPER}/ }},\n"
            for folder, pages in self._folders.items()
        )
        return replaced(config, _GROUPS, f"{_GROUPS}{groups}", _BUNDLER_CONFIG)
