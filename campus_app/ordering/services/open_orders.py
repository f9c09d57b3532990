"""A bound on the unpaid orders of one client address, so that nobody takes all order numbers."""

from datetime import datetime, timedelta

from campus_app.ordering.rules.stored_order import StoredOrder
from campus_app.ordering.sql.orders import SqlOrders
from campus_app.shared.rules.constants import MAXIMUM_OPEN_ORDERS
from kit.clock import Clock
from kit.rate_limit import RateLimited

_RECOUNT_AFTER = timedelta(seconds=5)
_CLEAN_UP_AFTER = timedelta(minutes=1)


class OpenOrders:
    """Counts, in this process, the orders of each address that can still be paid.

    The orders that are paid meanwhile are looked up only where an address reaches the maximum, and
    then every few seconds: a campus that shares an address pays most of its orders.

    Source: specification M16.
    """

    def __init__(self, orders: SqlOrders, clock: Clock, maximum: int = MAXIMUM_OPEN_ORDERS) -> None:
        """`maximum` is that of each address."""
        self._orders = orders
        self._clock = clock
        self._maximum = maximum
        self._expiries: dict[str, dict[str, datetime]] = {}
        """The end of each order's time to pay, by address and order id, the oldest first."""
        self._counted_at: dict[str, datetime] = {}
        self._cleaned_up_at = clock.now()

    async def require_room(self, client: str) -> None:
        """Require that an address may place another order.

        Raises:
            RateLimited: With the seconds until the oldest of its open orders lapses.
        """
        self._forget_lapsed(client)
        if len(self._expiries.get(client, ())) < self._maximum:
            return
        if self._is_recount_due(client):
            await self._recount(client)
        expiries = self._expiries.get(client, {})
        if len(expiries) >= self._maximum:
            oldest = min(expiries.values())
            raise RateLimited((oldest - self._clock.now()).total_seconds())

    def record(self, client: str, stored: StoredOrder) -> None:
        """Count an order that an address has placed; a repeated one counts once."""
        now, expires_at = self._clock.now(), stored.payment.expires_at
        if expires_at > now:
            self._expiries.setdefault(client, {})[stored.order.id] = expires_at
        if not self._cleaned_up_at <= now < self._cleaned_up_at + _CLEAN_UP_AFTER:
            self._cleaned_up_at = now
            for each in tuple(self._expiries):
                self._forget_lapsed(each)

    def _is_recount_due(self, client: str) -> bool:
        counted_at, now = self._counted_at.get(client), self._clock.now()
        return counted_at is None or not counted_at <= now < counted_at + _RECOUNT_AFTER

    async def _recount(self, client: str) -> None:
        self._counted_at[client] = self._clock.now()
        open_ids = await self._orders.open_ids(self._expiries.get(client, {}))
        expiries = self._expiries.get(client, {})
        self._expiries[client] = {id_: at for id_, at in expiries.items() if id_ in open_ids}

    def _forget_lapsed(self, client: str) -> None:
        """Forget the orders of an address that can't be paid any more."""
        now, expiries = self._clock.now(), self._expiries.get(client)
        if expiries is None:
            return
        while expiries and expiries[oldest := next(iter(expiries))] <= now:
            del expiries[oldest]
        if not expiries:
            del self._expiries[client]
            self._counted_at.pop(client, None)
