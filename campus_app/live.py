"""What runs as long as the server does: outbox, reconciler, opening hours."""

import asyncio
import contextlib
import logging
from collections.abc import AsyncIterator

import reflex as rx

from campus_app import wiring
from campus_app.states.campus import CampusState, status_picture
from kit.background import restarting, running
from kit.db.errors import DatabaseUnavailable
from kit.reflex.broadcast import broadcast

logger = logging.getLogger(__name__)

_RECONCILE_SECONDS = 5.0
_LONGEST_SLEEP_SECONDS = 60.0
_READ_SWITCHES_SECONDS = 5.0
_HELP_SECONDS = 5.0
_BETWEEN_CALLS_SECONDS = 0.2


@contextlib.asynccontextmanager
async def lifespan(app: rx.App) -> AsyncIterator[None]:
    """Read the menus and overrides, then run the background tasks until the server stops."""
    services = wiring.services()
    services.catalogue.read_all()
    await services.board.load()
    own = (
        _reconcile,
        _announce_hours,
        _follow_switches,
        _call_for_help,
        _help,
    )
    try:
        async with running(
            restarting(services.worker.run),
            restarting(services.mail_retry.follow),
            restarting(_broadcast_statuses, services, app),
            *(restarting(each, services) for each in own),
        ):
            yield
    finally:
        await services.outbox.flush()
        await services.payments.provider.close()
        await services.mailer.close()
        await services.pubsub.close()
        services.close()


async def _reconcile(services: wiring.Services) -> None:
    """Find payments whose notice was lost, with no browser open."""
    while True:
        try:
            await services.payments.reconcile_due()
            await services.payments.refunds.reconcile_due()
        except DatabaseUnavailable:
            logger.warning("reconciler: the database did not answer")
        await asyncio.sleep(_RECONCILE_SECONDS)


async def _announce_hours(services: wiring.Services) -> None:
    """Announce each opening and closing by the hours, when it happens."""
    while True:
        wait = (services.board.next_boundary() - services.clock.now()).total_seconds()
        await asyncio.sleep(min(max(wait, 0.0) + 0.01, _LONGEST_SLEEP_SECONDS))
        services.board.notify_listeners()


async def _broadcast_statuses(services: wiring.Services, app: rx.App) -> None:
    """Send each status change to every browser that is connected to this process."""
    async with contextlib.aclosing(services.board.changes()) as changes:
        async for _ in changes:
            await broadcast(app, CampusState, "picture", status_picture())


async def _follow_switches(services: wiring.Services) -> None:
    """Read the switches again when another process has turned one, and every few seconds anyway.

    Without Redis a change by another process takes effect after that interval.
    """
    while True:
        await services.pubsub.wait_for(wiring.OVERRIDES_CHANGED, _READ_SWITCHES_SECONDS)
        try:
            await services.board.load()
        except DatabaseUnavailable:
            logger.warning("statuses: the switches could not be read")


async def _call_for_help(services: wiring.Services) -> None:
    """Tell the other processes when effects wait here that they could carry out."""
    while True:
        await services.outbox.overloaded.wait()
        services.outbox.overloaded.clear()
        await services.pubsub.publish(wiring.OUTBOX_OVERLOADED)
        await asyncio.sleep(_BETWEEN_CALLS_SECONDS)


async def _help(services: wiring.Services) -> None:
    """Look into the outbox when another process has its hands full."""
    while True:
        await services.pubsub.wait_for(wiring.OUTBOX_OVERLOADED, _HELP_SECONDS)
        services.outbox.wake.set()
