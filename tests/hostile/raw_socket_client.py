"""A visitor who speaks to the socket as the product's pages do, but says what it likes."""

import contextlib
import json
import secrets
from collections.abc import Callable
from typing import Any

from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection, connect

ROOT = "reflex___state____state"
_NAMESPACE = "/_event"
_ANSWER_SECONDS = 10.0
_FIELD = "_rx_state_"
_CHECKOUT = f"{ROOT}.campus_app___states___checkout____checkout_state"


class Stranger:
    """One tab: its socket, its session, and what the server has told it."""

    def __init__(
        self, port: int, *, token: str = "", origin: str = "", address: str = "127.0.0.1"
    ) -> None:
        self.token = token or secrets.token_hex(16)
        self.vars: dict[str, Any] = {}
        self.events: list[dict[str, Any]] = []
        self._heard: list[str] = []
        self._connecting = connect(
            f"ws://127.0.0.1:{port}/_event/?token={self.token}&EIO=4&transport=websocket",
            origin=origin or f"http://127.0.0.1:{port}",
            max_size=None,
            max_queue=None,
            ping_interval=None,
            compression=None,
            proxy=None,
            source_address=(address, 0),
        )

    def __enter__(self) -> "Stranger":
        self.socket: ClientConnection = self._connecting.__enter__()
        assert str(self.socket.recv(_ANSWER_SECONDS)).startswith("0")
        return self

    def __exit__(self, *error: Any) -> None:
        self._connecting.__exit__(*error)

    @property
    def heard(self) -> str:
        """Everything that the server has ever said."""
        return "".join(self._heard)

    def enter(self, page: Any, storage: dict[str, Any]) -> "Stranger":
        """Open a page with what the browser keeps; return when it has loaded."""
        name = f"{ROOT}.hydrate_and_load"
        event = {"name": name, "payload": {"vars": storage}, "router_data": page}
        self.socket.send(f"40{_NAMESPACE}," + json.dumps({"event": event}))
        self.read_until(lambda: self.vars.get(f"{ROOT}.is_hydrated") is True)
        return self

    def send(self, name: Any, payload: Any, page: Any) -> None:
        """Send an event; nobody promises that it is one."""
        self.say(["event", {"name": name, "payload": payload, "router_data": page}])

    def say(self, message: Any) -> None:
        """Send anything that is JSON."""
        self.socket.send(f"42{_NAMESPACE}," + json.dumps(message))

    def catch_up(self) -> None:
        """Return when everything that was sent has been worked on."""
        mark = secrets.token_hex(8)
        self.send(f"{_CHECKOUT}.keep_note", {"note": mark}, at("/terms"))
        self.read_until(lambda: self.vars.get(f"{_CHECKOUT}.note") == mark)

    def hang_up(self) -> None:
        """Return when the server has closed the socket, over a packet that is none."""
        with contextlib.suppress(ConnectionClosed):
            self.socket.send("")
            while True:
                self._take_in(str(self.socket.recv(_ANSWER_SECONDS)))

    def read_until(self, is_so: Callable[[], bool]) -> None:
        """Take in what the server says until something is so."""
        while not is_so():
            self._take_in(str(self.socket.recv(_ANSWER_SECONDS)))

    def _take_in(self, text: str) -> None:
        self._heard.append(text)
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
    """Return what a page says of where it is; `parameters` are the route's and the query's."""
    path = address.partition("?")[0]
    return {"pathname": path, "asPath": address, "query": parameters}
