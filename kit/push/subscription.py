"""Push subscriptions: the address and keys to which a browser receives messages.

A browser sends its subscription to us, and we send requests to the address in it. Therefore only
addresses of known push services are accepted.
"""

import base64
import json
import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Final, cast

from cryptography.hazmat.primitives.asymmetric import ec

MAXIMUM_JSON_CHARACTERS: Final = 4_096
MAXIMUM_ENDPOINT_CHARACTERS: Final = 2_048
_HOSTS: Final = ("fcm.googleapis.com", "updates.push.services.mozilla.com", "web.push.apple.com")
_PARENT_DOMAINS: Final = (".push.services.mozilla.com", ".push.apple.com", ".notify.windows.com")
_LABEL = r"[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?"
_PATH = r"/[A-Za-z0-9._~!$&'()*+,;=:@%/?-]*"
"""A path and a query (RFC 3986), without a fragment."""
_HTTPS = re.compile(rf"https://(?P<host>{_LABEL}(?:\.{_LABEL})+)(?P<path>{_PATH})", re.ASCII)
"""No user name, port, trailing dot or capital: each would be another name of the same host."""
_TARGET = re.compile(_PATH, re.ASCII)
_BASE64URL = re.compile(r"[A-Za-z0-9_-]+={0,2}", re.ASCII)
_POINT_BYTES = 65
_UNCOMPRESSED = 4
_AUTH_BYTES = 16


class InvalidSubscription(ValueError):
    """A subscription that cannot be used; the message says why, without quoting it."""


@dataclass(frozen=True)
class PushSubscription:
    """A browser's push subscription. Whoever has all of it can send messages to the browser."""

    endpoint: str = field(repr=False)
    """The URL to which messages are posted; unique for each browser and site."""
    p256dh: str
    """The browser's public key: an uncompressed P-256 point of 65 bytes, in base64url."""
    auth: str = field(repr=False)
    """The secret that authenticates messages: 16 bytes, in base64url."""


@dataclass(frozen=True)
class PushServices:
    """The push services of browsers' makers, and further origins such as `http://127.0.0.1:8099`.

    `extra_origins` are for tests and have no path.
    """

    extra_origins: Sequence[str] = ()

    def service_of(self, endpoint: str) -> str | None:
        """Return the host, parent domain or extra origin that allows an endpoint.

        None if it is not a URL of a known push service.
        """
        for origin in self.extra_origins:
            if endpoint.startswith(origin) and _TARGET.fullmatch(endpoint, len(origin)):
                return origin
        match = _HTTPS.fullmatch(endpoint)
        if match is None:
            return None
        host = match["host"]
        if host in _HOSTS:
            return host
        return next((parent for parent in _PARENT_DOMAINS if host.endswith(parent)), None)

    def parse(self, text: object) -> PushSubscription:
        """Return the subscription in untrusted JSON, as a browser's `JSON.stringify` writes it.

        Raises:
            InvalidSubscription: If it is no text, too long or malformed, if its endpoint is not of
                a known push service, or if its keys are invalid.
        """
        members = _members(text)
        endpoint, keys = members.get("endpoint"), members.get("keys")
        if not isinstance(endpoint, str) or len(endpoint) > MAXIMUM_ENDPOINT_CHARACTERS:
            raise InvalidSubscription("no endpoint, or one that is too long")
        if self.service_of(endpoint) is None:
            raise InvalidSubscription("the endpoint is not of a known push service")
        if not isinstance(keys, dict):
            raise InvalidSubscription("no keys")
        named = cast("dict[str, Any]", keys)
        point = _decoded(named.get("p256dh"), _POINT_BYTES)
        _require_point(point)
        return PushSubscription(
            endpoint, _encoded(point), _encoded(_decoded(named.get("auth"), _AUTH_BYTES))
        )


def _members(text: object) -> dict[str, Any]:
    """Return the members of a JSON object."""
    if not isinstance(text, str) or len(text) > MAXIMUM_JSON_CHARACTERS:
        raise InvalidSubscription("no text, or one that is too long")
    try:
        content = json.loads(text)
    except (ValueError, RecursionError):
        raise InvalidSubscription("not JSON") from None
    if not isinstance(content, dict):
        raise InvalidSubscription("not an object")
    return cast("dict[str, Any]", content)


def _decoded(text: Any, length: int) -> bytes:
    """Return the bytes of a base64url text, with or without padding, if there are `length`."""
    if not isinstance(text, str) or not _BASE64URL.fullmatch(text):
        raise InvalidSubscription("a key is not base64url")
    bare = text.rstrip("=")
    try:
        content = base64.urlsafe_b64decode(bare + "=" * (-len(bare) % 4))
    except ValueError:
        raise InvalidSubscription("a key is not base64url") from None
    if len(content) != length or _encoded(content) != bare:
        raise InvalidSubscription("a key has the wrong length")
    return content


def _encoded(content: bytes) -> str:
    return base64.urlsafe_b64encode(content).decode().rstrip("=")


def _require_point(content: bytes) -> None:
    """Require an uncompressed point of the curve P-256."""
    if content[0] != _UNCOMPRESSED:
        raise InvalidSubscription("the public key is not an uncompressed point")
    try:
        ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), content)
    except ValueError:
        raise InvalidSubscription("the public key is not on the curve") from None
