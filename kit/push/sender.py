"""Sends push messages over HTTP. Source: RFC 8030, RFC 8291."""

import asyncio
import logging
import re
from collections import defaultdict
from collections.abc import Mapping
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import Final, cast
from urllib.parse import urlsplit

import httpx
from pywebpush import WebPusher  # pyright: ignore[reportMissingTypeStubs]

from kit.breaker import CircuitBreaker
from kit.clock import Clock
from kit.http.client import send_request, ssl_context
from kit.outbox.errors import ChannelDown, DeliveryPostponed, DeliveryRejected
from kit.push.message import MAXIMUM_PAYLOAD_BYTES, SubscriptionGone, Urgency
from kit.push.subscription import PushServices, PushSubscription
from kit.push.vapid import VapidKey

logger = logging.getLogger(__name__)

_TIMEOUT_SECONDS = 6.0
_FIRST_BREAK_SECONDS = 2.0
_LONGEST_BREAK_SECONDS = 120.0
_LONGEST_RETRY_AFTER_SECONDS = 600.0
_MOST_HOSTS = 64
_GONE = frozenset({404, 410})
_BUSY = 429
_UNAUTHORIZED = frozenset({401, 403})
_ACCEPTED = range(200, 300)
_SERVER_ERRORS = range(500, 600)
_TOPIC = re.compile(r"[A-Za-z0-9_-]{0,32}", re.ASCII)
_ENCODING: Final = "aes128gcm"


class WebPushSender:
    """Sends push messages over HTTP, with a circuit breaker for each push service."""

    def __init__(
        self,
        key: VapidKey,
        services: PushServices,
        clock: Clock,
        *,
        timeout_seconds: float = _TIMEOUT_SECONDS,
    ) -> None:
        """Configure the sender; nothing is connected yet.

        Args:
            key: The key to which the subscriptions are bound.
            services: The push services to which requests may be sent.
            clock: For the circuit breakers.
            timeout_seconds: The time for one whole request.
        """
        self._key = key
        self._services = services
        self._timeout_seconds = timeout_seconds
        self._breakers: dict[str, CircuitBreaker[ChannelDown]] = defaultdict(
            lambda: CircuitBreaker(
                _FIRST_BREAK_SECONDS,
                _LONGEST_BREAK_SECONDS,
                ChannelDown,
                clock.monotonic,
            )
        )

    @property
    def public_key(self) -> str:
        """The `applicationServerKey` with which browsers must subscribe, in base64url."""
        return self._key.public_key

    async def send(
        self,
        subscription: PushSubscription,
        payload: bytes,
        *,
        ttl_seconds: int,
        topic: str = "",
        urgency: Urgency = Urgency.NORMAL,
    ) -> None:
        """Encrypt a message and give it to the browser's push service.

        Args:
            subscription: The receiver.
            payload: From 1 to `MAXIMUM_PAYLOAD_BYTES` bytes, which the service cannot read.
            ttl_seconds: How long the service keeps the message for a device without a connection;
                at least 1.
            topic: Up to 32 characters of base64url. A message replaces one of the same topic that
                the service still keeps; the service can read it. Empty for none.
            urgency: Whether a device that saves power receives it at once.

        Raises:
            SubscriptionGone: If the subscription must be deleted.
            DeliveryRejected: If the service refuses the message permanently.
            DeliveryPostponed: If the service may accept it later.
            ChannelDown: If the service accepts nothing now.
            ValueError: If an argument is outside of its range.
        """
        if not 0 < len(payload) <= MAXIMUM_PAYLOAD_BYTES:
            raise ValueError(f"the payload must have 1 to {MAXIMUM_PAYLOAD_BYTES} bytes")
        if ttl_seconds < 1 or not _TOPIC.fullmatch(topic):
            raise ValueError("the TTL must be positive, and the topic short base64url")
        # Checked again: the subscription may have been stored when more services were allowed.
        service = self._services.service_of(subscription.endpoint)
        if service is None:
            raise DeliveryRejected("the endpoint is not of a known push service")
        breaker = self._breaker_of(subscription.endpoint)
        breaker.check()
        headers = self._headers(subscription, ttl_seconds, urgency)
        if topic:
            headers["topic"] = topic
        try:
            status, answered = await self._post(
                subscription.endpoint, headers, encrypted(subscription, payload)
            )
        except (httpx.HTTPError, TimeoutError) as error:
            reason = f"{service}: {type(error).__name__}"
            logger.warning("push: %s", reason)
            raise breaker.record_failure(reason) from None
        breaker.record_success()
        _require_accepted(service, status, answered)

    def _breaker_of(self, endpoint: str) -> CircuitBreaker[ChannelDown]:
        """Return the breaker of an endpoint's host, which clients name below some services."""
        host = urlsplit(endpoint).netloc
        if host not in self._breakers and len(self._breakers) >= _MOST_HOSTS:
            self._breakers.clear()
        return self._breakers[host]

    def _headers(
        self, subscription: PushSubscription, ttl_seconds: int, urgency: Urgency
    ) -> dict[str, str]:
        parts = urlsplit(subscription.endpoint)
        return {
            "authorization": self._key.authorization(f"{parts.scheme}://{parts.netloc}"),
            "content-encoding": _ENCODING,
            "content-type": "application/octet-stream",
            "ttl": str(ttl_seconds),
            "urgency": urgency,
        }

    async def _post(
        self, url: str, headers: Mapping[str, str], body: bytes
    ) -> tuple[int, httpx.Headers]:
        """Post a message, and return the status and headers of the answer.

        A redirect is not followed: it could lead to an address inside our network.
        """
        async with httpx.AsyncClient(
            timeout=self._timeout_seconds,
            follow_redirects=False,
            trust_env=False,
            verify=ssl_context(),
        ) as client:
            request = client.build_request("POST", url, headers=dict(headers), content=body)
            async with asyncio.timeout(self._timeout_seconds):
                status, answered, _body = await send_request(client, request)
        return status, answered


def encrypted(subscription: PushSubscription, payload: bytes) -> bytes:
    """Return the payload encrypted for a subscription, with the content encoding aes128gcm."""
    keys = {"p256dh": subscription.p256dh, "auth": subscription.auth}
    pusher = WebPusher({"endpoint": subscription.endpoint, "keys": keys})
    return cast("bytes", pusher.encode(payload, _ENCODING)["body"])


def _require_accepted(service: str, status: int, headers: httpx.Headers) -> None:
    """Raise the error for the status of an answer, unless the message was accepted."""
    if status in _ACCEPTED:
        return
    reason = f"{service} answered {status}"
    if status in _GONE:
        raise SubscriptionGone(reason)
    if status == _BUSY or status in _SERVER_ERRORS:
        seconds = _retry_after(headers)
        # An attempt that the service asked us to make later does not count.
        raise ChannelDown(reason, seconds) if seconds else DeliveryPostponed(reason)
    if status in _UNAUTHORIZED:
        logger.error("push: %s; check VAPID_PRIVATE_KEY, MAIL_FROM and the system's time", reason)
    raise DeliveryRejected(reason)


def _retry_after(headers: httpx.Headers) -> float:
    """Return the seconds of the header Retry-After, at most ten minutes; 0 without a valid one."""
    text = headers.get("retry-after", "")
    if text.isascii() and text.isdigit():
        seconds = float(text)
    else:
        try:
            moment = parsedate_to_datetime(text)
        except ValueError:
            return 0.0
        # The service counts from the real time, which the product's clock may not show.
        aware = moment if moment.tzinfo else moment.replace(tzinfo=UTC)
        seconds = (aware - datetime.now(UTC)).total_seconds()
    return min(max(seconds, 1.0), _LONGEST_RETRY_AFTER_SECONDS)
