"""Each patch of Reflex's state.js, beside the script without it.

A test fails with the patch, its hunk and the text that Reflex's script lacks, if that has changed.
"""

import pytest
from reflex.state import State

from kit.reflex import patches
from kit.reflex.patches import (
    PATCHES,
    PatchesPlugin,
    PatchFails,
    patched,
    script_of_reflex,
    variants,
)
from kit.reflex.release_match import PARAMETER
from tests.helpers.reconnection import BACKOFF_MS, MOST_ATTEMPTS, PROBE_MS, RECONNECTING, SPREAD_MS
from tests.kit.reflex.state_script import outcome

STATE_SCRIPT = "utils/state.js"
HALF = 0.5
"""What `Math.random` returns in these tests."""


def test_own_origin_connects_to_host_of_page_at_each_port():
    test = "report(getBackendURL(env.EVENT).href)"
    assert outcome("own_origin", test) == "ws://shop.example:3100/_event"
    assert outcome(None, test) == "ws://shop.example:8000/_event"


def test_connection_events_are_dispatched_and_stalled_closes_the_connection():
    test = """
    await openPage();
    await server.accept();
    await applyEvent({ name: "shop.add" }, socket, () => {}, { current: {} });
    let leaves;
    listen("answered", ({ detail }) => (leaves = detail.leaves));
    server.update({ shop: {} }, { events: [{ name: "_redirect", payload: { path: "/" } }] });
    server.update({ shop: {} }, { isPush: true });
    dispatchEvent(new Event("stalled"));
    await runTimers();
    report({ dispatched, leaves, attempts: server.attempts.length });
    """
    dispatched = ["asked", "answered", "stalled", RECONNECTING]
    assert outcome("connection_events", test) == {
        "dispatched": dispatched,
        "leaves": True,
        "attempts": 2,
    }
    assert outcome(None, test) == {"dispatched": ["stalled"], "attempts": 1}


def test_keep_page_shows_state_of_reconnected_page_only_when_complete():
    test = """
    const root = "reflex___state____state";
    await openPage();
    await server.accept();
    const all = (is_hydrated_rx_state_, shop) => ({ root: {}, [root]: { is_hydrated_rx_state_ }, shop });
    server.update(all(false, "default"));
    server.update({ [root]: { is_hydrated_rx_state_: true }, shop: "first visit" });
    server.update(all(false, "default"));
    const meanwhile = states.shop;
    server.update({ shop: "restored" });
    server.update({ [root]: { is_hydrated_rx_state_: true } });
    report([meanwhile, states.shop]);
    """
    assert outcome("keep_page", test) == ["first visit", "restored"]
    assert outcome(None, test) == ["default", "restored"]


def test_reconnection_is_at_random_times_until_five_attempts_have_failed():
    test = """
    await openPage();
    await server.accept();
    server.lose();
    const waited = await runTimers();
    for (let each = 0; each < 6; each++) {
      server.refuse();
      waited.push(...await runTimers());
    }
    const attempts = server.attempts.length;
    dispatchEvent(new Event("click"));
    report({ waited, attempts, clicked: server.attempts.length });
    """
    backoff = [BACKOFF_MS * 2**failed * (0.5 + HALF / 2) for failed in range(MOST_ATTEMPTS - 1)]
    assert outcome("reconnection", test) == {
        "waited": [SPREAD_MS * HALF, *backoff, 0, 0],
        "attempts": 1 + MOST_ATTEMPTS,
        "clicked": 2 + MOST_ATTEMPTS,
    }
    without = outcome(None, test)
    assert without["waited"][:2] == [200, 400]
    assert without["attempts"] == without["clicked"] == 8


def test_page_connects_when_the_server_answers_again_over_http():
    test = f"""
    await openPage();
    await server.accept();
    server.lose();
    server.isDown = true;
    const waited = [];
    for (let each = 0; each < {MOST_ATTEMPTS}; each++) {{
      await runTimers();
      server.refuse();
    }}
    for (let each = 0; each < 3; each++) waited.push(...await runTimers());
    const attempts = server.attempts.length;
    server.isDown = false;
    waited.push(...await runTimers());
    report({{ waited, attempts, answered: server.attempts.length }});
    """
    assert outcome("reconnection", test) == {
        "waited": [0, PROBE_MS, PROBE_MS, PROBE_MS],
        "attempts": 1 + MOST_ATTEMPTS,
        "answered": 2 + MOST_ATTEMPTS,
    }


@pytest.mark.skipif(not hasattr(State, "_to_frontend_schema"), reason="0.10.0 has no schema")
def test_release_is_named_by_first_attempt_to_connect_after_each_connection():
    test = """
    await openPage();
    server.refuse();
    await runTimers();
    await server.accept();
    server.lose();
    await runTimers();
    report(server.attempts.map((query) => query.schema ?? null));
    """
    assert PARAMETER == "schema"
    assert outcome("release", test) == ["page's", None, "page's"]
    assert outcome(None, test) == [None, None, None]


@pytest.mark.parametrize("name", PATCHES)
def test_patch_fails_with_its_file_and_the_missing_text(name):
    with pytest.raises(PatchFails) as failure:
        patched("export const connect = () => {};\n", name)
    assert f"kit/reflex/patches/{name}.patch, hunk" in str(failure.value)
    assert variants(name)[0].hunks[0].before in str(failure.value)


def test_patch_fails_when_its_text_is_there_twice():
    script = script_of_reflex(STATE_SCRIPT)
    with pytest.raises(PatchFails, match="2 times"):
        patched(script + script, "own_origin")


@pytest.mark.parametrize("hunks", ["", "@@\n+added\n", "@@ a @@\n+added\nunmarked\n", "+added\n"])
def test_patch_of_another_form_is_an_error(monkeypatch, tmp_path, hunks):
    monkeypatch.setattr(patches, "_FOLDER", tmp_path)
    text = f"Why.\n\n--- a/{STATE_SCRIPT}\n+++ b/{STATE_SCRIPT}\n{hunks}"
    (tmp_path / "one.patch").write_text(text, encoding="utf-8")
    with pytest.raises(ValueError, match=r"one\.patch"):
        variants("one")


def test_plugin_ignores_the_script_of_an_earlier_build():
    written = {}
    PatchesPlugin().pre_compile(add_modify_task=written.__setitem__)
    assert list(written) == [STATE_SCRIPT]
    make = written[STATE_SCRIPT]
    assert make("of another release") == make("") != script_of_reflex(STATE_SCRIPT)
    written.clear()
    PatchesPlugin("own_origin").pre_compile(add_modify_task=written.__setitem__)
    assert written[STATE_SCRIPT]("") == patched(script_of_reflex(STATE_SCRIPT), "own_origin")
