"""The mails to the sales team: each genuine request, and a lead that is still new."""

from email import message_from_bytes
from email.policy import SMTP

import pytest

from kit.outbox.models import OutboxRow
from kit.outbox.worker import OutboxWorker
from tests.fakes.mail_server import mail_server
from tests.helpers.databases import sqlite_only
from tests.helpers.demo import REQUEST_BODY, site_on
from tests.helpers.flows import drain, part
from tests.helpers.tables import rows
from voice_site.content.plans import VARIANTS
from voice_site.domain.demo_request import read_request
from voice_site.domain.estimate import FIGURES
from voice_site.domain.journey import Journey
from voice_site.domain.lead import LeadField, LeadState

pytestmark = [pytest.mark.anyio, sqlite_only]

SALES = "sales@davinci.example"


def request(**changes):
    return read_request(REQUEST_BODY | changes, VARIANTS)


@pytest.fixture
def site(services):
    return site_on(services, sales_email=SALES)


@pytest.fixture
def ask(site, services):
    """Sends a request, runs its jobs, and returns its lead."""

    async def ask(*, is_suspected=False, **changes):
        id_ = await site.demo_requests.submit(request(**changes), is_suspected=is_suspected)
        await drain(services)
        return await site.leads.find(id_)

    return ask


def sales_mails(services):
    """Return the mails to the sales team by their subjects."""
    folder = services.settings.outbox_dir / "mail"
    mails = [message_from_bytes(file.read_bytes(), policy=SMTP) for file in folder.glob("*.eml")]
    return {each["Subject"]: each for each in mails if each["To"] == SALES}


async def test_request_is_mailed_with_every_field_and_replies_go_to_the_visitor(ask, services):
    lead = await ask(useCase="Fees & dates")
    ((subject, mail),) = sales_mails(services).items()
    assert subject == f"Demo request: Southern College, TARA PRO ({lead.reference})"
    assert mail["Reply-To"] == "priya@company.example"
    plain, html = part(mail, "plain"), part(mail, "html")
    for words in (
        *("Priya Raman", "Head of Admissions", "priya@company.example", "+91 98765 43210"),
        *("Southern College", "51-200 employees", "Education", "Chennai", "TARA PRO"),
        *("Join Waitlist", "18 Nov 2026, 13:00", lead.reference, "tel:+919876543210"),
    ):
        assert words in plain
        assert words in html
    assert "Callers ask for: Fees & dates\n" in plain
    assert "Fees &amp; dates" in html
    assert '<a href="tel:+919876543210">+91 98765 43210</a>' in html


async def test_mail_has_what_travelled_with_the_request(site, services):
    # Source: specification V10.12.
    journey = Journey(
        language="hi",
        consent="1",
        figures={each.name: each.initial for each in FIGURES} | {"conversations": 25_000},
        call="hi-clinic",
        referrer="news.example",
        campaign={"utm_source": "autumn"},
    )
    await site.demo_requests.submit(request(), journey=journey)
    await drain(services)
    (mail,) = sales_mails(services).values()
    for words in (
        "25,000 conversations a month, 6 agents at ₹25,547",
        "TARA ENTERPRISE fits",
        "Last call heard: An appointment at a clinic (हिन्दी)",
        "Came from: news.example",
        "Campaign: utm_source=autumn",
        "Language of the page: हिन्दी",
        "Consent: version 1, 18 Nov 2026, 13:00",
    ):
        assert words in part(mail, "plain")


async def test_second_request_of_a_person_is_one_mail_that_says_so(ask, site, services, clock):
    lead = await ask()
    await site.leads.change(lead, {LeadField.NOTE: "Called on Monday"}, "asha")
    await ask(email="arun@other.example", phone="")
    clock.advance(days=2)
    await ask(selectedVariant="03")
    (mail,) = [mail for subject, mail in sales_mails(services).items() if "again" in subject]
    text = part(mail, "plain")
    assert text.startswith("This person asked before")
    assert "asked for TARA PRO" in text
    assert "note: Called on Monday (asha)" in text
    assert "Related leads:" in text
    assert lead.reference in text


async def test_suspected_request_is_mailed_to_nobody(ask, services, clock):
    await ask(is_suspected=True)
    clock.advance(days=2)
    assert await drain(services) == 0
    assert sales_mails(services) == {}


async def test_new_lead_is_mailed_again_after_twenty_hours_once(ask, services, clock):
    await ask()
    clock.advance(hours=19, minutes=59)
    await drain(services)
    assert len(sales_mails(services)) == 1
    clock.advance(minutes=2)
    await drain(services)
    (mail,) = [mail for subject, mail in sales_mails(services).items() if "Still new" in subject]
    assert "Still new after 20 hours. The confirmation promised 24." in part(mail, "plain")
    clock.advance(days=3)
    assert await drain(services) == 0


async def test_lead_is_not_mailed_again_when_it_is_not_new_or_deleted(ask, site, services, clock):
    lead = await ask()
    await site.leads.change(lead, {LeadField.STATE: LeadState.CONTACTED}, "asha")
    other = await ask(email="arun@other.example", phone="")
    await site.demo_requests.delete(await site.demo_requests.find(other.id))
    clock.advance(days=1)
    await drain(services)
    assert len(sales_mails(services)) == 2


async def test_mail_about_a_deleted_request_is_not_sent(site, services):
    await site.sales_mails.tell("nothing")
    await site.sales_mails.remind("nothing")
    assert sales_mails(services) == {}


async def test_request_is_mailed_to_nobody_when_no_address_is_set(services):
    unset = site_on(services)
    await unset.demo_requests.submit(request())
    topics = {row.topic for row in await rows(services.database, OutboxRow)}
    assert topics == {"demo.confirmation"}


async def test_request_reaches_the_sales_mailbox_over_smtp_within_a_minute(new_services, clock):
    async with mail_server() as server:
        services = new_services(
            mail_transport="smtp", smtp_host="localhost", smtp_port=server.port, smtp_tls="none"
        )
        site = site_on(services, sales_email=SALES)
        worker = OutboxWorker(services.outbox, site.effects, clock)
        await site.demo_requests.submit(request())
        for job in await services.outbox.claim(5):
            await worker.run_job(job)
        await services.mailer.close()
    assert sorted(server.recipients) == [["priya@company.example"], [SALES]]
    (mail,) = [each for each in server.mails if each["To"] == SALES]
    assert mail["Reply-To"] == "priya@company.example"
    assert "+91 98765 43210" in part(mail, "plain")
