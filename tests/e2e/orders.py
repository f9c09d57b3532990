"""Orders prepared and paid over the HTTP interface, without a tab."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import httpx

from kit.http.client import ssl_context
from tests.e2e.server import Server

_TIMEOUT_SECONDS = 30.0
LUNCH = ({"id": "104", "quantity": 2},)


def prepare(
    server: Server,
    email: str,
    items: Sequence[dict[str, Any]] = LUNCH,
    name: str = "Meera Iyer",
    restaurant_id: int = 1,
    **details: Any,
) -> dict[str, Any]:
    """Order dishes, with these details of the order; return the response."""
    answer = httpx.post(
        server.url + "/payment/prepare-order",
        json={
            "restaurantId": restaurant_id,
            "userDetails": {
                "fullName": name,
                "email": email,
                "phoneNumber": "+919800000777",
                "address": "Hostel 9, room 1",
            },
            "orderDetails": {"items": [*items], "selectedCampus": "north"} | details,
        },
        verify=ssl_context(),
        timeout=_TIMEOUT_SECONDS,
    )
    assert answer.status_code == 201, answer.text
    return answer.json()


@contextmanager
def paying(server: Server, prepared: dict[str, Any]) -> Iterator[Callable[[], object]]:
    """Open the order's payment page; yield a function that presses its button."""
    number = prepared["orderId"]
    amount = prepared["paymentBreakdown"]["preOrderPayment"]
    fields = {"order_id": number, "button": "pay"}
    with httpx.Client(
        base_url=server.url, verify=ssl_context(), timeout=_TIMEOUT_SECONDS
    ) as browser:
        browser.get(f"/api/payment-form/{amount}?order_id={number}").raise_for_status()
        yield lambda: browser.post("/sandbox/pay", data=fields)


def pay_for(server: Server, prepared: dict[str, Any]) -> str:
    """Pay an order in the sandbox, and wait for its notifications; return its number."""
    with paying(server, prepared) as press:
        press()
    server.wait_until_notified(prepared["orderId"])
    return prepared["orderId"]
