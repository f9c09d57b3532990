"""Waiting e-mails are sent when a process starts or an operator asks."""

import asyncio
import contextlib

import pytest
from redis.asyncio import Redis

from campus_app.shared.rules.audit import Actor
from kit.mail.retry import RETRY_MAIL
from kit.outbox.errors import CHANNEL_DOWN, ChannelDown
from kit.outbox.models import OutboxRow
from tests.fakes.mail_server import AUTHORITY, mail_server
from tests.helpers.builders import mail, order_request
from tests.helpers.databases import sqlite_only
from tests.helpers.demo import REQUEST_BODY, site_on
from tests.helpers.flows import drain, pay
from tests.helpers.ports import free_port
from tests.helpers.tables import rows
from tests.helpers.waiting import eventually
from voice_site.content.plans import VARIANTS
from voice_site.domain.demo_request import read_request
from voice_site.wiring import MAIL_TOPICS

pytestmark = [pytest.mark.anyio, sqlite_only]

READERS = ["aarav@students.example", "priya@company.example", "vendor1@pehla.example"]
OPERATOR = Actor("asha")
TOPICS = ["mail.customer", "mail.vendor", *MAIL_TOPICS]


@pytest.fixture
def smtp(tmp_path, monkeypatch):
    """The settings of a mail server with STARTTLS and a trusted certificate."""
    AUTHORITY.cert_pem.write_to_path(str(tmp_path / "authority.pem"))
    monkeypatch.setenv("SSL_CERT_FILE", str(tmp_path / "authority.pem"))
    return {
        "mail_transport": "smtp",
        "smtp_host": "localhost",
        "smtp_port": free_port(),
        "smtp_tls": "starttls",
    }


@contextlib.asynccontextmanager
async def serving(*processes):
    """Run the mail-related tasks of these processes."""
    tasks = [
        asyncio.create_task(work())
        for services in processes
        for work in (services.worker.run, services.mail_retry.follow)
    ]
    try:
        yield
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        for services in processes:
            await services.mailer.close()
            await services.pubsub.close()


async def order_and_ask_for_a_demo(services):
    site = site_on(services)
    await pay(services, await services.ordering.prepare(order_request()))
    await site.demo_requests.submit(read_request(REQUEST_BODY, VARIANTS))


async def wait_for_broken_starttls(services, port):
    """Place an order and a demo request while the mail server offers no encryption."""
    await order_and_ask_for_a_demo(services)
    async with mail_server(port=port) as broken:
        await drain(services)
    assert broken.mails == []
    assert not services.mailer.is_up()


async def waiting_mails(services):
    jobs = await rows(services.database, OutboxRow)
    return len([job for job in jobs if (job.last_error or "").startswith(CHANNEL_DOWN)])


def readers(server):
    return sorted(reader for each in server.recipients for reader in each)


async def test_mails_wait_for_circuit_breaker_without_retry_mail(new_services, smtp, clock):
    """The negative control: without a start or the operator the mails wait."""
    services = new_services(**smtp)
    await wait_for_broken_starttls(services, smtp["smtp_port"])
    async with mail_server(port=smtp["smtp_port"], starttls=True) as mended:
        clock.advance(seconds=290)
        await drain(services)
        assert mended.mails == []
        clock.advance(seconds=20)
        await drain(services)
        await services.mailer.close()
    assert readers(mended) == READERS


async def test_start_sends_waiting_mails_when_starttls_is_fixed(new_services, smtp):
    before = new_services(**smtp)
    await wait_for_broken_starttls(before, smtp["smtp_port"])
    await before.mailer.close()
    restarted = new_services(**smtp)
    site_on(restarted)
    async with mail_server(port=smtp["smtp_port"], starttls=True) as mended:
        async with serving(restarted):
            await eventually(lambda: len(mended.mails) == 3, "every mail has arrived")
    assert readers(mended) == READERS


async def test_retry_mail_sends_waiting_mails_when_starttls_is_fixed(new_services, smtp):
    services, command_line = new_services(**smtp), new_services(**smtp)
    async with serving(services):
        async with mail_server(port=smtp["smtp_port"]):
            await order_and_ask_for_a_demo(services)

            async def all_wait():
                return await waiting_mails(services) == 3

            await eventually(all_wait, "the mails wait")
        async with mail_server(port=smtp["smtp_port"], starttls=True) as mended:
            assert await command_line.operations.retry_mail(TOPICS, OPERATOR) == 3
            await eventually(lambda: len(mended.mails) == 3, "every mail has arrived")
    assert readers(mended) == READERS
    (entry,) = await services.operations.audit.entries(limit=10)
    assert (entry.actor, entry.action, entry.subject) == ("asha", "mail.retry", "mails")
    assert entry.details == {"waiting": "3"}


async def test_retry_mail_resets_circuit_breaker_of_every_process(new_services, smtp, redis):
    smtp |= {"redis_url": redis.url}
    processes = [new_services(**smtp), new_services(**smtp)]
    async with serving(*processes):
        async with mail_server(port=smtp["smtp_port"]):
            for services in processes:
                with pytest.raises(ChannelDown):
                    await services.mailer.send(mail())
        async with mail_server(port=smtp["smtp_port"], starttls=True):
            async with Redis.from_url(redis.url) as client:

                async def all_listen():
                    ((_, listeners),) = await client.pubsub_numsub(f"food_points:{RETRY_MAIL}")
                    return listeners == len(processes)

                await eventually(all_listen, "every process listens")
            await processes[0].operations.retry_mail(TOPICS, OPERATOR)
            await eventually(lambda: all(each.mailer.is_up() for each in processes), "no break")


async def test_retry_mail_twice_does_not_count_attempts(new_services, smtp):
    services = new_services(**smtp)
    await wait_for_broken_starttls(services, smtp["smtp_port"])
    before = {job.dedupe_key: job.attempts for job in await rows(services.database, OutboxRow)}
    for _ in range(2):
        await services.operations.retry_mail(TOPICS, OPERATOR)
    await drain(services)
    jobs = await rows(services.database, OutboxRow)
    assert {job.state for job in jobs if job.topic == RETRY_MAIL} == {"done"}
    assert {job.dedupe_key: job.attempts for job in jobs if job.topic != RETRY_MAIL} == before
