"""What a customer's device does: it orders, opens the payment page, presses, and asks how it stands."""

import asyncio
import time
from decimal import Decimal
from random import Random
from typing import Any

import httpx

from tests.helpers.builders import items, order_body
from tests.simulation.customer_log import SUCCESS, Told
from tests.simulation.demand import Person
from tests.simulation.payment_outcomes import NoticeFate, notice_fate
from tests.simulation.plan import Plan
from tests.simulation.site_client import PaymentPage, Till
from tests.simulation.stack import NOON, Stack

_ASKS_AFTER_SECONDS = (0.5, 1, 1, 2, 3, 5, 8, 8, 13, 13, 13, 13)
"""How patiently somebody who has paid looks whether the site knows; 80 s in all."""
_LATE_MINUTES = (1.0, 8.0)


class Device:
    """One person's, with what it was told."""

    def __init__(self, person: Person, stack: Stack, till: Till, plan: Plan) -> None:
        self.person = person
        self.told = Told(
            person.email,
            person.fate.value,
            person.minute,
            person.restaurant_id,
            int(person.subtotal * 100),
            key=f"{plan.seed}-{person.number}",
        )
        self.rng = Random(f"{plan.seed} {person.number}")
        self.minute_seconds = 60 / plan.speed
        self._stack = stack
        self._till = till

    async def prepare(self) -> bool:
        """Order; False if that was refused.

        Raises:
            GaveUp: If there is no answer.
        """
        headers = {"Idempotency-Key": self.told.key}
        body = _body(self.person)
        answer = await self._till.ask("POST", "/payment/prepare-order", json=body, headers=headers)
        if answer.status_code != httpx.codes.CREATED:
            self.told.refused = _code(answer)
            return False
        content = answer.json()
        self.told.number = content["orderId"]
        self.told.online_paise = _paise(content["paymentBreakdown"]["preOrderPayment"])
        self.told.remaining_paise = _paise(content["amount"])
        self.told.total_paise = _paise(content["totalOrderValue"])
        return True

    async def open_page(self) -> PaymentPage | None:
        """Go to the payment page; None if it can't be paid any more."""
        amount = Decimal(self.told.online_paise) / 100
        path = f"/api/payment-form/{amount}?order_id={self.told.number}"
        answer = await self._till.ask("GET", path)
        if answer.status_code != httpx.codes.OK:
            self.told.refused = _code(answer)
            return None
        return await self._till.open_page(answer.json()["paymentFormUrl"])

    async def press(self, page: PaymentPage, button: str, *, is_noticed: bool = True) -> None:
        """Press a button of the payment page; maybe we hear of it."""
        if button == "pay":
            self.told.paid_at = time.time()
        await page.press(button)
        if is_noticed:
            await self._notify()

    async def attempt(self, status: str, *, changes: bool = False, **told: Any) -> None:
        """Let an attempt be as no button makes it, or the newest one become so."""
        if status == "SUCCESS":
            self.told.paid_at = time.time()
        number = self.told.number
        await self._stack.ask("attempt", order=number, status=status, changes=changes, told=told)
        await self._notify()

    async def watch(self) -> None:
        """Come back from paying, and look until it is known."""
        await self._nudge()
        for seconds in _ASKS_AFTER_SECONDS:
            if await self.ask() == SUCCESS:
                break
            await asyncio.sleep(seconds)
        await self.ask()

    async def ask(self) -> str:
        """Look how the payment stands."""
        answer = await self._till.ask("GET", f"/payment/order-status/{self.told.number}")
        word = answer.json()["status"] if answer.is_success else f"HTTP {answer.status_code}"
        self.told.hear(word)
        return word

    async def _nudge(self) -> None:
        body = {"orderId": self.told.number, "paymentSuccess": True, "status": SUCCESS}
        answer = await self._till.ask("POST", "/payment/cashfree-success", json=body)
        if answer.is_success and answer.json()["success"]:
            self.told.hear(SUCCESS)

    async def _notify(self) -> None:
        """Let the provider send its notice, as luck will have it."""
        late = self.rng.uniform(*_LATE_MINUTES) * self.minute_seconds
        soon = self.rng.uniform(0.05, 1.0)
        after = {
            NoticeFate.PROMPT: [soon],
            NoticeFate.LATE: [late],
            NoticeFate.LOST: [],
            NoticeFate.DOUBLED: [soon, soon, late],
        }[notice_fate(self.rng)]
        await self._stack.ask("notice", order=self.told.number, after=after)


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
