"""Which sessions without a socket are deleted first, and which are renewed."""

import asyncio

import pytest
from hypothesis import given
from hypothesis import strategies as st
from redis.exceptions import ConnectionError as RedisDown

from kit.background import running
from kit.http.sockets import IdleAllowance
from kit.reflex.session_limits import IdleSessions, SessionLimits

CAMPUS, STRANGER = "10.0.0.1", "10.0.0.2"


def idle(*tokens, per_address=2, in_total=9):
    sessions = IdleSessions(IdleAllowance(per_address, in_total, seconds=600))
    for token in tokens:
        sessions.add(token, CAMPUS)
    return sessions


@pytest.mark.parametrize(
    ("sessions", "surplus"),
    [
        pytest.param(idle(), [], id="none"),
        pytest.param(idle("a", "b"), [], id="at the limit of an address"),
        pytest.param(idle("a", "b", "c", "d"), ["a", "b"], id="above the limit of an address"),
        pytest.param(idle("a", "b", "c", "a"), ["b"], id="used again"),
        pytest.param(idle("a", "b", per_address=9, in_total=1), ["a"], id="above the limit of all"),
        pytest.param(idle("a", "b", "c", per_address=1, in_total=1), ["a", "b"], id="above both"),
        pytest.param(idle("a", per_address=0), ["a"], id="none allowed"),
    ],
)
def test_surplus_is_oldest_first_when_above_limit(sessions, surplus):
    assert sessions.surplus(CAMPUS) == surplus


def test_remove_returns_address_when_token_is_idle():
    sessions = idle("a")
    assert sessions.remove("a") == CAMPUS
    assert sessions.remove("a") == ""
    assert "a" not in sessions
    assert len(sessions) == 0


_STEPS = st.tuples(st.sampled_from("abcdefgh"), st.sampled_from([CAMPUS, STRANGER]), st.booleans())


@given(st.lists(_STEPS))
def test_limits_hold_after_any_sequence_of_visits(steps):
    allowance = IdleAllowance(per_address=2, in_total=3, seconds=600)
    sessions, addresses = IdleSessions(allowance), {}
    for token, address, returns in steps:
        addresses.pop(token, None)
        if returns:
            sessions.remove(token)
            continue
        addresses[token] = address
        sessions.add(token, address)
        for oldest in sessions.surplus(address):
            assert sessions.remove(oldest) == addresses.pop(oldest)
        assert token in sessions
        assert len(sessions) == len(addresses) <= allowance.in_total
        assert max(list(addresses.values()).count(each) for each in addresses.values()) <= 2


class FailingStates:
    """States in a Redis that does not answer the first time."""

    def __init__(self):
        self.has_failed = False
        self.has_renewed = asyncio.Event()

    async def renew(self, tokens):
        if not self.has_failed:
            self.has_failed = True
            raise RedisDown
        assert tokens == ["a"]
        self.has_renewed.set()

    def tokens(self):
        return []


@pytest.mark.anyio
async def test_connected_sessions_are_renewed_after_an_outage_of_redis(caplog):
    limits = SessionLimits(IdleAllowance(per_address=1, in_total=1, seconds=0.03))
    limits._connected["a"] = CAMPUS
    limits._states = states = FailingStates()
    async with running(limits._renew_forever()):
        await asyncio.wait_for(states.has_renewed.wait(), 10)
    assert [each.message for each in caplog.records] == [
        "sessions: Redis did not answer: ConnectionError"
    ]
