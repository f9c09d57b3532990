"""Runs Reflex's state.js in Node, with and without a patch."""

import json
import re
import subprocess
import sys
from pathlib import Path

from kit.reflex.patches import patched, script_of_reflex

_PAGE = (Path(__file__).parent / "page.js").read_text(encoding="utf-8")
_IMPORT = re.compile(r'^import (.+?) from ".+?";\n', re.MULTILINE | re.DOTALL)
_NAME = re.compile(r"[\w$]+")


def outcome(patch: str | None, test: str):
    """Return what a test reports, in a page whose state.js has a patch, or none.

    `page.js` has the names that the test can use, besides those of state.js.
    """
    script = script_of_reflex("utils/state.js")
    if patch:
        script = patched(script, patch)
    imported = {name for names in _IMPORT.findall(script) for name in _NAME.findall(names)}
    missing = [name for name in sorted(imported) if not re.search(rf"\bconst {name}\b", _PAGE)]
    stubs = "".join(f"const {name} = function () {{}};\n" for name in missing)
    code = f"{_PAGE}{stubs}{_IMPORT.sub('', script)}{test}"
    node = Path(sys.executable).with_name("node")
    command = [node, "--input-type=module", "-"]
    done = subprocess.run(
        command, input=code, capture_output=True, text=True, timeout=60, check=False
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)
