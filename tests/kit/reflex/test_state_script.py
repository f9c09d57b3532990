"""Changes to Reflex's script in the browser."""

import pytest

from kit.reflex.reconnection import spread_reconnects
from kit.reflex.release_match import send_schema
from kit.reflex.state_script import StateScriptPlugin, buffer_reconnect, connect_to_own_origin

CHANGES = [connect_to_own_origin, buffer_reconnect, spread_reconnects, send_schema]


@pytest.mark.parametrize("change", CHANGES)
def test_change_raises_when_the_script_of_reflex_is_another(change):
    with pytest.raises(RuntimeError, match="look at kit/reflex"):
        change("export const connect = () => {};")


def test_plugin_ignores_the_script_of_an_earlier_build():
    written = {}
    StateScriptPlugin(*CHANGES).pre_compile(add_modify_task=written.__setitem__)
    make = written["utils/state.js"]
    assert make("of another release") == make(make(""))
    assert "window.location.host" in make("")
    assert "wasHydrated" in make("")
    assert "Math.random()" in make("")
    assert "schema: app.stateSchema" in make("")
