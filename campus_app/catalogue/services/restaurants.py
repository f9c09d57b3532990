"""Finding a restaurant that a request names."""

from campus_app.catalogue.rules.restaurant import Restaurant
from campus_app.catalogue.services.stores import Catalogue
from campus_app.shared.rules.errors import NotFound
from campus_app.shared.rules.messages import OrderMessage


def find_restaurant(catalogue: Catalogue, restaurant_id: int) -> Restaurant:
    """Return the restaurant with this id.

    Raises:
        NotFound: `unknown_restaurant`.
    """
    restaurant = catalogue.restaurant(restaurant_id)
    if restaurant is None:
        raise NotFound("unknown_restaurant", OrderMessage.UNKNOWN_RESTAURANT)
    return restaurant
