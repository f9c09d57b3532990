"""A push service (RFC 8030): verifies VAPID tokens, decrypts messages as the browser would."""

import asyncio
import base64
import contextlib
import json
import os
import time
from collections import deque
from collections.abc import AsyncIterator, Mapping
from dataclasses import dataclass, field
from typing import Any

import http_ece
import jwt
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from tests.helpers.server import serving

_LONGEST_TOKEN_SECONDS = 86_400
_LONGEST_BODY_BYTES = 4_096


def base64url(content: bytes) -> str:
    """Return bytes in base64url without padding."""
    return base64.urlsafe_b64encode(content).decode().rstrip("=")


def point(key: ec.EllipticCurvePublicKey) -> bytes:
    """Return a public key as an uncompressed point."""
    return key.public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)


@dataclass
class Browser:
    """A browser with a subscription: the receiver's keys of RFC 8291."""

    endpoint: str
    server_key: str = ""
    """The `applicationServerKey` to which it is bound; empty for any."""
    key: ec.EllipticCurvePrivateKey = field(
        default_factory=lambda: ec.generate_private_key(ec.SECP256R1())
    )
    secret: bytes = field(default_factory=lambda: os.urandom(16))

    def to_json(self, **changes: Any) -> str:
        """Return `JSON.stringify(subscription)`."""
        keys = {"p256dh": base64url(point(self.key.public_key())), "auth": base64url(self.secret)}
        members = {"endpoint": self.endpoint, "expirationTime": None, "keys": keys}
        return json.dumps(members | changes)

    def decrypt(self, body: bytes) -> bytes:
        """Return the payload of a message."""
        return http_ece.decrypt(
            body, private_key=self.key, auth_secret=self.secret, version="aes128gcm"
        )


@dataclass(frozen=True)
class Message:
    """A message that the service accepted."""

    endpoint: str
    payload: bytes
    headers: Mapping[str, str]
    token: Mapping[str, Any]
    """The claims of the VAPID token."""
    at: float
    """When it was received, in seconds since 1970."""

    @property
    def content(self) -> Any:
        """The payload's JSON."""
        return json.loads(self.payload)


@dataclass(frozen=True)
class Answer:
    """An answer in place of 201; the message is not delivered."""

    status: int = 500
    headers: Mapping[str, str] = field(default_factory=dict[str, str])
    hangs: bool = False
    """Whether the answer never comes."""
    trickles: bool = False
    """Whether the answer's body never ends."""


class FakePushService:
    """Browsers by the path of their endpoint, and the messages that they received."""

    def __init__(self) -> None:
        self.origin = ""
        self.browsers: dict[str, Browser] = {}
        self.messages: list[Message] = []
        self.requests = 0
        """The number of all requests, accepted or not."""
        self.internal_requests = 0
        """The number of requests to the page to which a redirect leads."""
        self.answers: deque[Answer] = deque()
        """The answers to the next requests."""
        self.app = Starlette(
            routes=[
                Route("/push/{id}", self._receive, methods=["POST"]),
                Route("/internal", self._internal, methods=["GET", "POST"]),
            ]
        )

    def browser(self, server_key: str = "") -> Browser:
        """Return a new browser with a subscription."""
        name = f"{len(self.browsers)}-{base64url(os.urandom(9))}"
        self.browsers[name] = Browser(f"{self.origin}/push/{name}", server_key)
        return self.browsers[name]

    def end(self, browser: Browser) -> None:
        """End a subscription: its messages are answered with 410."""
        self.browsers = {name: each for name, each in self.browsers.items() if each != browser}

    def received_by(self, browser: Browser) -> list[Message]:
        return [each for each in self.messages if each.endpoint == browser.endpoint]

    async def _receive(self, request: Request) -> Response:
        self.requests += 1
        body = await request.body()
        if self.answers:
            return await self._answer(self.answers.popleft(), request)
        browser = self.browsers.get(request.path_params["id"])
        if browser is None:
            return Response(status_code=410)
        claims = self._claims(request.headers.get("authorization", ""), browser)
        if claims is None:
            return Response(status_code=403)
        if len(body) > _LONGEST_BODY_BYTES:
            return Response(status_code=413)
        if (
            request.headers.get("content-encoding") != "aes128gcm"
            or not request.headers.get("ttl", "").isdigit()
        ):
            return Response(status_code=400)
        self.messages.append(
            Message(
                browser.endpoint,
                browser.decrypt(body),
                dict(request.headers),
                claims,
                time.time(),
            )
        )
        return Response(status_code=201, headers={"location": f"{self.origin}/message/1"})

    def _claims(self, authorization: str, browser: Browser) -> Mapping[str, Any] | None:
        """Return the claims of a valid token (RFC 8292); None if it is invalid."""
        scheme, _, rest = authorization.partition(" ")
        parts = dict(part.strip().split("=", 1) for part in rest.split(",") if "=" in part)
        if scheme.lower() != "vapid" or not {"t", "k"} <= set(parts):
            return None
        if browser.server_key not in {"", parts["k"]}:
            return None
        key = ec.EllipticCurvePublicKey.from_encoded_point(
            ec.SECP256R1(), base64.urlsafe_b64decode(parts["k"] + "==")
        )
        try:
            claims = jwt.decode(
                parts["t"],
                key,
                algorithms=["ES256"],
                audience=self.origin,
                options={"require": ["exp", "aud", "sub"]},
            )
        except jwt.InvalidTokenError:
            return None
        is_short = claims["exp"] - time.time() <= _LONGEST_TOKEN_SECONDS
        return claims if is_short and claims["sub"].startswith("mailto:") else None

    async def _answer(self, answer: Answer, request: Request) -> Response:
        if answer.hangs:
            await _until_disconnected(request)
        if answer.trickles:
            return _Trickle(request)
        return Response(status_code=answer.status, headers=dict(answer.headers))

    async def _internal(self, _request: Request) -> Response:
        self.internal_requests += 1
        return Response(status_code=201)


async def _until_disconnected(request: Request) -> None:
    while (await request.receive())["type"] != "http.disconnect":
        pass


class _Trickle(Response):
    """An answer whose body never ends, one byte after the other."""

    def __init__(self, request: Request) -> None:
        super().__init__(status_code=201)
        self._request = request
        del self.headers["content-length"]

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        start = {"type": "http.response.start", "status": 201, "headers": self.raw_headers}
        await send(start)
        while not await self._request.is_disconnected():
            await send({"type": "http.response.body", "body": b".", "more_body": True})
            await asyncio.sleep(0.01)


@contextlib.asynccontextmanager
async def push_service() -> AsyncIterator[FakePushService]:
    """Run a push service on a free port of this machine."""
    service = FakePushService()
    async with serving(service.app) as service.origin:
        yield service
