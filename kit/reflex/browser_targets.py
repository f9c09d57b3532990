"""The oldest browsers that the pages support, and the build plugin that compiles for them.

`tools/browser_checks` fails a build that contains syntax or APIs that one of them lacks.
"""

import json
import subprocess
from pathlib import Path
from typing import Any, Final

from reflex.plugins import Plugin
from reflex.utils.prerequisites import get_web_dir

from kit.reflex.configuration import VITE, with_vite_settings

OLDEST_BROWSERS: Final = {"chrome": "100", "firefox": "100", "safari": "15.4"}
"""Spring of 2022: iOS 15 with its last large update, and phones that get no newer Chrome."""

_SHEETS = "css"
_COMPILE = """
import { readFileSync, writeFileSync } from "node:fs";
import { transform } from "lightningcss";
const [oldest, ...files] = process.argv.slice(1);
const targets = JSON.parse(oldest);
for (const filename of files) {
  const code = readFileSync(filename);
  writeFileSync(filename, transform({ filename, code, targets, minify: true }).code);
}
"""


class BrowserTargetsPlugin(Plugin):
    """Compiles scripts and styles for the oldest browsers.

    Style sheets of the server's own pages are copied, not bundled, so they are compiled separately.
    """

    def pre_compile(self, **context: Any) -> None:
        context["add_modify_task"](VITE, _with_targets)

    def post_build(self, **context: Any) -> None:
        static: Path = context["static_dir"]
        targets = {name: _as_number(version) for name, version in OLDEST_BROWSERS.items()}
        sheets = map(str, sorted((static / _SHEETS).resolve().glob("*.css")))
        command = ["node", "--input-type=module", "--eval", _COMPILE, json.dumps(targets), *sheets]
        subprocess.run(command, cwd=get_web_dir(), check=True)  # noqa: S603 - no outside input


def _with_targets(config: str) -> str:
    targets = [f"{name}{version}" for name, version in OLDEST_BROWSERS.items()]
    return with_vite_settings(
        config, json.dumps({"build": {"target": targets, "cssTarget": targets}})
    )


def _as_number(version: str) -> int:
    """Return a version as lightningcss counts them: 15.4 is 0xf0400."""
    major, _, minor = version.partition(".")
    return int(major) << 16 | int(minor or 0) << 8
