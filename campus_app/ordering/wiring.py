"""The services of ordering: from the cart to the confirmed order and its refund."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from datetime import timedelta

from campus_app.catalogue.wiring import CatalogueServices
from campus_app.ordering.providers.cashfree.account import CashfreeAccount
from campus_app.ordering.providers.cashfree.payments import CashfreePayments
from campus_app.ordering.providers.sandbox.payments import (
    WEBHOOK_TOPIC,
    SandboxPayments,
    installation_secret,
)
from campus_app.ordering.rules.order_event import EventTopics
from campus_app.ordering.rules.payment_provider import PaymentProvider
from campus_app.ordering.rules.shortage import SHORTAGE_LAPSED_TOPIC, SHORTAGE_TOLD_TOPIC
from campus_app.ordering.services.cart_orders import CartOrders
from campus_app.ordering.services.checkouts import Checkouts
from campus_app.ordering.services.group_orders import GroupOrders
from campus_app.ordering.services.offer_versions import OfferVersions
from campus_app.ordering.services.open_orders import OpenOrders
from campus_app.ordering.services.order_lookup import OrderLookup
from campus_app.ordering.services.order_progress import OrderProgress
from campus_app.ordering.services.ordering import Ordering
from campus_app.ordering.services.payments import Payments
from campus_app.ordering.services.query_limits import QueryLimits
from campus_app.ordering.services.refunds import Refunds
from campus_app.ordering.services.reservations import Reservations
from campus_app.ordering.services.shortages import Shortages
from campus_app.ordering.sql.checkout_sessions import SqlCheckoutSessions
from campus_app.ordering.sql.cooking import SqlCooking
from campus_app.ordering.sql.group_orders import SqlGroupOrders
from campus_app.ordering.sql.offer_versions import SqlOfferVersions
from campus_app.ordering.sql.orders import SqlOrders
from campus_app.ordering.sql.refunds import SqlRefunds
from campus_app.ordering.sql.seat_holds import SqlSeatHolds
from campus_app.ordering.sql.shortages import SqlShortages
from campus_app.shared import current
from campus_app.shared.settings import CheckoutMode, ProviderName, Settings
from kit.clock import Clock
from kit.db.database import Database
from kit.outbox.store import Job
from kit.outbox.worker import Effect
from kit.rate_limit import RateLimiter

ORDERS_CHANGED = "kitchens"
"""Published when an order is paid, a kitchen has pressed a button, or a device was revoked."""

GROUP_ORDERS_CHANGED = "group orders"
"""Published when a member has changed a group order."""

OFFERS_CHANGED = "offers"
"""Published when offers were published."""


@dataclass(frozen=True)
class OrderingServices(CatalogueServices):
    """What ordering and the rooms right of it may use."""

    ordering: Ordering
    payments: Payments
    carts: CartOrders
    lookup: OrderLookup
    checkouts: Checkouts
    reservations: Reservations
    prepare_limit: RateLimiter
    open_orders: OpenOrders
    order_progress: OrderProgress
    shortages: Shortages
    group_orders: GroupOrders
    offers: OfferVersions


def build(left: CatalogueServices, topics: EventTopics) -> OrderingServices:
    """Build the services on those of the catalogue.

    Args:
        left: The services of the catalogue.
        topics: Those of the outbox jobs that an order's event enqueues.
    """
    config, clock, database = left.settings, left.clock, left.database
    provider = PROVIDERS[config.payment_provider](config, database, clock)
    if isinstance(provider, SandboxPayments):
        left.worker.add_effects(
            {WEBHOOK_TOPIC: Effect(provider.send_webhook, timeout_seconds=20.0)}
        )
    orders = SqlOrders(database, left.outbox.notify, topics)
    refunds = SqlRefunds(database)
    offers = OfferVersions(
        left.catalogue,
        SqlOfferVersions(database),
        clock,
        lambda: left.pubsub.publish(OFFERS_CHANGED),
    )
    ordering = Ordering(left.catalogue, left.statuses, offers, orders, clock, provider.name)
    stored_shortages = SqlShortages(database, left.outbox.notify)
    progress = OrderProgress(
        SqlCooking(database), stored_shortages, lambda: left.pubsub.publish(ORDERS_CHANGED)
    )
    payments = Payments(
        orders,
        provider,
        ordering,
        clock,
        Refunds(refunds, provider, clock),
        QueryLimits(clock, timedelta(seconds=_fresh_seconds(config))),
        progress.notify,
    )
    shortages = Shortages(stored_shortages, left.catalogue, left.statuses, progress, offers, clock)
    left.worker.add_effects(
        {
            SHORTAGE_TOLD_TOPIC: _shortage_effect(shortages.tell),
            SHORTAGE_LAPSED_TOPIC: _shortage_effect(shortages.lapse),
        }
    )
    return OrderingServices(
        **vars(left),
        ordering=ordering,
        payments=payments,
        carts=CartOrders(payments),
        lookup=OrderLookup(orders, refunds),
        checkouts=Checkouts(
            orders, SqlCheckoutSessions(database), provider, ordering, clock, config.origin
        ),
        reservations=Reservations(SqlSeatHolds(database), ordering),
        prepare_limit=RateLimiter(config.prepared_orders_per_minute, now=clock.monotonic),
        open_orders=OpenOrders(orders, clock),
        order_progress=progress,
        shortages=shortages,
        offers=offers,
        group_orders=GroupOrders(
            SqlGroupOrders(database),
            clock,
            lambda: left.pubsub.publish(GROUP_ORDERS_CHANGED),
            RateLimiter(config.prepared_orders_per_minute, now=clock.monotonic),
        ),
    )


def services() -> OrderingServices:
    """Return this process's services."""
    return current.services()


def _shortage_effect(run: Callable[[str, str, str], Awaitable[None]]) -> Effect:
    """Return what runs with the ids of a job's order, dish and shortage."""

    def effect(job: Job) -> Awaitable[None]:
        return run(job.subject, job.payload["dishId"], job.payload["shortageId"])

    return Effect.retried_for_a_day(effect)


def _fresh_seconds(config: Settings) -> float:
    """Return how long a provider's answer counts as current; sandbox queries cost nothing."""
    is_cashfree = config.payment_provider is ProviderName.CASHFREE
    return config.cashfree_seconds_between_fetches if is_cashfree else 0.0


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
