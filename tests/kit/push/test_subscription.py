"""Push subscriptions of browsers are untrusted: our server sends requests to their addresses."""

import base64
import json
from urllib.parse import urlsplit

import httpx
import pytest
from cryptography.hazmat.primitives.asymmetric import ec
from hypothesis import given
from hypothesis import strategies as st

from kit.push.subscription import (
    MAXIMUM_ENDPOINT_CHARACTERS,
    MAXIMUM_JSON_CHARACTERS,
    InvalidSubscription,
    PushServices,
)
from tests.fakes.push_service import Browser, base64url, point

FCM = "https://fcm.googleapis.com/fcm/send/cX1:APA91b-_x"
MAKERS = PushServices()
LOCAL = PushServices(("http://127.0.0.1:8099",))
BROWSER = Browser(FCM)
POINT = point(BROWSER.key.public_key())
OWN_KEYS = {"p256dh": base64url(POINT), "auth": base64url(BROWSER.secret)}


@pytest.mark.parametrize(
    ("endpoint", "service"),
    [
        (FCM, "fcm.googleapis.com"),
        (
            "https://updates.push.services.mozilla.com/wpush/v2/gAAAA_-x",
            "updates.push.services.mozilla.com",
        ),
        (
            "https://autopush.stage.push.services.mozilla.com/wpush/v1/x",
            ".push.services.mozilla.com",
        ),
        ("https://web.push.apple.com/QGx-_1", "web.push.apple.com"),
        ("https://eu.push.apple.com/Q", ".push.apple.com"),
        (
            "https://wns2-pn1p.notify.windows.com/w/?token=BQYAAAAz%2b3U%2fA8%3d",
            ".notify.windows.com",
        ),
    ],
)
def test_endpoint_of_each_browser_is_allowed(endpoint, service):
    assert MAKERS.service_of(endpoint) == service
    assert MAKERS.parse(Browser(endpoint).to_json()).endpoint == endpoint
    sent = httpx.URL(endpoint)
    assert f"https://{sent.host}{sent.raw_path.decode()}" == endpoint


REFUSED = {
    "scheme": [
        *("", "fcm.googleapis.com/x", "//fcm.googleapis.com/x", "http://fcm.googleapis.com/x"),
        *("HTTPS://fcm.googleapis.com/x", "ftp://fcm.googleapis.com/x", "file:///etc/passwd"),
    ],
    "shape": [
        *("https://fcm.googleapis.com", "https://FCM.googleapis.com/x"),
        *("https://fcm.googleapis.com./x", "https://fcm.googleapis.com../x"),
        *("https:\\\\fcm.googleapis.com/x", "https:///fcm.googleapis.com/x"),
        "https://fcm.googleapis.com/x#y",
    ],
    "port": [f"https://fcm.googleapis.com{port}/x" for port in (":443", ":8443", ":")],
    "user": [
        *("https://user@fcm.googleapis.com/x", "https://user:word@fcm.googleapis.com/x"),
        *("https://fcm.googleapis.com@127.0.0.1/x", "https://fcm.googleapis.com%40127.0.0.1/x"),
        "https://fcm.googleapis.com\\@127.0.0.1/x",
        *("https://fcm.googleapis.com#@127.0.0.1/x", "https://fcm.googleapis.com?@127.0.0.1/x"),
    ],
    "characters": [
        *("https://fcm.googleapis.com/x y", " https://fcm.googleapis.com/x"),
        *("https://fcm.googleapis.com/x\n", "https://fcm.googleapis.com/x\r\nHost: y"),
        *("https://fcm.goog\tleapis.com/x", "https://fcm.googleapis.com/\x00"),
        *("https://fcm.googleapis.com/ग", "https://ｆcm.googleapis.com/x"),
        *("https://fcm。googleapis。com/x", "https://fсm.googleapis.com/x"),
        *("https://xn--fm-1lc.googleapis.com/x", "https://fcm%2egoogleapis.com/x"),
    ],
    "other host": [
        *("https://fcm.googleapis.com.evil.example/x", "https://evilfcm.googleapis.com/x"),
        *("https://storage.googleapis.com/x", "https://evilpush.apple.com/x"),
        *("https://push.apple.com/x", "https://notify.windows.com.evil.example/w"),
    ],
    "label": [
        *("https://.push.apple.com/x", "https://a..push.apple.com/x"),
        *("https://-a.push.apple.com/x", "https://a_b.notify.windows.com/x"),
        f"https://{'a' * 64}.notify.windows.com/x",
    ],
    "internal address": [
        *("https://127.0.0.1/x", "https://localhost/x", "https://[::1]/x", "https://10.0.0.5/x"),
        *("https://169.254.169.254/latest/meta-data", "https://2130706433/x", "https://0x7f.1/x"),
        "http://127.0.0.1:8099/push/1",  # an extra origin that these services do not have
    ],
}


@pytest.mark.parametrize("endpoints", REFUSED.values(), ids=REFUSED)
def test_endpoint_is_refused_when_it_is_not_of_a_push_service(endpoints):
    for endpoint in endpoints:
        assert MAKERS.service_of(endpoint) is None, endpoint
        with pytest.raises(InvalidSubscription):
            MAKERS.parse(Browser(endpoint).to_json())


@pytest.mark.parametrize(
    ("endpoint", "is_allowed"),
    [
        ("http://127.0.0.1:8099/push/1", True),
        ("http://127.0.0.1:8099/push/1?a=b", True),
        ("http://127.0.0.1:8099", False),
        ("http://127.0.0.1:80991/push/1", False),
        ("http://127.0.0.1:8099.evil.example/", False),
        ("http://127.0.0.1:8099@evil.example/", False),
        ("http://127.0.0.1:8099/push/1#x", False),
        ("https://127.0.0.1:8099/push/1", False),
        ("http://localhost:8099/push/1", False),
        (FCM, True),
    ],
)
def test_extra_origin_is_allowed_exactly(endpoint, is_allowed):
    assert (LOCAL.service_of(endpoint) is not None) is is_allowed


def parsed(**members):
    content = {"endpoint": FCM, "expirationTime": None, "keys": OWN_KEYS} | members
    return MAKERS.parse(json.dumps(content))


def test_parse_returns_the_subscription_of_a_browser():
    subscription = parsed()
    assert subscription.endpoint == FCM
    assert subscription.p256dh == OWN_KEYS["p256dh"]
    assert subscription.auth == OWN_KEYS["auth"]


def test_parse_removes_padding_of_keys():
    padded = {name: value + "=" * (-len(value) % 4) for name, value in OWN_KEYS.items()}
    assert parsed(keys=padded) == parsed()


def test_parse_ignores_unknown_members():
    assert parsed(contentEncoding="aesgcm", expirationTime=1.5) == parsed()


def test_subscription_is_printed_without_its_secrets():
    shown = repr(parsed())
    assert "APA91b" not in shown
    assert OWN_KEYS["auth"] not in shown


_OFF_CURVE = b"\x04" + b"\x01" * 64
_COMPRESSED = b"\x02" + POINT[1:33]


@pytest.mark.parametrize(
    "keys",
    [
        pytest.param(None, id="no keys"),
        pytest.param([], id="a list"),
        pytest.param({}, id="empty"),
        pytest.param({"p256dh": OWN_KEYS["p256dh"]}, id="no auth"),
        pytest.param({"auth": OWN_KEYS["auth"]}, id="no p256dh"),
        pytest.param(OWN_KEYS | {"p256dh": None}, id="p256dh is null"),
        pytest.param(OWN_KEYS | {"p256dh": 4}, id="p256dh is a number"),
        pytest.param(OWN_KEYS | {"p256dh": ""}, id="p256dh is empty"),
        pytest.param(OWN_KEYS | {"p256dh": base64url(_OFF_CURVE)}, id="not on the curve"),
        pytest.param(OWN_KEYS | {"p256dh": base64url(bytes(65))}, id="point at infinity"),
        pytest.param(OWN_KEYS | {"p256dh": base64url(b"\x04" + bytes(64))}, id="zeros"),
        pytest.param(OWN_KEYS | {"p256dh": base64url(_COMPRESSED)}, id="compressed"),
        pytest.param(OWN_KEYS | {"p256dh": base64url(b"\x06" + POINT[1:])}, id="hybrid"),
        pytest.param(OWN_KEYS | {"p256dh": base64url(POINT + b"\x00")}, id="66 bytes"),
        pytest.param(OWN_KEYS | {"auth": base64url(bytes(15))}, id="auth of 15 bytes"),
        pytest.param(OWN_KEYS | {"auth": base64url(bytes(17))}, id="auth of 17 bytes"),
        pytest.param(OWN_KEYS | {"auth": "+" * 22}, id="base64 in place of base64url"),
        pytest.param(OWN_KEYS | {"auth": "A" * 21 + "B"}, id="bits beyond the last byte"),
        pytest.param(OWN_KEYS | {"auth": "A" * 22 + "\n"}, id="line break"),
        pytest.param(OWN_KEYS | {"auth": "A" * 21}, id="impossible length"),
        pytest.param(OWN_KEYS | {"auth": "A" * 22 + "==="}, id="too much padding"),
    ],
)
def test_parse_refuses_invalid_keys(keys):
    with pytest.raises(InvalidSubscription):
        parsed(keys=keys)


def test_parse_refuses_malformed_input():
    texts = ("", "null", "[]", '"x"', "{", "{}", "[" * 4_000)
    members = ('{"endpoint": 5}', '{"endpoint": "\\ud800"}')
    for text in (*texts, *members, None, 5, {"endpoint": FCM}):
        with pytest.raises(InvalidSubscription):
            MAKERS.parse(text)


def test_parse_refuses_too_long_input():
    longest = FCM + "x" * (MAXIMUM_ENDPOINT_CHARACTERS - len(FCM))
    assert parsed(endpoint=longest).endpoint == longest
    with pytest.raises(InvalidSubscription):
        parsed(endpoint=longest + "x")
    with pytest.raises(InvalidSubscription):
        parsed(more="x" * MAXIMUM_JSON_CHARACTERS)


ALLOWED_HOSTS = (
    "fcm.googleapis.com",
    "web.push.apple.com",
    "updates.push.services.mozilla.com",
)


@given(st.text(max_size=80))
def test_parse_raises_only_its_error_when_text_is_arbitrary(text):
    with pytest.raises(InvalidSubscription):
        MAKERS.parse(text)


@given(
    st.sampled_from(["https://", "http://", "//", ""]),
    st.text(alphabet="acefgilmops.-_@:#?/\\%[]0127٠。 \t", max_size=12),
    st.sampled_from(["fcm.googleapis.com", "a.push.apple.com", "127.0.0.1"]),
    st.text(alphabet="acefgilmops.-_@:#?/\\%[]0127٠。 \t", max_size=12),
)
def test_allowed_endpoint_leads_to_an_allowed_host(scheme, before, host, after):
    """Both URL parsers that see an endpoint after ours read the host that ours has allowed."""
    endpoint = f"{scheme}{before}{host}{after}"
    if MAKERS.service_of(endpoint) is not None:
        seen = {urlsplit(endpoint).hostname, httpx.URL(endpoint).host}
        assert len(seen) == 1
        (name,) = seen
        assert name in ALLOWED_HOSTS or name.endswith((".push.apple.com", ".notify.windows.com"))
        assert httpx.URL(endpoint).scheme == "https"
        assert httpx.URL(endpoint).port is None
        assert not httpx.URL(endpoint).userinfo


@given(st.binary(min_size=1, max_size=70))
def test_parse_accepts_only_points_of_the_curve(content):
    with pytest.raises(InvalidSubscription):
        parsed(keys=OWN_KEYS | {"p256dh": base64url(content)})


@given(st.integers(min_value=1, max_value=2**255))
def test_parse_keeps_the_bytes_of_valid_keys(number):
    key = ec.derive_private_key(number, ec.SECP256R1()).public_key()
    subscription = parsed(keys=OWN_KEYS | {"p256dh": base64url(point(key))})
    assert base64.urlsafe_b64decode(subscription.p256dh + "=") == point(key)
