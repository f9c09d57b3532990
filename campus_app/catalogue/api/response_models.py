"""Pydantic models of statuses and menus; `model_validate` reads domain objects."""

from pydantic import Field

from campus_app.catalogue.rules.restaurant import RestaurantState
from kit.http.errors import ResponseModel, is_none


def _is_empty(text: str) -> bool:
    return not text


class RestaurantStatus(ResponseModel):
    """The status of a restaurant."""

    is_open: bool = Field(description="False if the operator closed it, whatever its hours.")
    message: str
    state: RestaurantState
    back_at: str = Field(
        default="",
        exclude_if=_is_empty,
        description="The campus time at which a pause ends, such as 13:30; absent without one.",
    )
    hours: str = Field(
        default="",
        exclude_if=_is_empty,
        description="Today's hours, such as 09:00-18:00; absent if they are the usual ones.",
    )
    opens: str = Field(
        default="",
        exclude_if=_is_empty,
        description="When it opens next, while it is closed; absent if at the usual time.",
    )


class OverriddenStatus(RestaurantStatus):
    """The status of a restaurant after the operator's override."""

    restaurant_id: int


class StatusMetadata(ResponseModel):
    """The time at which the statuses were computed."""

    last_checked: str = Field(description="ISO 8601 with the campus's offset.")


class RestaurantStatuses(ResponseModel):
    """The status of every restaurant by its id. Source: specification C3.2."""

    statuses: dict[str, RestaurantStatus]
    metadata: StatusMetadata
    sold_out: dict[str, list[str]] = Field(description="Ids of sold-out dishes, by restaurant.")
    menus: dict[str, str] = Field(
        description="By restaurant, a text that changes with its menu, once that has changed."
    )


class Availability(ResponseModel):
    """What a restaurant can't serve now. Source: specification 10.20."""

    sold_out: list[str] = Field(description="Ids of sold-out dishes.", examples=[["12"]])


class Kitchen(ResponseModel):
    """A restaurant's name, and when it closes."""

    name: str
    closes: str = Field(description="ISO 8601 with the campus's offset; empty while it is closed.")


class CampusTime(ResponseModel):
    """The current time on the campus."""

    now: str = Field(description="ISO 8601 with the campus's offset.")
    kitchens: dict[str, Kitchen] = Field(description="By the restaurant's id.")


class MenuImage(ResponseModel):
    """A photograph of the restaurant's printed menu."""

    src: str
    taken_on: str


class MenuRestaurant(ResponseModel):
    """The restaurant of a menu."""

    id: str
    name: str
    image: str
    rating: str
    delivery_minutes: str
    hours: str
    has_tables: bool
    menu_images: list[MenuImage]


class Dish(ResponseModel):
    """A dish of a menu."""

    id: str
    test_id: str = Field(description="Differs for a dish that an earlier section contains.")
    name: str
    local_name: str | None = Field(
        default=None,
        exclude_if=is_none,
        description="In the language of the page, empty if unknown; absent in English.",
    )
    description: str = Field(description="In the language of the page, else in English.")
    english_words: str | None = Field(
        default=None,
        exclude_if=is_none,
        description="What the search finds beside the texts that are shown; absent in English.",
    )
    price: str = Field(description="For people, such as ₹1,250.")
    paise: int
    diet: str
    spice: str = Field(description="0 if unknown, else 1 (mild) to 3 (very hot).")
    facts: str = Field(description="Spice and allergens as a sentence; empty if none are declared.")


class MenuSection(ResponseModel):
    """The dishes of a category."""

    id: str = Field(description="The id of the section's element on the menu screen.")
    number: str
    name: str = Field(description="In the language of the page, else in English; or Trending.")
    count: int
    dishes: list[Dish]


class Menu(ResponseModel):
    """A menu for the menu screen."""

    restaurant: MenuRestaurant
    sections: list[MenuSection]
