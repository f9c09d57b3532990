"""Each way to send e-mail with its world around it: what has arrived, and whether it can."""

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
_LONGEST_BREAK_SECONDS = 300


class MailWorld(ABC):
    """What a test can make happen, however mails leave."""

    mailer: Mailer

    def __init__(self, clock: ManualClock) -> None:
        self.clock = clock

    @abstractmethod
    def arrived(self) -> Sequence[EmailMessage]:
        """Return the mails that their readers have, each once by its Message-ID."""

    @abstractmethod
    async def goes_away(self) -> None:
        """Let nothing be taken any more."""

    @abstractmethod
    async def comes_back(self) -> None:
        """Let everything be taken again, and those who were refused try again."""

    @abstractmethod
    async def close(self) -> None:
        """Put everything away."""


def block(folder: Path) -> None:
    """Let nothing be written into a folder, whoever we are."""
    folder.mkdir(parents=True, exist_ok=True)
    folder.rename(folder.with_name("kept"))
    folder.write_text("a file where the folder should be")


def unblock(folder: Path) -> None:
    """Let everything be written there again."""
    folder.unlink()
    folder.with_name("kept").rename(folder)


class FolderWorld(MailWorld):
    """Mails are files."""

    def __init__(self, clock: ManualClock, folder: Path) -> None:
        super().__init__(clock)
        self._folder = folder / "mail"
        self.mailer = OutboxFolderMailer(self._folder, SENDER, clock)

    def arrived(self) -> Sequence[EmailMessage]:
        files = sorted(self._folder.glob("*.eml"))
        return [message_from_bytes(file.read_bytes(), policy=SMTP) for file in files]

    async def goes_away(self) -> None:
        block(self._folder)

    async def comes_back(self) -> None:
        unblock(self._folder)

    async def close(self) -> None:
        await self.mailer.close()


class SmtpWorld(MailWorld):
    """Mails are handed in at a mail server of our own."""

    def __init__(self, clock: ManualClock) -> None:
        super().__init__(clock)
        self._port = free_port()
        self._servers: list[MailServer] = []
        self._open = contextlib.AsyncExitStack()
        self.mailer = SmtpMailer(SmtpServer("localhost", self._port, SmtpTls.NONE), SENDER, clock)

    def arrived(self) -> Sequence[EmailMessage]:
        by_id = {mail["Message-ID"]: mail for each in self._servers for mail in each.mails}
        return list(by_id.values())

    async def goes_away(self) -> None:
        await self._open.aclose()

    async def comes_back(self) -> None:
        self._servers.append(await self._open.enter_async_context(mail_server(port=self._port)))
        self.clock.advance(seconds=_LONGEST_BREAK_SECONDS)

    async def close(self) -> None:
        await self.mailer.close()
        await self._open.aclose()


@contextlib.asynccontextmanager
async def mail_world(name: str, clock: ManualClock, folder: Path) -> AsyncIterator[MailWorld]:
    """Open the world of the mailer with this name."""
    world: MailWorld
    if name == "smtp":
        world = SmtpWorld(clock)
        await world.comes_back()
    else:
        world = FolderWorld(clock, folder)
    try:
        yield world
    finally:
        await world.close()
