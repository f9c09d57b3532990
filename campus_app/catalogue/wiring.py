"""The services of the catalogue: menus and what can be ordered now."""

from dataclasses import dataclass

from campus_app.catalogue.csv.catalogue import CsvCatalogue
from campus_app.catalogue.csv.last_good import LastGoodCopies
from campus_app.catalogue.csv.sheet_files import SheetFiles
from campus_app.catalogue.csv.stamps import SettledStamps
from campus_app.catalogue.services.availability import Statuses
from campus_app.catalogue.services.menu_editing import MenuEditing
from campus_app.catalogue.services.menu_versions import MenuVersions
from campus_app.catalogue.services.restaurant_days import RestaurantDays
from campus_app.catalogue.sql.menu_versions import SqlMenuVersions
from campus_app.catalogue.sql.restaurant_days import SqlRestaurantDays
from campus_app.catalogue.sql.restaurant_overrides import SqlRestaurantOverrides
from campus_app.catalogue.sql.sold_out import SqlSoldOut
from campus_app.shared import current
from campus_app.shared.wiring import SharedServices

AVAILABILITY_CHANGED = "availability"
"""Published when an override, what is sold out, or a day's hours or seats have changed."""
MENUS_CHANGED = "menus"
"""Published when a menu was published, or comes from another source."""


@dataclass(frozen=True)
class CatalogueServices(SharedServices):
    """What the catalogue and the rooms right of it may use."""

    catalogue: CsvCatalogue
    statuses: Statuses
    restaurant_days: RestaurantDays
    menu_versions: MenuVersions
    menu_editing: MenuEditing


def build(
    left: SharedServices, *, menu_check_seconds: float, menu_still_seconds: float
) -> CatalogueServices:
    """Build the services on those of the shared room."""
    catalogue = CsvCatalogue(
        left.settings.data_dir,
        menu_check_seconds,
        LastGoodCopies(left.settings.last_good_dir),
        SettledStamps(menu_still_seconds),
    )
    statuses = Statuses(
        catalogue,
        SqlRestaurantOverrides(left.database),
        SqlSoldOut(left.database),
        left.clock,
        lambda: left.pubsub.publish(AVAILABILITY_CHANGED),
    )
    days = RestaurantDays(
        catalogue,
        SqlRestaurantDays(left.database),
        left.clock,
        statuses.notify_listeners,
        lambda: left.pubsub.publish(AVAILABILITY_CHANGED),
    )
    versions = MenuVersions(
        catalogue,
        SqlMenuVersions(left.database),
        left.clock,
        lambda: left.pubsub.publish(MENUS_CHANGED),
    )
    return CatalogueServices(
        **vars(left),
        catalogue=catalogue,
        statuses=statuses,
        restaurant_days=days,
        menu_versions=versions,
        menu_editing=MenuEditing(versions, SheetFiles()),
    )


def services() -> CatalogueServices:
    """Return this process's services."""
    return current.services()
