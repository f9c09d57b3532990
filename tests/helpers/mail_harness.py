"""A test harness for each mailer: received mails, and outages."""

import contextlib
from abc import ABC, abstractmethod
from collections.abc import AsyncIterator, Sequence
from email import message_from_bytes
from email.message import EmailMessage
from email.policy import SMTP
from pathlib import Path

from kit.mail.message import Mailer, OutboxFolderMailer
from kit.mail.smtp import SmtpMailer, SmtpServer, SmtpTls
from tests.fakes.mail_server import MailServer, mail_server
from tests.helpers.clock import ManualClock
from tests.helpers.ports import free_port

SENDER = "FOOD_points <orders@food-points.example>"
_MAXIMUM_RETRY_SECONDS = 300


class MailHarness(ABC):
    """Base class of the harnesses: received mails, and outages."""

    mailer: Mailer

    def __init__(self, clock: ManualClock) -> None:
        self.clock = clock

    @abstractmethod
    def arrived(self) -> Sequence[EmailMessage]:
        """Return the received mails, each once by its Message-ID."""

    @abstractmethod
    async def stop_accepting(self) -> None:
        """Start an outage: no mail is accepted."""

    @abstractmethod
    async def accept_again(self) -> None:
        """End the outage, and advance the clock past the retry delay."""

    @abstractmethod
    async def close(self) -> None:
        """Release all resources."""


def block(folder: Path) -> None:
    """Make a folder unwritable, also for root."""
    folder.mkdir(parents=True, exist_ok=True)
    folder.rename(folder.with_name("renamed"))
    folder.write_text("a file where the folder should be")


def unblock(folder: Path) -> None:
    """Make the folder writable again."""
    folder.unlink()
    folder.with_name("renamed").rename(folder)


class FolderHarness(MailHarness):
    """Harness of the mailer that writes files."""

    def __init__(self, clock: ManualClock, folder: Path) -> None:
        super().__init__(clock)
        self._folder = folder / "mail"
        self.mailer = OutboxFolderMailer(self._folder, SENDER, clock)

    def arrived(self) -> Sequence[EmailMessage]:
        files = sorted(self._folder.glob("*.eml"))
        return [message_from_bytes(file.read_bytes(), policy=SMTP) for file in files]

    async def stop_accepting(self) -> None:
        block(self._folder)

    async def accept_again(self) -> None:
        unblock(self._folder)

    async def close(self) -> None:
        await self.mailer.close()


class SmtpHarness(MailHarness):
    """Harness of the SMTP mailer, with a fake SMTP server."""

    def __init__(self, clock: ManualClock) -> None:
        super().__init__(clock)
        self._port = free_port()
        self._servers: list[MailServer] = []
        self._open = contextlib.AsyncExitStack()
        self.mailer = SmtpMailer(SmtpServer("localhost", self._port, SmtpTls.NONE), SENDER, clock)

    def arrived(self) -> Sequence[EmailMessage]:
        by_id = {mail["Message-ID"]: mail for each in self._servers for mail in each.mails}
        return list(by_id.values())

    async def stop_accepting(self) -> None:
        await self._open.aclose()

    async def accept_again(self) -> None:
        self._servers.append(await self._open.enter_async_context(mail_server(port=self._port)))
        self.clock.advance(seconds=_MAXIMUM_RETRY_SECONDS)

    async def close(self) -> None:
        await self.mailer.close()
        await self._open.aclose()


@contextlib.asynccontextmanager
async def open_mail_harness(
    name: str, clock: ManualClock, folder: Path
) -> AsyncIterator[MailHarness]:
    """Open the harness of the mailer with this name."""
    harness: MailHarness
    if name == "smtp":
        harness = SmtpHarness(clock)
        await harness.accept_again()
    else:
        harness = FolderHarness(clock, folder)
    try:
        yield harness
    finally:
        await harness.close()
