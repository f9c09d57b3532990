"""Kitchen boards: no socket but those of a kitchen's own devices gets an order or changes one.

Source: specification 10.24 to 10.27.
"""

import json
import secrets

import pytest
from redis import Redis

from campus_app.kitchen.rules.kitchen import DEVICE_COOKIE
from tests.helpers import product_devices
from tests.helpers.builders import CUSTOMER
from tests.hostile.conftest import place_order
from tests.hostile.raw_socket_client import ROOT, RawSocketClient, at
from tests.hostile.server import UNTHROTTLED, running_server

KITCHEN = f"{ROOT}.campus_app___kitchen___screens___kitchen_state____kitchen_state"
PROGRESS = f"{ROOT}.campus_app___ordering___screens___cooking_state____cooking_progress_state"
PAGE = at("/kitchen")
PERSONAL = (CUSTOMER["fullName"], CUSTOMER["phoneNumber"], CUSTOMER["address"])
OTHERS_SECONDS = 1.5
"""How long other sockets are read after a change; boards are updated twice a second."""


@pytest.fixture(scope="module")
def device(server):
    """The token of an enrolled device of restaurant 1."""
    return product_devices.enrol(server, 1)


@pytest.fixture(scope="module", autouse=True)
def revoked_devices(server):
    """Revokes the devices of this module at its end.

    The calls about unseen orders, made only for kitchens with devices, would change rows during
    later tests.
    """
    yield
    for restaurant_id in (1, 2):
        for device_id in product_devices.device_ids(server, restaurant_id):
            product_devices.revoke(server, device_id)


@pytest.fixture
def open_board(server):
    """Connects a client with these cookies, and opens the board's page."""
    opened = []

    def open_board(cookie="", page=PAGE):
        client = RawSocketClient(server.port, cookie=cookie).__enter__()
        opened.append(client)
        return client.open_page(page, {})

    yield open_board
    for client in opened:
        client.__exit__(None, None, None)


@pytest.fixture
def board(open_board, device):
    """A client with the cookie of the enrolled device, which has received its board."""
    client = open_board(of_device(device))
    client.read_until(lambda: client.vars.get(f"{KITCHEN}.board"))
    return client


def of_device(token):
    return f"{DEVICE_COOKIE}={token}"


def tickets(client):
    """Return the tickets of the received board, by their order's number; {} without a board."""
    text = client.vars.get(f"{KITCHEN}.board")
    board = json.loads(text) if text else {"tickets": []}
    return {ticket["number"]: ticket for ticket in board["tickets"]}


def press_arguments(order_id, target="seen"):
    return {
        "press_id": secrets.token_hex(16),
        "order_id": order_id,
        "saw": "sent",
        "target": target,
    }


def send_all(client, order_id, page=PAGE):
    """Send every event of a board, with the arguments of an order and a dish of restaurant 1."""
    events = {
        "open": {},
        "refresh": {},
        "press": press_arguments(order_id, "ready"),
        "set_dish": {"dish_id": "104", "is_available": False},
        "pause": {"minutes": 15},
        "report_shortage": {"order_id": order_id, "dish_id": "104", "reason": "no_gas"},
        "undo_shortage": {"order_id": order_id, "dish_id": "104"},
        "show_day": {},
        "close": {},
    }
    for name, payload in events.items():
        client.send(f"{KITCHEN}.{name}", payload, page)
    client.wait_until_processed()


def assert_got_nothing(client, *numbers):
    """Check that a client has received no board, nothing of these orders, and no customer."""
    assert client.vars.get(f"{KITCHEN}.board", "") == ""
    assert not client.vars.get(f"{KITCHEN}.day_rows")
    assert [text for text in (*numbers, *PERSONAL) if text in client.received] == []


def test_board_of_an_enrolled_device_gets_orders_and_its_press_counts(board, server):
    """The positive control of the tests below."""
    number = place_order(server)
    board.read_until(lambda: number in tickets(board))
    ticket = tickets(board)[number]
    assert (ticket["customer"], ticket["phone"]) == (PERSONAL[0], PERSONAL[1])
    board.send(f"{KITCHEN}.press", press_arguments(ticket["id"]), PAGE)
    board.read_until(lambda: tickets(board)[number]["state"] == "seen")
    assert CUSTOMER["email"] not in board.received


@pytest.mark.parametrize(
    "cookie",
    [
        pytest.param("", id="no cookie"),
        pytest.param(of_device(""), id="an empty cookie"),
        pytest.param(of_device("A" * 22), id="a guessed token"),
        pytest.param(of_device("x" * 7_000), id="a long token"),
        pytest.param("kitchenDevice", id="a cookie without a value"),
        pytest.param("not-kitchenDevice={token}", id="another cookie"),
        pytest.param("a=kitchenDevice={token}", id="the token inside another cookie"),
        pytest.param(of_device("{hash}"), id="the stored hash"),
        pytest.param(of_device("{id}"), id="the id of the device"),
    ],
)
def test_socket_without_the_devices_token_gets_and_changes_nothing(
    cookie, board, device, server, open_board, assert_unchanged
):
    number = place_order(server)
    board.read_until(lambda: number in tickets(board))
    stored = server.rows()["kitchen_devices"][0]
    given = cookie.format(token=device, hash=stored["token_hash"], id=stored["id"])
    with assert_unchanged():
        attacker = open_board(given)
        send_all(attacker, tickets(board)[number]["id"])
        assert attacker.vars[f"{KITCHEN}.is_enrolled"] is False
    assert_got_nothing(attacker, number)


def test_forged_headers_of_an_event_name_no_device(
    board, device, server, open_board, assert_unchanged
):
    number = place_order(server)
    board.read_until(lambda: number in tickets(board))
    order_id = tickets(board)[number]["id"]
    session = board.vars[f"{ROOT}.rx_router_session"]
    forged = {
        "headers": {"cookie": of_device(device), "Cookie": of_device(device)},
        "cookie": of_device(device),
        f"cookie.{DEVICE_COOKIE}": device,
        "sid": session["session_id"],
        "token": session["client_token"],
        "asgi.scope": {f"cookie.{DEVICE_COOKIE}": device},
    }
    with assert_unchanged():
        attacker = open_board(page=PAGE | forged)
        send_all(attacker, order_id, PAGE | forged)
    assert_got_nothing(attacker, number)


def test_forged_handshake_event_names_no_device(
    board, device, server, open_board, assert_unchanged
):
    number = place_order(server)
    board.read_until(lambda: number in tickets(board))
    opening = {"name": f"{KITCHEN}.open", "payload": {}, "router_data": PAGE}
    scope = {
        "headers": [["cookie", of_device(device)]],
        "client": ["::1", 1],
        f"cookie.{DEVICE_COOKIE}": device,
    }
    with assert_unchanged():
        attacker = open_board()
        environ = {"QUERY_STRING": f"token={attacker.token}", "asgi.scope": scope}
        attacker.send_json(["connect", environ, {"event": opening}])
        attacker.send_json(["event", opening])
        attacker.wait_until_closed()
    assert_got_nothing(attacker, number)


def test_device_of_another_kitchen_gets_and_changes_nothing(
    board, server, open_board, assert_unchanged
):
    other = open_board(of_device(product_devices.enrol(server, 2)))
    number = place_order(server)
    board.read_until(lambda: number in tickets(board))
    with assert_unchanged():
        order_id = tickets(board)[number]["id"]
        other.send(f"{KITCHEN}.press", press_arguments(order_id), PAGE)
        dish = {"dish_id": "104", "is_available": False}
        other.send(f"{KITCHEN}.set_dish", dish, PAGE)
        other.send(f"{KITCHEN}.show_day", {}, PAGE)
        other.wait_until_processed()
        other.read_for(OTHERS_SECONDS)
    assert json.loads(other.vars[f"{KITCHEN}.board"])["tickets"] == []
    assert other.vars[f"{KITCHEN}.day_rows"] == []
    assert [text for text in (number, *PERSONAL) if text in other.received] == []


def test_pushes_reach_only_the_devices_of_the_kitchen(board, server, open_board, customer):
    """During a payment and a press, on sockets of every kind."""
    other = open_board(of_device(product_devices.enrol(server, 2)))
    anonymous, menu = open_board(), open_board(page=at("/menu/1", restaurant_id="1"))
    second = open_board(board_cookie := of_device(product_devices.enrol(server, 1)))
    prepared = place_order(server)
    token = next(
        row["response_token"] for row in server.rows()["orders"] if row["number"] == prepared
    )
    follower = open_board(page=at(f"/forms/response/{token}", response_token=token))
    for client in (board, second):
        client.read_until(lambda client=client: prepared in tickets(client))
    order_id = tickets(board)[prepared]["id"]
    board.send(f"{KITCHEN}.press", press_arguments(order_id), PAGE)
    for client in (board, second):
        client.read_until(lambda client=client: tickets(client)[prepared]["state"] == "seen")
    assert board_cookie.partition("=")[2] not in board.received + second.received
    for client in (other, anonymous, menu, customer):
        client.read_for(OTHERS_SECONDS)
        assert [text for text in (prepared, order_id, token) if text in client.received] == []
        assert f"{PROGRESS}.states" not in client.vars or not client.vars[f"{PROGRESS}.states"]
    for client in (other, anonymous, menu):
        assert [text for text in PERSONAL if text in client.received] == []
    assert follower.vars.get(f"{KITCHEN}.board", "") == ""


def test_revoked_device_gets_no_more_orders(server, open_board):
    token = product_devices.enrol(server, 3)
    client = open_board(of_device(token))
    client.read_until(lambda: client.vars.get(f"{KITCHEN}.board"))
    (device_id,) = product_devices.device_ids(server, 3)
    product_devices.revoke(server, device_id)
    client.read_until(lambda: client.vars[f"{KITCHEN}.board"] == "")
    client.read_until(lambda: client.vars[f"{KITCHEN}.is_enrolled"] is False)
    client.send(f"{KITCHEN}.pause", {"minutes": 15}, PAGE)
    client.send(f"{KITCHEN}.open", {}, PAGE)
    client.wait_until_processed()
    assert client.vars[f"{KITCHEN}.is_enrolled"] is False
    assert server.http.get("/api/restaurants/status").json()["statuses"]["3"]["isOpen"] is True
    again = open_board(of_device(token))
    assert again.vars.get(f"{KITCHEN}.is_enrolled") is False


def test_token_of_a_device_is_only_in_its_cookie(tmp_path, redis):
    """Not in a message, a page, the log, the database, or a session in Redis."""
    with running_server(tmp_path / "kitchen", REDIS_URL=redis.url, **UNTHROTTLED) as server:
        server.redis_url = redis.url
        path = product_devices.create_link(server, 1)
        page = server.http.get(path)
        answer = server.http.post(path)
        token = answer.cookies[DEVICE_COOKIE]
        cookies = f"a=1; {of_device(token)}; language=hi"
        with RawSocketClient(server.port, cookie=cookies) as board:
            board.open_page(PAGE, {})
            board.read_until(lambda: board.vars.get(f"{KITCHEN}.board"))
            number = place_order(server)
            board.read_until(lambda: number in tickets(board))
            send_all(board, tickets(board)[number]["id"])
            received = board.received
        stored = dump(redis.url)
        shown = server.http.get("/kitchen").text  # the client keeps the cookie
        answers = page.text + answer.text + str(answer.headers.get("location"))
        texts = {
            "messages": received,
            "Redis": stored,
            "pages": shown + answers,
            "log": server.log.read_text(),
            "database": str(server.rows()),
        }
    assert "language=hi" in stored, "the search in Redis finds the headers of a session"
    assert [name for name, text in texts.items() if token in text] == []
    link = path.rpartition("/")[2]
    assert [name for name in ("log", "database", "Redis") if link in texts[name]] == []
    assert PERSONAL[0] not in stored, "no session stores a board"


def test_page_of_another_site_cannot_use_up_a_link(server):
    path = product_devices.create_link(server, 1)
    for origin in ("https://evil.example", "null", f"http://evil.localhost:{server.port}"):
        answer = server.http.post(path, headers={"origin": origin})
        assert answer.status_code == 403
        assert "set-cookie" not in answer.headers
    assert server.http.post(path, headers={"origin": server.url}).status_code == 303
    server.http.cookies.clear()


def test_board_is_in_no_sitemap_and_excluded_by_robots_txt(server):
    assert "/kitchen" not in server.get("/sitemap.xml").text
    assert "Disallow: /kitchen" in server.get("/robots.txt").text.splitlines()


def dump(url):
    """Return all keys and values of a Redis server."""
    with Redis.from_url(url) as client:
        contents = []
        for key in client.keys("*"):
            kind = client.type(key)
            value = client.get(key) if kind == b"string" else b""
            contents += [key, value or b""]
    return b"\n".join(contents).decode("latin-1")
