"""Reflex's app with open sockets, which records what is pushed to each."""

from types import SimpleNamespace
from typing import Any

import reflex as rx


class OpenSockets:
    """Records the pushes to the sockets whose ids are in `open`."""

    event_namespace = SimpleNamespace(namespace="/_event")

    def __init__(self) -> None:
        self.open: set[str] = set()
        self.sent: list[tuple[str, dict[str, Any]]] = []

    @property
    def sio(self) -> "OpenSockets":
        return self

    @property
    def manager(self) -> "OpenSockets":
        return self

    def is_connected(self, socket_id: str, _namespace: str) -> bool:
        return socket_id in self.open

    async def emit(self, _name: str, message: dict[str, Any], *, namespace: str, to: str) -> None:
        assert namespace == "/_event"
        self.sent.append((to, message["delta"]))

    def values(self, socket_id: str, state: type[rx.State], name: str) -> list[Any]:
        """Return the values of a variable that were sent to a socket."""
        key = f"{name}_rx_state_"
        return [
            changes[state.get_full_name()][key]
            for to, changes in self.sent
            if to == socket_id and key in changes.get(state.get_full_name(), {})
        ]
