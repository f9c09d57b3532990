"""Sessions whose page has left: how many of them are kept, and for how long."""

import time
from contextlib import ExitStack

import pytest

from tests.helpers.metrics import samples
from tests.helpers.product import OPERATOR_TOKEN, eventually
from tests.helpers.redis import running_redis
from tests.hostile.raw_socket_client import ROOT, Stranger, at
from tests.hostile.server import UNSLOWED, running_server

CART = f"{ROOT}.campus_app___states___cart____cart_state"
MENU = at("/menu/5", restaurant_id="5")
PER_ADDRESS, IN_ALL, SECONDS = 5, 8, 3
TURN = 7
"""A step that the browser counts: state which it does not store."""
CAMPUS, ELSEWHERE = "127.0.0.1", "127.0.0.77"


@pytest.fixture(params=["memory", "redis"])
def redis_url(request):
    """Where states are kept."""
    if request.param == "memory":
        yield ""
    else:
        with running_redis() as redis:
            yield redis.url


@pytest.fixture
def server(tmp_path, redis_url):
    """An installation that keeps few sessions without a socket."""
    limits = {"IDLE_SESSIONS_PER_ADDRESS": str(PER_ADDRESS), "IDLE_SESSIONS": str(IN_ALL)}
    with running_server(tmp_path, REDIS_URL=redis_url, **UNSLOWED, **limits) as server:
        yield server


@pytest.fixture
def hasty_server(tmp_path, redis_url):
    """An installation that keeps sessions without a socket for some seconds."""
    limits = {"IDLE_SESSION_SECONDS": str(SECONDS)}
    with running_server(tmp_path, REDIS_URL=redis_url, **UNSLOWED, **limits) as server:
        yield server


def metric(server, name):
    headers = {"authorization": f"Bearer {OPERATOR_TOKEN}"}
    return samples(server.http.get("/metrics", headers=headers).text)[(name,)]


def add_dish(stranger):
    """Add one more of a dish; return the cart as the server then has it."""
    before = stranger.vars.get(f"{CART}.cart")
    stranger.send(f"{CART}.add_item", {"item_id": "501", "turn": TURN}, MENU)
    stranger.read_until(lambda: stranger.vars.get(f"{CART}.cart") != before)
    return stranger.vars[f"{CART}.cart"].rpartition("|")[2]


def left_sessions(server):
    """Return how many sessions the server has seen leave and not return."""
    return metric(server, "campus_idle_sessions") + metric(server, "campus_deleted_sessions_total")


def leave(server, count, address=CAMPUS):
    """Open, use and close so many pages; return their tokens, the oldest first."""
    tokens = []
    for _ in range(count):
        before = left_sessions(server)
        with Stranger(server.port, address=address) as stranger:
            add_dish(stranger.enter(MENU, {}))
            tokens.append(stranger.token)
        eventually(lambda: left_sessions(server) == before + 1, "the page has left")  # noqa: B023
    return tokens


def is_kept(server, token, address=CAMPUS):
    """Whether the server has the state of a session, asked by a page whose browser keeps nothing."""
    with Stranger(server.port, token=token, address=address) as stranger:
        stranger.enter(MENU, {})
        stranger.catch_up()
        return stranger.vars[f"{CART}.turn"] == TURN


def test_oldest_sessions_are_deleted_when_one_address_exceeds_its_limit(server):
    tokens = leave(server, PER_ADDRESS + 2)
    found = [is_kept(server, token) for token in reversed(tokens)]
    assert found == [True] * PER_ADDRESS + [False] * 2


def test_oldest_sessions_are_deleted_when_all_addresses_exceed_the_limit(server):
    first = leave(server, PER_ADDRESS, ELSEWHERE)
    last = leave(server, PER_ADDRESS)
    found = [is_kept(server, token) for token in reversed([*first, *last])]
    assert found == [True] * IN_ALL + [False] * 2


def test_connected_sessions_are_kept_when_idle_limit_is_exceeded(server):
    with ExitStack() as stack:
        connected = [stack.enter_context(Stranger(server.port)) for _ in range(IN_ALL + 1)]
        for stranger in connected:
            add_dish(stranger.enter(MENU, {}))
        leave(server, IN_ALL + 1)
        assert [add_dish(stranger) for stranger in connected] == ["501:2"] * len(connected)


def test_connected_session_is_kept_when_silent_longer_than_idle_timeout(hasty_server):
    with Stranger(hasty_server.port) as stranger:
        add_dish(stranger.enter(MENU, {}))
        time.sleep(2 * SECONDS)
        assert add_dish(stranger) == "501:2"


def test_session_expires_when_it_has_no_socket(hasty_server):
    (token,) = leave(hasty_server, 1)
    time.sleep(2 * SECONDS)
    assert not is_kept(hasty_server, token)


@pytest.mark.parametrize("token", ["x" * 65, "short", "a_lock_or_any_other_key", "../../key"])
def test_client_gets_new_token_when_its_token_is_invalid(server, token):
    with Stranger(server.port, token=token) as stranger:
        assert add_dish(stranger.enter(MENU, {})) == "501:1"
        assert "new_token" in stranger.heard


def test_session_is_kept_when_client_sends_event_named_connect(server):
    surroundings = {"QUERY_STRING": f"token={'B' * 32}", "asgi.scope": {"client": ["10.9.9.9", 1]}}
    with Stranger(server.port) as stranger:
        add_dish(stranger.enter(MENU, {}))
        stranger.say(["connect", surroundings, {}])
        assert add_dish(stranger) == "501:2"
    eventually(lambda: left_sessions(server) == 1, "its only session has left")
    assert not is_kept(server, "B" * 32)
