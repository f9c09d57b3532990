"""All services: the rightmost room adds those of the operators."""

from dataclasses import dataclass

from campus_app.catalogue.sql.restaurant_overrides import SqlRestaurantOverrides
from campus_app.kitchen.wiring import KitchenServices
from campus_app.operators.services.desk import Desk
from campus_app.operators.services.desk_devices import DeskDevices
from campus_app.operators.services.operations import Operations
from campus_app.operators.services.running_server import HttpRunningServer
from campus_app.operators.services.visits import Visits
from campus_app.operators.sql.desk_devices import SqlDeskDevices
from campus_app.operators.sql.figure_reports import FigureReports
from campus_app.operators.sql.menu_drafts import SqlMenuDrafts
from campus_app.operators.sql.order_admin import SqlOrderAdmin
from campus_app.operators.sql.order_history import SqlOrderHistory
from campus_app.operators.sql.visits import SqlVisits
from campus_app.ordering.sql.shortages import SqlShortages
from campus_app.shared import current
from campus_app.shared.sql.audit import SqlAudit
from kit.mail.message import MAIL_CHANNEL


@dataclass(frozen=True)
class Services(KitchenServices):
    """Everything that a request, an event handler or a command may use."""

    operations: Operations
    desk: Desk
    desk_devices: DeskDevices
    figures: FigureReports
    visits: Visits
    menu_drafts: SqlMenuDrafts


def build(left: KitchenServices) -> Services:
    """Build the services on those of the kitchens."""
    config, database = left.settings, left.database
    operations = Operations(
        left.statuses,
        left.restaurant_days,
        SqlRestaurantOverrides(database),
        HttpRunningServer(config.port, config.operator_token.get_secret_value()),
        left.payments.orders,
        SqlOrderAdmin(database, left.clock),
        SqlAudit(database),
        left.payments.refunds,
        left.order_progress,
        left.clock,
        left.missed_calls,
    )
    desk = Desk(
        operations,
        left.outbox,
        left.catalogue,
        lambda: sorted(left.worker.topics_of(MAIL_CHANNEL)),
        left.clock,
        SqlOrderHistory(database),
        SqlShortages(database, left.outbox.notify),
    )
    devices = DeskDevices(SqlDeskDevices(database), left.clock, left.order_progress.notify)
    return Services(
        **vars(left),
        operations=operations,
        desk=desk,
        desk_devices=devices,
        figures=FigureReports(config.database_url),
        visits=Visits(SqlVisits(database), left.clock),
        menu_drafts=SqlMenuDrafts(database),
    )


def services() -> Services:
    """Return this process's services."""
    return current.services()
