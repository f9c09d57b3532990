"""Notices of the telephone service: only its own, only about the call that they belong to."""

from urllib.parse import parse_qsl, urlencode

import pytest

from campus_app.adapters.sql.tables import CallAttemptRow
from tests.fakes.twilio import ACCOUNT_SID, AUTH_TOKEN, SignedWebhook, signature
from tests.helpers.databases import sqlite_only
from tests.helpers.settings import ORIGIN
from tests.helpers.tables import rows

pytestmark = pytest.mark.anyio


@pytest.fixture
async def called(scenario):
    """A product of which one phone was called."""
    await scenario.paid()
    return scenario


@pytest.fixture
def genuine(called) -> SignedWebhook:
    return called.fake.webhook(called.fake.only, "no-answer", 3)


def signed(
    path, fields, *, token=AUTH_TOKEN, origin=ORIGIN, digest="sha1", **headers
) -> SignedWebhook:
    given = {
        "content-type": "application/x-www-form-urlencoded",
        "x-twilio-signature": signature(token, origin + path, fields, digest),
    }
    return path, given | headers, urlencode(fields).encode()


def fields_of(notice):
    return dict(parse_qsl(notice[2].decode(), keep_blank_values=True))


async def ring(scenario):
    (row,) = await rows(scenario.services.database, CallAttemptRow)
    return row


async def nothing_changed(scenario):
    row = await ring(scenario)
    return (row.status, row.sid, row.sequence) == ("queued", scenario.fake.only.sid, None)


async def test_webhook_records_call_status_when_signature_is_valid(called, genuine):
    answer = await called.deliver(genuine)
    assert (answer.status_code, answer.content) == (204, b"")
    assert ((await ring(called)).status, (await ring(called)).sequence) == ("no-answer", 3)


async def test_webhook_accepts_sha256_signature(called, genuine):
    settings = {"x-twilio-webhooks-signature-settings": "key=SK1,algorithm=HMAC_SHA256"}
    path, fields = genuine[0], fields_of(genuine)
    answer = await called.deliver(signed(path, fields, digest="sha256", **settings))
    assert answer.status_code == 204


@sqlite_only
async def test_signature_covers_the_configured_url_not_the_host_header(called, genuine):
    path, headers, body = genuine
    others = {
        "host": "evil.example",
        "x-forwarded-host": "evil.example",
        "x-forwarded-proto": "http",
    }
    assert (await called.deliver((path, headers | others, body))).status_code == 204
    forged = signed(path, fields_of(genuine), origin="https://evil.example", **others)
    assert (await called.deliver(forged)).status_code == 403


def forgeries():
    def changed(**changes):
        return lambda notice: (
            notice[0],
            notice[1],
            urlencode(fields_of(notice) | changes).encode(),
        )

    def with_header(name, value):
        return lambda notice: (notice[0], notice[1] | {name: value}, notice[2])

    def resigned(**how):
        return lambda notice: signed(notice[0], fields_of(notice) | how.pop("fields", {}), **how)

    given = "x-twilio-signature"
    return {
        "another status": changed(CallStatus="completed"),
        "another call": changed(CallSid="CA" + "0" * 32),
        "a field more": changed(Digits="1"),
        "another token": resigned(token="guessed"),
        "an empty token": resigned(token=""),
        "no signature": with_header(given, ""),
        "half a signature": lambda n: (n[0], n[1] | {given: n[1][given][:14]}, n[2]),
        "another algorithm": with_header(
            "x-twilio-webhooks-signature-settings", "algorithm=HMAC_SHA256"
        ),
        "an unknown algorithm": with_header(
            "x-twilio-webhooks-signature-settings",
            "algorithm=none\r\nforged: line".replace("\r\n", " "),
        ),
        "another account": resigned(fields={"AccountSid": "AC" + "0" * 32}),
        "a call without a name": resigned(fields={"CallSid": "x"}),
        "a field twice": lambda n: (n[0], n[1], n[2] + b"&CallStatus=completed"),
        "no form": lambda n: (n[0], n[1], b"\xff\xfe{}"),
        "nothing": lambda n: (n[0], n[1], b""),
        "far too much": lambda n: (n[0], n[1], n[2] + b"&x=" + b"y" * 20_000),
        "too many fields": lambda n: (n[0], n[1], n[2] + b"&a=1" * 1000),
    }


@sqlite_only
@pytest.mark.parametrize("name", forgeries())
async def test_forged_webhook_is_rejected_without_effect(called, genuine, name):
    answer = await called.deliver(forgeries()[name](genuine))
    assert answer.status_code == 403
    assert answer.json() == {
        "error": {"code": "forbidden", "message": "This is not for you to say."}
    }
    assert await nothing_changed(called)


@sqlite_only
async def test_webhook_is_rejected_when_any_byte_is_changed(called, genuine):
    path, headers, body = genuine
    for place in range(0, len(body), 7):
        spoilt = body[:place] + bytes([body[place] ^ 1]) + body[place + 1 :]
        if parse_qsl(spoilt.decode()) != parse_qsl(body.decode()):
            assert (await called.deliver((path, headers, spoilt))).status_code == 403
    assert await nothing_changed(called)


@sqlite_only
async def test_oversized_webhook_is_rejected_unread(called, genuine):
    path, headers, _ = genuine
    answer = await called.deliver((path, headers, b"x" * 300_000))
    assert answer.status_code == 413


async def test_webhook_is_not_found_when_it_names_another_call(called, genuine):
    # Source: specification P4.12.
    fields = fields_of(genuine) | {"CallSid": "CA" + "f" * 32}
    answer = await called.deliver(signed(genuine[0], fields))
    assert answer.status_code == 404
    assert await nothing_changed(called)


async def test_webhook_cannot_be_replayed_at_the_url_of_another_call(called, genuine):
    await called.paid()
    first, second = called.fake.calls.values()
    path = called.fake.webhook(second, "no-answer", 0)[0]
    assert (await called.deliver((path, genuine[1], genuine[2]))).status_code == 403
    assert (await called.deliver(signed(path, fields_of(genuine)))).status_code == 404
    statuses = {row.sid: row.status for row in await rows(called.services.database, CallAttemptRow)}
    assert statuses == {first.sid: "queued", second.sid: "queued"}


@pytest.mark.parametrize("token", ["x" * 32, "A" * 31, "a" * 33, "..%2f" + "x" * 28, "%00" * 32])
async def test_webhook_is_not_found_when_token_is_unknown(called, genuine, token):
    path = f"/api/calls/twilio/{token}"
    answer = await called.deliver(signed(path, fields_of(genuine)))
    assert (answer.status_code, answer.json()["error"]["code"]) == (404, "not_found")


@sqlite_only
async def test_webhook_is_not_found_when_service_is_not_configured(called, genuine):
    path, headers, body = genuine
    answer = await called.deliver((path.replace("twilio", "exotel"), headers, body))
    assert answer.status_code == 404


@sqlite_only
async def test_webhook_is_not_found_when_calls_go_to_the_outbox(api):
    answer = await api.post(f"/api/calls/twilio/{'x' * 32}", content=b"")
    assert (answer.status_code, answer.json()["error"]["code"]) == (404, "not_found")


@sqlite_only
async def test_unknown_call_status_is_accepted_without_effect(called):
    notice = called.fake.webhook(called.fake.only, "levitating", 1)
    assert (await called.deliver(notice)).status_code == 204
    assert (await ring(called)).status == "queued"


@sqlite_only
@pytest.mark.parametrize("number", ["", "-1", "1e9", "9" * 40, "١"])
async def test_invalid_sequence_number_is_stored_as_none(called, genuine, number):
    fields = fields_of(genuine) | {"SequenceNumber": number}
    assert (await called.deliver(signed(genuine[0], fields))).status_code == 204
    assert (await ring(called)).sequence is None


async def test_webhook_url_is_random_and_has_no_account_data(called):
    token = (await ring(called)).token
    (url,) = called.fake.only.fields["StatusCallback"]
    assert url == f"{ORIGIN}/api/calls/twilio/{token}"
    assert len(token) == 32
    assert ACCOUNT_SID not in url
