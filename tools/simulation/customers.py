"""Customers who order over the HTTP interface, each with a planned outcome."""

import asyncio

from tools.simulation.customer_log import CustomerLog
from tools.simulation.demand import PlannedCustomer
from tools.simulation.device import Device
from tools.simulation.payment_outcomes import PaymentOutcome
from tools.simulation.plan import Plan
from tools.simulation.site_client import NoResponse, PaymentPage, SiteClient
from tools.simulation.stack import Stack

_PAYMENT_PAGE_MINUTES = (0.2, 3.0)
_RETRY_SECONDS = 0.8
_SETTLEMENT_MINUTES = (1.0, 6.0)
_SECOND_TAB_SECONDS = (0.0, 0.3, 4.0)
_LOST_SECOND_WEBHOOK_SHARE = 0.5
"""A high share, so that reconciliation finds second payments without a webhook."""
_SHORT_PAYMENT_RUPEES = 1


class Customer:
    """A customer with one order."""

    def __init__(
        self, planned: PlannedCustomer, stack: Stack, site: SiteClient, plan: Plan
    ) -> None:
        self.planned = planned
        self.is_pending = False
        """Whether a payment attempt is pending."""
        self._device = Device(planned, stack, site, plan)

    @property
    def log(self) -> CustomerLog:
        """The log of what this customer was shown."""
        return self._device.log

    async def run_order(self) -> None:
        """Order and pay according to the planned outcome."""
        try:
            if await self._device.prepare():
                page = await self._device.open_page()
                if page is not None and self.planned.outcome is not PaymentOutcome.ABANDONS:
                    await self._wait_at_page()
                    await _ACTIONS[self.planned.outcome](self, page)
        except NoResponse as no_response:
            self.log.rejection = f"no response: {no_response}"

    async def _wait_at_page(self) -> None:
        """Wait as long as a customer stays at the payment page."""
        minutes = self._device.rng.uniform(*_PAYMENT_PAGE_MINUTES)
        await asyncio.sleep(minutes * self._device.minute_seconds)

    async def settle(self) -> None:
        """Complete the pending payment attempt with SUCCESS."""
        await self._device.attempt("SUCCESS", changes=True)

    async def _pays(self, page: PaymentPage) -> None:
        await self._device.press(page, "pay")
        await self._device.poll_status()

    async def _pays_at_second_try(self, page: PaymentPage) -> None:
        await self._is_declined(page)
        await asyncio.sleep(_RETRY_SECONDS)
        await self._pays(page)

    async def _pays_and_leaves(self, page: PaymentPage) -> None:
        await self._device.press(page, "pay")

    async def _is_declined(self, page: PaymentPage) -> None:
        await self._device.press(page, "fail")
        await self._device.fetch_status()

    async def _cancels(self, page: PaymentPage) -> None:
        await self._device.press(page, "drop")
        await self._device.fetch_status()

    async def _leaves_pending(self, _page: PaymentPage) -> None:
        await self._device.attempt("PENDING")
        self.is_pending = True
        await self._device.fetch_status()

    async def _leaves_pending_then_pays(self, page: PaymentPage) -> None:
        await self._leaves_pending(page)
        minutes = self._device.rng.uniform(*_SETTLEMENT_MINUTES)
        await asyncio.sleep(minutes * self._device.minute_seconds)
        await self.settle()
        await self._device.poll_status()

    async def _pays_twice(self, page: PaymentPage) -> None:
        await self._device.press(page, "pay")
        await asyncio.sleep(self._device.rng.choice(_SECOND_TAB_SECONDS))
        sends_webhook = self._device.rng.random() > _LOST_SECOND_WEBHOOK_SHARE
        await self._device.press(page, "pay", sends_webhook=sends_webhook)
        await self._device.poll_status()

    async def _pays_short(self, _page: PaymentPage) -> None:
        await self._device.attempt("SUCCESS", payment_amount=_SHORT_PAYMENT_RUPEES)
        await self._device.poll_status()


_ACTIONS = {
    PaymentOutcome.PAYS: Customer._pays,
    PaymentOutcome.PAYS_AT_SECOND_TRY: Customer._pays_at_second_try,
    PaymentOutcome.PAYS_AND_LEAVES: Customer._pays_and_leaves,
    PaymentOutcome.DECLINED: Customer._is_declined,
    PaymentOutcome.CANCELS: Customer._cancels,
    PaymentOutcome.PENDING_THEN_PAID: Customer._leaves_pending_then_pays,
    PaymentOutcome.PENDING_THEN_LATE: Customer._leaves_pending,
    PaymentOutcome.PENDING_FOREVER: Customer._leaves_pending,
    PaymentOutcome.PAYS_TWICE: Customer._pays_twice,
    PaymentOutcome.PAYS_SHORT: Customer._pays_short,
}
"""The action at the payment page for each outcome except ABANDONS."""
