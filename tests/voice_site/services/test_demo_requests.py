"""Storing, confirming and forwarding demo requests, on both databases."""

import asyncio
import re
from dataclasses import replace
from email import message_from_bytes
from email.policy import SMTP

import pytest

from kit.db.errors import DatabaseUnavailable, InvalidQuery
from kit.outbox.errors import DeliveryPostponed, DeliveryRejected
from kit.outbox.models import JobState, NewJob, OutboxRow, enqueue
from tests.helpers.databases import sqlite_only
from tests.helpers.demo import FORM_URL, REQUEST_BODY, mail_files, site_on
from tests.helpers.flows import drain, part
from tests.helpers.tables import count, execute, rows
from voice_site.adapters.spreadsheet_form import SpreadsheetForm
from voice_site.adapters.tables import DemoRequestRow
from voice_site.content.plans import VARIANTS
from voice_site.domain.demo_request import read_request
from voice_site.domain.journey import Journey
from voice_site.services.demo_requests import Topic, UnknownRequest

pytestmark = pytest.mark.anyio

HOSTILE = "<script>alert('x')</script> & \"Co\""


def request(**changes):
    return read_request(REQUEST_BODY | changes, VARIANTS)


class Sheet(SpreadsheetForm):
    """Accepts requests, or raises the planned errors."""

    def __init__(self, *answers):
        self.answers = list(answers)
        self.taken = []

    async def forward(self, stored, variant_name):
        if self.answers and (error := self.answers.pop(0)):
            raise error
        self.taken.append((stored.request.full_name, variant_name))


def with_sheet(services, sheet):
    site = site_on(services, demo_form_url=FORM_URL)
    replaced = replace(site, demo_requests=replace(site.demo_requests, form=sheet))
    services.worker.add_effects(replaced.effects)
    return replaced.demo_requests


@pytest.fixture
def confirmation(services, site):
    """Sends a request with these changes, runs its jobs, and returns its only mail."""

    async def confirmation(site=site, journey=None, **changes):
        await site.demo_requests.submit(request(**changes), journey=journey)
        await drain(services)
        (file,) = mail_files(services)
        return message_from_bytes(file.read_bytes(), policy=SMTP)

    return confirmation


async def test_take_stores_request_and_enqueues_confirmation(services, site):
    id_ = await site.demo_requests.submit(request(), "key")
    (row,) = await rows(services.database, DemoRequestRow)
    assert (row.id, row.full_name, row.selected_variant) == (id_, "Priya Raman", "02")
    (job,) = await rows(services.database, OutboxRow)
    assert (job.topic, job.subject) == ("demo.confirmation", id_)


async def test_twenty_concurrent_requests_with_one_key_store_one(services, site):
    ids = await asyncio.gather(*(site.demo_requests.submit(request(), "key") for _ in range(20)))
    assert len(set(ids)) == 1
    assert await count(services.database, DemoRequestRow) == 1
    await drain(services)
    assert len(mail_files(services)) == 1


@sqlite_only
async def test_confirmation_is_sent_at_most_once_a_day_per_address(services, site, clock):
    for _ in range(3):
        await site.demo_requests.submit(request(email="Priya@company.example"))
        await site.demo_requests.submit(request())
    await drain(services)
    assert len(mail_files(services)) == 1
    clock.advance(days=1)
    await site.demo_requests.submit(request())
    await drain(services)
    assert len(mail_files(services)) == 2


@sqlite_only
async def test_plus_addresses_of_a_mailbox_get_one_confirmation(services, site):
    # Source: specification V5.9.
    for email in ("priya@company.example", "priya+1@company.example", "PRIYA+x+y@company.example"):
        await site.demo_requests.submit(request(email=email))
    for email in ("p.riya@gmail.com", "priya+win@googlemail.com"):
        await site.demo_requests.submit(request(email=email))
    await drain(services)
    assert len(mail_files(services)) == 2


async def test_confirmations_of_a_day_are_limited_but_requests_are_stored(services, clock):
    site = site_on(services, demo_confirmations_per_day=3)
    for number in range(5):
        await site.demo_requests.submit(request(email=f"{number}@company.example"))
    await drain(services)
    assert len(mail_files(services)) == 3
    assert await count(services.database, DemoRequestRow) == 5
    clock.advance(days=1)
    await site.demo_requests.submit(request())
    await drain(services)
    assert len(mail_files(services)) == 4


@sqlite_only
async def test_request_keys_and_ids_are_texts(site):
    first, again = [await site.demo_requests.submit(request(), "key \ud800") for _ in range(2)]
    other = await site.demo_requests.submit(request())
    assert first == again != other
    assert all(re.fullmatch("[0-9a-f]{32}", id_) for id_ in (first, other))


@sqlite_only
async def test_confirmation_mail_has_specified_content(services, confirmation):
    mail = await confirmation()
    (row,) = await rows(services.database, DemoRequestRow)
    assert mail["From"] == "TARA by DA'VINCI <orders@food-points.example>"
    for kind in ("plain", "html"):
        assert "orders@food-points.example" in part(mail, kind)
    assert mail["To"] == "Priya Raman <priya@company.example>"
    assert mail["Subject"] == f"We have your demo request, {row.id[:8]}"
    assert "demo of TARA PRO. We will contact you within 24 hours." in part(mail, "plain")
    assert row.id[:8] in part(mail, "html")


@sqlite_only
async def test_confirmation_says_that_no_plan_is_chosen_yet(confirmation):
    mail = await confirmation(selectedVariant="none")
    for kind in ("plain", "html"):
        assert "You have not chosen a plan yet" in part(mail, kind)
        assert "We will contact you within 24 hours." in part(mail, kind)
        assert "None of these yet" not in part(mail, kind)


@sqlite_only
async def test_confirmation_says_what_happens_next_and_has_the_link(services, confirmation):
    # Source: specification V10.15.
    mail = await confirmation(site_on(services, public_url="https://tara.test", demonstration=True))
    (row,) = await rows(services.database, DemoRequestRow)
    assert len(row.link_token) >= 22
    for kind in ("plain", "html"):
        assert f"https://tara.test/tara/request/{row.link_token}" in part(mail, kind)
        assert "What happens next" in part(mail, kind)
        assert "makes no contract" in part(mail, kind)


@sqlite_only
async def test_confirmation_is_in_the_language_of_the_page(confirmation):
    # Source: specification V10.15.
    mail = await confirmation(journey=Journey(language="hi"))
    assert mail["Subject"].startswith("आपकी डेमो रिक्वेस्ट हमें मिल गई, ")
    assert 'lang="hi-IN"' in part(mail, "html")
    for kind in ("plain", "html"):
        assert "धन्यवाद, Priya Raman।" in part(mail, kind)
        assert "TARA PRO के डेमो की आपकी रिक्वेस्ट" in part(mail, kind)
        assert "आगे क्या होगा" in part(mail, kind)
        assert "We " not in part(mail, kind)


@sqlite_only
async def test_confirmation_of_an_earlier_release_has_no_link(services, site):
    await site.demo_requests.submit(request())
    await execute(services.database, "UPDATE demo_requests SET link_token = NULL, journey = NULL")
    await drain(services)
    (file,) = mail_files(services)
    assert b"/tara/request/" not in file.read_bytes()


@sqlite_only
async def test_use_case_is_not_repeated_in_mail(confirmation):
    """Otherwise the form would send any text to any address."""
    mail = await confirmation(useCase="Win a prize", additionalNotes="Win too")
    assert "Win" not in mail["Subject"] + part(mail, "plain") + part(mail, "html")


@sqlite_only
@pytest.mark.parametrize("name", [HOSTILE, "Win at www.spam.example", "You won. Call 98110 00000"])
async def test_suspicious_name_is_not_repeated_in_mail(confirmation, name):
    mail = await confirmation(fullName=name)
    assert part(mail, "plain").startswith("Thank you.\n")
    assert "script" not in part(mail, "html")
    assert mail["To"] == "priya@company.example"


@sqlite_only
async def test_request_is_not_forwarded_when_no_form_is_configured(services):
    for address in ("", "https://forms.example.test/d/e/YOUR_FORM_ID/formResponse"):
        site = site_on(services, demo_form_url=address)
        await site.demo_requests.submit(request())
    assert await count(services.database, OutboxRow, topic=Topic.SPREADSHEET.value) == 0


async def test_request_is_forwarded_once(services):
    sheet = Sheet()
    requests = with_sheet(services, sheet)
    for _ in range(2):
        await requests.submit(request(), "key")
    await requests.submit(request(selectedVariant="none"))
    await drain(services)
    assert sorted(plan for _name, plan in sheet.taken) == ["None of these yet", "TARA PRO"]


@sqlite_only
async def test_forwarding_is_retried_when_form_is_unavailable(services, clock):
    sheet = Sheet(DeliveryPostponed("500"), DeliveryPostponed("500"))
    requests = with_sheet(services, sheet)
    await requests.submit(request())
    await drain(services)
    assert sheet.taken == []
    ((_, deliveries),) = await requests.list_all()
    assert deliveries[Topic.SPREADSHEET].state == JobState.READY
    for _ in range(2):
        clock.advance(minutes=2)
        await drain(services)
    assert sheet.taken == [("Priya Raman", "TARA PRO")]


@sqlite_only
async def test_forwarding_is_not_retried_when_form_rejects(services, clock):
    sheet = Sheet(DeliveryRejected("the form answered 400: look at its entries"))
    requests = with_sheet(services, sheet)
    await requests.submit(request())
    await drain(services)
    clock.advance(days=2)
    await drain(services)
    assert sheet.taken == []
    ((_, deliveries),) = await requests.list_all()
    assert deliveries[Topic.SPREADSHEET].state == JobState.DEAD
    assert "400" in deliveries[Topic.SPREADSHEET].error
    assert deliveries[Topic.CONFIRMATION].state == JobState.DONE


async def test_retry_requeues_dead_jobs(services):
    sheet = Sheet(DeliveryRejected("the form answered 400: look at its entries"))
    requests = with_sheet(services, sheet)
    id_ = await requests.submit(request())
    await drain(services)
    assert await requests.retry(id_[:8].upper()) == [Topic.SPREADSHEET]
    await drain(services)
    assert sheet.taken == [("Priya Raman", "TARA PRO")]
    assert len(mail_files(services)) == 1
    assert await requests.retry(id_) == []
    assert await drain(services) == 0


async def test_retry_raises_unknown_request_when_reference_matches_none(site):
    await site.demo_requests.submit(request())
    for reference in ("", "%", "________", "00000000", "priya@company.example"):
        with pytest.raises(UnknownRequest, match=f"^{re.escape(reference)}$"):
            await site.demo_requests.retry(reference)


async def test_retry_raises_unknown_request_when_reference_is_ambiguous(services, site):
    ids = [await site.demo_requests.submit(request()) for _ in range(2)]
    for number, id_ in enumerate(ids):
        await execute(
            services.database,
            "UPDATE demo_requests SET id = :new WHERE id = :old",
            new=f"0123456789{number}",
            old=id_,
        )
    with pytest.raises(UnknownRequest):
        await site.demo_requests.retry("01234567")
    assert await site.demo_requests.retry("01234567891") == []


async def test_purge_removes_old_request_and_keeps_newer_one(services, site, clock):
    await site.demo_requests.submit(request(), "old")
    await drain(services)
    clock.advance(days=1)
    before = clock.now()
    younger = await site.demo_requests.submit(request(email="new@company.example"), "new")
    await services.database.write(
        lambda connection: enqueue(
            connection, [NewJob("mail.customer:1", "mail.customer", "an order", {}, before)]
        )
    )
    assert await site.demo_requests.count_before(before) == 1
    assert await site.demo_requests.purge(before) == 1
    assert [row.id for row in await rows(services.database, DemoRequestRow)] == [younger]
    assert {row.subject for row in await rows(services.database, OutboxRow)} == {
        younger,
        "an order",
    }
    assert await site.demo_requests.count_before(before) == 0
    assert await site.demo_requests.purge(before) == 0


async def test_delete_removes_one_request_and_its_jobs(services, site):
    requests = site.demo_requests
    ids = [await requests.submit(request(email=f"{n}@company.example")) for n in range(2)]
    await requests.delete(await requests.find(ids[0][:8]))
    assert [row.id for row in await rows(services.database, DemoRequestRow)] == [ids[1]]
    assert [row.subject for row in await rows(services.database, OutboxRow)] == [ids[1]]
    with pytest.raises(UnknownRequest):
        await requests.find(ids[0])


async def test_listed_returns_newest_request_first(site, clock):
    await site.demo_requests.submit(request(fullName="First"))
    clock.advance(minutes=1)
    await site.demo_requests.submit(request(fullName="Second"))
    names = [stored.request.full_name for stored, _ in await site.demo_requests.list_all()]
    assert names == ["Second", "First"]


@sqlite_only
@pytest.mark.parametrize(
    ("statement", "error"),
    [
        pytest.param("PRAGMA query_only = ON", DatabaseUnavailable, id="database is read-only"),
        pytest.param("DROP TABLE demo_requests", InvalidQuery, id="table is missing"),
    ],
)
async def test_take_raises_when_request_can_not_be_stored(services, site, statement, error):
    await execute(services.database, statement)
    with pytest.raises(error):
        await site.demo_requests.submit(request())
    assert await count(services.database, OutboxRow) == 0


@sqlite_only
async def test_take_rolls_back_when_jobs_can_not_be_stored(services, site):
    """A transaction is stored completely or not at all."""
    await execute(services.database, "DROP TABLE outbox")
    with pytest.raises(InvalidQuery, match="outbox"):
        await site.demo_requests.submit(request())
    assert await count(services.database, DemoRequestRow) == 0


@sqlite_only
async def test_confirm_raises_lookup_error_when_request_is_unknown(site):
    with pytest.raises(LookupError, match="there is no demo request nothing"):
        await site.demo_requests.confirm("nothing")
