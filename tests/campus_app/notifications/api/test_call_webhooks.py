"""Twilio's webhooks: each needs a valid signature, and the SID of the call of its URL."""

from urllib.parse import parse_qsl, urlencode

import pytest

from campus_app.notifications.sql.tables import CallAttemptRow
from tests.fakes.twilio import ACCOUNT_SID, AUTH_TOKEN, SignedWebhook, signature
from tests.helpers.databases import sqlite_only
from tests.helpers.settings import ORIGIN
from tests.helpers.tables import rows

pytestmark = [pytest.mark.anyio, sqlite_only]


@pytest.fixture
async def called(scenario):
    """A product that has made one call."""
    await scenario.paid()
    return scenario


@pytest.fixture
def valid(called) -> SignedWebhook:
    return called.fake.webhook(called.fake.only, "no-answer", 3)


def signed(
    path, fields, *, token=AUTH_TOKEN, origin=ORIGIN, digest="sha1", **headers
) -> SignedWebhook:
    own_headers = {
        "content-type": "application/x-www-form-urlencoded",
        "x-twilio-signature": signature(token, origin + path, fields, digest),
    }
    return path, own_headers | headers, urlencode(fields).encode()


def fields_of(webhook):
    return dict(parse_qsl(webhook[2].decode(), keep_blank_values=True))


async def attempt_of(scenario):
    (row,) = await rows(scenario.services.database, CallAttemptRow)
    return row


async def nothing_changed(scenario):
    row = await attempt_of(scenario)
    return (row.status, row.sid, row.sequence) == ("queued", scenario.fake.only.sid, None)


async def test_webhook_records_call_status_when_signature_is_valid(called, valid):
    response = await called.deliver(valid)
    assert (response.status_code, response.content) == (204, b"")
    assert ((await attempt_of(called)).status, (await attempt_of(called)).sequence) == (
        "no-answer",
        3,
    )


async def test_webhook_accepts_sha256_signature(called, valid):
    settings = {"x-twilio-webhooks-signature-settings": "key=SK1,algorithm=HMAC_SHA256"}
    path, fields = valid[0], fields_of(valid)
    response = await called.deliver(signed(path, fields, digest="sha256", **settings))
    assert response.status_code == 204


async def test_signature_covers_the_configured_url_not_the_host_header(called, valid):
    path, headers, body = valid
    others = {
        "host": "evil.example",
        "x-forwarded-host": "evil.example",
        "x-forwarded-proto": "http",
    }
    assert (await called.deliver((path, headers | others, body))).status_code == 204
    forged = signed(path, fields_of(valid), origin="https://evil.example", **others)
    assert (await called.deliver(forged)).status_code == 403


def forgeries():
    def changed(**changes):
        return lambda webhook: (
            webhook[0],
            webhook[1],
            urlencode(fields_of(webhook) | changes).encode(),
        )

    def with_header(name, value):
        return lambda webhook: (webhook[0], webhook[1] | {name: value}, webhook[2])

    def with_body(change):
        return lambda webhook: (webhook[0], webhook[1], change(webhook[2]))

    def resigned(token=AUTH_TOKEN, **changes):
        return lambda webhook: signed(webhook[0], fields_of(webhook) | changes, token=token)

    name = "x-twilio-signature"
    return {
        "another status": changed(CallStatus="completed"),
        "another call": changed(CallSid="CA" + "0" * 32),
        "an added field": changed(Digits="1"),
        "another token": resigned(token="guessed"),
        "an empty token": resigned(token=""),
        "no signature": with_header(name, ""),
        "half a signature": lambda webhook: (
            webhook[0],
            webhook[1] | {name: webhook[1][name][:14]},
            webhook[2],
        ),
        "another algorithm": with_header(
            "x-twilio-webhooks-signature-settings", "algorithm=HMAC_SHA256"
        ),
        "an unknown algorithm": with_header(
            "x-twilio-webhooks-signature-settings", "algorithm=none forged: line"
        ),
        "another account": resigned(AccountSid="AC" + "0" * 32),
        "an invalid call SID": resigned(CallSid="x"),
        "a field twice": with_body(lambda body: body + b"&CallStatus=completed"),
        "no form": with_body(lambda _body: b"\xff\xfe{}"),
        "an empty body": with_body(lambda _body: b""),
        "a field of 20,000 characters": with_body(lambda body: body + b"&x=" + b"y" * 20_000),
        "1,000 fields": with_body(lambda body: body + b"&a=1" * 1000),
    }


async def test_forged_webhook_is_rejected_without_effect(called, valid):
    error = {"code": "forbidden", "message": "This is not for you to say."}
    for name, forged in forgeries().items():
        response = await called.deliver(forged(valid))
        assert (response.status_code, response.json()) == (403, {"error": error}), name
        assert await nothing_changed(called), name


async def test_webhook_is_rejected_when_a_byte_is_changed(called, valid):
    path, headers, body = valid
    for index in range(0, len(body), 7):
        changed = body[:index] + bytes([body[index] ^ 1]) + body[index + 1 :]
        if parse_qsl(changed.decode()) != parse_qsl(body.decode()):
            assert (await called.deliver((path, headers, changed))).status_code == 403
    assert await nothing_changed(called)


async def test_oversized_webhook_is_rejected_unread(called, valid):
    path, headers, _ = valid
    response = await called.deliver((path, headers, b"x" * 300_000))
    assert response.status_code == 413


async def test_webhook_is_not_found_when_it_names_another_call(called, valid):
    # Source: specification P4.12.
    fields = fields_of(valid) | {"CallSid": "CA" + "f" * 32}
    response = await called.deliver(signed(valid[0], fields))
    assert response.status_code == 404
    assert await nothing_changed(called)


async def test_webhook_cannot_be_replayed_at_the_url_of_another_call(called, valid):
    await called.paid()
    first, second = called.fake.calls.values()
    path = called.fake.webhook(second, "no-answer", 0)[0]
    assert (await called.deliver((path, valid[1], valid[2]))).status_code == 403
    assert (await called.deliver(signed(path, fields_of(valid)))).status_code == 404
    statuses = {row.sid: row.status for row in await rows(called.services.database, CallAttemptRow)}
    assert statuses == {first.sid: "queued", second.sid: "queued"}


async def test_webhook_is_not_found_when_token_is_unknown(called, valid):
    for token in ("x" * 32, "A" * 31, "a" * 33, "..%2f" + "x" * 28, "%00" * 32):
        path = f"/api/calls/twilio/{token}"
        response = await called.deliver(signed(path, fields_of(valid)))
        assert (response.status_code, response.json()["error"]["code"]) == (404, "not_found")


async def test_webhook_is_not_found_when_service_is_not_configured(called, valid):
    path, headers, body = valid
    response = await called.deliver((path.replace("twilio", "exotel"), headers, body))
    assert response.status_code == 404


async def test_webhook_is_not_found_when_calls_go_to_the_outbox(api):
    response = await api.post(f"/api/calls/twilio/{'x' * 32}", content=b"")
    assert (response.status_code, response.json()["error"]["code"]) == (404, "not_found")


async def test_unknown_call_status_is_accepted_without_effect(called):
    webhook = called.fake.webhook(called.fake.only, "levitating", 1)
    assert (await called.deliver(webhook)).status_code == 204
    assert (await attempt_of(called)).status == "queued"


async def test_invalid_sequence_number_is_stored_as_none(called, valid):
    for number in ("", "-1", "1e9", "9" * 40, "١"):
        fields = fields_of(valid) | {"SequenceNumber": number}
        assert (await called.deliver(signed(valid[0], fields))).status_code == 204
        assert (await attempt_of(called)).sequence is None, number


async def test_webhook_url_is_random_and_has_no_account_data(called):
    token = (await attempt_of(called)).token
    (url,) = called.fake.only.fields["StatusCallback"]
    assert url == f"{ORIGIN}/api/calls/twilio/{token}"
    assert len(token) == 32
    assert ACCOUNT_SID not in url
