"""Settings to adapters to the service; what the deployment shares is handed in."""

from collections.abc import Mapping
from dataclasses import dataclass

from kit.clock import Clock
from kit.db.database import Database
from kit.mail.message import MAIL_CHANNEL, Mailer
from kit.outbox.store import Outbox
from kit.outbox.worker import Effect
from kit.rate_limit import RateLimiter
from voice_site.adapters.spreadsheet_form import SpreadsheetForm
from voice_site.adapters.sql_demo_requests import SqlDemoRequests
from voice_site.services.demo_requests import DemoRequests, Topic
from voice_site.settings import VoiceSettings

MAIL_TOPICS = (Topic.CONFIRMATION.value,)
"""The outbox topics that are mails of this site."""
_DAY_SECONDS = 24 * 60 * 60.0


@dataclass(frozen=True)
class Shared:
    """What both products of the deployment stand on."""

    database: Database
    outbox: Outbox
    mailer: Mailer
    clock: Clock


@dataclass(frozen=True)
class Site:
    """Everything that a request to the site may use."""

    settings: VoiceSettings
    demo_requests: DemoRequests
    demo_limit: RateLimiter

    @property
    def effects(self) -> Mapping[str, Effect]:
        """How the outbox carries out what the site enqueues."""
        return {
            Topic.CONFIRMATION.value: Effect.retried_for_a_day(
                lambda job: self.demo_requests.confirm(job.subject), channel=MAIL_CHANNEL
            ),
            Topic.SPREADSHEET.value: Effect(
                lambda job: self.demo_requests.forward(job.subject),
                max_attempts=12,
                first_retry_seconds=30.0,
                max_retry_seconds=_DAY_SECONDS,
            ),
        }


def build(chosen: VoiceSettings, shared: Shared) -> Site:
    """Return the site as these settings want it."""
    form = SpreadsheetForm(chosen.form_url, chosen.demo_form_entries) if chosen.form_url else None
    requests = DemoRequests(
        store=SqlDemoRequests(shared.database, shared.outbox),
        mailer=shared.mailer,
        clock=shared.clock,
        form=form,
        sender=chosen.demo_sender,
        confirmations_per_day=chosen.demo_confirmations_per_day,
    )
    return Site(chosen, requests, RateLimiter(chosen.demo_requests_per_minute))
