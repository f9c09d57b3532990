"""Order mails through a real Postfix with greylisting, which refuses what strict relays refuse."""

import time
from datetime import timedelta

import pytest

from kit.mail.smtp import SmtpMailer, SmtpServer, SmtpTls
from kit.outbox.errors import DeliveryRejected, OperatorNeeded
from kit.outbox.models import OutboxRow
from tests.fakes.mail_server import AUTHORITY, client_ssl_context
from tests.helpers.builders import mail, order_request
from tests.helpers.databases import sqlite_only
from tests.helpers.flows import drain, pay
from tests.helpers.postfix import GREYLISTING_SECONDS, running_postfix
from tests.helpers.tables import rows
from tests.helpers.waiting import eventually

pytestmark = pytest.mark.anyio

READERS = ["aarav@students.example", "vendor1@pehla.example"]
SENDER = "FOOD_points <orders@food-points.example>"
HELO = "food-points.example"
GREYLISTING_MINUTES = 5
CLOCK_RATE = 60 * GREYLISTING_MINUTES / GREYLISTING_SECONDS
"""Our clock is so much faster than postgrey's that its two seconds are our five minutes."""


@pytest.fixture(scope="module")
def postfix():
    with running_postfix(READERS) as server:
        yield server


@pytest.fixture
async def mailer_for(postfix, clock):
    """Builds mailers that send to Postfix with another EHLO name or sender."""
    mailers = []

    def build(sender=SENDER, helo=HELO):
        server = SmtpServer("localhost", postfix.port, SmtpTls.STARTTLS, helo=helo)
        mailer = SmtpMailer(server, sender, clock, client_ssl_context())
        mailers.append(mailer)
        return mailer

    yield build
    for mailer in mailers:
        await mailer.close()
    await eventually(lambda: not postfix.has_client(), "the connections are closed")


async def mail_jobs(services):
    jobs = await rows(services.database, OutboxRow)
    return [job for job in jobs if job.topic.startswith("mail.")]


async def run_with_fast_clock_until_sent(services, clock):
    """Run each job when it is due, on a clock that is `CLOCK_RATE` times as fast as time."""
    begin, start = clock.now(), time.monotonic()

    async def all_sent():
        clock.set(begin + timedelta(seconds=(time.monotonic() - start) * CLOCK_RATE))
        await drain(services)
        return {job.state for job in await mail_jobs(services)} == {"done"}

    await eventually(all_sent, "Postfix has accepted every mail")


@sqlite_only
async def test_order_mails_arrive_through_a_greylisting_postfix(
    postfix, new_services, clock, tmp_path, monkeypatch
):
    # Source: specification P4.16, P4.17.
    AUTHORITY.cert_pem.write_to_path(str(tmp_path / "authority.pem"))
    monkeypatch.setenv("SSL_CERT_FILE", str(tmp_path / "authority.pem"))
    services = new_services(
        mail_transport="smtp", smtp_host="localhost", smtp_port=postfix.port, smtp_tls="starttls"
    )
    stored = await pay(services, await services.ordering.prepare(order_request()))
    # One after the other: a mail waits 4 s for the connection, and Postfix has just started.
    while jobs := await services.outbox.claim(1):
        await services.worker.run_job(jobs[0])
    greylisted = {job.last_error for job in await mail_jobs(services)}
    assert greylisted == {"the mail server answered 450 4.2.0 to RCPT"}
    await run_with_fast_clock_until_sent(services, clock)
    await services.mailer.close()
    await eventually(lambda: not postfix.has_client(), "the connection is closed")
    await eventually(lambda: len(postfix.mails()) == 2, "both mails are in their mailboxes")
    arrived = postfix.mails()
    assert sorted(each["Delivered-To"] for each in arrived) == READERS
    assert all(stored.order.number in each["Subject"] for each in arrived)
    assert "X-Greylist" in arrived[0]


@pytest.mark.parametrize("helo", ["localhost", "food-points"])
async def test_control_postfix_refuses_an_ehlo_that_is_no_full_name(mailer_for, postfix, helo):
    with pytest.raises(OperatorNeeded, match=r"answered 504 5\.5\.2 to RCPT"):
        await mailer_for(helo=helo).send(mail())
    # Postfix writes its log after the response, in another process.
    line = f"<{helo}>: Helo command rejected"
    await eventually(lambda: line in postfix.log(), "Postfix logs the reason")


async def test_mail_is_final_when_postfix_does_not_know_the_mailbox(mailer_for):
    with pytest.raises(DeliveryRejected, match=r"answered 550 5\.1\.1 to RCPT"):
        await mailer_for().send(mail(to="nobody@students.example"))


async def test_mail_waits_for_an_operator_when_postfix_does_not_relay(mailer_for):
    with pytest.raises(OperatorNeeded, match=r"answered 554 5\.7\.1 to RCPT"):
        await mailer_for().send(mail(to="someone@elsewhere.example"))


async def test_address_literal_is_accepted_by_postfix(mailer_for):
    with pytest.raises(DeliveryRejected, match=r"5\.1\.1"):
        await mailer_for(helo="[192.0.2.7]").send(mail(to="nobody@students.example"))
