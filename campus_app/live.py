"""The background tasks of a server process: outbox, reconciler, unseen orders, statuses."""

import asyncio
import contextlib
import logging
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence

import reflex as rx

from campus_app import wiring
from campus_app.catalogue.screens.campus_state import CampusState, statuses_json
from campus_app.catalogue.wiring import AVAILABILITY_CHANGED, MENUS_CHANGED
from campus_app.kitchen.updates import KitchenUpdates
from campus_app.operators.rules.desk import DeskArea
from campus_app.operators.updates import DeskUpdates
from campus_app.operators.wiring import Services
from campus_app.ordering.screens.offer_updates import follow_offers
from campus_app.ordering.updates import GroupOrderUpdates
from campus_app.ordering.wiring import GROUP_ORDERS_CHANGED, OFFERS_CHANGED, ORDERS_CHANGED
from campus_app.shared.wiring import OUTBOX_OVERLOADED
from kit.background import restarting, running
from kit.db.errors import DatabaseUnavailable
from kit.reflex.broadcast import broadcast

logger = logging.getLogger(__name__)

_RECONCILE_SECONDS = 5.0
_REPORT_UNSEEN_SECONDS = 10.0
_LONGEST_SLEEP_SECONDS = 5.0
_RELOAD_AVAILABILITY_SECONDS = 0.5
_RELOAD_MENUS_SECONDS = 0.5
_RELOAD_OFFERS_SECONDS = 0.5
_CHECK_KITCHENS_SECONDS = 0.5
_CHECK_GROUP_ORDERS_SECONDS = 0.5
_CHECK_DESK_SECONDS = 1.0
_CHECK_OUTBOX_SECONDS = 5.0
_PUBLISH_INTERVAL_SECONDS = 0.2
_DELETE_PUSH_SUBSCRIPTIONS_SECONDS = 600.0
_DELETE_GROUP_ORDERS_SECONDS = 600.0
_STORE_VISITS_SECONDS = 60.0


@contextlib.asynccontextmanager
async def lifespan(
    app: rx.App, others: Sequence[Callable[[], Awaitable[None]]] = ()
) -> AsyncIterator[None]:
    """Read menus, versions, days and overrides, then run the background tasks until the end.

    `others` are tasks of the other product, which use the same database.
    """
    services = wiring.services()
    services.catalogue.read_all()
    await services.restaurant_days.load()
    await services.statuses.load()
    await services.menu_versions.load()
    await services.offers.load()
    tasks = (
        reconcile,
        report_unseen_orders,
        notify_at_opening_hours,
        reload_availability,
        reload_menus,
        reload_offers,
        publish_outbox_overload,
        take_jobs_of_overloaded_processes,
        wake_kitchen_updates,
        wake_group_order_updates,
        wake_desk_updates,
        keep_figures_ready,
        delete_expired_push_subscriptions,
        delete_expired_group_orders,
        store_visits,
    )
    try:
        async with running(
            restarting(services.worker.run),
            restarting(services.mail_retry.follow),
            restarting(_broadcast_statuses, services, app),
            restarting(_broadcast_menus, services, app),
            restarting(_broadcast_offers, services, app),
            restarting(KitchenUpdates(services, app).run),
            restarting(GroupOrderUpdates(services, app).run),
            restarting(DeskUpdates(services, app).run),
            *(restarting(task, services) for task in tasks),
            *map(restarting, others),
        ):
            yield
    finally:
        with contextlib.suppress(DatabaseUnavailable):
            await services.visits.store()
        await services.desk.close()
        await services.outbox.flush()
        await services.payments.provider.close()
        await services.mailer.close()
        await services.pubsub.close()
        services.close()


async def reconcile(services: Services) -> None:
    """Reconcile due payments and refunds, so that a lost webhook only delays an order."""
    while True:
        try:
            await services.payments.reconcile_due()
            await services.payments.refunds.reconcile_due()
        except DatabaseUnavailable:
            logger.warning("reconciler: the database did not answer")
        await asyncio.sleep(_RECONCILE_SECONDS)


async def report_unseen_orders(services: Services) -> None:
    """Report paid orders that their kitchens have not seen; each order once among all processes."""
    while True:
        try:
            await services.unseen_orders.report_due()
        except DatabaseUnavailable:
            logger.warning("unseen orders: the database did not answer")
        await asyncio.sleep(_REPORT_UNSEEN_SECONDS)


async def notify_at_opening_hours(services: Services) -> None:
    """Notify the board's listeners whenever a restaurant opens or closes by its hours.

    Today's hours may change meanwhile, and a day with other hours ends without a boundary.
    """
    while True:
        wait = (services.statuses.next_boundary() - services.clock.now()).total_seconds()
        await asyncio.sleep(min(max(wait, 0.0) + 0.01, _LONGEST_SLEEP_SECONDS))
        services.statuses.notify_listeners()


async def _broadcast_statuses(services: Services, app: rx.App) -> None:
    """Send each status change to every browser that is connected to this process."""
    async with contextlib.aclosing(services.statuses.changes()) as changes:
        async for _ in changes:
            await broadcast(app, CampusState, "statuses", statuses_json())


async def reload_availability(services: Services) -> None:
    """Reload what can be ordered when another process has changed it, and twice a second.

    Without Redis, a change by another process takes effect after that interval.
    """
    async for _ in services.pubsub.messages(AVAILABILITY_CHANGED, _RELOAD_AVAILABILITY_SECONDS):
        try:
            await services.restaurant_days.load()
            await services.statuses.load()
        except DatabaseUnavailable:
            logger.warning("statuses: overrides and sold-out dishes could not be read")


async def _broadcast_menus(services: Services, app: rx.App) -> None:
    """Send the revision of each menu to every browser when a menu was published.

    An open menu is then loaded again.
    """
    while True:
        await services.menu_versions.changed.wait()
        services.menu_versions.changed.clear()
        await broadcast(app, CampusState, "statuses", statuses_json())


async def reload_menus(services: Services) -> None:
    """Reload the menus that another process has published, and twice a second."""
    async for _ in services.pubsub.messages(MENUS_CHANGED, _RELOAD_MENUS_SECONDS):
        try:
            await services.menu_versions.load()
        except DatabaseUnavailable:
            logger.warning("menus: published versions could not be read")


async def _broadcast_offers(services: Services, app: rx.App) -> None:
    """Let every open page ask for its price and its offers again when offers were published."""
    while True:
        await services.offers.changed.wait()
        services.offers.changed.clear()
        await follow_offers(app, services.offers.number)


async def reload_offers(services: Services) -> None:
    """Reload the offers that another process has published, and twice a second."""
    async for _ in services.pubsub.messages(OFFERS_CHANGED, _RELOAD_OFFERS_SECONDS):
        try:
            await services.offers.load()
        except DatabaseUnavailable:
            logger.warning("offers: published versions could not be read")


async def wake_kitchen_updates(services: Services) -> None:
    """Update the open kitchen boards when another process has changed something, and regularly."""
    async for _ in services.pubsub.messages(ORDERS_CHANGED, _CHECK_KITCHENS_SECONDS):
        services.order_progress.changed.set()


async def wake_group_order_updates(services: Services) -> None:
    """Update the open group orders when another process has changed one, and regularly."""
    async for _ in services.pubsub.messages(GROUP_ORDERS_CHANGED, _CHECK_GROUP_ORDERS_SECONDS):
        services.group_orders.changed.set()


async def wake_desk_updates(services: Services) -> None:
    """Update the open pages of the desk when another process has changed an order, and regularly.

    What waits longer than it should changes without an event.
    """
    async for _ in services.pubsub.messages(ORDERS_CHANGED, _CHECK_DESK_SECONDS):
        services.desk.changed.set()


async def keep_figures_ready(services: Services) -> None:
    """Keep the program of the figures started while somebody is at the desk who may see them."""
    await services.figures.keep_ready(lambda: services.desk.is_open_to(DeskArea.FIGURES))


async def publish_outbox_overload(services: Services) -> None:
    """Publish when this process has more outbox jobs than it can run at once."""
    while True:
        await services.outbox.overloaded.wait()
        services.outbox.overloaded.clear()
        await services.pubsub.publish(OUTBOX_OVERLOADED)
        await asyncio.sleep(_PUBLISH_INTERVAL_SECONDS)


async def take_jobs_of_overloaded_processes(services: Services) -> None:
    """Wake this process's outbox worker when another process is overloaded."""
    async for _ in services.pubsub.messages(OUTBOX_OVERLOADED, _CHECK_OUTBOX_SECONDS):
        services.outbox.wake.set()


async def delete_expired_push_subscriptions(services: Services) -> None:
    """Delete push subscriptions that are older than a day, every ten minutes."""
    while True:
        try:
            await services.ready_push.delete_expired()
        except DatabaseUnavailable:
            logger.warning("push: expired subscriptions could not be deleted")
        await asyncio.sleep(_DELETE_PUSH_SUBSCRIPTIONS_SECONDS)


async def delete_expired_group_orders(services: Services) -> None:
    """Delete group orders whose last change is a day ago, every ten minutes."""
    while True:
        try:
            await services.group_orders.delete_expired()
        except DatabaseUnavailable:
            logger.warning("group orders: expired ones could not be deleted")
        await asyncio.sleep(_DELETE_GROUP_ORDERS_SECONDS)


async def store_visits(services: Services) -> None:
    """Add the visits counted in this process to the sums of their hours."""
    while True:
        await asyncio.sleep(_STORE_VISITS_SECONDS)
        try:
            await services.visits.store()
        except DatabaseUnavailable:
            logger.warning("visits: the database did not answer")
