"""E-mail: one message to one person, and the outbox folder that takes the place of a server."""

import hashlib
import logging
import quopri
import re
from dataclasses import dataclass
from datetime import datetime
from email.headerregistry import Address, HeaderRegistry
from email.policy import SMTP, SMTPUTF8, EmailPolicy
from email.utils import format_datetime, parseaddr
from functools import lru_cache
from pathlib import Path
from typing import Any, Protocol

from campus_app.infrastructure.clock import Clock
from campus_app.infrastructure.delivery import DeliveryPostponed, DeliveryRejected
from campus_app.infrastructure.outbox_folder import OutboxFolder

logger = logging.getLogger(__name__)


@dataclass(frozen=True)
class Mail:
    """An e-mail to one person; `key` stays the same however often it is tried."""

    key: str
    to: str
    to_name: str
    subject: str
    text: str
    html: str
    sender: str = ""
    """Who writes, where it is not the deployment's usual sender."""


class Mailer(Protocol):
    """Sends e-mail."""

    async def send(self, mail: Mail) -> None:
        """Send a mail.

        Raises:
            DeliveryRejected: If it will never go out.
            DeliveryPostponed: If it may go out later.
        """
        ...

    def is_up(self) -> bool:
        """Whether mails can be sent now, as far as is known."""
        ...

    async def close(self) -> None:
        """Give back what sending holds open."""
        ...


class _MadeOnce(HeaderRegistry):
    """Knows each kind of header: the library's makes a new class for every header of every mail."""

    def __init__(self) -> None:
        super().__init__()
        self._known: dict[str, Any] = {}

    def __getitem__(self, name: str) -> Any:
        kind = self._known.get(name)
        if kind is None:
            kind = self._known[name] = super().__getitem__(name)
        return kind


_ASCII = SMTP.clone(header_factory=_MadeOnce())
_UTF_8 = SMTPUTF8.clone(header_factory=_MadeOnce())
_name_and_address = lru_cache(maxsize=16)(parseaddr)
"""Of senders, who are few."""
_PLAIN_HEADER = re.compile(r"(?=.{,76}$)\w+: [\w,.:<>@+-]+(?: [\w,.:<>@+-]+)*", re.ASCII)
_PART = (
    "\r\n--{boundary}\r\n"
    'Content-Type: text/{kind}; charset="utf-8"\r\n'
    "Content-Transfer-Encoding: quoted-printable\r\n"
    "\r\n"
)


@dataclass(frozen=True)
class Letter:
    """A mail as it goes over the line."""

    sender: str
    to: str
    content: bytes

    @property
    def needs_utf8(self) -> bool:
        """Whether an address has letters that only some servers can write."""
        return not (self.sender + self.to).isascii()


def letter_from(mail: Mail, sender: str, at: datetime) -> Letter:
    """Return what to send; the same mail always has the same Message-ID.

    Raises:
        DeliveryRejected: If an address or the subject would break a header.
    """
    try:
        return _letter(mail, sender, at)
    except ValueError:  # which quotes them
        raise DeliveryRejected("an address or the subject breaks a header") from None


def _letter(mail: Mail, sender: str, at: datetime) -> Letter:
    """Return a mail with the library's headers, and bodies put together by ourselves.

    All of it by the library takes five times as long, a third of an order's whole cost.
    """
    sender_name, sender_email = _name_and_address(mail.sender or sender)
    policy = _ASCII if (sender_email + mail.to).isascii() else _UTF_8
    identity = hashlib.sha256(mail.key.encode()).hexdigest()[:32]
    boundary = f"=_{identity}"  # no quoted-printable text has it: there = is followed by two digits
    content = [
        _header(policy, "From", _address(sender_name, sender_email)),
        _header(policy, "To", _address(mail.to_name, mail.to)),
        _header(policy, "Subject", mail.subject),
        (
            f"Date: {format_datetime(at)}\r\n"
            f"Message-ID: <{identity}@{sender_email.rpartition('@')[2]}>\r\n"
            f"X-Entity-Ref-ID: {identity}\r\n"
            "Auto-Submitted: auto-generated\r\n"
            "MIME-Version: 1.0\r\n"
            f'Content-Type: multipart/alternative;\r\n boundary="{boundary}"\r\n'
        ).encode(),
    ]
    for kind, text in (("plain", mail.text), ("html", mail.html)):
        content += [_PART.format(boundary=boundary, kind=kind).encode(), _quoted(text)]
    content.append(f"\r\n--{boundary}--\r\n".encode())
    return Letter(sender_email, mail.to, b"".join(content))


def _header(policy: "EmailPolicy[Any]", name: str, value: str | Address) -> bytes:
    line = f"{name}: {value}"
    if _PLAIN_HEADER.fullmatch(line):  # the library would say the same, after some thought
        return f"{line}\r\n".encode()
    return policy.fold_binary(*policy.header_store_parse(name, value))


def _address(name: str, email: str) -> Address:
    user, _, domain = email.rpartition("@")
    if not user or not domain:
        raise ValueError("an e-mail address has an @ between two parts")
    return Address(name, user, domain)


def _quoted(text: str) -> bytes:
    """Return a text as quoted-printable lines, which any server takes as they are."""
    lines = text.encode().splitlines()
    return quopri.encodestring(b"\r\n".join([*lines, b""]))


class OutboxFolderMailer:
    """Writes each mail as one `.eml` file; the same mail twice is one file."""

    def __init__(self, folder: Path, sender: str, clock: Clock) -> None:
        self._folder = OutboxFolder(folder)
        self._sender = sender
        self._clock = clock
        self._has_failed = False

    async def send(self, mail: Mail) -> None:
        letter = letter_from(mail, self._sender, self._clock.now())
        name = re.sub(r"[^A-Za-z0-9_.-]+", "-", mail.key) + ".eml"
        try:
            await self._folder.put(name, letter.content)
        except OSError as error:
            self._has_failed = True
            reason = f"the outbox folder can't be written: {type(error).__name__}"
            logger.warning("mail: %s", reason)
            raise DeliveryPostponed(reason) from None
        self._has_failed = False

    def is_up(self) -> bool:
        return not self._has_failed

    async def close(self) -> None:
        """Nothing is held open."""
