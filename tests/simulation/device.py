"""A customer's device: it orders, opens the payment page, presses buttons and polls the status."""

import asyncio
import time
from decimal import Decimal
from random import Random
from typing import Any

import httpx

from tests.helpers.builders import items, order_body
from tests.simulation.customer_log import SUCCESS, CustomerLog
from tests.simulation.demand import Person
from tests.simulation.payment_outcomes import WebhookDelivery, webhook_delivery
from tests.simulation.plan import Plan
from tests.simulation.site_client import PaymentPage, SiteClient
from tests.simulation.stack import NOON, Stack

_ASKS_AFTER_SECONDS = (0.5, 1, 1, 2, 3, 5, 8, 8, 13, 13, 13, 13)
"""The polling intervals after paying; 80 s in total."""
_LATE_MINUTES = (1.0, 8.0)


class Device:
    """One customer's device, with the log of what it showed."""

    def __init__(self, person: Person, stack: Stack, site: SiteClient, plan: Plan) -> None:
        self.person = person
        self.log = CustomerLog(
            person.email,
            person.outcome.value,
            person.minute,
            person.restaurant_id,
            int(person.subtotal * 100),
            key=f"{plan.seed}-{person.number}",
        )
        self.rng = Random(f"{plan.seed} {person.number}")
        self.minute_seconds = 60 / plan.speed
        self._stack = stack
        self._site = site

    async def prepare(self) -> bool:
        """Send the order; return False if it was rejected.

        Raises:
            NoResponse: If the site does not respond in time.
        """
        headers = {"Idempotency-Key": self.log.key}
        body = _body(self.person)
        answer = await self._site.ask("POST", "/payment/prepare-order", json=body, headers=headers)
        if answer.status_code != httpx.codes.CREATED:
            self.log.refused = _code(answer)
            return False
        content = answer.json()
        self.log.number = content["orderId"]
        self.log.online_paise = _paise(content["paymentBreakdown"]["preOrderPayment"])
        self.log.remaining_paise = _paise(content["amount"])
        self.log.total_paise = _paise(content["totalOrderValue"])
        return True

    async def open_page(self) -> PaymentPage | None:
        """Open the payment page; return None if the order can't be paid any more."""
        amount = Decimal(self.log.online_paise) / 100
        path = f"/api/payment-form/{amount}?order_id={self.log.number}"
        answer = await self._site.ask("GET", path)
        if answer.status_code != httpx.codes.OK:
            self.log.refused = _code(answer)
            return None
        return await self._site.open_page(answer.json()["paymentFormUrl"])

    async def press(self, page: PaymentPage, button: str, *, sends_webhook: bool = True) -> None:
        """Press a button of the payment page; `sends_webhook` decides on its webhook."""
        if button == "pay":
            self.log.paid_at = time.time()
        await page.press(button)
        if sends_webhook:
            await self._notify()

    async def attempt(self, status: str, *, changes: bool = False, **fields: Any) -> None:
        """Add a payment attempt that no button creates, or change the newest one."""
        if status == "SUCCESS":
            self.log.paid_at = time.time()
        number = self.log.number
        await self._stack.ask(
            "attempt", order=number, status=status, changes=changes, fields=fields
        )
        await self._notify()

    async def poll_status(self) -> None:
        """Return from paying, and poll until the payment is known."""
        await self._report_success()
        for seconds in _ASKS_AFTER_SECONDS:
            if await self.ask() == SUCCESS:
                break
            await asyncio.sleep(seconds)
        await self.ask()

    async def ask(self) -> str:
        """Query the payment status."""
        answer = await self._site.ask("GET", f"/payment/order-status/{self.log.number}")
        word = answer.json()["status"] if answer.is_success else f"HTTP {answer.status_code}"
        self.log.record_status(word)
        return word

    async def _report_success(self) -> None:
        body = {"orderId": self.log.number, "paymentSuccess": True, "status": SUCCESS}
        answer = await self._site.ask("POST", "/payment/cashfree-success", json=body)
        if answer.is_success and answer.json()["success"]:
            self.log.record_status(SUCCESS)

    async def _notify(self) -> None:
        """Let the provider send its webhook, with a random delivery."""
        late = self.rng.uniform(*_LATE_MINUTES) * self.minute_seconds
        soon = self.rng.uniform(0.05, 1.0)
        after = {
            WebhookDelivery.PROMPT: [soon],
            WebhookDelivery.LATE: [late],
            WebhookDelivery.LOST: [],
            WebhookDelivery.DOUBLED: [soon, soon, late],
        }[webhook_delivery(self.rng)]
        await self._stack.ask("webhook", order=self.log.number, after=after)


def _body(person: Person) -> dict[str, Any]:
    body = order_body(
        restaurantId=person.restaurant_id,
        userDetails__email=person.email,
        userDetails__address=f"Hostel {person.number % 30 + 1}, room {person.number}",
        orderDetails__items=items(person.dishes),
        orderDetails__dogDonation=person.donation,
    )
    if person.table is not None:
        body["orderDetails"] |= {
            "isPreReservation": True,
            "orderType": "pre-reserve",
            "preReservation": {
                "restaurantId": person.restaurant_id,
                "timeSlot": person.table.slot,
                "partySize": person.table.party_size,
                "date": NOON.date().isoformat(),
            },
        }
    return body


def _code(answer: httpx.Response) -> str:
    return answer.json()["error"]["code"]


def _paise(rupees: float) -> int:
    return int(Decimal(str(rupees)) * 100)
