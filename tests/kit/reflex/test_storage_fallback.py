"""The script that replaces a blocked storage and ignores a full one, run in Node."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from kit.reflex.storage_fallback import STORAGE_FALLBACK

BROWSER = """
globalThis.window = globalThis;
globalThis.Storage = class {
  setItem(key) { throw Object.assign(new Error(key), { name: key }); }
};
const stored = new Storage();
Object.defineProperty(window, "localStorage", { configurable: true, get: () => stored });
Object.defineProperty(window, "sessionStorage", {
  configurable: true,
  get() { throw new Error("blocked"); },
});
"""


def run(script, before=""):
    """Return the JSON that a script logs.

    `before` runs before the fallback. `localStorage.setItem` raises an error whose name is the key; `sessionStorage` is blocked.
    """
    node = Path(sys.executable).with_name("node")
    code = f"{BROWSER}{before}{STORAGE_FALLBACK}{script}"
    result = subprocess.run([node, "-"], input=code, capture_output=True, text=True, check=True)
    return json.loads(result.stdout)


def test_set_item_does_nothing_when_storage_is_full():
    script = "localStorage.setItem('QuotaExceededError', 1); console.log(1);"
    assert run(script) == 1


def test_set_item_raises_other_errors():
    with pytest.raises(subprocess.CalledProcessError):
        run("localStorage.setItem('SecurityError', 1); console.log(1);")


def test_blocked_storage_is_replaced_by_storage_in_memory():
    script = """
    sessionStorage.setItem("token", 5);
    const values = [sessionStorage.getItem("token"), sessionStorage.key(0), sessionStorage.length];
    sessionStorage.removeItem("token");
    console.log(JSON.stringify([...values, sessionStorage.getItem("token"), sessionStorage.forgetsAll]));
    """
    assert run(script) == ["5", "token", 1, None, True]


def test_storage_that_can_be_read_is_not_replaced():
    assert run("console.log(localStorage === stored && !('forgetsAll' in localStorage));") is True


def test_oversized_value_is_removed():
    """With it the page could not connect: it exceeds the limit of a socket's message."""
    script = "console.log(JSON.stringify([...removed]));"
    before = "stored.removeItem = (key) => removed.push(key); Object.assign(stored, values);"
    values = "const removed = []; const values = {small: 'x', large: 'x'.repeat(40000)};"
    assert run(script, before=values + before) == ["large"]
