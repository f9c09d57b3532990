"""Retries waiting mails in every process at once, after a mail server works again."""

import asyncio
import logging
from dataclasses import dataclass

from kit.db.errors import DatabaseUnavailable
from kit.mail.message import MAIL_CHANNEL, Mailer
from kit.outbox.worker import OutboxWorker
from kit.redis.pubsub import PubSub

logger = logging.getLogger(__name__)

RETRY_MAIL = "mail.retry"
"""The outbox topic and the pub/sub message of an operator's request to retry."""
_WAIT_SECONDS = 60.0
_DATABASE_PAUSE_SECONDS = 5.0


@dataclass(frozen=True)
class MailRetry:
    """Resets the mailer's circuit breaker, then runs the mails that await a retry."""

    mailer: Mailer
    worker: OutboxWorker
    pubsub: PubSub

    async def run(self) -> None:
        """Retry in this process, and request it of the others."""
        await self._retry()
        await self.pubsub.publish(RETRY_MAIL)

    async def follow(self) -> None:
        """Retry whenever another process requests it; runs until cancelled."""
        async for is_requested in self.pubsub.messages(RETRY_MAIL, _WAIT_SECONDS):
            if is_requested:
                try:
                    await self._retry()
                except DatabaseUnavailable:
                    logger.warning("mail: the waiting mails could not be released")
                    await asyncio.sleep(_DATABASE_PAUSE_SECONDS)

    async def _retry(self) -> None:
        # First, because a mail that runs while the breaker is open is postponed again.
        self.mailer.reset_breaker()
        released = await self.worker.run_waiting(MAIL_CHANNEL)
        logger.info("mail: %s waiting mails are retried now", released)
