"""Tables of cases in `tests/cases/`, and calls of the browser's modules in Node.

A rule that exists in Python and in JavaScript has one table, which the tests of both read.
"""

import json
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any

_CASES = Path(__file__).parents[1] / "cases"
_SCRIPTS = Path(__file__).parents[2] / "assets" / "js"
_TIMEOUT_SECONDS = 60
_CALL = """
import { readFileSync } from "node:fs";
const { address, name, calls } = JSON.parse(readFileSync(0, "utf-8"));
const rules = await import(address);
const plain = (_, value) => (value instanceof Map ? [...value] : value);
process.stdout.write(JSON.stringify(calls.map((each) => rules[name](...each)), plain));
"""


def read_cases(name: str) -> Any:
    """Return the content of `tests/cases/{name}.json`."""
    return json.loads((_CASES / f"{name}.json").read_text(encoding="utf-8"))


def call_in_node(module: str, name: str, calls: Iterable[Iterable[object]]) -> list[Any]:
    """Return the results of an exported function, one for each list of arguments.

    `module` is a path below `assets/js`. Arguments and results pass as JSON, a Map as its pairs.
    """
    address = (_SCRIPTS / module).as_uri()
    given = {"address": address, "name": name, "calls": [list(each) for each in calls]}
    node = Path(sys.executable).with_name("node")
    done = subprocess.run(
        [node, "--input-type=module", "--eval", _CALL],
        input=json.dumps(given),
        capture_output=True,
        encoding="utf-8",
        timeout=_TIMEOUT_SECONDS,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)
