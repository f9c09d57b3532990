"""A real SMTP server in this process, which refuses, stalls and hangs up as a test asks."""

import asyncio
import contextlib
import ssl
import time
from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from email import message_from_bytes
from email.message import EmailMessage
from email.policy import SMTP as POLICY
from typing import Any

import trustme
from aiosmtpd.smtp import SMTP, AuthResult, Envelope, LoginPassword, Session

USERNAME, PASSWORD = "kitchen", "a password of the kitchen"
AUTHORITY = trustme.CA()


def trusting() -> ssl.SSLContext:
    """Return what believes the authority of the tests."""
    context = ssl.create_default_context()
    AUTHORITY.configure_trust(context)
    return context


def _certified() -> ssl.SSLContext:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    AUTHORITY.issue_cert("localhost").configure_cert(context)
    return context


@dataclass
class MailServer:
    """What it answers, and what it has got."""

    port: int = 0
    connections: int = 0
    mails: list[EmailMessage] = field(default_factory=list)
    contents: list[bytes] = field(default_factory=list)
    """The bytes of each mail, as they came after DATA."""
    readers: list[list[str]] = field(default_factory=list)
    taken_at: list[float] = field(default_factory=list)
    """When each of them was taken, in seconds since 1970."""
    on_sender: str = ""
    on_reader: str = ""
    on_data: str = ""
    """The answer to each step; empty: it is taken."""
    silent_seconds: float = 0.0
    """How long it says nothing after it has taken a mail."""
    hangs_up_at_data: bool = False
    transports: list[asyncio.Transport] = field(default_factory=list)

    def hang_up(self) -> None:
        """Drop every connection."""
        for transport in self.transports:
            transport.close()

    async def handle_MAIL(  # noqa: N802 - aiosmtpd's name
        self, server: SMTP, session: Session, envelope: Envelope, address: str, options: list[str]
    ) -> str:
        envelope.mail_from = address
        return self.on_sender or "250 OK"

    async def handle_RCPT(  # noqa: N802
        self, server: SMTP, session: Session, envelope: Envelope, address: str, options: list[str]
    ) -> str:
        if self.on_reader:
            return self.on_reader
        envelope.rcpt_tos.append(address)
        return "250 OK"

    async def handle_DATA(  # noqa: N802
        self, server: SMTP, session: Session, envelope: Envelope
    ) -> str:
        if self.on_data:
            return self.on_data
        if self.hangs_up_at_data:
            self.hang_up()
            return "421 gone"
        content = envelope.original_content or b""
        assert isinstance(content, bytes)
        self.contents.append(content)
        self.mails.append(message_from_bytes(content, policy=POLICY))
        self.readers.append(list(envelope.rcpt_tos))
        self.taken_at.append(time.time())
        await asyncio.sleep(self.silent_seconds)
        return "250 OK"


class _Connection(SMTP):
    def connection_made(self, transport: Any) -> None:
        handler = self.event_handler
        handler.connections += 1
        handler.transports.append(transport)
        super().connection_made(transport)


def _knows(_server: SMTP, _session: Any, _envelope: Any, _mechanism: str, data: Any) -> AuthResult:
    known = isinstance(data, LoginPassword) and (data.login, data.password) == (
        USERNAME.encode(),
        PASSWORD.encode(),
    )
    return AuthResult(success=known, handled=False)


def smtp_settings(port: int) -> dict[str, Any]:
    """Return the settings by which the product sends its mails to an unencrypted server here."""
    return {
        "mail_transport": "smtp",
        "smtp_host": "localhost",
        "smtp_port": port,
        "smtp_tls": "none",
    }


@contextlib.asynccontextmanager
async def mail_server(
    *,
    starttls: bool = False,
    implicit: bool = False,
    asks_who: bool = False,
    utf8: bool = False,
    port: int = 0,
    **knobs,
) -> AsyncIterator[MailServer]:
    """Run a mail server on a free port of this machine."""
    handler = MailServer(**knobs)

    def connected() -> SMTP:
        return _Connection(
            handler,
            hostname="localhost",
            enable_SMTPUTF8=utf8,
            tls_context=_certified() if starttls else None,
            require_starttls=starttls,
            authenticator=_knows if asks_who else None,
            auth_required=asks_who,
            auth_require_tls=asks_who,
        )

    loop = asyncio.get_running_loop()
    server = await loop.create_server(
        connected, "127.0.0.1", port, ssl=_certified() if implicit else None
    )
    handler.port = server.sockets[0].getsockname()[1]
    try:
        yield handler
    finally:
        server.close()
        handler.hang_up()
        await server.wait_closed()
