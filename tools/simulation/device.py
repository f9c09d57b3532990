"""A customer's device: places the order, operates the payment page and polls the status."""

import asyncio
import time
from decimal import Decimal
from random import Random
from typing import Any

import httpx

from tests.helpers.builders import items, order_body
from tools.simulation.customer_log import SUCCESS, CustomerLog
from tools.simulation.demand import PlannedCustomer
from tools.simulation.payment_outcomes import WebhookDelivery, webhook_delivery
from tools.simulation.plan import Plan
from tools.simulation.site_client import PaymentPage, SiteClient
from tools.simulation.stack import NOON, Stack

_POLL_INTERVALS_SECONDS = (0.5, 1, 1, 2, 3, 5, 8, 8, 13, 13, 13, 13)
"""The polling intervals after paying; 80 s in total."""
_LATE_WEBHOOK_MINUTES = (1.0, 8.0)


class Device:
    """One customer's device, with the log of what it showed."""

    def __init__(
        self, planned: PlannedCustomer, stack: Stack, site: SiteClient, plan: Plan
    ) -> None:
        self.planned = planned
        self.log = CustomerLog(
            planned.email,
            planned.outcome.value,
            planned.minute,
            planned.restaurant_id,
            int(planned.subtotal * 100),
            key=f"{plan.seed}-{planned.number}",
        )
        self.rng = Random(f"{plan.seed} {planned.number}")
        self.minute_seconds = 60 / plan.speed
        self._stack = stack
        self._site = site

    async def prepare(self) -> bool:
        """Send the order; return False if it was rejected.

        Raises:
            NoResponse: If the site does not respond in time.
        """
        headers = {"Idempotency-Key": self.log.key}
        body = _body(self.planned)
        response = await self._site.request(
            "POST", "/payment/prepare-order", json=body, headers=headers
        )
        if response.status_code != httpx.codes.CREATED:
            self.log.rejection = _error_code(response)
            return False
        content = response.json()
        self.log.number = content["orderId"]
        self.log.online_paise = _paise(content["paymentBreakdown"]["preOrderPayment"])
        self.log.remaining_paise = _paise(content["amount"])
        self.log.total_paise = _paise(content["totalOrderValue"])
        return True

    async def open_page(self) -> PaymentPage | None:
        """Open the payment page; return None if the order can no longer be paid."""
        amount = Decimal(self.log.online_paise) / 100
        path = f"/api/payment-form/{amount}?order_id={self.log.number}"
        response = await self._site.request("GET", path)
        if response.status_code != httpx.codes.OK:
            self.log.rejection = _error_code(response)
            return None
        return await self._site.open_page(response.json()["paymentFormUrl"])

    async def press(self, page: PaymentPage, button: str, *, sends_webhook: bool = True) -> None:
        """Press a button of the payment page; with `sends_webhook` the provider reports it."""
        if button == "pay":
            self.log.paid_at = time.time()
        await page.press(button)
        if sends_webhook:
            await self._request_webhook()

    async def attempt(self, status: str, *, changes: bool = False, **fields: Any) -> None:
        """Add a payment attempt with a status that no button sets, or change the newest one."""
        if status == "SUCCESS":
            self.log.paid_at = time.time()
        number = self.log.number
        await self._stack.send_command(
            "attempt", order=number, status=status, changes=changes, fields=fields
        )
        await self._request_webhook()

    async def poll_status(self) -> None:
        """Report success as the return page does, then poll until the payment is confirmed."""
        await self._report_success()
        for seconds in _POLL_INTERVALS_SECONDS:
            if await self.fetch_status() == SUCCESS:
                break
            await asyncio.sleep(seconds)
        await self.fetch_status()

    async def fetch_status(self) -> str:
        """Query the payment status, record it, and return it."""
        response = await self._site.request("GET", f"/payment/order-status/{self.log.number}")
        status = (
            response.json()["status"] if response.is_success else f"HTTP {response.status_code}"
        )
        self.log.record_status(status)
        return status

    async def _report_success(self) -> None:
        body = {"orderId": self.log.number, "paymentSuccess": True, "status": SUCCESS}
        response = await self._site.request("POST", "/payment/cashfree-success", json=body)
        if response.is_success and response.json()["success"]:
            self.log.record_status(SUCCESS)

    async def _request_webhook(self) -> None:
        """Request the provider's webhook, with a random delivery."""
        late = self.rng.uniform(*_LATE_WEBHOOK_MINUTES) * self.minute_seconds
        soon = self.rng.uniform(0.05, 1.0)
        delays = {
            WebhookDelivery.PROMPT: [soon],
            WebhookDelivery.LATE: [late],
            WebhookDelivery.LOST: [],
            WebhookDelivery.DOUBLED: [soon, soon, late],
        }[webhook_delivery(self.rng)]
        await self._stack.send_command("webhook", order=self.log.number, after=delays)


def _body(planned: PlannedCustomer) -> dict[str, Any]:
    body = order_body(
        restaurantId=planned.restaurant_id,
        userDetails__email=planned.email,
        userDetails__address=f"Hostel {planned.number % 30 + 1}, room {planned.number}",
        orderDetails__items=items(planned.dishes),
        orderDetails__dogDonation=planned.donation,
    )
    if planned.table is not None:
        body["orderDetails"] |= {
            "isPreReservation": True,
            "orderType": "pre-reserve",
            "preReservation": {
                "restaurantId": planned.restaurant_id,
                "timeSlot": planned.table.slot,
                "partySize": planned.table.party_size,
                "date": NOON.date().isoformat(),
            },
        }
    return body


def _error_code(response: httpx.Response) -> str:
    return response.json()["error"]["code"]


def _paise(rupees: float) -> int:
    return int(Decimal(str(rupees)) * 100)
