"""Finding a restaurant: the one that a request names, the one that takes reservations."""

from campus_app.catalogue.csv.catalogue import CsvCatalogue
from campus_app.catalogue.rules.restaurant import Restaurant
from campus_app.shared.rules.errors import NotFound
from campus_app.shared.rules.messages import OrderMessage


def find_restaurant(catalogue: CsvCatalogue, restaurant_id: int) -> Restaurant:
    """Return the restaurant with this id.

    Raises:
        NotFound: `unknown_restaurant`.
    """
    restaurant = catalogue.restaurant(restaurant_id)
    if restaurant is None:
        raise NotFound("unknown_restaurant", OrderMessage.UNKNOWN_RESTAURANT)
    return restaurant


def reservable_restaurant(catalogue: CsvCatalogue) -> Restaurant | None:
    """Return the restaurant that takes reservations. Source: specification R7."""
    return next((each for each in catalogue.restaurants() if each.takes_reservations), None)
