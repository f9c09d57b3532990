"""The external services in a separate process: payment provider, telephone service, mail server.

They use real HTTP and SMTP. A control API adds payment attempts, sends webhooks, starts and ends
outages, and returns the services' records.
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
from tools.simulation.call_progress import simulate_calls
from tools.simulation.records import call_record, provider_order, received_mails
from tools.simulation.webhook_sender import WebhookSender

_WEBHOOK = "/payment/cashfree/webhook"
_MAXIMUM_REQUESTS_PER_OUTAGE = 20_000
_CASHFREE_OUTAGE = (
    cashfree.Fault(status=503),
    cashfree.Fault(status=502),
    cashfree.Fault(status=504, executes_first=True),
)
"""The last fault executes the request and loses its response."""
_TWILIO_OUTAGE = (
    twilio.Fault(status=503),
    twilio.Fault(status=500),
    twilio.Fault(drops=True, executes_first=True),
)


class ExternalServices:
    """The external services and their control API."""

    def __init__(self, options: argparse.Namespace) -> None:
        self.cashfree = cashfree.FakeCashfree(SystemClock(), allows_http=options.for_browsers)
        self.cashfree.sends_webhooks = options.for_browsers
        self.twilio = twilio.FakeTwilio(SystemClock())
        self.webhooks = WebhookSender(options.site, options.speed)
        self._mail_port = options.mail
        self._mail_resources = contextlib.AsyncExitStack()
        self._mail_servers: list[MailServer] = []
        self.control = Starlette(
            routes=[
                Route(f"/{command.__name__}", command, methods=["POST"])
                for command in (
                    self.clock,
                    self.limits,
                    self.attempt,
                    self.webhook,
                    self.set_outage,
                )
            ]
            + [Route("/records", self.records)]
        )

    async def clock(self, request: Request) -> Response:
        """Set the clock of all services to the campus time."""
        offset = (await request.json())["offset_seconds"]
        self.cashfree.clock = self.twilio.clock = SystemClock(timedelta(seconds=offset))
        return Response()

    async def limits(self, request: Request) -> Response:
        """Set the rate limits per minute."""
        self.cashfree.limits.update(await request.json())
        return Response()

    async def attempt(self, request: Request) -> Response:
        """Add a payment attempt, or change the newest one."""
        command = await request.json()
        reference = self._reference(command["order"])
        if command.get("changes"):
            self.cashfree.change_attempt(reference, command["status"])
        else:
            self.cashfree.attempt(reference, command["status"], **command.get("fields", {}))
        return Response()

    async def webhook(self, request: Request) -> Response:
        """Send copies of the newest attempt's webhook, each after a delay in seconds."""
        command = await request.json()
        headers, body = self.cashfree.webhook(self._reference(command["order"]))
        self.webhooks.send(_WEBHOOK, headers, body, after=command["after"], retries=True)
        return Response()

    async def set_outage(self, request: Request) -> Response:
        """Start or end the outage of a service."""
        command = await request.json()
        await getattr(self, f"_set_{command['service']}_outage")(is_active=command["is_active"])
        return Response()

    async def records(self, _request: Request) -> Response:
        """Return the records of all services."""
        servers = self._mail_servers
        content: dict[str, Any] = {
            "provider_orders": [
                provider_order(name, order) for name, order in self.cashfree.orders.items()
            ],
            "calls": [call_record(call) for call in self.twilio.calls.values()],
            "mails": [mail for server in servers for mail in received_mails(server)],
            "webhooks": {"accepted": self.webhooks.accepted, "rejected": self.webhooks.rejected},
        }
        content = {
            name: [asdict(each) for each in part] if isinstance(part, list) else part
            for name, part in content.items()
        }
        return JSONResponse(content)

    async def start_mail(self) -> None:
        """Start the mail server."""
        server = await self._mail_resources.enter_async_context(mail_server(port=self._mail_port))
        self._mail_servers.append(server)

    async def close(self) -> None:
        await self._mail_resources.aclose()
        await self.webhooks.close()

    async def _set_cashfree_outage(self, *, is_active: bool) -> None:
        self.cashfree.clear_faults()
        for call in self.cashfree.limits if is_active else ():
            self.cashfree.fail_next(
                call, *islice(cycle(_CASHFREE_OUTAGE), _MAXIMUM_REQUESTS_PER_OUTAGE)
            )

    async def _set_twilio_outage(self, *, is_active: bool) -> None:
        self.twilio.clear_faults()
        for call in ("create", "list", "fetch") if is_active else ():
            self.twilio.fail_next(
                call, *islice(cycle(_TWILIO_OUTAGE), _MAXIMUM_REQUESTS_PER_OUTAGE)
            )

    async def _set_mail_outage(self, *, is_active: bool) -> None:
        if is_active:
            await self._mail_resources.aclose()
        else:
            await self.start_mail()

    def _reference(self, number: str) -> str:
        orders = self.cashfree.orders.items()
        return next(name for name, order in orders if number in order.body["order_tags"].values())


async def run(options: argparse.Namespace) -> None:
    """Run until a signal arrives."""
    services, stop = ExternalServices(options), asyncio.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        asyncio.get_running_loop().add_signal_handler(number, stop.set)
    await services.start_mail()
    calls = asyncio.create_task(
        simulate_calls(services.twilio, services.webhooks, Random(options.seed))
    )
    async with (
        serving(services.cashfree.app, options.cashfree),
        serving(services.twilio.app, options.twilio),
        serving(services.control, options.control),
    ):
        await stop.wait()
    calls.cancel()
    await services.close()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    for port in ("cashfree", "twilio", "mail", "control", "seed"):
        parser.add_argument(f"--{port}", type=int, required=True)
    parser.add_argument("--site", required=True)
    parser.add_argument("--speed", type=float, required=True)
    parser.add_argument(
        "--for-browsers",
        action="store_true",
        help="customers pay on the provider's page, and come back to a site without TLS",
    )
    asyncio.run(run(parser.parse_args()))


if __name__ == "__main__":
    main()
