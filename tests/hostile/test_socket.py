"""The event socket: accepted origins, malformed packets, and isolation of sessions."""

import contextlib
import json
import secrets

import pytest
from websockets.exceptions import ConnectionClosed, InvalidStatus

from tests.helpers.builders import CUSTOMER
from tests.hostile.raw_socket_client import ROOT, RawSocketClient, at

CART = f"{ROOT}.campus_app___ordering___screens___cart_state____cart_state"
HOME = at("/")
CONNECT = "40/_event,"
GUESSED = "A" * 32


@pytest.mark.parametrize(
    "origin",
    [
        "https://evil.example",
        "http://localhost",
        "http://127.0.0.1:1",
        "http://localhost.evil.example",
        "null",
    ],
)
def test_event_socket_is_rejected_when_origin_is_foreign(origin, server):
    with pytest.raises(InvalidStatus) as rejected, RawSocketClient(server.port, origin=origin):
        pass
    assert rejected.value.response.status_code == 403


@pytest.mark.parametrize("host", ["localhost", "127.0.0.1"])
def test_event_socket_is_accepted_when_origin_is_ours(host, server):
    with RawSocketClient(server.port, origin=f"http://{host}:{server.port}") as socket_client:
        socket_client.open_page(HOME, {})


def test_oversized_message_closes_only_its_own_socket(socket_client, assert_unchanged):
    with assert_unchanged():
        socket_client.open_page(HOME, {})
        with contextlib.suppress(ConnectionClosed):  # perhaps while the message is being sent
            socket_client.send(
                f"{CART}.add_dish", {"restaurant_id": 1, "dish_id": "x" * 2_000_000}, HOME
            )
        with pytest.raises(ConnectionClosed):
            socket_client.wait_until_processed()


@pytest.mark.parametrize(
    "message",
    [
        pytest.param("", id="empty"),
        pytest.param("x", id="no type"),
        pytest.param("9", id="unknown type"),
        pytest.param("4", id="no packet"),
        pytest.param("49", id="unknown packet"),
        pytest.param("42", id="an event outside the namespace"),
        pytest.param("42/_event", id="a truncated event"),
        pytest.param("42/_event,", id="an event without content"),
        pytest.param("42/_event,{", id="truncated JSON"),
        pytest.param("42/_event," + "[" * 60_000, id="deeply nested JSON"),
        pytest.param("42/_event," + "9" * 5_000, id="a very long number"),
        pytest.param("42/nowhere," + json.dumps(["event", {}]), id="another namespace"),
        pytest.param("43/_event,7[]", id="an unexpected acknowledgement"),
        pytest.param(
            '451-/_event,["event",{"_placeholder":true,"num":0}]', id="a missing attachment"
        ),
        pytest.param("45999999999-/_event,[]", id="too many missing attachments"),
        pytest.param("bAAAA", id="binary as text"),
        pytest.param(b"\x00\xff" * 100, id="binary"),
    ],
)
def test_malformed_packet_does_no_harm(message, socket_client, assert_unchanged):
    with assert_unchanged():
        socket_client.open_page(HOME, {})
        socket_client.socket.send(message)
        socket_client.wait_until_closed()


@pytest.mark.parametrize(
    "message",
    [
        pytest.param(None, id="null"),
        pytest.param(5, id="a number"),
        pytest.param("event", id="a string"),
        pytest.param([], id="an empty list"),
        pytest.param([None], id="a list of null"),
        pytest.param([[]], id="a list of a list"),
        pytest.param(["event"], id="an event without content"),
        pytest.param(["event", None], id="a null event"),
        pytest.param(["event", CUSTOMER["email"]], id="an event that is a string"),
        pytest.param(["event", json.dumps({"name": "x"})], id="an event that is a JSON string"),
        pytest.param(["event", [1]], id="an event that is a list"),
        pytest.param(["event", {}], id="an event without a name"),
        pytest.param(["event", {"name": None}], id="a null name"),
        pytest.param(["event", {"name": {"a": CUSTOMER}}], id="a name that is an object"),
        pytest.param(
            ["event", {"name": f"{ROOT}.nothing", "payload": CUSTOMER}], id="an unknown handler"
        ),
        pytest.param(["event", {"name": f"{CART}._change", "payload": {}}], id="a private method"),
        pytest.param(["event", {"name": f"{CART}.get_state", "payload": {}}], id="a base method"),
        pytest.param(["event", {}, {}, {}], id="too many arguments"),
        pytest.param(["ping"], id="a ping"),
        pytest.param(["ping", 1, 2], id="a ping with arguments"),
        pytest.param(
            ["client_error", {"message": CUSTOMER["email"] + "\nx"}], id="an error report"
        ),
        pytest.param(["client_error", 5], id="an error report that is a number"),
        pytest.param(["emit_update", {}, "x"], id="a method of the namespace"),
        pytest.param(["no such event", 1], id="an unknown event"),
    ],
)
def test_malformed_message_does_no_harm(message, socket_client, assert_unchanged):
    with assert_unchanged():
        socket_client.open_page(HOME, {})
        socket_client.send_json(message)
        socket_client.wait_until_processed()


@pytest.mark.parametrize(
    "auth",
    [
        pytest.param(None, id="null"),
        pytest.param(5, id="a number"),
        pytest.param({"event": 5}, id="a number as the first event"),
        pytest.param(
            {"event": {"name": CUSTOMER["fullName"]}}, id="an unknown handler as the first event"
        ),
        pytest.param({"event": {"name": f"{CART}.proceed"}}, id="another first event"),
        pytest.param({"stateSchema": "two\nlines", "state_schema": 5}, id="another build"),
    ],
)
def test_malformed_connect_packet_does_no_harm(auth, socket_client, assert_unchanged):
    with assert_unchanged():
        socket_client.socket.send(CONNECT + json.dumps(auth))
        socket_client.wait_until_closed()


def test_client_with_token_of_open_tab_gets_another_session(server, customer, assert_unchanged):
    cart = customer.vars[f"{CART}.cart"]
    with assert_unchanged(), RawSocketClient(server.port, token=customer.token) as attacker:
        attacker.open_page(at("/menu/5", restaurant_id="5"), {})
        attacker.send(
            f"{CART}.remove_dish",
            {"restaurant_id": 5, "dish_id": "501"},
            at("/menu/5", restaurant_id="5"),
        )
        attacker.wait_until_processed()
        assert cart not in attacker.received


@pytest.mark.parametrize("first", [None, {}, {"event": {"name": f"{CART}.start_new_cart"}}])
def test_nested_connect_event_reaches_no_other_session(
    first, socket_client, customer, assert_unchanged
):
    environ = {"QUERY_STRING": f"token={customer.token}", "asgi.scope": {"client": ["::1"]}}
    with assert_unchanged():
        socket_client.open_page(HOME, {})
        socket_client.send_json(["connect", environ, first])
        socket_client.send_json(["event", {"name": f"{CART}.start_new_cart", "payload": {}}])
        socket_client.wait_until_closed()
    assert customer.vars[f"{CART}.cart"] not in socket_client.received


@pytest.mark.parametrize("order", ["paid", "unpaid"])
@pytest.mark.parametrize("screen", ["/order-confirmation", "/cashfree-response"])
def test_order_number_alone_shows_no_personal_data(order, screen, orders, server, assert_unchanged):
    page = at(f"{screen}?order_id={orders[order]}&token={GUESSED}&status=SUCCESS")
    confirmation = (
        f"{ROOT}.campus_app___ordering___screens___confirmation_state____confirmation_state"
    )
    with assert_unchanged(), RawSocketClient(server.port) as socket_client:
        socket_client.open_page(page, {})
        socket_client.send(
            f"{confirmation}.reveal", {"stored": json.dumps({"responseToken": GUESSED})}, page
        )
        socket_client.send(f"{confirmation}.poll", {}, page)
        socket_client.wait_until_processed()
        received = socket_client.received
    assert orders[order] in received
    personal_data = [*CUSTOMER.values(), CUSTOMER["fullName"].upper(), "Pehla Food Point", "₹3"]
    assert [value for value in personal_data if value in received] == []


def test_thousand_unknown_events_do_not_affect_other_sessions(socket_client, assert_unchanged):
    with assert_unchanged():
        socket_client.open_page(HOME, {})
        for _ in range(1_000):
            socket_client.send(f"{CART}.{secrets.token_hex(4)}", {}, HOME)
        socket_client.wait_until_processed()


def test_uploads_are_rejected(server):
    files = {"files": ("x.txt", b"x")}
    assert server.http.post("/_upload", files=files).status_code in {404, 405}


_ATTACHMENTS = 500


@pytest.mark.parametrize(
    "announcement",
    [
        pytest.param('45{}-/_event,["event",{{}}]', id="a packet"),
        pytest.param('4"5{}-/_event,[]"', id="a packet in JSON"),
        pytest.param('4\u0665{}-/_event,["event",{{}}]', id="a digit of another script"),
    ],
)
def test_unfinished_binary_event_stores_nothing(
    announcement, server, socket_client, assert_unchanged
):
    before = server.memory_bytes()
    with assert_unchanged():
        socket_client.open_page(HOME, {})
        with contextlib.suppress(ConnectionClosed):
            socket_client.socket.send(announcement.format(_ATTACHMENTS + 1))
            for _ in range(_ATTACHMENTS):
                socket_client.socket.send("4x" + "y" * 60_000)
        socket_client.wait_until_closed()
    assert server.memory_bytes() < before + 10_000_000


@pytest.mark.parametrize("size", [66_000, 900_000])
def test_socket_is_closed_when_message_exceeds_64_kb(size, socket_client, assert_unchanged):
    with assert_unchanged():
        socket_client.open_page(HOME, {})
        with pytest.raises(ConnectionClosed):  # noqa: PT012 - perhaps while it is being sent
            socket_client.socket.send(CONNECT + json.dumps({"x": "y" * size}))
            socket_client.read_for(30)
