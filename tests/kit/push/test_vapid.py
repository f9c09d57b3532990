"""The server's key for push services, and the tokens that it signs (RFC 8292)."""

import base64
import stat
from concurrent.futures import ThreadPoolExecutor

import jwt
import pytest
from cryptography.hazmat.primitives.asymmetric import ec, rsa
from cryptography.hazmat.primitives.serialization import (
    BestAvailableEncryption,
    Encoding,
    NoEncryption,
    PrivateFormat,
)

from kit.push.vapid import (
    TOKEN_SECONDS,
    VapidKey,
    new_private_key,
    parse_private_key,
    stored_private_key,
)
from tests.fakes.push_service import base64url, point

KEY = ec.generate_private_key(ec.SECP256R1())
APPLE = "https://web.push.apple.com"
CONTACT = "orders@food-points.example"
NOW = 1_800_000_000.0


def encoded(key, encoding=Encoding.PEM, kind=PrivateFormat.PKCS8, password=None):
    secrecy = BestAvailableEncryption(password) if password else NoEncryption()
    return key.private_bytes(encoding, kind, secrecy)


RAW = base64url(KEY.private_numbers().private_value.to_bytes(32, "big"))


@pytest.mark.parametrize(
    "text",
    [
        pytest.param(RAW, id="raw"),
        pytest.param(f"  {RAW}=\n", id="raw with padding and blanks"),
        pytest.param(encoded(KEY).decode(), id="PEM"),
        pytest.param(encoded(KEY, kind=PrivateFormat.TraditionalOpenSSL).decode(), id="SEC1"),
        pytest.param(base64url(encoded(KEY, Encoding.DER)), id="DER"),
    ],
)
def test_private_key_is_read_in_each_documented_form(text):
    assert parse_private_key(text).private_numbers() == KEY.private_numbers()
    assert VapidKey(lambda: text, CONTACT).public_key == base64url(point(KEY.public_key()))


OTHER_CURVE = ec.generate_private_key(ec.SECP384R1())
RSA = rsa.generate_private_key(65_537, 2_048)


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("", id="empty"),
        pytest.param("hunter2", id="a password"),
        pytest.param(RAW[:-2], id="31 bytes"),
        pytest.param(base64url(bytes(32)), id="zero"),
        pytest.param(base64url(b"\xff" * 32), id="above the order of the curve"),
        pytest.param(encoded(OTHER_CURVE).decode(), id="other curve"),
        pytest.param(encoded(RSA).decode(), id="RSA"),
        pytest.param(base64url(encoded(RSA, Encoding.DER)), id="RSA as DER"),
        pytest.param(encoded(KEY, password=b"word").decode(), id="encrypted"),
        pytest.param("-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----", id="no key"),
        pytest.param("ग" * 32, id="not ASCII"),
    ],
)
def test_private_key_is_refused_without_quoting_it(text):
    with pytest.raises(ValueError, match=r"\Amust be ") as raised:
        parse_private_key(text)
    assert not text or text not in str(raised.value)


def test_new_private_key_is_different_each_time():
    assert new_private_key() != new_private_key()
    assert len(base64.urlsafe_b64decode(new_private_key() + "=")) == 32


def test_stored_key_is_created_once_with_mode_600(tmp_path):
    file = tmp_path / "var" / "vapid.key"
    first = stored_private_key(file)
    assert stored_private_key(file) == first
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert [each.name for each in file.parent.iterdir()] == ["vapid.key"]
    assert parse_private_key(first)


def test_stored_key_is_the_same_for_concurrent_processes(tmp_path):
    file = tmp_path / "vapid.key"
    with ThreadPoolExecutor(16) as threads:
        keys = set(threads.map(lambda _: stored_private_key(file), range(64)))
    assert len(keys) == 1


def token(header):
    scheme, _, rest = header.partition(" ")
    assert scheme == "vapid"
    parts = dict(part.split("=", 1) for part in rest.split(","))
    assert parts["k"] == base64url(point(KEY.public_key()))
    return parts["t"]


def claims(header, origin=APPLE):
    options = {"verify_exp": False}
    return jwt.decode(
        token(header), KEY.public_key(), algorithms=["ES256"], audience=origin, options=options
    )


def test_token_names_service_contact_and_expiry():
    signed = claims(VapidKey(lambda: RAW, CONTACT, lambda: NOW).authorization(APPLE))
    assert signed == {
        "aud": APPLE,
        "sub": "mailto:orders@food-points.example",
        "exp": int(NOW) + TOKEN_SECONDS,
    }


@pytest.mark.parametrize(
    ("contact", "sub"),
    [
        ("a+b@food.example", "mailto:a+b@food.example"),
        ("a?b@food.example", "mailto:a%3Fb@food.example"),
        ("orders@localhost", "mailto:orders@localhost"),
    ],
)
def test_contact_is_a_mailto_address(contact, sub):
    assert claims(VapidKey(lambda: RAW, contact, lambda: NOW).authorization(APPLE))["sub"] == sub


def test_token_expires_in_real_time():
    """The product's clock may be years away; push services compare with the real time."""
    signed = jwt.decode(
        token(VapidKey(lambda: RAW, CONTACT).authorization(APPLE)),
        KEY.public_key(),
        algorithms=["ES256"],
        audience=APPLE,
    )
    assert signed["exp"] > 0


def test_token_is_reused_for_half_of_its_time():
    now = NOW
    key = VapidKey(lambda: RAW, CONTACT, lambda: now)
    first = key.authorization(APPLE)
    now += TOKEN_SECONDS / 2 - 1
    assert key.authorization(APPLE) == first
    now += 1
    assert claims(key.authorization(APPLE))["exp"] == int(now) + TOKEN_SECONDS


def test_token_is_renewed_when_clock_is_set_back():
    now = NOW
    key = VapidKey(lambda: RAW, CONTACT, lambda: now)
    key.authorization(APPLE)
    now -= 5
    assert claims(key.authorization(APPLE))["exp"] == int(now) + TOKEN_SECONDS


def test_each_service_gets_its_own_token():
    key = VapidKey(lambda: RAW, CONTACT, lambda: NOW)
    other = "https://fcm.googleapis.com"
    assert claims(key.authorization(other), other)["aud"] == other
    assert claims(key.authorization(APPLE))["aud"] == APPLE


def test_number_of_remembered_tokens_is_limited():
    key = VapidKey(lambda: RAW, CONTACT, lambda: NOW)
    for number in range(200):
        key.authorization(f"https://a{number}.notify.windows.com")
    assert len(key._tokens) <= 64
