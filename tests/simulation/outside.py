"""The world outside, in a process of its own: payment provider, telephone service, mail server.

Real HTTP and real SMTP on ports of this machine. A desk beside them, over HTTP too, lets the
simulator do what no button does, switches them off and on, and hands out their books.
"""

import argparse
import asyncio
import contextlib
import signal
from dataclasses import asdict
from datetime import timedelta
from itertools import cycle, islice
from random import Random
from typing import Any

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from kit.clock import SystemClock
from tests.fakes import cashfree, twilio
from tests.fakes.mail_server import MailServer, mail_server
from tests.helpers.server import serving
from tests.simulation.phones import ring
from tests.simulation.records import called, mailed, taken
from tests.simulation.webhook_sender import Post

_WEBHOOK = "/payment/cashfree/webhook"
_MOST_CALLS_IN_AN_OUTAGE = 20_000
_CASHFREE_IS_AWAY = (
    cashfree.Fault(status=503),
    cashfree.Fault(status=502),
    cashfree.Fault(status=504, is_done_first=True),
)
"""The last one is carried out, and its answer is lost."""
_TWILIO_IS_AWAY = (
    twilio.Fault(status=503),
    twilio.Fault(status=500),
    twilio.Fault(drops=True, is_done_first=True),
)


class Outside:
    """Everybody whom the product talks to, and what a simulator may ask of them."""

    def __init__(self, options: argparse.Namespace) -> None:
        self.cashfree = cashfree.FakeCashfree(SystemClock())
        self.twilio = twilio.FakeTwilio(SystemClock())
        self.post = Post(options.site, options.speed)
        self._mail_port = options.mail
        self._mail_is_open = contextlib.AsyncExitStack()
        self._mail_servers: list[MailServer] = []
        self.desk = Starlette(
            routes=[
                Route(f"/{task.__name__}", task, methods=["POST"])
                for task in (self.clock, self.limits, self.attempt, self.notice, self.switch)
            ]
            + [Route("/books", self.books)]
        )

    async def clock(self, request: Request) -> Response:
        """Put everybody's clock to the campus's."""
        offset = (await request.json())["offset_seconds"]
        self.cashfree.clock = self.twilio.clock = SystemClock(timedelta(seconds=offset))
        return Response()

    async def limits(self, request: Request) -> Response:
        """Grant so many calls a minute."""
        self.cashfree.limits.update(await request.json())
        return Response()

    async def attempt(self, request: Request) -> Response:
        """Let a customer's attempt to pay be so, or the newest one become so."""
        asked = await request.json()
        reference = self._reference(asked["order"])
        if asked.get("changes"):
            self.cashfree.change_attempt(reference, asked["status"])
        else:
            self.cashfree.attempt(reference, asked["status"], **asked.get("told", {}))
        return Response()

    async def notice(self, request: Request) -> Response:
        """Send copies of the notice of the newest attempt, each after so many seconds."""
        asked = await request.json()
        headers, body = self.cashfree.notice(self._reference(asked["order"]))
        self.post.send(_WEBHOOK, headers, body, after=asked["after"], is_tried_again=True)
        return Response()

    async def switch(self, request: Request) -> Response:
        """Let somebody be away, or be there again."""
        asked = await request.json()
        await getattr(self, f"_switch_{asked['what']}")(is_away=asked["is_away"])
        return Response()

    async def books(self, _request: Request) -> Response:
        """Hand out what everybody has written down."""
        servers = self._mail_servers
        content: dict[str, Any] = {
            "taken": [taken(name, order) for name, order in self.cashfree.orders.items()],
            "calls": [called(call) for call in self.twilio.calls.values()],
            "letters": [letter for server in servers for letter in mailed(server)],
            "notices": {"delivered": self.post.delivered, "refused": self.post.refused},
        }
        content = {
            name: [asdict(each) for each in part] if isinstance(part, list) else part
            for name, part in content.items()
        }
        return JSONResponse(content)

    async def open_mail(self) -> None:
        """Take mails."""
        server = await self._mail_is_open.enter_async_context(mail_server(port=self._mail_port))
        self._mail_servers.append(server)

    async def close(self) -> None:
        await self._mail_is_open.aclose()
        await self.post.close()

    async def _switch_cashfree(self, *, is_away: bool) -> None:
        self.cashfree.heals()
        for call in self.cashfree.limits if is_away else ():
            self.cashfree.breaks(call, *islice(cycle(_CASHFREE_IS_AWAY), _MOST_CALLS_IN_AN_OUTAGE))

    async def _switch_twilio(self, *, is_away: bool) -> None:
        self.twilio.heals()
        for call in ("create", "list", "fetch") if is_away else ():
            self.twilio.breaks(call, *islice(cycle(_TWILIO_IS_AWAY), _MOST_CALLS_IN_AN_OUTAGE))

    async def _switch_mail(self, *, is_away: bool) -> None:
        if is_away:
            await self._mail_is_open.aclose()
        else:
            await self.open_mail()

    def _reference(self, number: str) -> str:
        orders = self.cashfree.orders.items()
        return next(name for name, order in orders if number in order.body["order_tags"].values())


async def run(options: argparse.Namespace) -> None:
    """Be there until told to stop."""
    outside, over = Outside(options), asyncio.Event()
    for told in (signal.SIGTERM, signal.SIGINT):
        asyncio.get_running_loop().add_signal_handler(told, over.set)
    await outside.open_mail()
    ringing = asyncio.create_task(ring(outside.twilio, outside.post, Random(options.seed)))
    async with (
        serving(outside.cashfree.app, options.cashfree),
        serving(outside.twilio.app, options.twilio),
        serving(outside.desk, options.desk),
    ):
        await over.wait()
    ringing.cancel()
    await outside.close()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    for port in ("cashfree", "twilio", "mail", "desk", "seed"):
        parser.add_argument(f"--{port}", type=int, required=True)
    parser.add_argument("--site", required=True)
    parser.add_argument("--speed", type=float, required=True)
    asyncio.run(run(parser.parse_args()))


if __name__ == "__main__":
    main()
