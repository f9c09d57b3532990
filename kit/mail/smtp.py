"""E-mail through a mail server. Source: specification P4.13.

A mail may reach its reader twice, when the server took it and its answer was lost: it then has
the same Message-ID, by which mailboxes know it.
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
    SMTPAuthenticationError,
    SMTPException,
    SMTPNotSupported,
    SMTPRecipientsRefused,
    SMTPResponseException,
)

from kit.breaker import Breaker
from kit.clock import Clock
from kit.mail.message import Letter, Mail, letter_from
from kit.outbox.errors import ChannelDown, DeliveryPostponed, DeliveryRejected

logger = logging.getLogger(__name__)

_MAIL_SECONDS = 40.0
_FIRST_BREAK_SECONDS = 5.0
_LONGEST_BREAK_SECONDS = 300.0
_NEVER_BEFORE = 500
"""From this code on the server's answer will not change."""


class SmtpTls(StrEnum):
    """How the way to the mail server is encrypted."""

    IMPLICIT = "implicit"
    STARTTLS = "starttls"
    NONE = "none"


@dataclass(frozen=True)
class SmtpServer:
    """Where mails are handed in, and how patiently."""

    host: str
    port: int
    tls: SmtpTls
    username: str = ""
    password: str = field(default="", repr=False)
    operation_seconds: float = 12.0
    idle_seconds: float = 3.0
    turn_seconds: float = 4.0
    """How long a mail waits for those before it; with its own time, less than its effect has."""


class SmtpMailer:
    """Hands in one mail after another; the connection stays for those that follow soon."""

    def __init__(
        self,
        server: SmtpServer,
        sender: str,
        clock: Clock,
        trusted: ssl.SSLContext | None = None,
    ) -> None:
        """Prepare to send; nothing is connected yet.

        Args:
            server: Where to hand in.
            sender: Who writes, where a mail does not say.
            clock: For dates, and for the breaks while the server is away.
            trusted: Whose certificates are believed; by default those that the machine believes.
        """
        self._server = server
        self._sender = sender
        self._clock = clock
        self._trusted = trusted or ssl.create_default_context()
        self._breaker = Breaker(clock, _FIRST_BREAK_SECONDS, _LONGEST_BREAK_SECONDS)
        self._lock = asyncio.Lock()
        self._client: SMTP | None = None
        self._leaving: asyncio.Task[None] | None = None

    async def send(self, mail: Mail) -> None:
        """Hand a mail in.

        Raises:
            DeliveryRejected: If the server will never take it.
            DeliveryPostponed: If it may take it later, or nobody knows whether it did.
            ChannelDown: If it takes none now.
        """
        letter = letter_from(mail, self._sender, self._clock.now())
        async with self._turn():
            self._breaker.check()
            try:
                async with asyncio.timeout(_MAIL_SECONDS):
                    await self._hand_in(await self._connected(), letter)
            except TimeoutError:
                raise self._silent("it took too long") from None
            self._breaker.worked()
            self._leave_soon()

    @contextlib.asynccontextmanager
    async def _turn(self) -> AsyncGenerator[None]:
        """Wait for those who came before; where that takes long, nothing has been tried yet."""
        try:
            async with asyncio.timeout(self._server.turn_seconds):
                await self._lock.acquire()
        except TimeoutError:
            raise ChannelDown("the mail server is slow", self._server.turn_seconds) from None
        try:
            yield
        finally:
            self._lock.release()

    def is_up(self) -> bool:
        return self._breaker.is_over

    def end_break(self) -> None:
        self._breaker.reset()

    async def close(self) -> None:
        """Take leave of the server."""
        if self._leaving is not None:
            self._leaving.cancel()
        async with self._lock:
            await self._leave()

    async def _connected(self) -> SMTP:
        if self._client is not None:
            with contextlib.suppress(SMTPException):
                await self._client.noop()
                return self._client
            self._hang_up()  # the server has dropped a connection that was kept
        client = self._new_client()
        try:
            await client.connect()
        except (SMTPException, OSError) as error:
            client.close()
            raise self._refused(error) from None
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
            tls_context=None if server.tls is SmtpTls.NONE else self._trusted,
            local_hostname="localhost",  # the default asks the name service, and may wait for it
            timeout=server.operation_seconds,
        )

    def _refused(self, error: Exception) -> ChannelDown:
        """Begin a break; one that only an operator can end is told loudly."""
        reason = f"the mail server lets nobody in: {_kind(error)}"
        if _is_ours_to_mend(error):
            logger.error("mail: %s; look at the SMTP settings", reason)
            return self._breaker.failed(reason, at_once_for_long=True)
        logger.warning("mail: %s", reason)
        return self._breaker.failed(reason)

    async def _hand_in(self, client: SMTP, letter: Letter) -> None:
        options = ["SMTPUTF8"] if letter.needs_utf8 else []
        try:
            await client.sendmail(letter.sender, letter.to, letter.content, mail_options=options)
        except SMTPNotSupported:
            raise DeliveryRejected("the mail server can't write this address") from None
        except (SMTPException, OSError) as error:
            code = _code_of(error)
            if code is None:
                raise self._silent(_kind(error)) from None
            with contextlib.suppress(SMTPException):
                await client.rset()
            failure = DeliveryRejected if code >= _NEVER_BEFORE else DeliveryPostponed
            raise failure(f"the mail server answered {code}") from None

    def _silent(self, why: str) -> DeliveryPostponed:
        """Give up on a server that may or may not have taken the mail; those behind it wait."""
        self._hang_up()
        reason = f"the mail server fell silent: {why}"
        self._breaker.failed(reason)
        return DeliveryPostponed(reason)

    def _leave_soon(self) -> None:
        if self._leaving is not None:
            self._leaving.cancel()
        self._leaving = asyncio.create_task(self._leave_when_idle())

    async def _leave_when_idle(self) -> None:
        await asyncio.sleep(self._server.idle_seconds)
        async with self._lock:
            await self._leave()

    async def _leave(self) -> None:
        if self._client is not None:
            with contextlib.suppress(SMTPException, OSError):
                await self._client.quit()
            self._hang_up()

    def _hang_up(self) -> None:
        if self._client is not None:
            self._client.close()
            self._client = None


def _code_of(error: Exception) -> int | None:
    """Return what the server said of the mail, if it said anything."""
    if isinstance(error, SMTPRecipientsRefused):
        return error.recipients[0].code  # a mail has one reader
    return error.code if isinstance(error, SMTPResponseException) else None


def _is_ours_to_mend(error: Exception) -> bool:
    if isinstance(error, SMTPResponseException):
        return isinstance(error, SMTPAuthenticationError) and error.code >= _NEVER_BEFORE
    is_certificate = isinstance(error.__cause__ or error, ssl.SSLError)
    return is_certificate or type(error) is SMTPException


def _kind(error: Exception) -> str:
    """Return what happened, without the server's words: they may name the reader."""
    code = _code_of(error)
    return type(error).__name__ if code is None else f"{type(error).__name__} {code}"
