"""Applies ASGI middleware to HTTP requests alone: sockets and the lifespan bypass it."""

from collections.abc import Callable

from starlette.types import ASGIApp, Receive, Scope, Send

_Middleware = Callable[[ASGIApp], ASGIApp]


def requests_only(*middleware: _Middleware) -> _Middleware:
    """Wrap an app in middleware, each around those before it, for HTTP requests.

    An open socket would keep a coroutine of each in memory: half a kilobyte.
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
