"""Cashfree's notices: whether it signed them, and what they are about. No input or output.

Source: Cashfree API reference, webhook signature verification.
"""

import base64
import hashlib
import hmac
import logging
import re
from collections.abc import Iterable, Mapping
from datetime import datetime, timedelta

from campus_app.adapters.cashfree.mapping import identifier, object_of, parsed, status_of
from campus_app.domain.errors import BadSignature, StaleNotice
from campus_app.ports.payments import Nudge
from kit.clock import from_ms

logger = logging.getLogger(__name__)

SIGNATURE_HEADER = "x-webhook-signature"
TIMESTAMP_HEADER = "x-webhook-timestamp"

_PAYMENT_NOTICES = {
    "PAYMENT_SUCCESS_WEBHOOK",
    "PAYMENT_FAILED_WEBHOOK",
    "PAYMENT_USER_DROPPED_WEBHOOK",
}
_REFUND_NOTICE = "REFUND_STATUS_WEBHOOK"
_FORM_NOTICE = "PAYMENT_FORM_ORDER_WEBHOOK"
_LONGEST_TIMESTAMP = 16
_SECONDS_BELOW = 10**11
_OLDEST_NOTICE = timedelta(hours=72)
_REFERENCE = re.compile(r"[A-Za-z0-9_-]{3,45}", re.ASCII)


def signature(secret: str, timestamp: str, body: bytes) -> bytes:
    """Return how Cashfree signs: HMAC-SHA256 over the timestamp and the very bytes behind it."""
    return hmac.new(secret.encode(), timestamp.encode() + body, hashlib.sha256).digest()


def verify(headers: Mapping[str, str], body: bytes, secrets: Iterable[str], at: datetime) -> None:
    """Require that Cashfree signed exactly these bytes, and not too long ago.

    Raises:
        BadSignature: If it did not, or there is no secret to tell.
        StaleNotice: If that is more than three days ago: no repetition comes so late.
    """
    timestamp = headers.get(TIMESTAMP_HEADER, "")
    if not (timestamp.isascii() and timestamp.isdigit() and len(timestamp) <= _LONGEST_TIMESTAMP):
        raise BadSignature("no timestamp")
    try:
        given = base64.b64decode(headers.get(SIGNATURE_HEADER, ""), validate=True)
    except ValueError as error:
        raise BadSignature("no signature") from error
    # All of them are compared, however the first one turns out.
    if not sum(
        hmac.compare_digest(signature(each, timestamp, body), given) for each in secrets if each
    ):
        raise BadSignature("not signed by Cashfree")
    count = int(timestamp)
    try:
        signed_at = from_ms(count * 1000 if count < _SECONDS_BELOW else count)
    except (OverflowError, ValueError, OSError) as error:
        raise StaleNotice("signed at no time") from error
    if abs(at - signed_at) > _OLDEST_NOTICE:
        raise StaleNotice("signed too long ago")


def nudges_of(body: bytes) -> list[Nudge]:
    """Return what a notice, whose signature is right, is about."""
    try:
        notice = parsed(body)
        kind, data = notice["type"], notice["data"]
        if kind == _REFUND_NOTICE:
            nudge = Nudge(_reference(data["refund"]["order_id"]), is_refund=True)
        elif kind in _PAYMENT_NOTICES:
            payment = object_of(data["payment"])
            # Only an attempt that succeeded can be a second payment.
            attempt = identifier(payment.get("cf_payment_id"))
            paid_by = attempt if status_of(payment) == "SUCCESS" else ""
            nudge = Nudge(_reference(data["order"]["order_id"]), paid_by)
        else:
            _log_other(kind)
            return []
    except (ValueError, LookupError, TypeError, AttributeError, RecursionError):
        logger.warning("cashfree: a signed notice that we do not understand")
        return []
    return [nudge]


def _log_other(kind: object) -> None:
    if kind == _FORM_NOTICE:
        logger.error("cashfree: somebody paid through a payment form, which we do not use")
    else:
        logger.info("cashfree: a notice of a kind that we do not need")


def _reference(value: object) -> str:
    if not isinstance(value, str) or not _REFERENCE.fullmatch(value):
        raise ValueError("no reference")
    return value
