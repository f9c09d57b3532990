"""Sends the mails that wait for a mail server now, in every process: after it was mended."""

import asyncio
import logging
from dataclasses import dataclass

from kit.db.errors import DatabaseUnavailable
from kit.mail.message import MAIL_CHANNEL, Mailer
from kit.outbox.worker import OutboxWorker
from kit.redis.pubsub import Relay

logger = logging.getLogger(__name__)

RETRY_MAIL = "mail.retry"
"""The outbox topic, and what the relay says, when an operator asks for the waiting mails."""
_LISTEN_SECONDS = 60.0
_DATABASE_PAUSE_SECONDS = 5.0


@dataclass(frozen=True)
class MailRetry:
    """Ends the mailer's break, and lets the mails that wait run now."""

    mailer: Mailer
    worker: OutboxWorker
    relay: Relay

    async def run(self) -> None:
        """Retry in this process, and tell the others."""
        await self._retry()
        await self.relay.tell(RETRY_MAIL)

    async def follow(self) -> None:
        """Retry whenever another process tells, for as long as this one lives."""
        while True:
            if await self.relay.heard(RETRY_MAIL, _LISTEN_SECONDS):
                try:
                    await self._retry()
                except DatabaseUnavailable:
                    logger.warning("mail: the waiting mails could not be released")
                    await asyncio.sleep(_DATABASE_PAUSE_SECONDS)

    async def _retry(self) -> None:
        # In this order: a mail that runs during the break waits for its end again.
        self.mailer.end_break()
        released = await self.worker.run_waiting(MAIL_CHANNEL)
        logger.info("mail: %s waiting mails are tried now", released)
