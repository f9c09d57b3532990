"""`/tara/request/{token}`: a GET changes nothing; a POST adds a sentence or withdraws."""

import httpx
import pytest

from campus_app.http_api import create_api
from kit.outbox.models import OutboxRow
from tests.helpers.databases import sqlite_only
from tests.helpers.demo import REQUEST_BODY, mail_files, site_on
from tests.helpers.flows import drain
from tests.helpers.settings import ORIGIN
from tests.helpers.tables import count, execute, rows
from voice_site.adapters.tables import DemoRequestRow, LeadEventRow, LeadRow
from voice_site.api.request_link import create_router
from voice_site.content.plans import VARIANTS
from voice_site.domain.demo_request import read_request

pytestmark = [pytest.mark.anyio, sqlite_only]

SALES = "sales@davinci.example"
SENTENCE = {"action": "add", "sentence": " Please call\nafter six. "}
WITHDRAW = {"action": "withdraw"}
TYPED = "After <six>,\r\nplease"
TYPED_AGAIN = "required>After &lt;six&gt;,\nplease</textarea>"


@pytest.fixture
def site(services):
    return site_on(services, sales_email=SALES)


@pytest.fixture
async def api(site):
    transport = httpx.ASGITransport(app=create_api(create_router(site)))
    async with httpx.AsyncClient(transport=transport, base_url=ORIGIN) as client:
        yield client


@pytest.fixture
def ask(site):
    """Sends a request and returns it as it is stored."""

    async def ask(**changes):
        body = read_request(REQUEST_BODY | changes, VARIANTS)
        return await site.demo_requests.find(await site.demo_requests.submit(body))

    return ask


async def test_get_shows_the_request_and_changes_nothing(api, ask, services):
    # Source: specification V10.15, V10.17.
    stored = await ask()
    for method in ("GET", "GET", "HEAD"):
        response = await api.request(method, stored.link_path)
    response = await api.get(stored.link_path)
    assert response.status_code == 200
    assert stored.reference in response.text
    assert "TARA PRO" in response.text
    assert "Priya" not in response.text
    assert '<meta name="robots" content="noindex">' in response.text
    assert response.headers["x-robots-tag"] == "noindex"
    assert response.headers["cache-control"] == "no-store"
    assert await count(services.database, DemoRequestRow) == 1
    assert await count(services.database, LeadEventRow) == 0


@pytest.mark.parametrize("token", ["x", "%00", "a" * 300, "..", "%F0%9F%98%80"])
async def test_unknown_link_is_410(api, ask, token):
    await ask()
    for method in ("GET", "POST"):
        response = await api.request(method, f"/tara/request/{token}", data=WITHDRAW)
        assert response.status_code in {404, 405, 410}, response.text
    assert (await api.get("/tara/request/x")).status_code == 410


async def test_sentence_is_added_once_and_mailed_to_sales(api, ask, site, services):
    # Source: specification V10.16.
    stored = await ask()
    await drain(services)
    for _ in range(2):
        response = await api.post(stored.link_path, data=SENTENCE)
        assert response.status_code == 200
        assert "We have added your sentence." in response.text
    (event,) = await rows(services.database, LeadEventRow)
    assert (event.actor, event.value) == (f"visitor {stored.reference}", "Please call after six.")
    await drain(services)
    mails = [file.read_text() for file in mail_files(services, "lead.")]
    assert len(mails) == 1
    assert "Please call after six." in mails[0]
    assert "Subject: Added by the visitor: Southern College" in mails[0]


@pytest.mark.parametrize(
    "data",
    [{}, {"action": "add"}, {"action": "add", "sentence": " \n"}, {"action": "delete"}]
    + [{"action": "add", "sentence": "x" * length} for length in (501, 100_000)],
)
async def test_other_posts_are_422_and_change_nothing(api, ask, services, data):
    stored = await ask()
    response = await api.post(stored.link_path, data=data)
    assert response.status_code == 422
    assert await count(services.database, LeadEventRow) == 0
    assert await count(services.database, DemoRequestRow) == 1


async def test_at_most_ten_sentences_are_added_to_a_lead(api, ask, services):
    stored = await ask()
    statuses = [
        (await api.post(stored.link_path, data=SENTENCE | {"sentence": f"{n}"})).status_code
        for n in range(11)
    ]
    assert statuses == [200] * 10 + [422]
    assert await count(services.database, LeadEventRow) == 10


async def test_withdrawal_deletes_everything_and_tells_sales_the_reference(api, ask, services):
    # Source: specification V10.17.
    stored = await ask()
    await ask(email="Priya+2@company.example")
    await api.post(stored.link_path, data=SENTENCE)
    response = await api.post(stored.link_path, data=WITHDRAW)
    assert response.status_code == 200
    assert "Your request is deleted." in response.text
    for table in (DemoRequestRow, LeadRow, LeadEventRow):
        assert await count(services.database, table) == 0
    (job,) = await rows(services.database, OutboxRow)
    assert (job.topic, job.subject, job.payload) == ("lead.withdrawn", stored.reference, {})
    await drain(services)
    (mail,) = mail_files(services, "lead.")
    assert f"Subject: Withdrawn ({stored.reference})" in mail.read_text()
    assert "Priya" not in mail.read_text()
    assert (await api.get(stored.link_path)).status_code == 410
    assert (await api.post(stored.link_path, data=WITHDRAW)).status_code == 410


async def test_withdrawal_keeps_requests_of_the_lead_with_another_address(api, ask, site, services):
    """Otherwise whoever knows a phone number could delete the requests of its owner."""
    first = await ask()
    other = await ask(email="mallory@other.example")
    assert other.lead_id == first.lead_id
    await api.post(first.link_path, data=SENTENCE)
    await api.post(other.link_path, data=SENTENCE | {"sentence": "Mine"})
    await api.post(other.link_path, data=WITHDRAW)
    file = await site.leads.file_of(await site.leads.find(first.id))
    assert [each.id for each in file.requests] == [first.id]
    assert [each.value for each in file.history] == ["Please call after six."]


async def test_sentence_is_mailed_when_an_earlier_one_has_been_deleted(api, ask, services):
    first, other = await ask(), await ask(email="asha@other.example")
    await api.post(first.link_path, data=SENTENCE)
    await drain(services)
    await api.post(other.link_path, data=SENTENCE | {"sentence": "waits"})
    await api.post(first.link_path, data=WITHDRAW)
    await drain(services)
    await api.post(other.link_path, data=SENTENCE | {"sentence": "comes after it"})
    await drain(services)
    mails = [file.read_text() for file in mail_files(services, "lead.addition")]
    for words in ("Please call after six.", "waits", "comes after it"):
        assert sum(words in mail for mail in mails) >= 1, words
    assert len(mails) == 3


async def test_page_says_so_when_the_database_does_not_answer(api, ask, services):
    stored = await ask()
    await execute(services.database, "PRAGMA query_only = ON")
    response = await api.post(stored.link_path, data=WITHDRAW)
    assert response.status_code == 503
    assert "Please try again in a minute." in response.text


@pytest.fixture
async def limited(services):
    """The page where an address may post once a minute."""
    site = site_on(services, demo_requests_per_minute=1)
    transport = httpx.ASGITransport(app=create_api(create_router(site)))
    async with httpx.AsyncClient(transport=transport, base_url=ORIGIN) as client:
        yield client


async def test_posts_of_one_address_are_limited(limited):
    statuses = [(await limited.post("/tara/request/x")).status_code for _ in range(3)]
    assert statuses[0] == 410
    assert 429 in statuses


async def test_sentence_stays_in_its_field_when_too_many_are_sent(limited):
    for _ in range(3):
        response = await limited.post("/tara/request/x", data=SENTENCE | {"sentence": TYPED})
    assert response.status_code == 429
    assert TYPED_AGAIN in response.text
    assert 'value="add"' in response.text
    assert 'value="withdraw"' not in response.text
    response = await limited.post("/tara/request/x", data=WITHDRAW | {"sentence": TYPED})
    assert (response.status_code, "<textarea" in response.text) == (429, False)


async def test_sentence_stays_in_its_field_without_the_database(api, ask, services):
    stored = await ask()
    await execute(services.database, "PRAGMA query_only = ON")
    response = await api.post(stored.link_path, data=SENTENCE | {"sentence": TYPED})
    assert response.status_code == 503
    assert TYPED_AGAIN in response.text
    assert 'value="add"' in response.text


async def test_refused_sentence_stays_in_its_field_as_far_as_it_fits(api, ask):
    stored = await ask()
    refused = await api.post(stored.link_path, data=SENTENCE | {"sentence": "a\r\n" * 300})
    assert refused.status_code == 422
    assert "required>" + "a\n" * 250 + "</textarea>" in refused.text
    added = await api.post(stored.link_path, data=SENTENCE)
    assert "required></textarea>" in added.text
