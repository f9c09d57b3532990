"""E-mail: one message to one person, and the outbox folder that takes the place of a server."""

import asyncio
import hashlib
import logging
import re
import secrets
from dataclasses import dataclass
from datetime import datetime
from email.headerregistry import Address, HeaderRegistry
from email.message import EmailMessage
from email.policy import SMTP
from email.utils import format_datetime, parseaddr
from pathlib import Path
from typing import Any, Protocol

from campus_app.infrastructure.clock import Clock
from campus_app.infrastructure.delivery import DeliveryPostponed, DeliveryRejected

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


_POLICY = SMTP.clone(header_factory=_MadeOnce())


def _address(name: str, email: str) -> Address:
    user, _, domain = email.rpartition("@")
    if not user or not domain:
        raise ValueError("an e-mail address has an @ between two parts")
    return Address(name, user, domain)


def message_from(mail: Mail, sender: str, at: datetime) -> EmailMessage:
    """Return the message to send; the same mail always has the same Message-ID.

    Raises:
        DeliveryRejected: If an address or the subject would break a header.
    """
    try:
        return _message(mail, sender, at)
    except ValueError:  # which quotes them
        raise DeliveryRejected("an address or the subject breaks a header") from None


def _message(mail: Mail, sender: str, at: datetime) -> EmailMessage:
    sender_name, sender_email = parseaddr(mail.sender or sender)
    identity = hashlib.sha256(mail.key.encode()).hexdigest()[:32]
    message = EmailMessage(policy=_POLICY)
    message["From"] = _address(sender_name, sender_email)
    message["To"] = _address(mail.to_name, mail.to)
    message["Subject"] = mail.subject
    message["Date"] = format_datetime(at)
    message["Message-ID"] = f"<{identity}@{sender_email.rpartition('@')[2]}>"
    message["X-Entity-Ref-ID"] = identity
    message["Auto-Submitted"] = "auto-generated"
    message.set_content(mail.text)
    message.add_alternative(mail.html, subtype="html")
    # No text has it by chance; one of the library's own is looked for in all of the text.
    message.set_boundary(f"=_{identity}")
    return message


class OutboxFolderMailer:
    """Writes each mail as one `.eml` file; the same mail twice is one file."""

    def __init__(self, folder: Path, sender: str, clock: Clock) -> None:
        self._folder = folder
        self._sender = sender
        self._clock = clock
        self._has_failed = False

    async def send(self, mail: Mail) -> None:
        message = message_from(mail, self._sender, self._clock.now())
        name = re.sub(r"[^A-Za-z0-9_.-]+", "-", mail.key) + ".eml"
        try:
            await asyncio.to_thread(self._write, name, message.as_bytes())
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

    def _write(self, name: str, content: bytes) -> None:
        self._folder.mkdir(parents=True, exist_ok=True)
        # Only whole files appear: a reader, or a crash, never meets half a mail.
        part = self._folder / f".{secrets.token_hex(8)}.part"
        part.write_bytes(content)
        part.replace(self._folder / name)
