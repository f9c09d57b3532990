"""Validation rules of the Cashfree API as documented, independent of our adapter.

Source: Cashfree API reference, Payment Gateway.
"""

import re
from collections.abc import Callable, Mapping
from datetime import datetime, timedelta
from decimal import Decimal
from typing import Any

VERSIONS = {"2025-01-01", "2026-01-01"}
SANDBOX_LIMITS = {"create": 30, "order": 60, "payments": 30, "refund": 30, "get refund": 30}
"""Calls per minute in Cashfree's sandbox."""

_ORDER_FIELDS = {
    "order_id",
    "order_amount",
    "order_currency",
    "order_expiry_time",
    "order_note",
    "order_tags",
    "order_meta",
    "customer_details",
}
_SHORTEST_EXPIRY = timedelta(minutes=15)


class ApiError(Exception):
    """An error response."""

    def __init__(self, status: int, code: str, kind: str = "invalid_request_error") -> None:
        super().__init__(code)
        self.status = status
        self.body = {"message": f"{code}: +919800000001 is wrong", "code": code, "type": kind}


def _text(pattern: str) -> Callable[[Any], bool]:
    return lambda value: isinstance(value, str) and re.fullmatch(pattern, value) is not None


def _amount(value: Any) -> bool:
    if isinstance(value, bool) or not isinstance(value, (int, Decimal)):
        return False
    return Decimal(value) >= 1 and Decimal(value) == round(Decimal(value), 2)


def _require(body: Mapping[str, Any], rules: Mapping[str, Callable[[Any], bool]]) -> None:
    for path, is_valid in rules.items():
        value: Any = body
        for name in path.split("."):
            value = value.get(name) if isinstance(value, dict) else None
        if not is_valid(value):
            raise ApiError(400, f"{path.replace('.', '_')}_invalid")


def _optional(rule: Callable[[Any], bool]) -> Callable[[Any], bool]:
    return lambda value: value is None or rule(value)


def require_order(body: Mapping[str, Any], now: datetime, *, allows_http: bool) -> None:
    """Raise ApiError if an order breaks a rule."""
    scheme = "https?" if allows_http else "https"
    _require(
        body,
        {
            "order_id": _text(r"[A-Za-z0-9_-]{3,45}"),
            "order_amount": _amount,
            "order_currency": _text("INR|USD"),
            "customer_details.customer_id": _text(r"[A-Za-z0-9]{3,50}"),
            "customer_details.customer_phone": _text(r"\d{10}"),
            "customer_details.customer_name": _optional(_text(r".{3,100}")),
            "customer_details.customer_email": _optional(_text(r".{3,100}")),
            "order_meta.return_url": _optional(_text(rf"{scheme}://.{{1,242}}")),
            "order_meta.notify_url": _optional(_text(r"https://.{1,242}")),
            "order_note": _optional(_text(r".{3,200}")),
            "order_tags": _optional(_are_tags),
        },
    )
    if set(body) - _ORDER_FIELDS:
        raise ApiError(400, "request_invalid")
    expiry = body.get("order_expiry_time")
    if expiry is not None:
        try:
            expires_at = datetime.fromisoformat(expiry)
        except (TypeError, ValueError):
            raise ApiError(400, "order_expiry_time_invalid") from None
        if expires_at.tzinfo is None or expires_at - now < _SHORTEST_EXPIRY:
            raise ApiError(400, "order_expiry_time_invalid")


def _are_tags(tags: Any) -> bool:
    return (
        isinstance(tags, dict)
        and len(tags) <= 10
        and all(isinstance(tag, str) and 1 <= len(tag) <= 255 for tag in tags.values())
    )


def require_refund(body: Mapping[str, Any]) -> None:
    """Raise ApiError if a refund breaks a rule."""
    _require(
        body,
        {
            "refund_id": _text(r"[A-Za-z0-9]{3,40}"),
            "refund_amount": _amount,
            "refund_note": _optional(_text(r".{3,100}")),
            "refund_speed": _optional(_text("STANDARD|INSTANT")),
        },
    )
