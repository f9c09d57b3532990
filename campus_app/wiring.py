"""Settings to adapters to services: the one place that knows which is used."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import timedelta
from functools import cache

from campus_app.adapters.cashfree.account import CashfreeAccount
from campus_app.adapters.cashfree.payments import CashfreePayments
from campus_app.adapters.csv.catalogue import CsvCatalogue
from campus_app.adapters.csv.last_good import LastGood
from campus_app.adapters.running_server import HttpRunningServer
from campus_app.adapters.sandbox.calls import OutboxFolderCaller
from campus_app.adapters.sandbox.payments import (
    NOTICE_TOPIC,
    SandboxPayments,
    installation_secret,
)
from campus_app.adapters.sql.audit import SqlAudit
from campus_app.adapters.sql.call_attempts import SqlRings
from campus_app.adapters.sql.checkout_sessions import SqlHandovers
from campus_app.adapters.sql.order_admin import SqlLedger
from campus_app.adapters.sql.orders import SqlOrders
from campus_app.adapters.sql.refunds import SqlRefunds
from campus_app.adapters.sql.restaurant_overrides import SqlSwitches
from campus_app.adapters.sql.seat_holds import SqlHolds
from campus_app.adapters.twilio.calls import TwilioCalls
from campus_app.adapters.twilio.client import TwilioAccount
from campus_app.domain.notification import Notice
from campus_app.ports.payments import PaymentProvider
from campus_app.services.availability import StatusBoard
from campus_app.services.missed_calls import MissedCalls
from campus_app.services.notifications import Notifications
from campus_app.services.operations import Operations
from campus_app.services.ordering import Ordering
from campus_app.services.payments import Payments
from campus_app.services.query_limits import QueryLimits
from campus_app.services.receipts import Receipts
from campus_app.services.refunds import Refunds
from campus_app.services.reservations import Reservations
from campus_app.settings import CallTransport, CheckoutMode, ProviderName, Settings, settings
from kit.clock import Clock, SystemClock
from kit.db.database import Database
from kit.mail.message import MAIL_CHANNEL, Mailer, OutboxFolderMailer
from kit.mail.retry import RETRY_MAIL, MailRetry
from kit.mail.smtp import SmtpMailer
from kit.outbox.store import Outbox
from kit.outbox.worker import Effect, OutboxWorker
from kit.rate_limit import RateLimiter
from kit.redis.pubsub import Relay, relay_to
from kit.settings import MailTransport

SWITCHES_CHANGED = "switches"
"""What the relay says when an operator has turned a switch."""
EFFECTS_WAIT = "effects"
"""What it says when a process has more effects to carry out than it can at once."""
_CALL_ATTEMPTS = 3
_LOOK_AT_MENUS_EVERY_SECONDS = 0.02


@dataclass(frozen=True)
class Services:
    """Everything that a request or an event may use."""

    settings: Settings
    clock: Clock
    database: Database
    mailer: Mailer
    outbox: Outbox
    worker: OutboxWorker
    mail_retry: MailRetry
    catalogue: CsvCatalogue
    relay: Relay
    board: StatusBoard
    ordering: Ordering
    payments: Payments
    receipts: Receipts
    missed_calls: MissedCalls | None
    """None where calls go to the outbox folder, which has nothing to say afterwards."""
    reservations: Reservations
    prepare_limit: RateLimiter
    operations: Operations

    def close(self) -> None:
        """Give back connections and threads."""
        self.database.close()


def build(
    chosen: Settings, clock: Clock | None = None, *, look_at_menus_every_seconds: float = 0.0
) -> Services:
    """Return services that work with these settings."""
    clock = clock or _clock(chosen)
    database = Database(chosen.database_url)
    outbox = Outbox(database, clock)
    catalogue = CsvCatalogue(
        chosen.data_dir, look_at_menus_every_seconds, LastGood(chosen.last_good_dir)
    )
    relay = relay_to(chosen.redis_url)
    switches = SqlSwitches(database)
    board = StatusBoard(catalogue, switches, clock, lambda: relay.tell(SWITCHES_CHANGED))
    orders = SqlOrders(database, outbox.announce)
    provider = PROVIDERS[chosen.payment_provider](chosen, database, clock)
    ledger = SqlLedger(database, clock)
    refund_store = SqlRefunds(database)
    refunds = Refunds(refund_store, ledger, provider, clock)
    ordering = Ordering(catalogue, board, orders, clock, provider.name)
    mailer = _mailer(chosen, clock)
    missed_calls = _missed_calls(chosen, database, outbox, clock)
    caller = missed_calls or OutboxFolderCaller(chosen.outbox_dir, clock)
    notifications = Notifications(orders, catalogue, mailer, caller, chosen.origin)
    effects = {
        Notice.CUSTOMER_MAIL.value: Effect(
            lambda job: notifications.mail_customer(job.subject), channel=MAIL_CHANNEL
        ),
        Notice.VENDOR_MAIL.value: Effect(
            lambda job: notifications.mail_vendor(job.subject), channel=MAIL_CHANNEL
        ),
        Notice.VENDOR_CALL.value: Effect(
            lambda job: notifications.ring_vendor(job.subject),
            # A ring that is noted before it is asked for may be looked at again.
            at_most_once=missed_calls is None,
            maximum_attempts=_CALL_ATTEMPTS,
        ),
    }
    if isinstance(provider, SandboxPayments):
        effects[NOTICE_TOPIC] = Effect(provider.send_notice, time_out_seconds=20.0)
    worker = OutboxWorker(outbox, effects, clock)
    mail_retry = MailRetry(mailer, worker, relay)
    worker.carry_out_also({RETRY_MAIL: Effect(lambda _job: mail_retry.run())})
    return Services(
        settings=chosen,
        clock=clock,
        database=database,
        mailer=mailer,
        outbox=outbox,
        worker=worker,
        mail_retry=mail_retry,
        catalogue=catalogue,
        relay=relay,
        board=board,
        ordering=ordering,
        payments=Payments(
            orders,
            provider,
            ordering,
            clock,
            chosen.origin,
            refunds,
            SqlHandovers(database),
            QueryLimits(clock, timedelta(seconds=_fresh_seconds(chosen))),
        ),
        receipts=Receipts(orders, refund_store),
        missed_calls=missed_calls,
        reservations=Reservations(SqlHolds(database), ordering),
        prepare_limit=RateLimiter(chosen.prepared_orders_per_minute),
        operations=Operations(
            board,
            switches,
            HttpRunningServer(chosen.port, chosen.operator_token.get_secret_value()),
            orders,
            ledger,
            SqlAudit(database),
            refunds,
            clock,
        ),
    )


@cache
def services() -> Services:
    """Return this process's services, built on first use."""
    return build(settings(), look_at_menus_every_seconds=_LOOK_AT_MENUS_EVERY_SECONDS)


def _fresh_seconds(chosen: Settings) -> float:
    """Return how long an answer of the provider is good for; to ask the sandbox costs nothing."""
    is_cashfree = chosen.payment_provider is ProviderName.CASHFREE
    return chosen.cashfree_seconds_between_fetches if is_cashfree else 0.0


def _clock(chosen: Settings) -> Clock:
    return SystemClock.starting_at(chosen.campus_now) if chosen.campus_now else SystemClock()


def _mailer(chosen: Settings, clock: Clock) -> Mailer:
    if chosen.mail_transport is MailTransport.SMTP:
        return SmtpMailer(chosen.mail_server, chosen.mail_from, clock)
    return OutboxFolderMailer(chosen.outbox_dir / "mail", chosen.mail_from, clock)


def _missed_calls(
    chosen: Settings, database: Database, outbox: Outbox, clock: Clock
) -> MissedCalls | None:
    if chosen.call_transport is CallTransport.OUTBOX:
        return None
    account = TwilioAccount(
        account_sid=chosen.twilio_account_sid,
        auth_token=chosen.twilio_auth_token,
        caller_number=chosen.twilio_from,
        base_url=chosen.twilio_base_url,
        time_out_seconds=chosen.twilio_time_out_seconds,
    )
    return MissedCalls(
        SqlRings(database, outbox.wake.set),
        TwilioCalls(account, clock),
        clock,
        chosen.origin,
        chosen.missed_calls_per_restaurant_hour,
        chosen.restaurants_without_calls,
    )


def _cashfree(chosen: Settings, _database: Database, clock: Clock) -> CashfreePayments:
    account = CashfreeAccount(
        client_id=chosen.cashfree_client_id,
        client_secret=chosen.cashfree_client_secret,
        previous_client_secret=chosen.cashfree_previous_client_secret,
        base_url=chosen.cashfree_base_url,
        api_version=chosen.cashfree_api_version,
        uses_script=chosen.cashfree_checkout_mode is CheckoutMode.SDK,
        limit_percent=max(1, chosen.cashfree_limit_percent // chosen.processes),
    )
    return CashfreePayments(account, clock)


def _sandbox(chosen: Settings, database: Database, clock: Clock) -> SandboxPayments:
    return SandboxPayments(
        database,
        installation_secret(chosen.outbox_dir.parent / "sandbox.secret"),
        chosen.origin,
        f"{chosen.own_origin}/payment/{SandboxPayments.name}/webhook",
        clock,
    )


PROVIDERS: dict[str, Callable[[Settings, Database, Clock], PaymentProvider]] = {
    ProviderName.SANDBOX: _sandbox,
    ProviderName.CASHFREE: _cashfree,
}
"""How each provider is made from the settings."""
