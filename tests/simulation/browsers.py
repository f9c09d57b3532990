"""Customers over the socket, as the pages order; they pay at the provider's page like the others."""

import asyncio
import contextlib
import time

from tests.helpers.settings import ORIGIN
from tests.helpers.visitor import STEPS, Refused, Visitor
from tests.simulation.customer_log import SUCCESS, Told
from tests.simulation.demand import Person
from tests.simulation.plan import Plan
from tests.simulation.site_client import Till
from tests.simulation.stack import Stack

_PRESSES_AGAIN_SECONDS = 6.0
_NOTICE_SECONDS = 0.3


class Browser(Visitor):
    """A visitor who pays at our Cashfree, and presses again while it is away."""

    def __init__(self, person: Person, stack: Stack, till: Till, _plan: Plan) -> None:
        super().__init__(stack.place.url, person.number, ORIGIN)
        self.told = Told(self.email, "orders over the socket", person.minute, 1, 0)
        self._stack = stack
        self._till = till

    async def lunch(self) -> None:
        """Take every step of an order."""
        try:
            for step in STEPS:
                await self.step(step)
        except TimeoutError:
            self.told.refused = "no answer: the screen did not change"
        else:
            self.told.hear(SUCCESS)  # the confirmation shows an order that is paid
        finally:
            self.told.number = self.order
            await self.leave()

    async def _pay(self) -> None:
        page = await self._till.open_page(await self._asked_to_pay())
        if page is None:
            raise Refused
        self.order = page.number
        self.told.paid_at = time.time()
        self._back = await page.press("pay")
        await self._stack.ask("notice", order=self.order, after=[_NOTICE_SECONDS])

    async def _asked_to_pay(self) -> str:
        while True:
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(_PRESSES_AGAIN_SECONDS):
                    return await self.ask_to_pay()
