"""E-mail over SMTP. Source: specification P4.13.

If the server accepted a mail and its reply was lost, the mail is sent again with the same
Message-ID, by which mailboxes recognise a duplicate.
"""

import asyncio
import contextlib
import logging
import ssl
from collections.abc import AsyncGenerator
from dataclasses import dataclass, field
from enum import StrEnum

from aiosmtplib import (
    SMTP,
    SMTPException,
    SMTPHeloError,
    SMTPNotSupported,
    SMTPRecipientsRefused,
    SMTPResponseException,
    SMTPSenderRefused,
)

from kit.breaker import CircuitBreaker, CircuitState
from kit.clock import Clock
from kit.mail.message import Envelope, Mail, envelope_for
from kit.mail.refusal import Refusal, Stage, Verdict
from kit.outbox.errors import ChannelDown, DeliveryPostponed, DeliveryRejected, OperatorNeeded

logger = logging.getLogger(__name__)

_MAIL_SECONDS = 40.0
_FIRST_PAUSE_SECONDS = 5.0
_MAX_PAUSE_SECONDS = 300.0
_FAILURES = {
    Verdict.TEMPORARY: DeliveryPostponed,
    Verdict.NEEDS_OPERATOR: OperatorNeeded,
    Verdict.FINAL: DeliveryRejected,
}
_ADVICE = "check the SMTP settings"


class SmtpTls(StrEnum):
    """How the connection to the mail server is encrypted."""

    IMPLICIT = "implicit"
    STARTTLS = "starttls"
    NONE = "none"


@dataclass(frozen=True)
class SmtpServer:
    """Address, credentials and timeouts of a mail server."""

    host: str
    port: int
    tls: SmtpTls
    username: str = ""
    password: str = field(default="", repr=False)
    helo: str = "localhost"
    """The name that EHLO states. Relays refuse names without a domain; some also those without an
    address in DNS.
    """
    operation_seconds: float = 12.0
    idle_seconds: float = 3.0
    lock_seconds: float = 4.0
    """How long a mail waits for the connection, in addition to `_MAIL_SECONDS`."""


class SmtpMailer:
    """Sends one mail at a time; the connection is closed after `idle_seconds` without a mail."""

    def __init__(
        self,
        server: SmtpServer,
        sender: str,
        clock: Clock,
        ssl_context: ssl.SSLContext | None = None,
    ) -> None:
        """Configure the mailer; nothing is connected yet.

        Args:
            server: Where to send.
            sender: The sender of mails that name none.
            clock: For dates and for the circuit breaker.
            ssl_context: Which certificates are trusted; by default those of the system.
        """
        self._server = server
        self._sender = sender
        self._clock = clock
        self._ssl_context = ssl_context or ssl.create_default_context()
        self._breaker = CircuitBreaker(
            _FIRST_PAUSE_SECONDS, _MAX_PAUSE_SECONDS, ChannelDown, clock.monotonic
        )
        self._lock = asyncio.Lock()
        self._client: SMTP | None = None
        self._idle_timer: asyncio.Task[None] | None = None

    async def send(self, mail: Mail) -> None:
        """Send a mail.

        Raises:
            DeliveryRejected: If the server rejects the recipient or the content permanently.
            DeliveryPostponed: If the server may accept it later, or its reply was lost.
            OperatorNeeded: If the server rejects this host, the sender or the login.
            ChannelDown: If the server accepts no mail now.
        """
        envelope = envelope_for(mail, self._sender, self._clock.now())
        async with self._exclusively():
            self._breaker.check()
            try:
                async with asyncio.timeout(_MAIL_SECONDS):
                    await self._transmit(await self._connected(), envelope)
            except TimeoutError:
                raise self._connection_lost("the mail server did not reply: timeout") from None
            finally:
                self._restart_idle_timer()
            self._breaker.record_success()

    @contextlib.asynccontextmanager
    async def _exclusively(self) -> AsyncGenerator[None]:
        """Hold the lock of the connection.

        Raises:
            ChannelDown: After `lock_seconds`; the mail was not tried, so no attempt counts.
        """
        try:
            async with asyncio.timeout(self._server.lock_seconds):
                await self._lock.acquire()
        except TimeoutError:
            raise ChannelDown("the mail server is slow", self._server.lock_seconds) from None
        try:
            yield
        finally:
            self._lock.release()

    def is_up(self) -> bool:
        return self._breaker.state is not CircuitState.OPEN

    def reset_breaker(self) -> None:
        self._breaker.reset()

    async def close(self) -> None:
        """Send QUIT and close the connection."""
        if self._idle_timer is not None:
            self._idle_timer.cancel()
        async with self._lock:
            await self._quit()

    async def _connected(self) -> SMTP:
        if self._client is not None:
            with contextlib.suppress(SMTPException):
                await self._client.noop()
                return self._client
            self._disconnect()  # the server has closed the connection
        client = self._new_client()
        try:
            await client.connect()
        except (SMTPException, OSError) as error:
            client.close()
            raise self._connect_failed(error) from None
        self._client = client
        return client

    def _new_client(self) -> SMTP:
        server = self._server
        return SMTP(
            hostname=server.host,
            port=server.port,
            username=server.username or None,
            password=server.password or None,
            use_tls=server.tls is SmtpTls.IMPLICIT,
            start_tls=server.tls is SmtpTls.STARTTLS,
            tls_context=None if server.tls is SmtpTls.NONE else self._ssl_context,
            local_hostname=server.helo,  # the default resolves the host name, which can block
            timeout=server.operation_seconds,
        )

    def _connect_failed(self, error: Exception) -> ChannelDown:
        """Open the breaker; for the longest time if only an operator can fix the cause."""
        reason = f"cannot connect to the mail server: {_kind(error)}"
        if _is_configuration_error(error):
            logger.error("mail: %s; %s", reason, _ADVICE)
            return self._breaker.record_failure(reason, needs_operator=True)
        logger.warning("mail: %s", reason)
        return self._breaker.record_failure(reason)

    async def _transmit(self, client: SMTP, envelope: Envelope) -> None:
        options = ["SMTPUTF8"] if envelope.needs_utf8 else []
        try:
            await client.sendmail(
                envelope.sender, envelope.to, envelope.content, mail_options=options
            )
        except SMTPNotSupported:
            raise DeliveryRejected("the mail server does not support this address") from None
        except (SMTPException, OSError) as error:
            raise await self._refused(client, error) from None

    async def _refused(self, client: SMTP, error: Exception) -> Exception:
        """Return what to raise for a failed transmission; make the connection usable again."""
        refusal = _refusal_of(error)
        if refusal is None:
            return self._connection_lost(f"the mail server did not reply: {_kind(error)}")
        if refusal.stage is Stage.CONNECTION:  # without TLS and login, EHLO is part of sending
            self._disconnect()
            return self._connect_failed(error)
        if refusal.closes_connection:
            return self._connection_lost(str(refusal))
        with contextlib.suppress(SMTPException):
            await client.rset()
        if refusal.verdict is Verdict.NEEDS_OPERATOR:
            logger.error("mail: %s; %s", refusal, _ADVICE)
        return _FAILURES[refusal.verdict](str(refusal))

    def _connection_lost(self, reason: str) -> DeliveryPostponed:
        """Disconnect and open the breaker; whether the server accepted the mail may be unknown."""
        self._disconnect()
        self._breaker.record_failure(reason)
        return DeliveryPostponed(reason)

    def _restart_idle_timer(self) -> None:
        if self._idle_timer is not None:
            self._idle_timer.cancel()
        self._idle_timer = asyncio.create_task(self._quit_when_idle())

    async def _quit_when_idle(self) -> None:
        await asyncio.sleep(self._server.idle_seconds)
        async with self._lock:
            await self._quit()

    async def _quit(self) -> None:
        if self._client is not None:
            with contextlib.suppress(SMTPException, OSError):
                await self._client.quit()
            self._disconnect()

    def _disconnect(self) -> None:
        if self._client is not None:
            self._client.close()
            self._client = None


def _refusal_of(error: Exception) -> Refusal | None:
    """Return the server's refusal, or None if the server did not reply."""
    if isinstance(error, SMTPRecipientsRefused):
        refused = error.recipients[0]  # a mail has one recipient
        return Refusal.parse(Stage.RECIPIENT, refused.code, refused.message)
    if not isinstance(error, SMTPResponseException):
        return None
    stage = Stage.CONTENT
    if isinstance(error, SMTPSenderRefused):
        stage = Stage.SENDER
    elif isinstance(error, SMTPHeloError):
        stage = Stage.CONNECTION
    return Refusal.parse(stage, error.code, error.message)


def _is_configuration_error(error: Exception) -> bool:
    """Whether connecting fails until an operator changes settings, DNS or the account."""
    if isinstance(error, SMTPResponseException):
        refusal = Refusal(Stage.CONNECTION, error.code)
        return refusal.verdict is Verdict.NEEDS_OPERATOR
    is_certificate = isinstance(error.__cause__ or error, ssl.SSLError)
    return is_certificate or type(error) is SMTPException


def _kind(error: Exception) -> str:
    """Return the kind of error, without the server's text, which may contain the recipient."""
    code = f" {error.code}" if isinstance(error, SMTPResponseException) else ""
    return f"{type(error).__name__}{code}"
