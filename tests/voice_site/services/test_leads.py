"""Leads: merged by person, changed with a history, and deleted with their requests."""

import asyncio
from datetime import timedelta

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sqlalchemy import text
from sqlalchemy.exc import OperationalError

from kit.clock import from_ms, to_ms
from kit.db.engine import open_engine
from kit.outbox.models import OutboxRow
from tests.helpers.databases import postgres_only, sqlite_only
from tests.helpers.demo import REQUEST_BODY, site_on
from tests.helpers.flows import drain
from tests.helpers.tables import count, execute, rows
from voice_site.adapters.sql_leads import place, serialize
from voice_site.adapters.tables import DemoRequestRow, LeadEventRow, LeadRow
from voice_site.content.plans import VARIANTS
from voice_site.domain.demo_request import mailbox_of, read_request
from voice_site.domain.lead import MERGED_WITHIN, LeadField, LeadState, phone_key
from voice_site.domain.stored_request import StoredRequest
from voice_site.live import LeadUpkeep
from voice_site.services.demo_requests import UnknownRequest

pytestmark = pytest.mark.anyio

OTHER = {"email": "arun@other.example", "phone": "+91 91234 56789", "company": "Another College"}
"""Another person of another company."""


def request(**changes):
    return read_request(REQUEST_BODY | changes, VARIANTS)


@pytest.fixture
def ask(site):
    """Sends a request and returns the id of its lead."""

    async def ask(*, is_suspected=False, **changes):
        id_ = await site.demo_requests.submit(request(**changes), is_suspected=is_suspected)
        return (await site.demo_requests.find(id_)).lead_id

    return ask


@pytest.mark.parametrize(
    "changes",
    [
        pytest.param({}, id="the same again"),
        pytest.param(OTHER | {"email": "PRIYA+tara@company.example"}, id="the same mailbox"),
        pytest.param(OTHER | {"phone": "098765-43210"}, id="the same phone"),
    ],
)
async def test_request_joins_lead_when_same_person_asked_before(site, ask, clock, changes):
    first = await ask()
    clock.advance(days=29)
    assert await ask(**changes) == first
    (file,) = await site.leads.list_all()
    assert [each.request.email for each in file.requests] == [
        "priya@company.example",
        changes.get("email", "priya@company.example"),
    ]
    assert file.lead.changed_at == clock.now()
    assert file.lead.id == first


@sqlite_only
async def test_request_opens_lead_when_person_or_time_is_another(site, ask, clock):
    first = await ask(phone="")
    assert await ask(**OTHER | {"phone": ""}) != first
    clock.advance(days=30, seconds=1)
    assert await ask(phone="") != first


@sqlite_only
async def test_same_company_alone_is_related_but_not_merged(site, ask):
    first = await ask()
    other = await ask(**OTHER | {"company": "SOUTHERN COLLEGE."})
    await ask(**OTHER | {"email": "x@y.example", "phone": ""})
    assert other != first
    file = await site.leads.file_of(await site.leads.find(first))
    assert [each.id for each in file.related] == [other]


@sqlite_only
async def test_suspected_request_is_a_lead_of_its_own_marked_as_spam(site, ask):
    first = await ask()
    suspected = await ask(is_suspected=True)
    assert suspected != first
    lead = await site.leads.find(suspected)
    assert lead.state is LeadState.SPAM
    assert (await site.leads.file_of(await site.leads.find(first))).related == []


@sqlite_only
async def test_request_opens_lead_when_that_of_its_person_is_spam(site, ask):
    first = await ask()
    await site.leads.change(await site.leads.find(first), {LeadField.STATE: LeadState.SPAM}, "asha")
    assert await ask() != first


async def test_twenty_requests_of_a_person_at_once_are_one_lead(new_services):
    sites = [site_on(new_services()) for _ in range(2)]
    await asyncio.gather(
        *(site.demo_requests.submit(request(), str(n)) for n in range(10) for site in sites)
    )
    database = new_services().database
    assert await count(database, LeadRow) == 1


@postgres_only
async def test_control_person_gets_two_leads_at_once_without_the_lock(services, database_url):
    """The negative control: each transaction sees no lead of the other, unless it waits for it."""
    first, second = (
        StoredRequest(id_, id_, request(), services.clock.now(), is_suspected=False)
        for id_ in ("a" * 32, "b" * 32)
    )
    engine = open_engine(database_url)
    with engine.connect() as one, engine.connect() as other:
        assert place(one, first)
        assert place(other, second)
    with engine.connect() as one, engine.connect() as other:
        serialize(one)
        other.execute(text("SET lock_timeout = '50ms'"))
        with pytest.raises(OperationalError, match="lock timeout"):
            serialize(other)
    engine.dispose()


async def test_change_writes_history_when_a_value_is_new(site, ask, services, clock):
    lead = await site.leads.find(await ask())
    clock.advance(hours=2)
    set_ = {LeadField.STATE: LeadState.CONTACTED, LeadField.OWNER: " Asha\n", LeadField.NOTE: ""}
    changed = await site.leads.change(lead, set_, "asha")
    assert (changed.state, changed.owner) == (LeadState.CONTACTED, "Asha")
    assert changed.changed_at == clock.now()
    await site.leads.change(
        changed, {LeadField.OWNER: "Asha", LeadField.NOTE: "Calls on Monday"}, "b"
    )
    history = (await site.leads.file_of(changed)).history
    assert [(each.actor, each.field, each.value) for each in history] == [
        ("asha", "state", "contacted"),
        ("asha", "owner", "Asha"),
        ("b", "note", "Calls on Monday"),
    ]
    assert history[0].at == clock.now()


@sqlite_only
async def test_change_refuses_a_deleted_lead_and_a_long_note(site, ask):
    lead = await site.leads.find(await ask())
    with pytest.raises(ValueError, match="2000"):
        await site.leads.change(lead, {LeadField.NOTE: "x" * 2_001}, "asha")
    await site.demo_requests.delete(await site.demo_requests.find(lead.id))
    with pytest.raises(UnknownRequest):
        await site.leads.change(lead, {LeadField.NOTE: "x"}, "asha")


async def test_lead_is_found_by_each_of_its_requests_until_the_last_is_deleted(site, ask, services):
    first = await ask()
    await ask()
    lead = await site.leads.find(first[:8])
    await site.leads.change(lead, {LeadField.NOTE: "x"}, "asha")
    _, second = (await site.leads.file_of(lead)).requests
    await site.demo_requests.delete(await site.demo_requests.find(first))
    assert await site.leads.find(second.id) == await site.leads.find(first)
    await site.demo_requests.delete(second)
    with pytest.raises(UnknownRequest):
        await site.leads.find(first)
    for table in (DemoRequestRow, LeadRow, LeadEventRow, OutboxRow):
        assert await count(services.database, table) == 0


async def test_deleting_a_request_deletes_what_its_sender_added(site, ask):
    first = await ask()
    await ask(email="other@company.example")
    lead = await site.leads.find(first)
    for stored in (await site.leads.file_of(lead)).requests:
        assert await site.request_links.add(stored, f"From {stored.request.email}")
    await site.demo_requests.delete(await site.demo_requests.find(first))
    history = (await site.leads.file_of(lead)).history
    assert [each.value for each in history] == ["From other@company.example"]


async def test_adopt_gives_requests_of_the_previous_release_leads_and_jobs(services, site, ask):
    first = await ask()
    await drain(services)
    forget = "UPDATE demo_requests SET lead_id = NULL, mailbox = '', phone_key = ''"
    await execute(services.database, forget)
    await execute(services.database, "DELETE FROM leads")
    await ask(**OTHER)
    assert await site.demo_requests.adopt() == 1
    assert await site.demo_requests.adopt() == 0
    assert (await site.leads.find(first)).state is LeadState.NEW
    assert await ask() == first


async def test_expired_leads_are_deleted_spam_after_thirty_days(services, site, ask, clock):
    # Source: specification V10.9.
    kept = await ask()
    await ask(**OTHER, is_suspected=True)
    upkeep = LeadUpkeep(site)
    clock.advance(days=30)
    await upkeep.run_once()
    assert await count(services.database, DemoRequestRow) == 2
    clock.advance(days=1)
    await upkeep.run_once()
    assert [row.id for row in await rows(services.database, LeadRow)] == [kept]
    clock.advance(days=600)
    await site.leads.change(await site.leads.find(kept), {LeadField.NOTE: "Still asks"}, "asha")
    clock.advance(days=731)
    await upkeep.run_once()
    assert await count(services.database, LeadRow) == 1
    clock.advance(seconds=1)
    await upkeep.run_once()
    for table in (DemoRequestRow, LeadRow, LeadEventRow, OutboxRow):
        assert await count(services.database, table) == 0


PEOPLE = st.tuples(
    st.sampled_from(["a@x.example", "A+tag@x.example", "b@x.example"]),
    st.sampled_from(["", "+91 98765 43210", "98765 43210", "+91 91234 56789"]),
    st.integers(0, 40 * 24),
    st.booleans(),
)
"""A request: address, phone, hours since the one before, and whether it is suspected."""


@sqlite_only
@settings(max_examples=30, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(asked=st.lists(PEOPLE, min_size=1, max_size=8))
async def test_leads_join_the_same_person_and_nobody_else(services, site, clock, asked):
    """The last genuine request of a mailbox within 30 days is of the same lead; so is any match."""
    for table in ("demo_requests", "leads", "outbox"):
        await execute(services.database, f"DELETE FROM {table}")
    for email, phone, hours, is_suspected in asked:
        clock.advance(hours=hours)
        await site.demo_requests.submit(
            request(email=email, phone=phone), is_suspected=is_suspected
        )
        clock.advance(seconds=1)
    stored = sorted(
        await rows(services.database, DemoRequestRow), key=lambda row: row.created_at_ms
    )
    leads = {row.id for row in await rows(services.database, LeadRow)}
    assert {row.lead_id for row in stored} == leads
    for number, row in enumerate(stored):
        since = to_ms(from_ms(row.created_at_ms) - MERGED_WITHIN)
        before = [
            each
            for each in stored[:number]
            if each.created_at_ms >= since and not each.is_suspected
        ]
        of_mailbox = [each for each in before if mailbox_of(each.email) == mailbox_of(row.email)]
        of_phone = [
            each for each in before if row.phone and phone_key(each.phone) == phone_key(row.phone)
        ]
        same = of_mailbox or of_phone
        expected = same[-1].lead_id if same and not row.is_suspected else row.id
        assert row.lead_id == expected


def test_merging_takes_at_most_thirty_days():
    assert timedelta(days=30) == MERGED_WITHIN
