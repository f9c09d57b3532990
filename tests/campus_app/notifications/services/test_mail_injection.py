"""Header injection in every field of every e-mail, as the mail server receives it."""

from dataclasses import replace

import pytest

from campus_app.ordering.rules.instructions import Instructions
from campus_app.shared.rules.errors import Invalid
from kit.outbox.models import JobState, OutboxRow
from tests.fakes.mail_server import mail_server, smtp_settings
from tests.helpers.builders import CUSTOMER, order_request
from tests.helpers.databases import sqlite_only
from tests.helpers.flows import drain, pay
from tests.helpers.mail_bytes import (
    HEADERS,
    INJECTIONS,
    KINDS_OF_INJECTION,
    KINDS_OF_NAME,
    read_mail,
)
from tests.helpers.tables import execute, rows

pytestmark = [pytest.mark.anyio, sqlite_only]

CUSTOMER_ADDRESS, VENDOR_ADDRESS = "aarav@students.example", "vendor1@pehla.example"


@pytest.fixture
async def server():
    async with mail_server() as opened:
        yield opened


@pytest.fixture
def services(new_services, server):
    """Services that send e-mails to the mail server of the test."""
    return new_services(**smtp_settings(server.port))


def customer(**changes):
    return order_request(customer=CUSTOMER | changes)


async def refused_fields(services, changes):
    try:
        await services.ordering.prepare(customer(**changes))
    except Invalid as error:
        return error.fields
    return {}


async def test_order_is_refused_when_name_has_header_injection(services):
    words = {"fullName": "Please use only ordinary characters in the name"}
    refused = {text: await refused_fields(services, {"fullName": text}) for text in INJECTIONS}
    assert refused == dict.fromkeys(INJECTIONS, words)


async def test_order_is_refused_when_email_has_header_injection(services):
    addresses = ["=?utf-8?q?=0d=0aBcc=3ax?=@x.org", *(f"{text}@x.org" for text in INJECTIONS)]
    words = {"email": "Please enter a valid email address"}
    refused = {each: await refused_fields(services, {"email": each}) for each in addresses}
    assert refused == dict.fromkeys(addresses, words)


@pytest.mark.parametrize("text", KINDS_OF_INJECTION, ids=repr)
async def test_mail_headers_are_unchanged_when_other_fields_have_injection(services, server, text):
    # Address and note are in the body only, where such text is harmless.
    request = replace(customer(address=text), instructions=Instructions(text, text))
    await pay(services, await services.ordering.prepare(request))
    await drain(services)
    await services.mailer.close()
    mails = [read_mail(content) for content in server.contents]
    assert [each.headers for each in mails] == [HEADERS, HEADERS]
    assert sorted(address for each in mails for _, address in each.to) == [
        CUSTOMER_ADDRESS,
        VENDOR_ADDRESS,
    ]
    assert all("Order" in each.subject or "order" in each.subject for each in mails)


@pytest.mark.parametrize("name", KINDS_OF_NAME, ids=repr)
async def test_confirmation_keeps_legitimate_name_unchanged(services, server, name):
    await pay(services, await services.ordering.prepare(customer(fullName=name)))
    await drain(services)
    await services.mailer.close()
    people = [person for content in server.contents for person in read_mail(content).to]
    assert (name, CUSTOMER_ADDRESS) in people


@pytest.mark.parametrize("column", ["full_name", "email"])
@pytest.mark.parametrize("text", KINDS_OF_INJECTION, ids=repr)
async def test_confirmation_is_not_sent_when_stored_order_has_injection(
    services, server, column, text
):
    """An order stored before such text was refused."""
    stored = await services.ordering.prepare(customer())
    value = text if column == "full_name" else f"{text}@x.org"
    await execute(services.database, f"UPDATE orders SET {column} = :value", value=value)
    await pay(services, stored)
    await drain(services)
    await services.mailer.close()
    assert server.recipients == [[VENDOR_ADDRESS]]
    jobs = {job.topic: job for job in await rows(services.database, OutboxRow)}
    assert jobs["mail.customer"].state == JobState.DEAD
    assert (
        jobs["mail.customer"].last_error
        == "an address, a name or the subject is not valid in a header"
    )
