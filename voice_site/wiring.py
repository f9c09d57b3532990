"""Builds the site's services from its settings, and from what both products share."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

from kit.clock import Clock, SystemClock
from kit.db.database import Database
from kit.mail.message import MAIL_CHANNEL, Mailer
from kit.outbox.store import Outbox
from kit.outbox.worker import Effect
from kit.rate_limit import RateLimiter
from voice_site.adapters.chat_model import ChatModel, DailyBudget, Endpoint
from voice_site.adapters.spreadsheet_form import SpreadsheetForm
from voice_site.adapters.sql_demo_requests import SqlDemoRequests
from voice_site.adapters.sql_leads import SqlLeads
from voice_site.domain.lead import LeadJob
from voice_site.services.demo_requests import DemoRequests, Topic
from voice_site.services.leads import Leads
from voice_site.services.request_lines import spreadsheet_cells
from voice_site.services.request_links import RequestLinks
from voice_site.services.sales_mails import SalesMails
from voice_site.services.talks import Talks
from voice_site.settings import VoiceSettings, voice_settings

MAIL_TOPICS = (Topic.CONFIRMATION.value, Topic.SALES.value, *map(str, LeadJob))
"""The outbox topics that are mails of this site."""
_DAY_SECONDS = 24 * 60 * 60.0


@dataclass(frozen=True)
class Shared:
    """What both products use; the ordering product builds it."""

    database: Database
    outbox: Outbox
    mailer: Mailer
    clock: Clock


@dataclass(frozen=True)
class Site:
    """The settings and services that the site's HTTP operations and outbox jobs use."""

    settings: VoiceSettings
    demo_requests: DemoRequests
    leads: Leads
    request_links: RequestLinks
    sales_mails: SalesMails
    demo_limit: RateLimiter

    @property
    def effects(self) -> Mapping[str, Effect]:
        """How the outbox runs the site's jobs, by topic."""
        return {
            Topic.CONFIRMATION.value: Effect.retried_for_a_day(
                lambda job: self.demo_requests.confirm(job.subject), channel=MAIL_CHANNEL
            ),
            Topic.SALES.value: Effect.retried_for_a_day(
                lambda job: self.sales_mails.tell(job.subject), channel=MAIL_CHANNEL
            ),
            LeadJob.REMINDER.value: Effect.retried_for_a_day(
                lambda job: self.sales_mails.remind(job.subject), channel=MAIL_CHANNEL
            ),
            LeadJob.ADDITION.value: Effect.retried_for_a_day(
                lambda job: self.sales_mails.tell_addition(job.subject, job.payload["digest"]),
                channel=MAIL_CHANNEL,
            ),
            LeadJob.WITHDRAWN.value: Effect.retried_for_a_day(
                lambda job: self.sales_mails.tell_withdrawal(job.subject), channel=MAIL_CHANNEL
            ),
            # 12 attempts in about 17 hours: delays of 30 s, 60 s, 120 s and so on.
            Topic.SPREADSHEET.value: Effect(
                lambda job: self.demo_requests.forward(job.subject),
                max_attempts=12,
                first_retry_seconds=30.0,
                max_retry_seconds=_DAY_SECONDS,
            ),
        }


def build(settings: VoiceSettings, shared: Shared) -> Site:
    """Return the site with these settings; without a form's address, requests are not forwarded."""
    form_url = settings.form_url
    form = (
        SpreadsheetForm(form_url, settings.demo_form_entries, more=spreadsheet_cells)
        if form_url
        else None
    )
    store = SqlDemoRequests(shared.database, shared.outbox)
    requests = DemoRequests(
        store=store,
        mailer=shared.mailer,
        clock=shared.clock,
        form=form,
        sender=settings.demo_sender,
        origin=settings.origin,
        confirmations_per_day=settings.demo_confirmations_per_day,
        tells_sales=bool(settings.sales_email),
    )
    lead_store = SqlLeads(shared.database, shared.outbox)
    leads = Leads(lead_store, store, shared.clock)
    links = RequestLinks(store, lead_store, shared.clock, tells_sales=bool(settings.sales_email))
    mails = SalesMails(leads, shared.mailer, settings.demo_sender, settings.sales_email)
    limit = RateLimiter(settings.demo_requests_per_minute, now=shared.clock.monotonic)
    return Site(settings, requests, leads, links, mails, limit)


def build_talks(settings: VoiceSettings) -> Talks:
    """Return the demonstration that talks, which needs neither database nor mail."""
    start = settings.campus_now
    clock = SystemClock.starting_at(start) if start else SystemClock()
    limit = RateLimiter(settings.talk_sentences_per_minute, now=clock.monotonic)
    if not settings.tara_model_url:
        return Talks(clock, limit)
    endpoint = Endpoint(
        settings.tara_model_url,
        settings.tara_model_key.get_secret_value(),
        settings.tara_model,
        settings.tara_model_seconds,
    )
    budget = DailyBudget(settings.tara_model_calls_per_visitor, settings.tara_model_calls_per_day)
    return Talks(clock, limit, ChatModel(endpoint, budget, clock))


@cache
def talks() -> Talks:
    """Return this process's demonstration, built on first use."""
    return build_talks(voice_settings())
