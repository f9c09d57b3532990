"""Keeps sockets away from middleware that only HTTP requests need.

An open socket would keep half a kilobyte in memory for each middleware, and six for FastAPI.
"""

from collections.abc import Callable, Collection

from starlette.applications import Starlette
from starlette.types import ASGIApp, Receive, Scope, Send

_Middleware = Callable[[ASGIApp], ASGIApp]


def http_interface(api: Starlette, sockets: Collection[str]) -> _Middleware:
    """Return middleware: an interface that gets all requests, and the sockets at these paths.

    What the interface has no route for, and every other socket, reaches the app.
    """

    def wrap(app: ASGIApp) -> ASGIApp:
        api.mount("", app)

        async def serve(scope: Scope, receive: Receive, send: Send) -> None:
            bypasses = scope["type"] == "websocket" and scope["path"] not in sockets
            served = app if bypasses else api
            await served(scope, receive, send)

        return serve

    return wrap


def requests_only(*middleware: _Middleware) -> _Middleware:
    """Wrap an app in middleware, each around those before it, for HTTP requests.

    Sockets and the lifespan bypass it.
    """

    def wrap(app: ASGIApp) -> ASGIApp:
        for_requests = app
        for each in middleware:
            for_requests = each(for_requests)

        async def serve(scope: Scope, receive: Receive, send: Send) -> None:
            served = for_requests if scope["type"] == "http" else app
            await served(scope, receive, send)

        return serve

    return wrap
