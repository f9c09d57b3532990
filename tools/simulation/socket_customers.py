"""Customers who order over the WebSocket as the pages do, and pay at the fake Cashfree."""

import asyncio
import contextlib
import time

from tests.helpers.settings import ORIGIN
from tests.helpers.visitor import STEPS, Disconnected, Visitor
from tools.simulation.customer_log import SUCCESS, CustomerLog
from tools.simulation.demand import PlannedCustomer
from tools.simulation.plan import Plan
from tools.simulation.site_client import SiteClient
from tools.simulation.stack import Stack

_RETRY_SECONDS = 6.0
_WEBHOOK_SECONDS = 0.3
"""How long after the payment Cashfree sends its webhook."""


class SocketCustomer(Visitor):
    """A visitor who pays at the fake Cashfree, and tries again while it is unavailable.

    It is created with the arguments of a `Customer`, but needs no plan.
    """

    def __init__(
        self, planned: PlannedCustomer, stack: Stack, site: SiteClient, _plan: Plan
    ) -> None:
        super().__init__(stack.deployment.url, planned.number, ORIGIN)
        self.log = CustomerLog(
            self.email,
            "orders over the socket",
            planned.minute,
            restaurant_id=1,
            subtotal_paise=0,
        )
        self._stack = stack
        self._site = site

    async def run_order(self) -> None:
        """Take every step of an order, from the menu to the confirmation."""
        try:
            for step in STEPS:
                await self.step(step)
        except TimeoutError:
            self.log.rejection = "no response: the screen did not change"
        else:
            self.log.record_status(SUCCESS)  # the confirmation shows a paid order
        finally:
            self.log.number = self.order
            await self.leave()

    async def _pay(self) -> None:
        """Pay at the fake Cashfree; `Visitor` pays at the sandbox."""
        page = await self._site.open_page(await self._pay_url())
        if page is None:
            raise Disconnected
        self.order = page.number
        self.log.paid_at = time.time()
        self._return_path = await page.press("pay")
        await self._stack.send_command("webhook", order=self.order, after=[_WEBHOOK_SECONDS])

    async def _pay_url(self) -> str:
        """Return the URL of the payment page; ask again until the server gives one."""
        while True:
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(_RETRY_SECONDS):
                    return await self.request_payment()
