"""ASGI middleware for `requests_only` that limits the size of request bodies."""

from collections.abc import Callable

from starlette.requests import ClientDisconnect
from starlette.types import ASGIApp, Message, Receive, Scope, Send

_TOO_LARGE = b'{"error": {"code": "too_large", "message": "This is more than the server takes."}}'


def body_limit(most_bytes: int, prefixes: tuple[str, ...]) -> Callable[[ASGIApp], ASGIApp]:
    """Answer 413 to a body of more than `most_bytes`, with or without a content-length.

    The limit applies to paths with one of the `prefixes`. Starlette's RequestBodyLimitMiddleware
    starts the application before the whole body has arrived, and answers in plain text.
    """

    def wrap(app: ASGIApp) -> ASGIApp:
        async def serve(scope: Scope, receive: Receive, send: Send) -> None:
            if not scope["path"].startswith(prefixes):
                await app(scope, receive, send)
                return
            try:
                body = await _whole_body(receive, most_bytes)
            except ClientDisconnect:
                return  # the application must not process an incomplete body
            if body is None:
                await _refuse(send)
                return
            pending: list[Message] = [{"type": "http.request", "body": body, "more_body": False}]

            async def receive_again() -> Message:
                return pending.pop() if pending else await receive()

            await app(scope, receive_again, send)

        return serve

    return wrap


async def _whole_body(receive: Receive, most_bytes: int) -> bytes | None:
    chunks: list[bytes] = []
    size = 0
    while True:
        message = await receive()
        if message["type"] != "http.request":
            raise ClientDisconnect
        chunks.append(message.get("body", b""))
        size += len(chunks[-1])
        if size > most_bytes:
            return None
        if not message.get("more_body", False):
            return b"".join(chunks)


async def _refuse(send: Send) -> None:
    headers = [(b"content-type", b"application/json"), (b"connection", b"close")]
    await send({"type": "http.response.start", "status": 413, "headers": headers})
    await send({"type": "http.response.body", "body": _TOO_LARGE})
