"""Verification and parsing of Cashfree's webhooks; performs no I/O.

Source: Cashfree API reference, webhook signature verification.
"""

import base64
import hashlib
import hmac
import logging
import re
from collections.abc import Iterable, Mapping
from datetime import datetime, timedelta

from campus_app.ordering.providers.cashfree.mapping import (
    as_object,
    parse_identifier,
    parse_json,
    status_of,
)
from campus_app.ordering.rules.errors import BadSignature, StaleWebhook
from campus_app.ordering.rules.payment_provider import WebhookEvent
from kit.clock import from_ms

logger = logging.getLogger(__name__)

SIGNATURE_HEADER = "x-webhook-signature"
TIMESTAMP_HEADER = "x-webhook-timestamp"

_PAYMENT_EVENTS = {
    "PAYMENT_SUCCESS_WEBHOOK",
    "PAYMENT_FAILED_WEBHOOK",
    "PAYMENT_USER_DROPPED_WEBHOOK",
}
_REFUND_EVENT = "REFUND_STATUS_WEBHOOK"
_PAYMENT_FORM_EVENT = "PAYMENT_FORM_ORDER_WEBHOOK"
_MAXIMUM_TIMESTAMP_LENGTH = 16
_SECONDS_BELOW = 10**11
_MAXIMUM_WEBHOOK_AGE = timedelta(hours=72)
_REFERENCE = re.compile(r"[A-Za-z0-9_-]{3,45}", re.ASCII)


def signature(secret: str, timestamp: str, body: bytes) -> bytes:
    """Return Cashfree's signature: HMAC-SHA256 over the timestamp and the raw body."""
    return hmac.new(secret.encode(), timestamp.encode() + body, hashlib.sha256).digest()


def verify(headers: Mapping[str, str], body: bytes, secrets: Iterable[str], at: datetime) -> None:
    """Verify that Cashfree signed exactly these bytes recently.

    Raises:
        BadSignature: If no secret matches.
        StaleWebhook: If the timestamp is more than three days off, longer than any retry.
    """
    timestamp = headers.get(TIMESTAMP_HEADER, "")
    if not (
        timestamp.isascii() and timestamp.isdigit() and len(timestamp) <= _MAXIMUM_TIMESTAMP_LENGTH
    ):
        raise BadSignature("no timestamp")
    try:
        signed = base64.b64decode(headers.get(SIGNATURE_HEADER, ""), validate=True)
    except ValueError as error:
        raise BadSignature("no signature") from error
    # Compare all secrets, so that the time taken does not depend on which one matches.
    if not sum(
        hmac.compare_digest(signature(each, timestamp, body), signed) for each in secrets if each
    ):
        raise BadSignature("not signed by Cashfree")
    count = int(timestamp)
    try:
        signed_at = from_ms(count * 1000 if count < _SECONDS_BELOW else count)
    except (OverflowError, ValueError, OSError) as error:
        raise StaleWebhook("invalid timestamp") from error
    if abs(at - signed_at) > _MAXIMUM_WEBHOOK_AGE:
        raise StaleWebhook("signed too long ago")


def parse_events(body: bytes) -> list[WebhookEvent]:
    """Return the events of a webhook whose signature is valid."""
    try:
        webhook = parse_json(body)
        kind, data = webhook["type"], webhook["data"]
        if kind == _REFUND_EVENT:
            event = WebhookEvent(_reference(data["refund"]["order_id"]), is_refund=True)
        elif kind in _PAYMENT_EVENTS:
            payment = as_object(data["payment"])
            # Only a successful attempt can be a second payment.
            attempt = parse_identifier(payment.get("cf_payment_id"))
            paid_by = attempt if status_of(payment) == "SUCCESS" else ""
            event = WebhookEvent(_reference(data["order"]["order_id"]), paid_by)
        else:
            _log_ignored(kind)
            return []
    except (ValueError, LookupError, TypeError, AttributeError, RecursionError):
        logger.warning("cashfree: signed webhook cannot be parsed")
        return []
    return [event]


def _log_ignored(kind: object) -> None:
    if kind == _PAYMENT_FORM_EVENT:
        logger.error("cashfree: webhook of a payment form, which is not used")
    else:
        logger.info("cashfree: webhook of an unused type ignored")


def _reference(value: object) -> str:
    if not isinstance(value, str) or not _REFERENCE.fullmatch(value):
        raise ValueError("no reference")
    return value
