"""Incomplete requests: timeouts for headers and body."""

import contextlib
import http.client
import socket
import time

import pytest

from tests.hostile.raw_socket_client import RawSocketClient, at
from tests.hostile.server import running_server

HEADER_SECONDS, BODY_SECONDS = 5, 8
# Timers of the event loop may fire early: they count from the beginning of an iteration, in whole
# milliseconds.
TIMER_TOLERANCE_SECONDS = 0.1
CONNECTIONS = 100
HEADERS = (
    b"POST /payment/prepare-order HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\n"
)
CONTENT = b'{"restaurantId": 1}'


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    """An installation with short request timeouts."""
    limits = {
        "REQUEST_HEADER_SECONDS": str(HEADER_SECONDS),
        "REQUEST_BODY_SECONDS": str(BODY_SECONDS),
    }
    with running_server(tmp_path_factory.mktemp("slow"), **limits) as server:
        yield server


def open_connection(server, sent=b""):
    connection = socket.create_connection(("127.0.0.1", server.port), 20)
    connection.sendall(sent)
    return connection


def read_all(connection):
    """Return everything received until the connection is closed."""
    chunks = []
    with contextlib.suppress(ConnectionResetError):
        while chunk := connection.recv(4_096):
            chunks.append(chunk)
    return b"".join(chunks)


def request_with_length(length):
    return HEADERS + b"content-length: %d\r\n\r\n" % length


INCOMPLETE = {
    "nothing": (b"", HEADER_SECONDS, b""),
    "half a request line": (b"GET / HT", HEADER_SECONDS, b"408"),
    "half the headers": (HEADERS, HEADER_SECONDS, b"408"),
    "half a body": (request_with_length(100) + b'{"half', BODY_SECONDS, b"408"),
    "a body without its last chunk": (
        HEADERS + b"transfer-encoding: chunked\r\n\r\n5\r\nhello\r\n",
        BODY_SECONDS,
        b"408",
    ),
}
"""What is sent, the timeout and the status."""


def test_connection_times_out_when_request_is_incomplete(server):
    """All connections wait at the same time."""
    with contextlib.ExitStack() as stack:
        began = time.monotonic()
        connections = [
            stack.enter_context(open_connection(server, sent)) for sent, *_ in INCOMPLETE.values()
        ]
        for connection, (case, (_, seconds, status)) in zip(
            connections, INCOMPLETE.items(), strict=True
        ):
            assert read_all(connection)[9:12] == status, case
            assert time.monotonic() - began >= seconds - TIMER_TOLERANCE_SECONDS, case


@pytest.mark.parametrize("sent", [HEADERS, request_with_length(1_000)], ids=["headers", "body"])
def test_connection_times_out_when_request_arrives_byte_by_byte(server, sent):
    """No pause between bytes exceeds a timeout, but the whole request does."""
    with open_connection(server, sent) as connection:
        connection.settimeout(0.2)
        began, received = time.monotonic(), b""
        while not received:
            assert time.monotonic() - began < 20, "the connection was not closed"
            with contextlib.suppress(OSError):  # closed meanwhile: the response can still be read
                connection.sendall(b"x")
            with contextlib.suppress(TimeoutError):
                received = connection.recv(4_096)
    assert received.startswith(b"HTTP/1.1 408 ")


def test_connections_with_unfinished_bodies_all_time_out(server):
    with contextlib.ExitStack() as stack:
        connections = [
            stack.enter_context(open_connection(server, request_with_length(100)))
            for _ in range(CONNECTIONS)
        ]
        assert [read_all(each)[9:12] for each in connections] == [b"408"] * CONNECTIONS
    assert server.is_healthy()
    assert [line for line in server.logged() if " ERROR " in line] == []


def test_connection_is_closed_when_body_continues_after_response(server):
    sent = b"POST /health HTTP/1.1\r\nhost: localhost\r\ncontent-length: 1000\r\n\r\n"
    with open_connection(server, sent) as connection:
        began = time.monotonic()
        with pytest.raises(OSError, match=r"."):  # noqa: PT012 - both statements may fail
            while time.monotonic() - began < 20:
                connection.sendall(b"x")
                time.sleep(0.2)
            pytest.fail("the connection was not closed")


_MEGABYTE = 1024 * 1024
CHUNKED = HEADERS + b"transfer-encoding: chunked\r\n\r\n"


@pytest.mark.parametrize(
    ("start", "piece"),
    [
        pytest.param(HEADERS, b"x: " + b"y" * 1_000 + b"\r\n", id="many headers"),
        pytest.param(HEADERS + b"x: ", b"y" * 1_000, id="one header"),
        pytest.param(b"GET /", b"y" * 1_000, id="a request line"),
        pytest.param(CHUNKED + b"0\r\n", b"x: " + b"y" * 1_000 + b"\r\n", id="trailers"),
        pytest.param(CHUNKED + b"5;", b"y" * 1_000, id="a chunk extension"),
    ],
)
def test_connection_is_closed_when_headers_exceed_64_kb(server, start, piece):
    sent = 0
    with open_connection(server, start) as connection, contextlib.suppress(OSError):
        while sent < 20 * _MEGABYTE:
            connection.sendall(piece * 64)
            sent += len(piece) * 64
    assert sent < 20 * _MEGABYTE


def test_response_is_431_when_headers_exceed_64_kb(server):
    with open_connection(server, HEADERS + b"x: " + b"y" * 66_000) as connection:
        assert read_all(connection)[9:12] == b"431"


def test_request_is_answered_when_headers_have_60_kb(server):
    sent = b"GET /health HTTP/1.1\r\nhost: localhost\r\nx: " + b"y" * 60_000 + b"\r\n\r\n"
    with open_connection(server, sent) as connection:
        assert connection.recv(4_096)[9:12] == b"200"


def test_slow_request_is_answered_when_completed_before_timeout(server):
    with open_connection(server, request_with_length(len(CONTENT))) as connection:
        for byte in CONTENT:
            connection.sendall(bytes([byte]))
            time.sleep(BODY_SECONDS / 4 / len(CONTENT))
        assert connection.recv(4_096).startswith(b"HTTP/1.1 422 ")


def test_connection_is_kept_alive_between_requests(server):
    client = http.client.HTTPConnection("127.0.0.1", server.port, timeout=20)
    client.auto_open = 0  # otherwise it would reconnect silently
    with contextlib.closing(client) as connection:
        connection.connect()
        for _ in range(6):
            connection.request("GET", "/health", headers={"host": "localhost"})
            response = connection.getresponse()
            assert (response.status, response.read()[:1]) == (200, b"{")
            time.sleep(HEADER_SECONDS / 4)


def test_event_socket_stays_open_when_silent_longer_than_request_timeout(server):
    with RawSocketClient(server.port) as socket_client:
        socket_client.open_page(at("/terms"), {})
        time.sleep(HEADER_SECONDS + BODY_SECONDS)
        socket_client.wait_until_processed()
