"""The socket of events is reached without the layers that are for pages and calls."""

import pytest
from starlette.applications import Starlette

from kit.http.sockets import EVENTS, events_directly

pytestmark = pytest.mark.anyio


class Framework:
    """As much of the framework's app as a server needs."""

    def __init__(self, path):
        self.reached, self.is_within = [], False
        self._api = Starlette()
        self._api.mount(path, self.note("events"))

    def __call__(self):
        return self.note("whole")

    def note(self, name):
        async def reached(scope, receive, send):
            self.reached.append((name, self.is_within))

        return reached

    def set_contexts(self):
        return self

    def __enter__(self):
        self.is_within = True

    def __exit__(self, *_):
        self.is_within = False


@pytest.mark.parametrize(
    ("kind", "path", "reached"),
    [
        pytest.param("websocket", EVENTS, ("events", True), id="a socket of events"),
        pytest.param("websocket", f"{EVENTS}/", ("events", True), id="as browsers write it"),
        pytest.param("websocket", "/api/restaurants/live", ("whole", False), id="another socket"),
        pytest.param("http", EVENTS, ("whole", False), id="a call where the socket is"),
        pytest.param("lifespan", "", ("whole", False), id="the server's start"),
    ],
)
async def test_only_sockets_of_events_take_the_short_way(kind, path, reached):
    framework = Framework(EVENTS)
    await events_directly(framework)({"type": kind, "path": path}, None, None)
    assert framework.reached == [reached]


def test_a_framework_that_keeps_its_socket_elsewhere_is_noticed_at_the_start():
    with pytest.raises(RuntimeError, match=r"sockets\.py"):
        events_directly(Framework("/elsewhere"))
