"""Customers over the HTTP interface, who have decided beforehand how it goes."""

import asyncio

from tests.simulation.customer_log import Told
from tests.simulation.demand import Person
from tests.simulation.device import Device
from tests.simulation.payment_outcomes import Fate
from tests.simulation.plan import Plan
from tests.simulation.site_client import GaveUp, PaymentPage, Till
from tests.simulation.stack import Stack

_AT_THE_PAGE_MINUTES = (0.2, 3.0)
_BETWEEN_TRIES_SECONDS = 0.8
_SETTLES_AFTER_MINUTES = (1.0, 6.0)
_SECOND_TAB_AFTER_SECONDS = (0.0, 0.3, 4.0)
_LOST_SECOND_NOTICES = 0.5
"""Many, so that what finds a second payment without any has something to find."""
_SHORT_RUPEES = 1


class Customer:
    """Somebody at lunch."""

    def __init__(self, person: Person, stack: Stack, till: Till, plan: Plan) -> None:
        self.person = person
        self.is_pending = False
        """Whether an attempt of theirs waits for its money."""
        self._device = Device(person, stack, till, plan)

    @property
    def told(self) -> Told:
        """What this customer was told."""
        return self._device.told

    async def lunch(self) -> None:
        """Order and pay, as far as this one goes."""
        try:
            if await self._device.prepare():
                page = await self._device.open_page()
                if page is not None and self.person.fate is not Fate.ABANDONS:
                    await self._looks_for_the_card()
                    await _WAYS[self.person.fate](self, page)
        except GaveUp as gave_up:
            self.told.refused = f"no answer: {gave_up}"

    async def _looks_for_the_card(self) -> None:
        """Take the time that people take at a payment page: much may happen meanwhile."""
        minutes = self._device.rng.uniform(*_AT_THE_PAGE_MINUTES)
        await asyncio.sleep(minutes * self._device.minute_seconds)

    async def settle(self) -> None:
        """Let the money of an attempt that was pending arrive."""
        await self._device.attempt("SUCCESS", changes=True)

    async def _pays(self, page: PaymentPage) -> None:
        await self._device.press(page, "pay")
        await self._device.watch()

    async def _pays_at_second_try(self, page: PaymentPage) -> None:
        await self._is_declined(page)
        await asyncio.sleep(_BETWEEN_TRIES_SECONDS)
        await self._pays(page)

    async def _pays_and_leaves(self, page: PaymentPage) -> None:
        await self._device.press(page, "pay")

    async def _is_declined(self, page: PaymentPage) -> None:
        await self._device.press(page, "fail")
        await self._device.ask()

    async def _cancels(self, page: PaymentPage) -> None:
        await self._device.press(page, "drop")
        await self._device.ask()

    async def _pending(self, _page: PaymentPage) -> None:
        await self._device.attempt("PENDING")
        self.is_pending = True
        await self._device.ask()

    async def _pending_then_paid(self, page: PaymentPage) -> None:
        await self._pending(page)
        minutes = self._device.rng.uniform(*_SETTLES_AFTER_MINUTES)
        await asyncio.sleep(minutes * self._device.minute_seconds)
        await self.settle()
        await self._device.watch()

    async def _pays_twice(self, page: PaymentPage) -> None:
        await self._device.press(page, "pay")
        await asyncio.sleep(self._device.rng.choice(_SECOND_TAB_AFTER_SECONDS))
        is_noticed = self._device.rng.random() > _LOST_SECOND_NOTICES
        await self._device.press(page, "pay", is_noticed=is_noticed)
        await self._device.watch()

    async def _pays_short(self, _page: PaymentPage) -> None:
        await self._device.attempt("SUCCESS", payment_amount=_SHORT_RUPEES)
        await self._device.watch()


_WAYS = {
    Fate.PAYS: Customer._pays,
    Fate.PAYS_AT_SECOND_TRY: Customer._pays_at_second_try,
    Fate.PAYS_AND_LEAVES: Customer._pays_and_leaves,
    Fate.DECLINED: Customer._is_declined,
    Fate.CANCELS: Customer._cancels,
    Fate.PENDING_THEN_PAID: Customer._pending_then_paid,
    Fate.PENDING_THEN_LATE: Customer._pending,
    Fate.PENDING_FOR_EVER: Customer._pending,
    Fate.PAYS_TWICE: Customer._pays_twice,
    Fate.PAYS_SHORT: Customer._pays_short,
}
"""What a customer does at the payment page; who abandons does nothing there."""
