"""An SMTP server in this process; tests configure its replies, delays and disconnects."""

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

USERNAME, PASSWORD = "restaurant", "a password of the restaurant"
AUTHORITY = trustme.CA()


def client_ssl_context() -> ssl.SSLContext:
    """Return an SSL context that trusts the test CA."""
    context = ssl.create_default_context()
    AUTHORITY.configure_trust(context)
    return context


def _server_ssl_context() -> ssl.SSLContext:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    AUTHORITY.issue_cert("localhost").configure_cert(context)
    return context


@dataclass
class MailServer:
    """The configured replies, and the mails that were received."""

    port: int = 0
    connections: int = 0
    mails: list[EmailMessage] = field(default_factory=list)
    contents: list[bytes] = field(default_factory=list)
    """The bytes of each mail as received after DATA."""
    recipients: list[list[str]] = field(default_factory=list)
    received_at: list[float] = field(default_factory=list)
    """When each mail was received, in seconds since 1970."""
    mail_from_reply: str = ""
    rcpt_reply: str = ""
    data_reply: str = ""
    """The replies to MAIL, RCPT and DATA; an empty reply accepts the command."""
    ehlo_reply: str = ""
    """The reply to EHLO and HELO; an empty one accepts them."""
    is_strict_about_helo: bool = False
    """Refuses recipients of clients whose EHLO states no full name, as Postfix does."""
    helo_names: list[str] = field(default_factory=list)
    delay_seconds: float = 0.0
    """Seconds before the reply to an accepted mail."""
    disconnects_at_data: bool = False
    transports: list[asyncio.Transport] = field(default_factory=list)

    def hang_up(self) -> None:
        """Close every connection."""
        for transport in self.transports:
            transport.close()

    async def handle_EHLO(  # noqa: N802
        self,
        server: SMTP,
        session: Session,
        envelope: Envelope,
        hostname: str,
        responses: list[str],
    ) -> list[str]:
        self.helo_names.append(hostname)
        if self.ehlo_reply:
            return [self.ehlo_reply]
        session.host_name = hostname
        return responses

    async def handle_HELO(  # noqa: N802
        self, server: SMTP, session: Session, envelope: Envelope, hostname: str
    ) -> str:
        session.host_name = hostname
        return self.ehlo_reply or f"250 {server.hostname}"

    async def handle_MAIL(  # noqa: N802 - aiosmtpd's name
        self, server: SMTP, session: Session, envelope: Envelope, address: str, options: list[str]
    ) -> str:
        envelope.mail_from = address
        return self.mail_from_reply or "250 OK"

    async def handle_RCPT(  # noqa: N802
        self, server: SMTP, session: Session, envelope: Envelope, address: str, options: list[str]
    ) -> str:
        if self.is_strict_about_helo and "." not in str(session.host_name):
            return f"504 5.5.2 <{session.host_name}>: Helo command rejected: need fully-qualified"
        if self.rcpt_reply:
            return self.rcpt_reply
        envelope.rcpt_tos.append(address)
        return "250 OK"

    async def handle_DATA(  # noqa: N802
        self, server: SMTP, session: Session, envelope: Envelope
    ) -> str:
        if self.data_reply:
            return self.data_reply
        if self.disconnects_at_data:
            self.hang_up()
            return "421 gone"
        content = envelope.original_content or b""
        assert isinstance(content, bytes)
        self.contents.append(content)
        self.mails.append(message_from_bytes(content, policy=POLICY))
        self.recipients.append(list(envelope.rcpt_tos))
        self.received_at.append(time.time())
        await asyncio.sleep(self.delay_seconds)
        return "250 OK"


class _Connection(SMTP):
    def connection_made(self, transport: Any) -> None:
        handler = self.event_handler
        handler.connections += 1
        handler.transports.append(transport)
        super().connection_made(transport)


def _authenticate(
    _server: SMTP, _session: Any, _envelope: Any, _mechanism: str, data: Any
) -> AuthResult:
    is_valid = isinstance(data, LoginPassword) and (data.login, data.password) == (
        USERNAME.encode(),
        PASSWORD.encode(),
    )
    return AuthResult(success=is_valid, handled=False)


def smtp_settings(port: int) -> dict[str, Any]:
    """Return product settings for an unencrypted SMTP server on this port."""
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
    requires_auth: bool = False,
    utf8: bool = False,
    port: int = 0,
    **options,
) -> AsyncIterator[MailServer]:
    """Run an SMTP server, on a free port by default; `options` are fields of MailServer."""
    handler = MailServer(**options)

    def new_connection() -> SMTP:
        return _Connection(
            handler,
            hostname="localhost",
            enable_SMTPUTF8=utf8,
            tls_context=_server_ssl_context() if starttls else None,
            require_starttls=starttls,
            authenticator=_authenticate if requires_auth else None,
            auth_required=requires_auth,
            auth_require_tls=requires_auth,
        )

    loop = asyncio.get_running_loop()
    server = await loop.create_server(
        new_connection, "127.0.0.1", port, ssl=_server_ssl_context() if implicit else None
    )
    handler.port = server.sockets[0].getsockname()[1]
    try:
        yield handler
    finally:
        server.close()
        handler.hang_up()
        await server.wait_closed()
