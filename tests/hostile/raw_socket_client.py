"""A WebSocket client that uses the protocol of the pages, but sends arbitrary events."""

import contextlib
import json
import secrets
import time
from collections.abc import Callable
from typing import Any

from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection, connect

ROOT = "reflex___state____state"
_NAMESPACE = "/_event"
_RESPONSE_SECONDS = 30.0
_FIELD = "_rx_state_"
_CHECKOUT = f"{ROOT}.campus_app___ordering___screens___checkout_state____checkout_state"
_CUSTOMER = f"{ROOT}.campus_app___ordering___screens___customer_state____customer_state"


class RawSocketClient:
    """One tab: its socket, its session, and the received state."""

    def __init__(
        self,
        port: int,
        *,
        token: str = "",
        origin: str = "",
        address: str = "127.0.0.1",
        cookie: str = "",
    ) -> None:
        self.token = token or secrets.token_hex(16)
        self.vars: dict[str, Any] = {}
        self.events: list[dict[str, Any]] = []
        self._received: list[str] = []
        self._connecting = connect(
            f"ws://127.0.0.1:{port}/_event/?token={self.token}&EIO=4&transport=websocket",
            origin=origin or f"http://127.0.0.1:{port}",
            max_size=None,
            max_queue=None,
            ping_interval=None,
            compression=None,
            proxy=None,
            open_timeout=_RESPONSE_SECONDS,
            additional_headers={"Cookie": cookie} if cookie else None,
            source_address=(address, 0),
        )

    def __enter__(self) -> "RawSocketClient":
        self.socket: ClientConnection = self._connecting.__enter__()
        assert str(self.socket.recv(_RESPONSE_SECONDS)).startswith("0")
        return self

    def __exit__(self, *error: Any) -> None:
        self._connecting.__exit__(*error)

    @property
    def received(self) -> str:
        """All received messages, joined."""
        return "".join(self._received)

    def open_page(self, page: Any, storage: dict[str, Any]) -> "RawSocketClient":
        """Open a page with this browser storage; return when it is hydrated."""
        name = f"{ROOT}.hydrate_and_load"
        event = {"name": name, "payload": {"vars": storage}, "router_data": page}
        self.socket.send(f"40{_NAMESPACE}," + json.dumps({"event": event}))
        self.read_until(lambda: self.vars.get(f"{ROOT}.is_hydrated") is True)
        return self

    def send(self, name: Any, payload: Any, page: Any) -> None:
        """Send an event of any content."""
        self.send_json(["event", {"name": name, "payload": payload, "router_data": page}])

    def send_json(self, message: Any) -> None:
        """Send any JSON message."""
        self.socket.send(f"42{_NAMESPACE}," + json.dumps(message))

    def wait_until_processed(self) -> None:
        """Return when all sent events have been processed."""
        mark = secrets.token_hex(8)
        note = {"name": "deliveryInstructions", "value": mark}
        self.send(f"{_CUSTOMER}.store_value", note, at("/terms"))
        self.read_until(lambda: mark in str(self.vars.get(f"{_CHECKOUT}.draft")))

    def read_for(self, seconds: float) -> None:
        """Handle all messages that are received during some seconds."""
        end = time.monotonic() + seconds
        while (rest := end - time.monotonic()) > 0:
            with contextlib.suppress(TimeoutError):
                self._handle(str(self.socket.recv(rest)))

    def wait_until_closed(self) -> None:
        """Send an invalid packet; return when the server has closed the socket."""
        with contextlib.suppress(ConnectionClosed):
            self.socket.send("")
            while True:
                self._handle(str(self.socket.recv(_RESPONSE_SECONDS)))

    def read_until(self, condition: Callable[[], bool]) -> None:
        """Handle received messages until the condition holds."""
        while not condition():
            self._handle(str(self.socket.recv(_RESPONSE_SECONDS)))

    def _handle(self, text: str) -> None:
        self._received.append(text)
        if text == "2":
            self.socket.send("3")
        elif text.startswith(f"42{_NAMESPACE},"):
            kind, *content = json.loads(text.removeprefix(f"42{_NAMESPACE},"))
            if kind == "event":
                self._update(content[0])

    def _update(self, update: dict[str, Any]) -> None:
        self.events += update.get("events") or []
        for state, changes in (update.get("delta") or {}).items():
            for name, value in changes.items():
                self.vars[f"{state}.{name.removesuffix(_FIELD)}"] = value


def at(address: str, **parameters: Any) -> dict[str, Any]:
    """Return router data for an address; `parameters` are those of the route and the query."""
    path = address.partition("?")[0]
    return {"pathname": path, "asPath": address, "query": parameters}
