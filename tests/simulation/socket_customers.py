"""Customers who order over the WebSocket as the pages do, and pay at the provider's page."""

import asyncio
import contextlib
import time

from tests.helpers.settings import ORIGIN
from tests.helpers.visitor import STEPS, Disconnected, Visitor
from tests.simulation.customer_log import SUCCESS, CustomerLog
from tests.simulation.demand import Person
from tests.simulation.plan import Plan
from tests.simulation.site_client import SiteClient
from tests.simulation.stack import Stack

_PRESSES_AGAIN_SECONDS = 6.0
_NOTICE_SECONDS = 0.3


class SocketCustomer(Visitor):
    """A visitor who pays at the fake Cashfree, and retries while it is unavailable."""

    def __init__(self, person: Person, stack: Stack, site: SiteClient, _plan: Plan) -> None:
        super().__init__(stack.deployment.url, person.number, ORIGIN)
        self.log = CustomerLog(self.email, "orders over the socket", person.minute, 1, 0)
        self._stack = stack
        self._site = site

    async def run_order(self) -> None:
        """Run every step of an order."""
        try:
            for step in STEPS:
                await self.step(step)
        except TimeoutError:
            self.log.refused = "no answer: the screen did not change"
        else:
            self.log.record_status(SUCCESS)  # the confirmation shows a paid order
        finally:
            self.log.number = self.order
            await self.leave()

    async def _pay(self) -> None:
        page = await self._site.open_page(await self._asked_to_pay())
        if page is None:
            raise Disconnected
        self.order = page.number
        self.log.paid_at = time.time()
        self._back = await page.press("pay")
        await self._stack.ask("webhook", order=self.order, after=[_NOTICE_SECONDS])

    async def _asked_to_pay(self) -> str:
        while True:
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(_PRESSES_AGAIN_SECONDS):
                    return await self.ask_to_pay()
