"""Validation of mail headers, and the message bytes that a mail server receives."""

import asyncio

import pytest
from hypothesis import given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st

from kit.mail.headers import is_header_text, is_mail_address
from kit.mail.message import Mail, envelope_for
from kit.mail.smtp import SmtpMailer, SmtpServer, SmtpTls
from kit.outbox.errors import DeliveryRejected
from tests.fakes.mail_server import mail_server
from tests.helpers.builders import mail
from tests.helpers.clock import WEDNESDAY, ManualClock
from tests.helpers.mail_bytes import HEADERS, INJECTIONS, LEGITIMATE_NAMES, read_mail

ADDRESS = "<orders@food-points.example>"
SENDER = f"FOOD_points {ADDRESS}"
FIELDS = ["to", "to_name", "subject", "sender"]
INJECTIONS_AS_SENT = [text for text in INJECTIONS if "\u200b" not in text]
"""Without the one that is an injection only when its invisible character is removed, as forms do."""
pieces = st.lists(
    st.one_of(
        st.sampled_from(["=?", "?=", "=?utf-8?q?", "=0d=0a", "=0aBcc:_x@y.org", "?b?", "DQo="]),
        st.sampled_from(["\r", "\n", "\0", "\u2028", "\x85", '"', "\\", "<", ">", "@", ",", ";"]),
        st.sampled_from(["Bcc: x@evil.example", " ", "é", "आ", "😀", "a", "\u200d", "x" * 70]),
        st.characters(exclude_categories=["Cs"]),
    ),
    max_size=12,
).map("".join)


def test_header_text_is_accepted_unless_it_has_an_injection_or_control():
    for text in ("", *LEGITIMATE_NAMES):
        assert is_header_text(text), text
    for text in (*INJECTIONS_AS_SENT, "Aarav\tSharma", "\x1b[2J", "\x7f", "\ud800", "\x1c"):
        assert not is_header_text(text), text


def test_mail_address_is_accepted_when_it_is_parsed_unchanged():
    longest = "a" * 64 + "@" + "b" * 63 + ".example"
    ascii_addresses = ("aarav@students.example", "o'hara+campus@example.co.in", "a@b", longest)
    for address in (*ascii_addresses, "आरव@students.example"):
        assert is_mail_address(address), address


PARSED_DIFFERENTLY = [
    *("", "aarav", "@students.example", "aarav@", "aarav@students.example, x@evil.example"),
    *("Aarav <aarav@students.example>", "aarav@students.example\r\nBcc: x@evil.example"),
    *("=?utf-8?q?=0d=0aBcc=3ax?=@x.org", "aarav@=?utf-8?q?x?=.org", "a..b@students.example"),
    *("a.@students.example", "aarav (Bcc)@students.example", "aarav@students.example (x)"),
    *("aarav @students.example", '"aarav"@students.example', "<aarav@students.example>"),
    *("group: aarav@students.example;", "a\0b@students.example", "a@b\u2028c.example"),
]


def test_mail_address_is_rejected_when_it_is_parsed_differently():
    for address in PARSED_DIFFERENTLY:
        assert not is_mail_address(address), address


@given(pieces)
def test_mail_address_check_never_raises(text):
    assert is_mail_address(text) in {True, False}
    assert is_mail_address(f"{text}@students.example") in {True, False}


def send_all(*mails: Mail) -> list[bytes | None]:
    """Send mails; return the bytes after DATA of each, or None if it was rejected."""

    async def work() -> list[bytes | None]:
        arrived: list[bytes | None] = []
        async with mail_server() as server:
            mailer = SmtpMailer(
                SmtpServer("localhost", server.port, SmtpTls.NONE), SENDER, ManualClock()
            )
            for each in mails:
                try:
                    await mailer.send(each)
                except DeliveryRejected:
                    arrived.append(None)
                else:
                    arrived.append(server.contents[-1])
                    assert server.recipients[-1] == [each.to]
            await mailer.close()
            assert len(server.contents) == len([each for each in arrived if each is not None])
        return arrived

    return asyncio.run(work())


@pytest.mark.parametrize("field", FIELDS)
def test_mailer_rejects_a_mail_when_a_field_contains_an_injection(field):
    hostile = [mail(**{field: text}) for text in INJECTIONS_AS_SENT]
    if field == "to":
        hostile += [mail(to=f"{text}@x.org") for text in INJECTIONS]
    if field == "sender":
        hostile += [mail(sender=f"{text} {ADDRESS}") for text in INJECTIONS_AS_SENT]
    assert set(send_all(*hostile)) == {None}


def test_mailer_delivers_legitimate_names_and_subjects_unchanged():
    for name, content in zip(
        LEGITIMATE_NAMES,
        send_all(*(mail(to_name=name, subject=f"New: {name}") for name in LEGITIMATE_NAMES)),
        strict=True,
    ):
        assert content is not None
        read = read_mail(content)
        assert read.headers == HEADERS
        assert read.sender == ("FOOD_points", "orders@food-points.example")
        assert read.to == [(name, "aarav@students.example")]
        assert read.subject == f"New: {name}"


def test_message_id_is_on_one_line_when_the_domain_is_long():
    sender = f"orders@{'b' * 60}.{'c' * 60}.example"
    (content,) = send_all(mail(sender=sender))
    assert content is not None
    (line,) = [line for line in content.split(b"\r\n") if line.startswith(b"Message-ID")]
    assert line.endswith(f"@{sender.partition('@')[2]}>".encode())
    assert read_mail(content).sender == ("", sender)


def test_mailer_delivers_addresses_of_maximum_length_unchanged():
    label = "b" * 61
    addresses = ["a" * 64 + "@" + f"{label}." * 3 + "com", "a+b=c{d}|e@students.example"]
    for address, content in zip(
        addresses, send_all(*(mail(to=address) for address in addresses)), strict=True
    ):
        assert content is not None
        assert read_mail(content).to == [("Aarav Sharma", address)]


@given(st.lists(st.tuples(pieces, pieces, pieces), min_size=8, max_size=8))
@hypothesis_settings(max_examples=40)
def test_mailer_never_sends_an_injected_header(triples):
    mails = [
        mail(to_name=name, subject=subject, to=f"{local or 'a'}@students.example")
        for name, subject, local in triples
    ] + [mail(to_name=name, subject=subject) for name, subject, _ in triples]
    for sent, content in zip(mails, send_all(*mails), strict=True):
        if content is None:
            continue
        read = read_mail(content)
        assert read.headers == HEADERS
        assert read.to == [(" ".join(sent.to_name.split()), sent.to)]
        assert read.subject == " ".join(sent.subject.split())
        # As text and as HTML: no injection has added a body.
        assert content.count(b"Thank you!") == 2


@given(pieces, pieces)
def test_envelope_is_built_exactly_when_its_fields_are_header_text(name, subject):
    name, subject = " ".join(name.split()), " ".join(subject.split())
    if is_header_text(name) and is_header_text(subject):
        content = envelope_for(mail(to_name=name, subject=subject), SENDER, WEDNESDAY).content
        assert read_mail(content).headers == HEADERS
    else:
        with pytest.raises(DeliveryRejected):
            envelope_for(mail(to_name=name, subject=subject), SENDER, WEDNESDAY)
