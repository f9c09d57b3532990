"""The limit on values of browser storage."""

from types import SimpleNamespace

import pytest

from kit.reflex.storage_limit import MAXIMUM_VALUE_BYTES, StorageLimit

LONGEST = "x" * MAXIMUM_VALUE_BYTES


def remaining(name, payload):
    event = SimpleNamespace(name=name, payload=payload)
    StorageLimit().preprocess(None, None, event)
    return event.payload


@pytest.mark.parametrize("name", ["state.hydrate_and_load", "state.sub.update_vars_internal"])
def test_storage_limit_drops_value_when_too_large_or_not_text(name):
    hindi = "\u0915" * (MAXIMUM_VALUE_BYTES // 2)
    stored = {
        "fits": LONGEST,
        "hindi": hindi,
        "large": LONGEST + "x",
        "list": ["x" * 50_000],
        "null": None,
    }
    assert remaining(name, {"vars": stored}) == {"vars": {"fits": LONGEST}}


def test_storage_limit_accepts_half_a_surrogate_pair():
    assert remaining("state.hydrate_and_load", {"vars": {"a": "\ud800"}}) == {
        "vars": {"a": "\ud800"}
    }


def test_storage_limit_ignores_other_events():
    payload = {"vars": {"large": LONGEST + "x"}}
    assert remaining("state.choose", payload) == payload


@pytest.mark.parametrize("payload", [{}, {"vars": None}, {"vars": "x"}])
def test_storage_limit_accepts_event_without_values(payload):
    assert remaining("state.hydrate_and_load", payload) == payload
