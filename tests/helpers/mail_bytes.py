"""Parse the bytes of a mail with another parser than the product's."""

from dataclasses import dataclass
from email import message_from_bytes
from email.header import decode_header, make_header
from email.policy import compat32
from email.utils import getaddresses

HEADERS = [
    "From",
    "To",
    "Subject",
    "Date",
    "Message-ID",
    "X-Entity-Ref-ID",
    "Auto-Submitted",
    "MIME-Version",
    "Content-Type",
]
"""The headers of every mail of both products, in their order."""

INJECTIONS = [
    "=?utf-8?q?=0d=0aSubject:_Won=0d=0a=0d=0aSee_http://evil.example/?=",
    "=?utf-8?b?DQpCY2M6IHhAZXZpbC5leGFtcGxl?=",
    "=?utf-8?q?=0aReply-To:_x=40evil.example?=",
    "=?us-ascii?q?=0dBcc:_x=40evil.example?=",
    "=?utf-8?q?=00?=",
    "=\u200b?utf-8?q?=0aBcc:_x=40evil.example?=",
    "Aarav\r\nBcc: x@evil.example",
    "Aarav\nBcc: x@evil.example",
    "Aarav\rBcc: x@evil.example",
    "Aarav\r\n\r\nSee http://evil.example/",
    "Aarav\x00Sharma",
    "Aarav\x0bBcc: x@evil.example",
    "Aarav\x85Bcc: x@evil.example",
    "Aarav\u2028Bcc: x@evil.example",
    "Aarav\u2029Bcc: x@evil.example",
]
"""Texts that a header must not contain; `tests/kit/mail/test_headers.py` sends them all."""

KINDS_OF_INJECTION = [INJECTIONS[0], INJECTIONS[6]]
"""An encoded word and a line break, for proofs that a whole product uses those checks."""

LEGITIMATE_NAMES = [
    "Aarav Sharma",
    "आरव शर्मा",
    "आरव प्रताप नारायण क्षत्रिय विद्यासागर शर्मा उपाध्याय",
    "क्\u200dष",
    "José Ñandú O'Brien-D'Souza",
    "O'Neil",
    "Sharma, Aarav",
    'Aarav "the hungry" Sharma',
    "Dr. Aarav (Block 4); Sharma: \\o/",
    "everyone@evil.example,",
    "Zoë, everyone@evil.example",
    "😀 Aarav 😀😀😀😀😀😀 😀😀😀😀😀😀😀😀😀😀 😀😀😀",
    "a, <b@evil.example>, " * 3 + "c",
    "abcdefgh " * 8 + "abcdefg",
    "x" * 80,
    "é" * 80,
    "😀" * 80,
    "? = ?= == ?",
]
"""Valid names, which a mail must contain unchanged."""

KINDS_OF_NAME = [
    "आरव प्रताप नारायण क्षत्रिय विद्यासागर शर्मा उपाध्याय",
    'Aarav "the hungry" Sharma',
    "Zoë, everyone@evil.example",
]
"""A name that is encoded, a name that is quoted and a name that is like an address."""


@dataclass(frozen=True)
class ReadMail:
    """The decoded headers of a mail."""

    headers: list[str]
    sender: tuple[str, str]
    to: list[tuple[str, str]]
    subject: str


def read_mail(content: bytes) -> ReadMail:
    """Return a mail's header names, sender, recipients and subject, decoded."""
    message = message_from_bytes(content, policy=compat32)
    (sender,) = _mailboxes(str(message["From"]))
    return ReadMail(
        message.keys(), sender, _mailboxes(str(message["To"])), _decoded(str(message["Subject"]))
    )


def _mailboxes(header: str) -> list[tuple[str, str]]:
    return [(_decoded(name), address) for name, address in getaddresses([header])]


def _decoded(text: str) -> str:
    return " ".join(str(make_header(decode_header(text))).split())
