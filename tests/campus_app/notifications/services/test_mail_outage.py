"""E-mails during an outage of the mail server: none is lost, none is sent twice."""

from datetime import timedelta

import pytest

from kit.clock import from_ms
from kit.outbox.models import OutboxRow
from tests.fakes.mail_server import mail_server, smtp_settings
from tests.helpers.builders import order_request
from tests.helpers.databases import sqlite_only
from tests.helpers.flows import drain, pay
from tests.helpers.ports import free_port
from tests.helpers.tables import rows

pytestmark = pytest.mark.anyio

READERS = ["aarav@students.example", "vendor1@pehla.example"]


@sqlite_only
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


async def run_jobs_until(services, clock, end):
    """Run every job when it is due, until a time."""
    while (due := await services.outbox.next_due()) is not None and due < end:
        clock.set(max(clock.now(), due))
        await drain(services)
    clock.set(end)


@pytest.mark.parametrize(
    ("refusal", "hours"),
    [
        pytest.param({"rcpt_reply": "450 4.2.0 Greylisted, see postgrey"}, 0.1, id="greylisting"),
        pytest.param({"mail_from_reply": "421 4.7.0 too many mails"}, 23, id="421 for 23 h"),
        pytest.param({"data_reply": "452 4.3.1 full"}, 23, id="452 for 23 h"),
    ],
)
@sqlite_only
async def test_every_mail_is_sent_once_when_refused_temporarily(
    new_services, clock, refusal, hours
):
    async with mail_server(**refusal) as server:
        services = new_services(**smtp_settings(server.port))
        await pay(services, await services.ordering.prepare(order_request()))
        await run_jobs_until(services, clock, clock.now() + timedelta(hours=hours))
        assert server.mails == []
        for name in refusal:
            setattr(server, name, "")
        await run_jobs_until(services, clock, clock.now() + timedelta(hours=0.6))
        await services.mailer.close()
    assert sorted(reader for readers in server.recipients for reader in readers) == READERS


@pytest.mark.parametrize(
    "refusal",
    [
        pytest.param({"mail_from_reply": "553 5.7.1 not your sender"}, id="sender"),
        pytest.param({"ehlo_reply": "550 5.7.1 go away"}, id="connection"),
    ],
)
@sqlite_only
async def test_mails_wait_over_a_day_when_only_an_operator_can_help(new_services, clock, refusal):
    # Source: specification P4.13.
    async with mail_server(**refusal) as server:
        services = new_services(**smtp_settings(server.port), public_url="http://localhost")
        await pay(services, await services.ordering.prepare(order_request()))
        await run_jobs_until(services, clock, clock.now() + timedelta(hours=30))
        jobs = [job for job in await rows(services.database, OutboxRow) if "mail" in job.topic]
        assert {job.state for job in jobs} == {"ready"}
        assert all(from_ms(job.run_at_ms) >= clock.now() for job in jobs)
        for name in refusal:
            setattr(server, name, "")
        await run_jobs_until(services, clock, clock.now() + timedelta(hours=0.6))
        await services.mailer.close()
    assert sorted(reader for readers in server.recipients for reader in readers) == READERS
