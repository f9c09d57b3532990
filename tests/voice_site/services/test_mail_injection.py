"""Header injection through each field of a demo request, checked in the received mail."""

import pytest

from tests.fakes.mail_server import mail_server, smtp_settings
from tests.helpers.databases import sqlite_only
from tests.helpers.demo import REQUEST_BODY, site_on
from tests.helpers.flows import drain
from tests.helpers.mail_bytes import HEADERS, KINDS_OF_INJECTION, KINDS_OF_NAME, read_mail
from tests.helpers.tables import execute
from voice_site.content.plans import VARIANTS
from voice_site.domain.demo_request import greeted_name, read_request

pytestmark = [pytest.mark.anyio, sqlite_only]

ADDRESS = "priya@company.example"


@pytest.fixture
async def server():
    async with mail_server() as opened:
        yield opened


@pytest.fixture
def services(new_services, server):
    """Services that send to the test's SMTP server."""
    return new_services(**smtp_settings(server.port))


@pytest.mark.parametrize("name", ["useCase", "additionalNotes"])
@pytest.mark.parametrize("text", KINDS_OF_INJECTION, ids=repr)
async def test_confirmation_has_no_extra_headers_when_notes_hold_an_injection(
    services, server, name, text
):
    requests = site_on(services).demo_requests
    await requests.submit(read_request(REQUEST_BODY | {name: text}, VARIANTS))
    await drain(services)
    await services.mailer.close()
    (content,) = server.contents
    assert read_mail(content).headers == HEADERS
    assert server.recipients == [[ADDRESS]]


@pytest.mark.parametrize("name", KINDS_OF_NAME, ids=repr)
async def test_confirmation_keeps_legitimate_names_unchanged(services, server, name):
    await site_on(services).demo_requests.submit(
        read_request(REQUEST_BODY | {"fullName": name}, VARIANTS)
    )
    await drain(services)
    await services.mailer.close()
    (content,) = server.contents
    read = read_mail(content)
    assert read.headers == HEADERS
    assert read.to == [(greeted_name(name), ADDRESS)]
    assert read.sender == ("TARA by DA'VINCI", "orders@food-points.example")


async def store_request_with(services, column, value):
    """Store a request as it was before such text was rejected, and run its jobs."""
    await site_on(services).demo_requests.submit(read_request(REQUEST_BODY, VARIANTS))
    await execute(services.database, f"UPDATE demo_requests SET {column} = :value", value=value)
    await drain(services)
    await services.mailer.close()


async def test_confirmation_is_not_sent_when_stored_address_holds_an_injection(services, server):
    await store_request_with(services, "email", "a@b.c\nBcc: x@y.org")
    assert server.contents == []


async def test_confirmation_has_no_greeting_when_stored_name_holds_injection(services, server):
    await store_request_with(services, "full_name", "=?utf-8?q?=0aBcc:_x?=")
    (content,) = server.contents
    read = read_mail(content)
    assert (read.headers, read.to) == (HEADERS, [("", ADDRESS)])
    assert server.recipients == [[ADDRESS]]
