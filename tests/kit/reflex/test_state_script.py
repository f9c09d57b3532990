"""What the framework's own script does otherwise."""

import json
import subprocess
import sys
from pathlib import Path

import pytest
from reflex.constants import Templates

from kit.reflex.state_script import (
    StateScriptPlugin,
    evaluate_globally,
    keep_only_news,
    show_whole_pages,
    talk_to_own_origin,
)

CHANGES = [talk_to_own_origin, show_whole_pages, keep_only_news, evaluate_globally]


@pytest.mark.parametrize("change", CHANGES)
def test_the_frameworks_script_is_never_changed_unnoticed_if_it_looks_otherwise(change):
    with pytest.raises(RuntimeError, match="look at kit/reflex"):
        change("export const connect = () => {};")


def test_whatever_an_earlier_build_has_left_the_script_is_made_anew():
    written = {}
    StateScriptPlugin(*CHANGES).pre_compile(add_modify_task=written.__setitem__)
    make = written["utils/state.js"]
    assert make("of another release") == make(make(""))
    assert "window.location.host" in make("")
    assert "wasWhole" in make("")
    assert " eval(" not in make("")


A_TAB = """
const kept = {};
globalThis.window = {};
globalThis.localStorage = {
  getItem: (name) => kept[name] ?? null,
  setItem: (name, value) => { kept[name] = value; },
};
const app = {
  state_name: "root",
  clientStorage: { local_storage: { "root.shop.cart": { name: "cart", sync: true } } },
  initialState: { root: {}, "root.shop": { cart: "" } },
};
"""
STEPS = """
const hear = (delta) => applyClientStorageDelta(app.clientStorage, delta);
const take = {
  keeps: (cart) => { kept.cart = cart; },
  tells: (cart) => recordSentStorageValues({
    name: "root.hydrate_and_load", payload: { vars: { "root.shop.cart": cart } },
  }),
  begins: (cart) => hear({ root: { is_hydrated_rx_state_: false }, "root.shop": { cart } }),
  hears: (cart) => hear({ "root.shop": { cart } }),
};
for (const [step, cart] of STEPS) take[step](cart);
console.log(kept.cart);
"""
WAKES_EMPTY = [("keeps", ""), ("tells", ""), ("begins", ""), ("hears", "")]


def kept_by_a_tab(change, steps):
    """Take steps in the framework's own script, changed; return what the browser keeps then."""
    script = (Templates.Dirs.WEB_TEMPLATE / StateScriptPlugin.file).read_text(encoding="utf-8")
    changed = change(script)
    names = between(changed, "const UPDATE_VARS_INTERNAL", "// Mirrors the data router")
    functions = between(changed, "const recordSentStorageValues", "/**\n * Establish websocket")
    run = A_TAB + names + functions + STEPS.replace("STEPS", json.dumps(steps))
    node = Path(sys.executable).with_name("node")
    done = subprocess.run([node, "-"], input=run, capture_output=True, text=True, check=True)
    return done.stdout.strip()


def between(script, begin, end):
    return begin + script.split(begin, 1)[1].split(end, 1)[0]


@pytest.mark.parametrize(
    ("steps", "expected", "without"),
    [
        ([*WAKES_EMPTY, ("keeps", "B"), ("hears", "")], "B", ""),
        ([("begins", ""), ("keeps", "B"), ("hears", "")], "B", ""),
        ([("keeps", "B"), ("hears", "")], "B", ""),
        ([*WAKES_EMPTY, ("hears", "A"), ("keeps", "B"), ("hears", "A")], "B", "A"),
        ([*WAKES_EMPTY, ("hears", "A")], "A", "A"),
        ([*WAKES_EMPTY, ("hears", "A"), ("hears", "")], "", ""),
        ([*WAKES_EMPTY, ("keeps", "B"), ("tells", "B"), ("hears", "B"), ("hears", "")], "", ""),
        ([("keeps", "A"), ("tells", "A"), ("begins", "A"), ("hears", "A"), ("hears", "")], "", ""),
    ],
)
def test_only_what_is_news_is_written_over_what_another_tab_has_kept(steps, expected, without):
    assert kept_by_a_tab(keep_only_news, steps) == expected
    assert kept_by_a_tab(str, steps) == without
