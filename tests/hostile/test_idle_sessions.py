"""Limits on the number and the age of sessions without a socket."""

import time
from contextlib import ExitStack

import pytest

from tests.helpers.metrics import samples
from tests.helpers.product import OPERATOR_TOKEN, eventually
from tests.helpers.redis import running_redis
from tests.hostile.raw_socket_client import ROOT, RawSocketClient, at
from tests.hostile.server import UNTHROTTLED, running_server

CART = f"{ROOT}.campus_app___ordering___screens___cart_state____cart_state"
CUSTOMER = f"{ROOT}.campus_app___ordering___screens___customer_state____customer_state"
MARK = f"{CUSTOMER}.alert"
"""Session state that the browser does not store, and that the menu's screen does not change."""
ROUTER_DATA = at("/menu/5", restaurant_id="5")
MAXIMUM_PER_ADDRESS, MAXIMUM_TOTAL = 5, 8
TIMEOUT_SECONDS = 9
"""A session is renewed after a third of it: a server that stalls for the rest would lose it."""
ADDRESS, OTHER_ADDRESS = "127.0.0.1", "127.0.0.77"


@pytest.fixture(params=["memory", "redis"])
def redis_url(request):
    """The Redis URL; empty if sessions are stored in memory."""
    if request.param == "memory":
        yield ""
    else:
        with running_redis() as redis:
            yield redis.url


@pytest.fixture
def server(tmp_path, redis_url):
    """An installation with low limits on idle sessions."""
    limits = {
        "IDLE_SESSIONS_PER_ADDRESS": str(MAXIMUM_PER_ADDRESS),
        "IDLE_SESSIONS": str(MAXIMUM_TOTAL),
    }
    with running_server(tmp_path, REDIS_URL=redis_url, **UNTHROTTLED, **limits) as server:
        yield server


def metric(server, name):
    headers = {"authorization": f"Bearer {OPERATOR_TOKEN}"}
    return samples(server.http.get("/metrics", headers=headers).text)[(name,)]


def add_dish(socket_client):
    """Add one unit of a dish; return the server's cart."""
    before = socket_client.vars.get(f"{CART}.cart")
    socket_client.send(f"{CART}.add_dish", {"restaurant_id": 5, "dish_id": "501"}, ROUTER_DATA)
    socket_client.read_until(lambda: socket_client.vars.get(f"{CART}.cart") != before)
    return socket_client.vars[f"{CART}.cart"].rpartition("|")[2]


def mark(socket_client):
    """Change state of the session that only the server has."""
    socket_client.send(f"{CUSTOMER}.next", {"form": {}}, ROUTER_DATA)
    socket_client.read_until(lambda: socket_client.vars.get(MARK))


def disconnected_sessions(server):
    """Return how many sessions have disconnected and not reconnected."""
    return metric(server, "campus_idle_sessions") + metric(server, "campus_deleted_sessions_total")


def use_and_disconnect(server, count, address=ADDRESS):
    """Open, use and close pages; return their tokens, oldest first."""
    tokens = []
    for _ in range(count):
        expected = disconnected_sessions(server) + 1
        with RawSocketClient(server.port, address=address) as socket_client:
            mark(socket_client.open_page(ROUTER_DATA, {}))
            tokens.append(socket_client.token)
        eventually(
            lambda expected=expected: disconnected_sessions(server) == expected,
            "the session is disconnected",
        )
    return tokens


def is_kept(server, token):
    """Whether the server still has a session's state; the client sends no browser storage."""
    with RawSocketClient(server.port, token=token, address=ADDRESS) as socket_client:
        socket_client.open_page(ROUTER_DATA, {})
        socket_client.wait_until_processed()
        return bool(socket_client.vars[MARK])


def test_oldest_sessions_are_deleted_when_one_address_exceeds_its_limit(server):
    tokens = use_and_disconnect(server, MAXIMUM_PER_ADDRESS + 2)
    kept = [is_kept(server, token) for token in reversed(tokens)]
    assert kept == [True] * MAXIMUM_PER_ADDRESS + [False] * 2


def test_oldest_sessions_are_deleted_when_all_addresses_exceed_the_limit(server):
    first = use_and_disconnect(server, MAXIMUM_PER_ADDRESS, OTHER_ADDRESS)
    last = use_and_disconnect(server, MAXIMUM_PER_ADDRESS)
    kept = [is_kept(server, token) for token in reversed([*first, *last])]
    assert kept == [True] * MAXIMUM_TOTAL + [False] * 2


def test_connected_sessions_are_kept_when_idle_limit_is_exceeded(server):
    with ExitStack() as stack:
        connected = [
            stack.enter_context(RawSocketClient(server.port)) for _ in range(MAXIMUM_TOTAL + 1)
        ]
        for socket_client in connected:
            add_dish(socket_client.open_page(ROUTER_DATA, {}))
        use_and_disconnect(server, MAXIMUM_TOTAL + 1)
        assert [add_dish(socket_client) for socket_client in connected] == ["501:2"] * len(
            connected
        )


def test_session_expires_only_when_it_has_no_socket(tmp_path, redis_url):
    limits = {"IDLE_SESSION_SECONDS": str(TIMEOUT_SECONDS)}
    with (
        running_server(tmp_path, REDIS_URL=redis_url, **UNTHROTTLED, **limits) as server,
        RawSocketClient(server.port) as connected,
    ):
        add_dish(connected.open_page(ROUTER_DATA, {}))
        (token,) = use_and_disconnect(server, 1)
        time.sleep(2 * TIMEOUT_SECONDS)
        assert add_dish(connected) == "501:2"
        assert not is_kept(server, token)


def test_client_gets_new_token_when_its_token_is_invalid(server):
    for token in ("x" * 65, "short", "a_lock_or_any_other_key", "../../key"):
        with RawSocketClient(server.port, token=token) as socket_client:
            assert add_dish(socket_client.open_page(ROUTER_DATA, {})) == "501:1"
            assert "new_token" in socket_client.received


def test_session_is_kept_when_client_sends_event_named_connect(server):
    environ = {"QUERY_STRING": f"token={'B' * 32}", "asgi.scope": {"client": ["10.9.9.9", 1]}}
    with RawSocketClient(server.port) as socket_client:
        add_dish(socket_client.open_page(ROUTER_DATA, {}))
        socket_client.send_json(["connect", environ, {}])
        assert add_dish(socket_client) == "501:2"
    eventually(lambda: disconnected_sessions(server) == 1, "the only session is disconnected")
    assert not is_kept(server, "B" * 32)
