"""The browser's storage as Reflex's scripts see it."""

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


def run(script):
    """Return what a script logs in a browser with a full and a blocked storage."""
    node = Path(sys.executable).with_name("node")
    code = f"{BROWSER}{STORAGE_FALLBACK}{script}"
    done = subprocess.run([node, "-"], input=code, capture_output=True, text=True, check=True)
    return json.loads(done.stdout)


def test_set_item_does_nothing_when_storage_is_full():
    script = "localStorage.setItem('QuotaExceededError', 1); console.log(1);"
    assert run(script) == 1


def test_set_item_raises_errors_of_other_kinds():
    with pytest.raises(subprocess.CalledProcessError):
        run("localStorage.setItem('SecurityError', 1); console.log(1);")


def test_blocked_storage_is_replaced_by_one_in_memory():
    script = """
    sessionStorage.setItem("token", 5);
    const values = [sessionStorage.getItem("token"), sessionStorage.key(0), sessionStorage.length];
    sessionStorage.removeItem("token");
    console.log(JSON.stringify([...values, sessionStorage.getItem("token"), sessionStorage.forgetsAll]));
    """
    assert run(script) == ["5", "token", 1, None, True]


def test_storage_that_can_be_read_is_not_replaced():
    assert run("console.log(localStorage === stored && !('forgetsAll' in localStorage));") is True
