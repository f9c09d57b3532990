"""The account of a day, for a kitchen and for operators. Source: specification 10.22."""

from dataclasses import dataclass
from datetime import date

from campus_app.catalogue.csv.catalogue import CsvCatalogue
from campus_app.catalogue.services.restaurants import find_restaurant
from campus_app.kitchen.rules.day_sheet import DaySheet, day_bounds, day_of
from campus_app.kitchen.sql.day_sheets import SqlDaySheets
from kit.clock import Clock


@dataclass(frozen=True)
class DaySheets:
    """Reads the paid orders of a day."""

    store: SqlDaySheets
    catalogue: CsvCatalogue
    clock: Clock

    async def of(self, day: date | None, restaurant_id: int | None) -> DaySheet:
        """Return the account of a day, by default of the current one.

        Raises:
            NotFound: If there is no such restaurant.
        """
        if restaurant_id is not None:
            find_restaurant(self.catalogue, restaurant_id)
        day = day or day_of(self.clock.now())
        return DaySheet(day, await self.store.lines(*day_bounds(day), restaurant_id))
