"""Push messages over HTTP, to a push service that decrypts them and verifies the tokens."""

import time
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime

import pytest

from kit.outbox.errors import ChannelDown, DeliveryPostponed, DeliveryRejected
from kit.push.message import MAXIMUM_PAYLOAD_BYTES, SubscriptionGone, Urgency
from kit.push.sender import WebPushSender
from kit.push.subscription import PushServices, PushSubscription
from kit.push.vapid import VapidKey, new_private_key
from tests.fakes.push_service import Answer, Browser, push_service

pytestmark = pytest.mark.anyio
PAYLOAD = "ऑर्डर AS_482".encode()


@pytest.fixture
async def service():
    async with push_service() as opened:
        yield opened


@pytest.fixture
def key():
    return VapidKey(new_private_key, "orders@food-points.example")


@pytest.fixture
def services(service):
    return PushServices((service.origin,))


@pytest.fixture
def sender(key, services, clock):
    return WebPushSender(key, services, clock, timeout_seconds=3.0)


@pytest.fixture
def browser(service, key):
    return service.browser(key.public_key)


@pytest.fixture
def send(sender, services, browser):
    async def send(payload=PAYLOAD, ttl_seconds=60, **options):
        subscription = services.parse(browser.to_json())
        await sender.send(subscription, payload, ttl_seconds=ttl_seconds, **options)

    return send


async def test_message_is_encrypted_for_the_browser_and_signed(send, service, browser):
    await send(topic="ready-1", urgency=Urgency.HIGH)
    (message,) = service.received_by(browser)
    assert message.payload == PAYLOAD
    assert message.headers["ttl"] == "60"
    assert message.headers["urgency"] == "high"
    assert message.headers["topic"] == "ready-1"
    assert message.token["aud"] == service.origin
    assert message.token["sub"] == "mailto:orders@food-points.example"
    assert 0 < message.token["exp"] - time.time() <= 3_600


async def test_message_has_no_topic_by_default(send, service):
    await send()
    assert "topic" not in service.messages[0].headers
    assert service.messages[0].headers["urgency"] == "normal"


async def test_token_is_valid_when_product_clock_is_years_ahead(send, service, clock):
    clock.advance(days=2_000)
    await send()
    assert len(service.messages) == 1


async def test_longest_payload_is_accepted(send, service):
    await send(b"x" * MAXIMUM_PAYLOAD_BYTES)
    assert service.messages[0].payload == b"x" * MAXIMUM_PAYLOAD_BYTES


@pytest.mark.parametrize(
    "options",
    [
        pytest.param({"payload": b""}, id="no payload"),
        pytest.param({"payload": b"x" * (MAXIMUM_PAYLOAD_BYTES + 1)}, id="long payload"),
        pytest.param({"ttl_seconds": 0}, id="TTL 0, which one service refuses"),
        pytest.param({"topic": "x" * 33}, id="long topic"),
        pytest.param({"topic": "a b"}, id="topic with a blank"),
        pytest.param({"topic": "x\r\nhost: y"}, id="header in the topic"),
    ],
)
async def test_invalid_argument_raises_value_error(send, service, options):
    with pytest.raises(ValueError, match="must"):
        await send(**options)
    assert service.requests == 0


@pytest.mark.parametrize("status", [404, 410])
async def test_ended_subscription_raises_subscription_gone(send, service, status):
    service.answers.append(Answer(status))
    with pytest.raises(SubscriptionGone):
        await send()


@pytest.mark.parametrize("status", [400, 401, 403, 413])
async def test_refused_message_raises_delivery_rejected(send, service, status):
    service.answers.append(Answer(status))
    with pytest.raises(DeliveryRejected) as raised:
        await send()
    assert not isinstance(raised.value, SubscriptionGone)
    assert service.origin in str(raised.value)


async def test_message_is_refused_when_key_is_another_one(services, service, browser, clock):
    other_key = VapidKey(new_private_key, "orders@food-points.example")
    with pytest.raises(DeliveryRejected, match="403"):
        await WebPushSender(other_key, services, clock).send(
            services.parse(browser.to_json()), PAYLOAD, ttl_seconds=60
        )
    assert service.messages == []


@pytest.mark.parametrize("status", [429, 500, 503])
async def test_overloaded_service_postpones_delivery(send, service, status):
    service.answers.append(Answer(status))
    with pytest.raises(DeliveryPostponed) as raised:
        await send()
    assert not isinstance(raised.value, ChannelDown)
    await send()
    assert len(service.messages) == 1


def header_text(value):
    """Return the header's text; a duration is a date from now on."""
    if isinstance(value, timedelta):
        return format_datetime(datetime.now(UTC) + value, usegmt=True)
    return value


@pytest.mark.parametrize(
    ("header", "least", "most"),
    [
        pytest.param("37", 37, 37, id="seconds"),
        pytest.param("0", 1, 1, id="no seconds"),
        pytest.param("999999", 600, 600, id="more than ten minutes"),
        pytest.param(timedelta(seconds=300), 60, 300, id="date"),
        pytest.param(timedelta(seconds=-300), 1, 1, id="date in the past"),
    ],
)
@pytest.mark.parametrize("status", [429, 503])
async def test_retry_after_sets_the_time_of_the_next_attempt(
    send, service, status, header, least, most
):
    service.answers.append(Answer(status, {"retry-after": header_text(header)}))
    with pytest.raises(ChannelDown) as raised:
        await send()
    assert least <= raised.value.seconds <= most


@pytest.mark.parametrize("header", ["soon", "-5", "", "1e3"])
async def test_invalid_retry_after_is_ignored(send, service, header):
    service.answers.append(Answer(429, {"retry-after": header}))
    with pytest.raises(DeliveryPostponed) as raised:
        await send()
    assert not isinstance(raised.value, ChannelDown)


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
async def test_redirect_is_not_followed(send, service, status):
    service.answers.append(Answer(status, {"location": f"{service.origin}/internal"}))
    with pytest.raises(DeliveryRejected, match=str(status)):
        await send()
    assert (service.requests, service.internal_requests) == (1, 0)


@pytest.mark.parametrize(
    "answer", [pytest.param(Answer(hangs=True), id="hangs"), Answer(trickles=True)]
)
async def test_slow_service_is_down_for_a_while(send, service, clock, answer):
    service.answers.append(answer)
    began = time.monotonic()
    with pytest.raises(ChannelDown):
        await send()
    assert time.monotonic() - began < 8
    with pytest.raises(ChannelDown):
        await send()
    assert service.requests == 1
    clock.advance(seconds=5)
    await send()
    assert len(service.messages) == 1


async def test_service_is_tried_in_time_when_the_clock_was_set_back(send, service, clock):
    service.answers.append(Answer(hangs=True))
    with pytest.raises(ChannelDown):
        await send()
    clock.set(clock.now() - timedelta(hours=1))
    clock.advance(seconds=5)
    await send()
    assert len(service.messages) == 1


async def test_unreachable_service_is_down_without_blocking_others(key, service, clock):
    closed = PushServices((service.origin, "http://127.0.0.1:1"))
    both = WebPushSender(key, closed, clock)
    with pytest.raises(ChannelDown, match="ConnectError"):
        await both.send(
            closed.parse(Browser("http://127.0.0.1:1/x").to_json()), PAYLOAD, ttl_seconds=60
        )
    await both.send(closed.parse(service.browser().to_json()), PAYLOAD, ttl_seconds=60)
    assert len(service.messages) == 1


async def test_stored_endpoint_of_another_host_is_refused(sender, browser, services):
    keys = services.parse(browser.to_json())
    for endpoint in ("http://127.0.0.1:1/push/1", "https://169.254.169.254/latest/meta-data"):
        stored = PushSubscription(endpoint, keys.p256dh, keys.auth)
        with pytest.raises(DeliveryRejected, match="not of a known push service"):
            await sender.send(stored, PAYLOAD, ttl_seconds=60)
