"""Builds the services from the settings: the only module that chooses adapters."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from datetime import timedelta
from functools import cache

from campus_app.catalogue.csv.catalogue import CsvCatalogue
from campus_app.catalogue.csv.last_good import LastGoodCopies
from campus_app.catalogue.csv.stamps import SettledStamps
from campus_app.catalogue.services.availability import StatusBoard
from campus_app.catalogue.sql.restaurant_overrides import SqlRestaurantOverrides
from campus_app.catalogue.sql.sold_out import SqlSoldOut
from campus_app.extensions import ORDER_EVENTS
from campus_app.kitchen.services.kitchen_boards import KitchenBoards
from campus_app.kitchen.services.kitchen_devices import KitchenDevices
from campus_app.kitchen.services.push_store import READY_PRESS_TOPIC, READY_PUSH_TOPIC
from campus_app.kitchen.services.ready_push import ReadyPush
from campus_app.kitchen.services.unseen_orders import UnseenOrders
from campus_app.kitchen.sql.day_sheets import SqlDaySheets
from campus_app.kitchen.sql.kitchen_devices import SqlKitchenDevices
from campus_app.kitchen.sql.push_subscriptions import SqlPushSubscriptions
from campus_app.kitchen.sql.tickets import SqlTickets
from campus_app.kitchen.sql.unseen_orders import SqlUnseenOrders
from campus_app.notifications.providers.outbox_caller import OutboxFolderCaller
from campus_app.notifications.providers.twilio.calls import TwilioCalls
from campus_app.notifications.providers.twilio.client import TwilioAccount
from campus_app.notifications.rules.missed_call import CallReason
from campus_app.notifications.services.missed_calls import MissedCalls
from campus_app.notifications.services.notifications import NotificationSender
from campus_app.notifications.services.order_events import OrderEvents
from campus_app.notifications.sql.call_attempts import SqlCallAttempts
from campus_app.operators.services.operations import Operations
from campus_app.operators.services.running_server import HttpRunningServer
from campus_app.operators.sql.order_admin import SqlOrderAdmin
from campus_app.ordering.providers.cashfree.account import CashfreeAccount
from campus_app.ordering.providers.cashfree.payments import CashfreePayments
from campus_app.ordering.providers.sandbox.payments import (
    WEBHOOK_TOPIC,
    SandboxPayments,
    installation_secret,
)
from campus_app.ordering.rules.notification import Notification
from campus_app.ordering.services.cart_orders import CartOrders
from campus_app.ordering.services.checkouts import Checkouts
from campus_app.ordering.services.open_orders import OpenOrders
from campus_app.ordering.services.order_lookup import OrderLookup
from campus_app.ordering.services.order_progress import OrderProgress
from campus_app.ordering.services.order_store import OrderStore
from campus_app.ordering.services.ordering import Ordering
from campus_app.ordering.services.payment_provider import PaymentProvider
from campus_app.ordering.services.payments import Payments
from campus_app.ordering.services.query_limits import QueryLimits
from campus_app.ordering.services.refunds import Refunds
from campus_app.ordering.services.reservations import Reservations
from campus_app.ordering.sql.checkout_sessions import SqlCheckoutSessions
from campus_app.ordering.sql.cooking import SqlCooking
from campus_app.ordering.sql.orders import SqlOrders
from campus_app.ordering.sql.refunds import SqlRefunds
from campus_app.ordering.sql.seat_holds import SqlSeatHolds
from campus_app.shared.rules.constants import MENU_STILL_SECONDS
from campus_app.shared.settings import CallTransport, CheckoutMode, ProviderName, Settings, settings
from campus_app.shared.sql.audit import SqlAudit
from kit.clock import Clock, SystemClock, from_ms
from kit.db.database import Database
from kit.mail.message import MAIL_CHANNEL, Mailer, OutboxFolderMailer
from kit.mail.retry import RETRY_MAIL, MailRetry
from kit.mail.smtp import SmtpMailer
from kit.outbox.store import Job, Outbox
from kit.outbox.worker import Effect, OutboxWorker
from kit.push.sender import WebPushSender
from kit.push.vapid import VapidKey, stored_private_key
from kit.rate_limit import RateLimiter
from kit.redis.pubsub import PubSub, pubsub_at
from kit.settings import MailTransport

AVAILABILITY_CHANGED = "availability"
"""Published when an override, or what is sold out, has changed."""
KITCHENS_CHANGED = "kitchens"
"""Published when an order is paid, a kitchen has pressed a button, or a device was revoked."""
OUTBOX_OVERLOADED = "outbox-overloaded"
"""Published when a process has more outbox jobs than it can run at once."""
_CALL_JOB_ATTEMPTS = 3
_MENU_CHECK_SECONDS = 0.02
_PUSH_JOB_SECONDS = 20.0


@dataclass(frozen=True)
class Services:
    """Everything that a request or an event handler may use."""

    settings: Settings
    clock: Clock
    database: Database
    mailer: Mailer
    outbox: Outbox
    worker: OutboxWorker
    mail_retry: MailRetry
    catalogue: CsvCatalogue
    pubsub: PubSub
    board: StatusBoard
    ordering: Ordering
    payments: Payments
    carts: CartOrders
    lookup: OrderLookup
    checkouts: Checkouts
    missed_calls: MissedCalls | None
    """None if calls go to the outbox folder, which reports no status."""
    reservations: Reservations
    prepare_limit: RateLimiter
    open_orders: OpenOrders
    order_progress: OrderProgress
    operations: Operations
    kitchen_devices: KitchenDevices
    kitchen_boards: KitchenBoards
    unseen_orders: UnseenOrders
    ready_push: ReadyPush

    def close(self) -> None:
        """Close connections and threads."""
        self.database.close()


def build(
    config: Settings,
    clock: Clock | None = None,
    *,
    menu_check_seconds: float = 0.0,
    menu_still_seconds: float = 0.0,
    order_events: OrderEvents = ORDER_EVENTS,
) -> Services:
    """Build the services for these settings, with the registered reactions to orders' events."""
    clock = clock or _clock(config)
    database = Database(config.database_url)
    outbox = Outbox(database, clock)
    catalogue = CsvCatalogue(
        config.data_dir,
        menu_check_seconds,
        LastGoodCopies(config.last_good_dir),
        SettledStamps(menu_still_seconds),
    )
    pubsub = pubsub_at(config.redis_url)
    overrides = SqlRestaurantOverrides(database)
    board = StatusBoard(
        catalogue,
        overrides,
        SqlSoldOut(database),
        clock,
        lambda: pubsub.publish(AVAILABILITY_CHANGED),
    )
    ready_push = _ready_push(config, database, outbox, clock)
    orders = SqlOrders(database, outbox.notify, order_events.topics())
    order_progress = OrderProgress(SqlCooking(database), lambda: pubsub.publish(KITCHENS_CHANGED))
    kitchen_boards = KitchenBoards(
        SqlTickets(database, order_events.topics(), outbox.notify),
        catalogue,
        clock,
        order_progress,
    )
    provider = PROVIDERS[config.payment_provider](config, database, clock)
    order_admin = SqlOrderAdmin(database, clock)
    refund_store = SqlRefunds(database)
    refunds = Refunds(refund_store, provider, clock)
    ordering = Ordering(catalogue, board, orders, clock, provider.name)
    mailer = _mailer(config, clock)
    missed_calls = _missed_calls(config, database, outbox, clock)
    caller = missed_calls or OutboxFolderCaller(config.outbox_dir, clock)
    notifications = NotificationSender(orders, catalogue, mailer, caller, config.origin)
    unseen_orders = UnseenOrders(
        SqlUnseenOrders(database, outbox.notify), orders, catalogue, caller, clock
    )
    worker = OutboxWorker(
        outbox,
        {
            **_mail_effects(notifications),
            **_call_effects(notifications, unseen_orders, are_stored=missed_calls is not None),
            **_event_effects(order_events, orders),
            **_push_effects(ready_push),
            **_provider_effects(provider),
        },
        clock,
    )
    mail_retry = MailRetry(mailer, worker, pubsub)
    worker.add_effects({RETRY_MAIL: Effect(lambda _job: mail_retry.run())})
    payments = Payments(
        orders,
        provider,
        ordering,
        clock,
        refunds,
        QueryLimits(clock, timedelta(seconds=_fresh_seconds(config))),
        order_progress.notify,
    )
    return Services(
        settings=config,
        clock=clock,
        database=database,
        mailer=mailer,
        outbox=outbox,
        worker=worker,
        mail_retry=mail_retry,
        catalogue=catalogue,
        pubsub=pubsub,
        board=board,
        ordering=ordering,
        payments=payments,
        carts=CartOrders(payments),
        lookup=OrderLookup(orders, refund_store),
        checkouts=Checkouts(
            orders, SqlCheckoutSessions(database), provider, ordering, clock, config.origin
        ),
        missed_calls=missed_calls,
        reservations=Reservations(SqlSeatHolds(database), ordering),
        prepare_limit=RateLimiter(config.prepared_orders_per_minute),
        open_orders=OpenOrders(orders, clock),
        order_progress=order_progress,
        operations=Operations(
            board,
            overrides,
            HttpRunningServer(config.port, config.operator_token.get_secret_value()),
            orders,
            order_admin,
            SqlAudit(database),
            refunds,
            SqlDaySheets(database),
            kitchen_boards,
            clock,
        ),
        kitchen_devices=KitchenDevices(
            SqlKitchenDevices(database), catalogue, clock, order_progress.notify
        ),
        kitchen_boards=kitchen_boards,
        unseen_orders=unseen_orders,
        ready_push=ready_push,
    )


def _mail_effects(notifications: NotificationSender) -> dict[str, Effect]:
    return {
        Notification.CUSTOMER_MAIL.value: Effect.retried_for_a_day(
            lambda job: notifications.mail_customer(job.subject), channel=MAIL_CHANNEL
        ),
        Notification.VENDOR_MAIL.value: Effect.retried_for_a_day(
            lambda job: notifications.mail_vendor(job.subject), channel=MAIL_CHANNEL
        ),
    }


def _call_effects(
    notifications: NotificationSender, unseen_orders: UnseenOrders, *, are_stored: bool
) -> dict[str, Effect]:
    def effect(run: Callable[[Job], Awaitable[None]]) -> Effect:
        # Call attempts that are stored before dialling are safe to retry.
        return Effect(run, at_most_once=not are_stored, max_attempts=_CALL_JOB_ATTEMPTS)

    return {
        Notification.VENDOR_CALL.value: effect(lambda job: notifications.call_vendor(job.subject)),
        CallReason.UNSEEN.value: effect(lambda job: unseen_orders.call_again(job.subject)),
    }


def _event_effects(order_events: OrderEvents, orders: OrderStore) -> dict[str, Effect]:
    def effect(run: Callable[[str], Awaitable[None]]) -> Effect:
        return Effect.retried_for_a_day(lambda job: run(job.subject))

    return {topic: effect(run) for topic, run in order_events.handlers(orders).items()}


def _push_effects(ready_push: ReadyPush) -> dict[str, Effect]:
    def send(job: Job) -> Awaitable[None]:
        return ready_push.send(job.payload["subscriptionId"], from_ms(job.payload["readyAt"]))

    return {
        READY_PRESS_TOPIC: Effect(lambda job: ready_push.enqueue_pushes(job.subject)),
        READY_PUSH_TOPIC: Effect(send, timeout_seconds=_PUSH_JOB_SECONDS),
    }


def _provider_effects(provider: PaymentProvider) -> dict[str, Effect]:
    if isinstance(provider, SandboxPayments):
        return {WEBHOOK_TOPIC: Effect(provider.send_webhook, timeout_seconds=20.0)}
    return {}


@cache
def services() -> Services:
    """Return this process's services, built on first use."""
    return build(
        settings(),
        menu_check_seconds=_MENU_CHECK_SECONDS,
        menu_still_seconds=MENU_STILL_SECONDS,
    )


def _fresh_seconds(config: Settings) -> float:
    """Return how long a provider's answer counts as current; sandbox queries cost nothing."""
    is_cashfree = config.payment_provider is ProviderName.CASHFREE
    return config.cashfree_seconds_between_fetches if is_cashfree else 0.0


def _clock(config: Settings) -> Clock:
    return SystemClock.starting_at(config.campus_now) if config.campus_now else SystemClock()


def _mailer(config: Settings, clock: Clock) -> Mailer:
    if config.mail_transport is MailTransport.SMTP:
        return SmtpMailer(config.mail_server, config.mail_from, clock)
    return OutboxFolderMailer(config.outbox_dir / "mail", config.mail_from, clock)


def _ready_push(config: Settings, database: Database, outbox: Outbox, clock: Clock) -> ReadyPush:
    def private_key() -> str:
        key = config.vapid_private_key.get_secret_value()
        return key or stored_private_key(config.outbox_dir.parent / "vapid.key")

    # The file is not created before a visitor needs the key: the command line, which may run as
    # another user than the server, builds the services too.
    key = VapidKey(private_key, config.push_contact_address)
    return ReadyPush(
        SqlPushSubscriptions(database, outbox.notify),
        WebPushSender(key, config.push_services, clock),
        config.push_services,
        clock,
    )


def _missed_calls(
    config: Settings, database: Database, outbox: Outbox, clock: Clock
) -> MissedCalls | None:
    if config.call_transport is CallTransport.OUTBOX:
        return None
    account = TwilioAccount(
        account_sid=config.twilio_account_sid,
        auth_token=config.twilio_auth_token,
        caller_number=config.twilio_from,
        base_url=config.twilio_base_url,
        timeout_seconds=config.twilio_time_out_seconds,
    )
    return MissedCalls(
        SqlCallAttempts(database, outbox.wake.set),
        TwilioCalls(account, clock),
        clock,
        config.origin,
        config.missed_calls_per_restaurant_hour,
        config.restaurants_without_calls,
    )


def _cashfree(config: Settings, _database: Database, clock: Clock) -> CashfreePayments:
    account = CashfreeAccount(
        client_id=config.cashfree_client_id,
        client_secret=config.cashfree_client_secret,
        previous_client_secret=config.cashfree_previous_client_secret,
        base_url=config.cashfree_base_url,
        api_version=config.cashfree_api_version,
        uses_script=config.cashfree_checkout_mode is CheckoutMode.SDK,
        limit_percent=config.cashfree_limit_percent,
        processes=config.processes,
    )
    return CashfreePayments(account, clock)


def _sandbox(config: Settings, database: Database, clock: Clock) -> SandboxPayments:
    return SandboxPayments(
        database,
        installation_secret(config.outbox_dir.parent / "sandbox.secret"),
        config.origin,
        f"{config.own_origin}/payment/{SandboxPayments.name}/webhook",
        clock,
    )


PROVIDERS: dict[str, Callable[[Settings, Database, Clock], PaymentProvider]] = {
    ProviderName.SANDBOX: _sandbox,
    ProviderName.CASHFREE: _cashfree,
}
"""How each provider is built from the settings."""
