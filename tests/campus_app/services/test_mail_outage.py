"""E-mails during an outage of the mail server: none is lost, none is sent twice."""

import pytest

from tests.fakes.mail_server import mail_server, smtp_settings
from tests.helpers.builders import order_request
from tests.helpers.flows import drain, pay
from tests.helpers.ports import free_port

pytestmark = pytest.mark.anyio

READERS = ["aarav@students.example", "vendor1@pehla.example"]


async def test_every_mail_is_sent_once_after_hour_long_outage(new_services, clock):
    port = free_port()
    services = new_services(**smtp_settings(port))
    await pay(services, await services.ordering.prepare(order_request()))
    for _ in range(60):
        await drain(services)
        clock.advance(minutes=1)
    async with mail_server(port=port) as server:
        for _ in range(10):
            await drain(services)
            clock.advance(minutes=1)
        await services.mailer.close()
    assert sorted(reader for readers in server.recipients for reader in readers) == READERS
