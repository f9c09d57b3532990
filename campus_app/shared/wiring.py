"""The services that every room uses: database, outbox, e-mail, clock."""

from dataclasses import dataclass

from campus_app.shared import current
from campus_app.shared.settings import Settings
from kit.clock import Clock, SystemClock
from kit.db.database import Database
from kit.mail.message import Mailer, OutboxFolderMailer
from kit.mail.retry import RETRY_MAIL, MailRetry
from kit.mail.smtp import SmtpMailer
from kit.outbox.store import Outbox
from kit.outbox.worker import Effect, OutboxWorker
from kit.redis.pubsub import PubSub, pubsub_at
from kit.settings import MailTransport

OUTBOX_OVERLOADED = "outbox-overloaded"
"""Published when a process has more outbox jobs than it can run at once."""


@dataclass(frozen=True)
class SharedServices:
    """What every room may use."""

    settings: Settings
    clock: Clock
    database: Database
    mailer: Mailer
    outbox: Outbox
    worker: OutboxWorker
    mail_retry: MailRetry
    pubsub: PubSub

    def close(self) -> None:
        """Close connections and threads."""
        self.database.close()


def build(config: Settings, clock: Clock | None) -> SharedServices:
    """Build the services; each room adds the effects of its outbox jobs to the worker."""
    clock = clock or _clock(config)
    database = Database(config.database_url)
    outbox = Outbox(database, clock)
    worker = OutboxWorker(outbox, {}, clock)
    mailer = _mailer(config, clock)
    pubsub = pubsub_at(config.redis_url)
    mail_retry = MailRetry(mailer, worker, pubsub)
    worker.add_effects({RETRY_MAIL: Effect(lambda _job: mail_retry.run())})
    return SharedServices(config, clock, database, mailer, outbox, worker, mail_retry, pubsub)


def services() -> SharedServices:
    """Return this process's services."""
    return current.services()


def _clock(config: Settings) -> Clock:
    return SystemClock.starting_at(config.campus_now) if config.campus_now else SystemClock()


def _mailer(config: Settings, clock: Clock) -> Mailer:
    if config.mail_transport is MailTransport.SMTP:
        return SmtpMailer(config.mail_server, config.mail_from, clock)
    return OutboxFolderMailer(config.outbox_dir / "mail", config.mail_from, clock)
