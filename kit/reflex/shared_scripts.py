"""A build plugin that joins the small scripts which many pages share."""

import json
from collections.abc import Mapping
from typing import Any, Final

from reflex.plugins import Plugin

from kit.reflex.configuration import VITE, with_vite_settings

_ON_EVERY_PAGE: Final = "|".join(
    (
        r"vite\/preload-helper",
        r"node_modules\/(?:react-router|react-dom|@emotion)\/",
        r"\.web\/(?:utils\/context|env)\.",
    )
)
"""The bundler's own module for scripts that load later, the router, the style library, and the
framework's state.

They join the first folder, whose script every page loads. Elsewhere a module that imports the
router takes it into the script of its folder, which every page then loads for the router's sake.
As a file of its own a small module would weigh half as much again, for its headers.
"""


class SharedScriptsPlugin(Plugin):
    """Puts the shared modules of a folder of `assets/js` into one script.

    Otherwise each becomes a file of its own, whose headers weigh as much as its content, and which
    compresses worse alone.
    """

    def __init__(self, folders: Mapping[str, int]) -> None:
        """`folders` has the least number of pages that share a module, by folder.

        A folder stands before those that contain it.
        """
        self._folders = folders

    def pre_compile(self, **context: Any) -> None:
        context["add_modify_task"](VITE, self._changed)

    def _changed(self, config: str) -> str:
        first, *others = self._folders.items()
        groups = [_group(*first, f"|{_ON_EVERY_PAGE}"), *(_group(*each) for each in others)]
        output = f"{{ codeSplitting: {{ groups: [{','.join(groups)}] }} }}"
        return with_vite_settings(
            config, f"{{ build: {{ rollupOptions: {{ output: {output} }} }} }}"
        )


def _group(folder: str, pages: int, others: str = "") -> str:
    name = json.dumps(folder.replace("/", "_"))
    test = "/" + f"public/js/{folder}/".replace("/", r"\/") + others + "/"
    return f"{{ name: {name}, minShareCount: {pages}, priority: 1, test: {test} }}"
