"""Paid orders that no device of their kitchen has marked as seen: a warning and another call.

Source: specification 10.29.
"""

import logging
from dataclasses import dataclass
from functools import partial

from campus_app.catalogue.csv.catalogue import CsvCatalogue
from campus_app.catalogue.rules.opening_hours import OpeningHours
from campus_app.kitchen.sql.unseen_orders import SqlUnseenOrders
from campus_app.notifications.rules.callers import MissedCall, PhoneCaller
from campus_app.notifications.rules.missed_call import CallReason, call_deadline
from campus_app.ordering.rules.notification import MissedCallStatus
from campus_app.ordering.services.order_log import log_order
from campus_app.ordering.sql.orders import SqlOrders
from campus_app.shared.rules.constants import UNSEEN_SECONDS
from kit.clock import Clock

logger = logging.getLogger(__name__)

_SECONDS_PER_MINUTE = 60


@dataclass(frozen=True)
class UnseenOrders:
    """Reports each unseen order once, in whichever process finds it first; cancels nothing."""

    store: SqlUnseenOrders
    orders: SqlOrders
    catalogue: CsvCatalogue
    caller: PhoneCaller
    clock: Clock

    async def report_due(self) -> None:
        """Log each new unseen order, and enqueue the job that calls its kitchen again.

        If the process is killed in between, the line of the log is missing.
        """
        now = self.clock.now()
        for order_id in await self.store.unreported(now):
            if await self.store.report(order_id, now):
                message = "kitchen: order %s is unseen after %s minutes"
                minutes = UNSEEN_SECONDS // _SECONDS_PER_MINUTE
                log_order(logger, logging.WARNING, message, order_id, minutes)

    async def call_again(self, order_id: str) -> None:
        """Place another missed call about an order; none if it is seen or refunded by now.

        None either outside the kitchen's hours, or while the first call is still to come. A
        restaurant that is closed by an operator is called: it has to cook what is paid.

        Raises:
            DeliveryRejected: If the phone did not ring, and will not.
            DeliveryPostponed: If the phone certainly did not ring, and a retry may succeed.
            OutcomeAwaited: If the outcome is not known yet.
        """
        stored = await self.orders.by_id(order_id)
        restaurant = stored and self.catalogue.restaurant(stored.order.restaurant_id)
        if stored is None or restaurant is None:
            return
        await self.caller.place_call(
            MissedCall(
                restaurant.vendor_phone,
                restaurant.id,
                stored.order.number,
                order_id,
                call_deadline(stored.payment.paid_at or stored.order.created_at),
                CallReason.UNSEEN,
                partial(self._is_call_wanted, order_id, restaurant.hours),
            )
        )

    async def _is_call_wanted(self, order_id: str, hours: OpeningHours) -> bool:
        now = self.clock.now()
        if not hours.is_open_at(now):
            return False
        first_call = (await self.orders.notification_status(order_id)).missed_call
        is_to_come = first_call is MissedCallStatus.PENDING
        return not is_to_come and await self.store.is_unseen(order_id, now)
