"""The key with which this server identifies itself to push services (VAPID, RFC 8292).

A browser's subscription is bound to the public key, so that only the owner of the private key can
send messages to it. All processes of a deployment need the same key.
"""

import base64
import time
from collections.abc import Callable
from functools import cached_property
from pathlib import Path
from typing import Any, Final
from urllib.parse import quote

from cryptography.exceptions import UnsupportedAlgorithm
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import (
    Encoding,
    PublicFormat,
    load_pem_private_key,
)
from py_vapid import Vapid02  # pyright: ignore[reportMissingTypeStubs]

from kit.secret_file import stored_secret

TOKEN_SECONDS: Final = 3_600
"""How long a token is valid; RFC 8292 allows a day."""
_RENEWED_BEFORE_SECONDS = TOKEN_SECONDS / 2
_MAXIMUM_TOKENS = 64
_PRIVATE_BYTES = 32


def new_private_key() -> str:
    """Return a new private key: 32 bytes in base64url."""
    key = ec.generate_private_key(ec.SECP256R1())
    number = key.private_numbers().private_value
    return _base64url(number.to_bytes(_PRIVATE_BYTES, "big"))


def stored_private_key(file: Path) -> str:
    """Return this installation's private key; created on first use with mode 600.

    Raises:
        OSError: If the file can be neither read nor written.
    """
    return stored_secret(file, new_private_key)


def parse_private_key(text: str) -> ec.EllipticCurvePrivateKey:
    """Return a P-256 private key from PEM, or from base64url of its DER form or of its 32 bytes.

    Raises:
        ValueError: If it is none of these; the message does not quote it.
    """
    try:
        key = _load(text.strip())
    except (ValueError, TypeError, UnsupportedAlgorithm):
        raise ValueError("must be a private key: PEM, or base64url of DER or of 32 bytes") from None
    if isinstance(key, ec.EllipticCurvePrivateKey) and isinstance(key.curve, ec.SECP256R1):
        return key
    raise ValueError("must be a key of the curve P-256")


def _load(text: str) -> object:
    if text.startswith("-----BEGIN"):
        return load_pem_private_key(text.encode(), password=None)
    return Vapid02.from_string(text).private_key  # pyright: ignore


class VapidKey:
    """The private key and the contact of this server; signs a token for each push service."""

    def __init__(
        self, load: Callable[[], str], contact: str, now: Callable[[], float] = time.time
    ) -> None:
        """Configure the key; it is loaded on first use.

        Args:
            load: Returns the private key, as `parse_private_key` accepts it; its errors, and
                ValueError for an invalid key, are raised on first use.
            contact: The e-mail address at which the operators of a push service can reach us.
            now: Returns the real time in seconds since 1970, which push services compare with
                theirs; the product's clock may show another time.
        """
        self._load = load
        self._contact = f"mailto:{quote(contact, safe='@+')}"
        self._now = now
        self._tokens: dict[str, tuple[str, float]] = {}

    @cached_property
    def _vapid(self) -> Any:
        # The library's own check of the contact refuses some valid addresses.
        return Vapid02(parse_private_key(self._load()), conf={"no-strict": True})

    @property
    def public_key(self) -> str:
        """The `applicationServerKey` of browsers: an uncompressed point in base64url."""
        key: ec.EllipticCurvePublicKey = self._vapid.public_key
        return _base64url(key.public_bytes(Encoding.X962, PublicFormat.UncompressedPoint))

    def authorization(self, origin: str) -> str:
        """Return the value of the header Authorization for the push service at this origin.

        A token is used for half an hour, because some services limit how often it may change.
        """
        header, expires_at = self._tokens.get(origin, ("", 0.0))
        now = self._now()
        if not _RENEWED_BEFORE_SECONDS < expires_at - now <= TOKEN_SECONDS:
            if len(self._tokens) >= _MAXIMUM_TOKENS:
                self._tokens.clear()
            expires_at = now + TOKEN_SECONDS
            header = self._sign(origin, int(expires_at))
            self._tokens[origin] = header, expires_at
        return header

    def _sign(self, origin: str, expires_at: int) -> str:
        claims = {"aud": origin, "sub": self._contact, "exp": expires_at}
        return self._vapid.sign(claims)["Authorization"]


def _base64url(content: bytes) -> str:
    return base64.urlsafe_b64encode(content).decode().rstrip("=")
