"""The Twilio adapter: requests, mapping of responses, and error handling."""

import asyncio
import socket
import time
from contextlib import ExitStack
from dataclasses import replace
from datetime import timedelta
from urllib.parse import urlsplit

import pytest
from pydantic import SecretStr
from twilio.request_validator import RequestValidator

from campus_app.notifications.providers.phone_numbers import dialable
from campus_app.notifications.providers.twilio.calls import TwilioCalls
from campus_app.notifications.providers.twilio.client import (
    TwilioAccount,
    create_client,
    open_http_client,
)
from campus_app.notifications.rules.missed_call import CallReport, CallStatus
from kit.outbox.errors import ChannelDown, DeliveryPostponed, DeliveryRejected, OutcomeUnknown
from tests.fakes.twilio import (
    ACCOUNT_SID,
    AUTH_TOKEN,
    OUR_NUMBER,
    VENDOR_PHONE,
    FakeTwilio,
    Fault,
    signature,
)
from tests.helpers.server import serving

pytestmark = pytest.mark.anyio

STATUS_CALLBACK = "https://food-points.example/api/calls/twilio/a-token"
SILENT = Fault(is_silent=True)
SHORT_TIMEOUT_SECONDS = 6.0
"""A timeout for servers that never answer, half of it for connecting."""


@pytest.fixture
async def fake(clock):
    fake = FakeTwilio(clock)
    async with serving(fake.app) as address:
        fake.address = address
        yield fake


@pytest.fixture
def account(fake):
    return TwilioAccount(ACCOUNT_SID, SecretStr(AUTH_TOKEN), OUR_NUMBER, fake.address)


@pytest.fixture
def twilio(account, clock):
    return TwilioCalls(account, clock)


@pytest.fixture
def short_timeout_twilio(account, clock):
    return TwilioCalls(replace(account, timeout_seconds=SHORT_TIMEOUT_SECONDS), clock)


async def test_create_call_rings_briefly_and_hangs_up(twilio, fake):
    # Source: specification P4.10.
    report = await twilio.create_call(VENDOR_PHONE, STATUS_CALLBACK)
    assert report == CallReport(fake.only.sid, CallStatus.QUEUED)
    (asked,) = fake.seen
    assert asked.fields == {
        "To": [VENDOR_PHONE],
        "From": [OUR_NUMBER],
        "Twiml": ["<Response><Hangup/></Response>"],
        "Timeout": ["12"],
        "StatusCallback": [STATUS_CALLBACK],
        "StatusCallbackMethod": ["POST"],
        "StatusCallbackEvent": ["initiated", "ringing", "answered", "completed"],
    }
    assert all(fake.wants_webhook(fake.only, status) for status in CallStatus)


async def test_create_call_requests_no_webhooks_for_local_url(twilio, fake):
    await twilio.create_call(VENDOR_PHONE, "http://localhost:3000/api/calls/twilio/a-token")
    assert not any(name.startswith("StatusCallback") for name in fake.only.fields)


async def test_environment_does_not_redirect_calls(account, clock, fake, monkeypatch):
    for name in ("HTTP_PROXY", "http_proxy", "ALL_PROXY"):
        monkeypatch.setenv(name, "http://127.0.0.1:1")
    monkeypatch.setenv("TWILIO_REGION", "ie1")
    monkeypatch.setenv("TWILIO_EDGE", "dublin")
    monkeypatch.setenv("TWILIO_ACCOUNT_SID", "AC" + "f" * 32)
    await TwilioCalls(account, clock).create_call(VENDOR_PHONE, STATUS_CALLBACK)
    assert len(fake.calls) == 1
    real = TwilioAccount(ACCOUNT_SID, SecretStr("x"), OUR_NUMBER, "https://api.twilio.com")
    async with open_http_client(real) as connection:
        assert create_client(real, connection).get_hostname("https://api.twilio.com/x") == (
            "https://api.twilio.com/x"
        )


async def test_create_call_times_out(short_timeout_twilio, fake):
    # Twilio's own asynchronous client ignores the timeout.
    fake.fail_next("create", SILENT)
    began = time.monotonic()
    with pytest.raises(OutcomeUnknown):
        await short_timeout_twilio.create_call(VENDOR_PHONE, STATUS_CALLBACK)
    assert SHORT_TIMEOUT_SECONDS <= time.monotonic() - began < 10


async def test_create_call_raises_channel_down_when_connection_times_out(clock):
    with ExitStack() as opened:
        full = opened.enter_context(socket.create_server(("127.0.0.1", 0), backlog=0))
        for _ in range(4):
            waiting = opened.enter_context(socket.socket())
            waiting.setblocking(False)
            waiting.connect_ex(full.getsockname())
        account = TwilioAccount(
            ACCOUNT_SID,
            SecretStr(AUTH_TOKEN),
            OUR_NUMBER,
            f"http://127.0.0.1:{full.getsockname()[1]}",
            timeout_seconds=8.0,
        )
        with pytest.raises(ChannelDown, match="ConnectTimeout"):
            await TwilioCalls(account, clock).create_call(VENDOR_PHONE, STATUS_CALLBACK)


UNREADABLE = [
    Fault(201, content=b""),
    Fault(201, content=b"[]"),
    Fault(201, content=b"{}"),
    Fault(201, content=b'{"sid": 7, "status": "queued"}'),
    Fault(201, content=b'{"sid": "CA../../etc", "status": "queued"}'),
    Fault(201, content=b"[" * 100_000),
    Fault(201, content=b" " * (2 << 20)),
    Fault(302, content=b"{}"),
]


async def test_create_call_raises_outcome_unknown_for_unreadable_answer(account, clock, fake):
    for fault in UNREADABLE:
        fake.fail_next("create", fault)
        with pytest.raises(OutcomeUnknown):
            await TwilioCalls(account, clock).create_call(VENDOR_PHONE, STATUS_CALLBACK)


FAULTS = {
    DeliveryRejected: [
        *(Fault(400, code) for code in (21211, 21217, 21214, 21210, 21212, 21208)),
        *(Fault(403, 21215), Fault(403, 21216), Fault(404, 20404)),
    ],
    ChannelDown: [
        *(Fault(401, 20003), Fault(403, 20005), Fault(401)),
        *(Fault(429, 20429), Fault(429), Fault(503, 20503)),
    ],
    OutcomeUnknown: [Fault(500, 20500), Fault(502), Fault(drops=True)],
}


@pytest.mark.parametrize("is_problem", [False, True], ids=["error", "RFC 9457"])
@pytest.mark.parametrize("kind", FAULTS)
async def test_create_call_raises_error_of_failure(account, clock, fake, kind, is_problem):
    # Source: specification P4.11; Twilio error dictionary.
    for fault in FAULTS[kind]:
        fake.fail_next("create", replace(fault, is_problem=is_problem))
        with pytest.raises((DeliveryRejected, DeliveryPostponed)) as raised:
            await TwilioCalls(account, clock).create_call(VENDOR_PHONE, STATUS_CALLBACK)
        assert type(raised.value) is kind, fault
        assert VENDOR_PHONE not in str(raised.value)


async def test_create_call_probes_service_after_failure(twilio, fake, clock):
    fake.fail_next("create", Fault(drops=True))
    with pytest.raises(OutcomeUnknown):
        await twilio.create_call(VENDOR_PHONE, STATUS_CALLBACK)
    with pytest.raises(ChannelDown) as closed:
        await twilio.create_call(VENDOR_PHONE, STATUS_CALLBACK)
    assert (twilio.is_up(), [each.call for each in fake.seen]) == (False, ["create"])
    clock.advance(seconds=closed.value.seconds)
    fake.fail_next("list", Fault(drops=True))
    with pytest.raises(ChannelDown):
        await twilio.create_call(VENDOR_PHONE, STATUS_CALLBACK)
    assert [each.call for each in fake.seen] == ["create", "list"]
    clock.advance(seconds=300)
    await twilio.create_call(VENDOR_PHONE, STATUS_CALLBACK)
    assert ([each.call for each in fake.seen][2:], twilio.is_up()) == (["list", "create"], True)


async def test_circuit_closes_in_time_when_the_clock_was_set_back(twilio, fake, clock):
    fake.fail_next("create", Fault(drops=True))
    with pytest.raises(OutcomeUnknown):
        await twilio.create_call(VENDOR_PHONE, STATUS_CALLBACK)
    with pytest.raises(ChannelDown) as closed:
        await twilio.create_call(VENDOR_PHONE, STATUS_CALLBACK)
    clock.set(clock.now() - timedelta(hours=1))
    clock.advance(seconds=closed.value.seconds)
    await twilio.create_call(VENDOR_PHONE, STATUS_CALLBACK)
    assert twilio.is_up()


async def test_rejected_credentials_open_circuit_for_long(twilio, fake):
    fake.token = "another"
    with pytest.raises(ChannelDown) as closed:
        await twilio.create_call(VENDOR_PHONE, STATUS_CALLBACK)
    assert closed.value.seconds == 300


async def test_rejected_number_keeps_circuit_closed(twilio, fake):
    fake.fail_next("create", Fault(400, 21211))
    with pytest.raises(DeliveryRejected):
        await twilio.create_call(VENDOR_PHONE, STATUS_CALLBACK)
    await twilio.create_call(VENDOR_PHONE, STATUS_CALLBACK)
    assert len(fake.calls) == 1


async def test_find_calls_includes_queued_and_omits_older_calls(twilio, clock):
    await twilio.create_call(VENDOR_PHONE, STATUS_CALLBACK)
    clock.advance(minutes=1)
    since = clock.now()
    report = await twilio.create_call(VENDOR_PHONE, STATUS_CALLBACK)
    await twilio.create_call("+919800000002", STATUS_CALLBACK)
    until = clock.advance(minutes=1)
    await twilio.create_call(VENDOR_PHONE, STATUS_CALLBACK)
    assert await twilio.find_calls(VENDOR_PHONE, since, until - timedelta(seconds=1)) == [report]


async def test_fetch_call_returns_status(twilio, fake):
    report = await twilio.create_call(VENDOR_PHONE, STATUS_CALLBACK)
    fake.move(fake.only, "no-answer")
    assert await twilio.fetch_call(report.sid) == CallReport(report.sid, CallStatus.NO_ANSWER)
    fake.only.status = "levitating"
    assert await twilio.fetch_call(report.sid) == CallReport(report.sid, None)


async def test_concurrent_calls_have_own_connections(twilio, fake):
    await asyncio.gather(*(twilio.create_call(VENDOR_PHONE, STATUS_CALLBACK) for _ in range(10)))
    assert len(fake.calls) == 10


async def test_signature_equals_twilios_example():
    url = "https://mycompany.com/myapp.php?foo=1&bar=2"
    fields = {
        "CallSid": "CA1234567890ABCDE",
        "Caller": "+14158675309",
        "Digits": "1234",
        "From": "+14158675309",
        "To": "+18005551212",
    }
    ours = signature("12345", url, fields)
    assert ours == RequestValidator("12345").compute_signature(url, fields)
    assert urlsplit(url).query


def test_dialable_returns_e164_number():
    devanagari = "\u096f\u096e\u0966\u0966\u0966\u0966\u0966\u0966\u0966\u0967"
    for text in ("+91 98000 00001", "09800000001", "0091 98000-00001", devanagari):
        assert dialable(text) == "+919800000001"
    assert dialable("011 2345 6789") == "+911123456789"


def test_dialable_raises_value_error_for_other_numbers():
    others = ("+91+919800000001", "+910000000001", "+14155552671", "1800 123 4567")
    for text in ("", "+91", *others, "x" * 300):
        with pytest.raises(ValueError, match="not a"):
            dialable(text)
