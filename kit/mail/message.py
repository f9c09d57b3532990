"""E-mail: one message to one person, and the outbox folder that takes the place of a server."""

import hashlib
import logging
import re
from dataclasses import dataclass
from datetime import datetime
from email.header import Header, decode_header, make_header
from email.headerregistry import Address, AddressHeader, UnstructuredHeader
from email.message import EmailMessage
from email.parser import HeaderParser
from email.policy import EmailPolicy, compat32
from email.utils import getaddresses, parseaddr
from pathlib import Path
from typing import Any, Protocol

from kit.clock import Clock
from kit.mail.headers import is_header_text, is_mail_address
from kit.outbox.errors import DeliveryPostponed, DeliveryRejected
from kit.outbox_folder import OutboxFolder

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


MAIL_CHANNEL = "mail"
"""What the outbox's effects that send mails share."""


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

    def end_break(self) -> None:
        """Try the next mail at once, though mails could not be sent a moment ago."""
        ...

    async def close(self) -> None:
        """Give back what sending holds open."""
        ...


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


class _Policy(EmailPolicy):  # pyright: ignore[reportMissingTypeArgument]
    """SMTP's rules, with names and subjects folded by `email.header.Header`.

    The folding of `EmailPolicy` in Python 3.11 drops the quotation marks of long names, so that a
    comma in one begins another address, and adds or drops spaces between encoded words.
    """

    def fold_binary(self, name: str, value: Any) -> bytes:
        """Return a header's lines as they are sent."""
        if isinstance(value, AddressHeader):
            return _folded_address(name, value.addresses[0])
        if isinstance(value, UnstructuredHeader):
            return f"{name}: {_folded_text(name, str(value))}{_NEWLINE}".encode()
        return super().fold_binary(name, value)


_NEWLINE = "\r\n"
_LONGEST_LINE = 76
_POLICY = _Policy(linesep=_NEWLINE)


def letter_from(mail: Mail, sender: str, at: datetime) -> Letter:
    """Return what to send; the same mail always has the same Message-ID.

    Raises:
        DeliveryRejected: If an address, a name or the subject would break a header.
    """
    sender_name, sender_email = parseaddr(mail.sender or sender)
    texts = (mail.sender or sender, mail.to_name, mail.subject)
    addresses = (sender_email, mail.to)
    if not (all(map(is_header_text, texts)) and all(map(is_mail_address, addresses))):
        raise _broken()
    identity = hashlib.sha256(mail.key.encode()).hexdigest()[:32]
    message = EmailMessage(_POLICY)
    message["From"] = _address(sender_name, sender_email)
    message["To"] = _address(mail.to_name, mail.to)
    message["Subject"] = mail.subject
    message["Date"] = at
    message["Message-ID"] = f"<{identity}@{sender_email.rpartition('@')[2]}>"
    message["X-Entity-Ref-ID"] = identity
    message["Auto-Submitted"] = "auto-generated"
    message.set_content(mail.text, cte="quoted-printable")
    message.add_alternative(mail.html, subtype="html", cte="quoted-printable")
    # No quoted-printable text has it: there = is followed by two digits.
    message.set_boundary(f"=_{identity}")
    content = message.as_bytes()
    _verify(content, message, mail)
    return Letter(sender_email, mail.to, content)


def _verify(content: bytes, message: EmailMessage, mail: Mail) -> None:
    """Check that a parser of the bytes finds the headers that were set, and no other reader.

    Raises:
        DeliveryRejected: If it finds anything else.
    """
    head = content.decode().partition(_NEWLINE * 2)[0]
    read = HeaderParser(policy=compat32).parsestr(head)
    people = getaddresses([_unfolded(read["To"])])
    if (
        read.keys() != message.keys()
        or [address for _, address in people] != [mail.to]
        or _words(people[0][0]) != mail.to_name.split()
        or _words(_unfolded(read["Subject"])) != mail.subject.split()
    ):
        raise _broken()


def _broken() -> DeliveryRejected:
    """Return the refusal, which does not quote them."""
    return DeliveryRejected("an address, a name or the subject breaks a header")


def _address(name: str, email: str) -> Address:
    username, _, domain = email.rpartition("@")
    return Address(name, username, domain)


def _unfolded(header: object) -> str:
    return "".join(str(header).splitlines())


def _words(text: str) -> list[str]:
    return str(make_header(decode_header(text))).split()


def _folded_address(header: str, address: Address) -> bytes:
    """Return `name <address>` on one line, or a long name as encoded words before the address."""
    name, email = address.display_name, address.addr_spec
    line = f"{header}: {address}"
    if name and not (name.isascii() and len(line) <= _LONGEST_LINE):
        encoded = Header(name, "utf-8", header_name=header).encode(linesep=_NEWLINE)
        line = f"{header}: {encoded}{_NEWLINE} <{email}>"
    return f"{line}{_NEWLINE}".encode()


def _folded_text(header: str, text: str) -> str:
    charset = "us-ascii" if text.isascii() else "utf-8"
    return Header(text, charset, header_name=header).encode(linesep=_NEWLINE)


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

    def end_break(self) -> None:
        """There are no breaks: each mail is tried by itself."""

    async def close(self) -> None:
        """Nothing is held open."""
