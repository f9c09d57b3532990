"""E-mails: their content, their encoding, and a mailer that writes them to a folder."""

import hashlib
import logging
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from email.header import Header, decode_header, make_header
from email.headerregistry import Address, AddressHeader, HeaderRegistry, UnstructuredHeader
from email.message import EmailMessage
from email.parser import HeaderParser
from email.policy import EmailPolicy, compat32
from email.utils import getaddresses, parseaddr
from functools import cache
from pathlib import Path
from typing import Any, Protocol

from kit.clock import Clock
from kit.mail.headers import is_header_text, is_mail_address
from kit.outbox.errors import DeliveryPostponed, DeliveryRejected
from kit.outbox_folder import OutboxFolder

logger = logging.getLogger(__name__)


@dataclass(frozen=True)
class Mail:
    """An e-mail to one person; `key` identifies it across retries."""

    key: str
    to: str
    to_name: str
    subject: str
    text: str
    html: str
    sender: str = ""
    """Overrides the deployment's sender if not empty."""
    reply_to: str = ""
    """The ASCII address to which replies go if it is not the sender's."""
    pictures: Mapping[str, bytes] = field(default_factory=dict[str, bytes])
    """PNG files by the content ids by which the HTML shows them, `<img src="cid:{id}">`.

    A content id has the form of an e-mail address, and is unique.
    """


MAIL_CHANNEL = "mail"
"""The outbox channel of all effects that send mails."""


class Mailer(Protocol):
    """Sends e-mail."""

    async def send(self, mail: Mail) -> None:
        """Send a mail.

        Raises:
            DeliveryRejected: If it fails permanently.
            DeliveryPostponed: If it may be sent later.
        """
        ...

    def is_up(self) -> bool:
        """Whether the last attempts suggest that mails can be sent now."""
        ...

    def reset_breaker(self) -> None:
        """Allow the next mail at once, although the last ones failed."""
        ...

    async def close(self) -> None:
        """Close connections."""
        ...


@dataclass(frozen=True)
class Envelope:
    """A mail as SMTP transmits it: its sender, its recipient, and the encoded message."""

    sender: str
    to: str
    content: bytes

    @property
    def needs_utf8(self) -> bool:
        """Whether an address is not ASCII, so that the server must support SMTPUTF8."""
        return not (self.sender + self.to).isascii()


class _Policy(EmailPolicy):  # pyright: ignore[reportMissingTypeArgument]
    """The policy for SMTP, except that `email.header.Header` folds addresses and subjects.

    A workaround for bugs of `EmailPolicy` in Python 3.11: its folding drops the quotation marks of
    long names, so that a comma in one starts another address, and it adds or drops spaces between
    encoded words.
    """

    def fold_binary(self, name: str, value: Any) -> bytes:
        """Return a header as bytes, folded."""
        if isinstance(value, AddressHeader):
            return _folded_address(name, value.addresses[0])
        if isinstance(value, UnstructuredHeader):
            return f"{name}: {_folded_text(name, str(value))}{_NEWLINE}".encode()
        return super().fold_binary(name, value)


_header_class = cache(HeaderRegistry().__getitem__)


class _Headers(HeaderRegistry):
    """The header registry, with its classes cached: it creates a class for each header."""

    def __getitem__(self, name: str) -> Any:
        return _header_class(name)


_NEWLINE = "\r\n"
_MAX_LINE_CHARACTERS = 76
_POLICY = _Policy(linesep=_NEWLINE, header_factory=_Headers())


def envelope_for(mail: Mail, sender: str, at: datetime) -> Envelope:
    """Encode a mail; its Message-ID depends on its key alone.

    Raises:
        DeliveryRejected: If an address, a name or the subject is not valid in a header.
    """
    sender_name, sender_email = parseaddr(mail.sender or sender)
    texts = (mail.sender or sender, mail.to_name, mail.subject)
    addresses = (sender_email, mail.to, *([mail.reply_to] if mail.reply_to else []))
    if not (all(map(is_header_text, texts)) and all(map(is_mail_address, addresses))):
        raise _invalid_header()
    identity = hashlib.sha256(mail.key.encode()).hexdigest()[:32]
    message = EmailMessage(_POLICY)
    message["From"] = _address(sender_name, sender_email)
    message["To"] = _address(mail.to_name, mail.to)
    if mail.reply_to:
        message["Reply-To"] = _address("", mail.reply_to)
    message["Subject"] = mail.subject
    message["Date"] = at
    message["Message-ID"] = f"<{identity}@{sender_email.rpartition('@')[2]}>"
    message["X-Entity-Ref-ID"] = identity
    message["Auto-Submitted"] = "auto-generated"
    message.set_content(mail.text, cte="quoted-printable")
    message.add_alternative(mail.html, subtype="html", cte="quoted-printable")
    if mail.pictures:
        _attach(message, mail.pictures, identity)
    # Never occurs in quoted-printable text, where two digits follow each =.
    message.set_boundary(f"=_{identity}")
    content = message.as_bytes()
    _verify(content, message, mail)
    return Envelope(sender_email, mail.to, content)


def _attach(message: EmailMessage, pictures: Mapping[str, bytes], identity: str) -> None:
    """Attach pictures to the HTML part, which shows them in the text.

    Most mail programs show neither `data:` addresses nor, unasked, pictures of the web.
    """
    html = message.get_body(("html",))
    if html is None:
        raise TypeError("a mail with pictures has an HTML part")
    for content_id, png in pictures.items():
        html.add_related(png, "image", "png", cid=f"<{content_id}>", disposition="inline")
    html.set_param("type", "text/html")
    # Does not begin with the outer boundary, which some programs would take it for.
    html.set_boundary(f"=_related_{identity}")


def _verify(content: bytes, message: EmailMessage, mail: Mail) -> None:
    """Check that a parser of the bytes finds the headers that were set and one recipient.

    Raises:
        DeliveryRejected: If it finds anything else, which would be a header injection.
    """
    header_lines = content.decode().partition(_NEWLINE * 2)[0]
    read = HeaderParser(policy=compat32).parsestr(header_lines)
    recipients = getaddresses([_unfolded(read["To"])])
    if (
        read.keys() != message.keys()
        or [address for _, address in recipients] != [mail.to]
        or _words(recipients[0][0]) != mail.to_name.split()
        or _words(_unfolded(read["Subject"])) != mail.subject.split()
        or _unfolded(read.get("Reply-To", "")).strip() != mail.reply_to
    ):
        raise _invalid_header()


def _invalid_header() -> DeliveryRejected:
    """Return the error; it does not quote the values, because it is logged."""
    return DeliveryRejected("an address, a name or the subject is not valid in a header")


def _address(name: str, email: str) -> Address:
    username, _, domain = email.rpartition("@")
    return Address(name, username, domain)


def _unfolded(header: object) -> str:
    return "".join(str(header).splitlines())


def _words(text: str) -> list[str]:
    return str(make_header(decode_header(text))).split()


def _folded_address(header: str, address: Address) -> bytes:
    """Return `name <address>` on one line, or a long name as encoded words on lines before it."""
    name, email = address.display_name, address.addr_spec
    line = f"{header}: {address}"
    if name and not (name.isascii() and len(line) <= _MAX_LINE_CHARACTERS):
        encoded = Header(name, "utf-8", header_name=header).encode(linesep=_NEWLINE)
        line = f"{header}: {encoded}{_NEWLINE} <{email}>"
    return f"{line}{_NEWLINE}".encode()


def _folded_text(header: str, text: str) -> str:
    charset = "us-ascii" if text.isascii() else "utf-8"
    return Header(text, charset, header_name=header).encode(linesep=_NEWLINE)


class OutboxFolderMailer:
    """Writes each mail as one `.eml` file, named by its key; a retry overwrites it."""

    def __init__(self, folder: Path, sender: str, clock: Clock) -> None:
        self._folder = OutboxFolder(folder)
        self._sender = sender
        self._clock = clock
        self._has_failed = False

    async def send(self, mail: Mail) -> None:
        envelope = envelope_for(mail, self._sender, self._clock.now())
        name = re.sub(r"[^A-Za-z0-9_.-]+", "-", mail.key) + ".eml"
        try:
            await self._folder.put(name, envelope.content)
        except OSError as error:
            self._has_failed = True
            reason = f"the outbox folder is not writable: {type(error).__name__}"
            logger.warning("mail: %s", reason)
            raise DeliveryPostponed(reason) from None
        self._has_failed = False

    def is_up(self) -> bool:
        return not self._has_failed

    def reset_breaker(self) -> None:
        """Do nothing: there is no circuit breaker."""

    async def close(self) -> None:
        """Do nothing: there is no connection."""
