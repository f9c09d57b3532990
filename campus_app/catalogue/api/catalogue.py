"""Menus: as CSV, and as JSON for the menu screen."""

import csv
import hashlib
import io
from typing import Annotated, Any

from fastapi import APIRouter, Header, Path
from fastapi.responses import Response

from campus_app.catalogue import wiring
from campus_app.catalogue.api import response_models as models
from campus_app.catalogue.rules.errors import MenuUnavailable
from campus_app.catalogue.rules.menu import COLUMNS, Allergen, Dish, DishMarks, Menu, Spice
from campus_app.catalogue.rules.restaurant import Restaurant
from campus_app.catalogue.services.restaurants import reservable_restaurant
from campus_app.shared.rules import routes
from campus_app.shared.rules.errors import NotFound
from campus_app.shared.rules.messages import MenuMessage
from campus_app.shared.rules.money import format_rupees, to_paise
from campus_app.shared.translations import t
from kit.http.errors import error_responses
from kit.text import gettext_noop
from kit.translations import ENGLISH, LANGUAGE_HEADERS, date_words, language

router = APIRouter(tags=["menus"])

RestaurantId = Annotated[str, Path(description="The restaurant's id.", examples=["3"])]
_REVALIDATE = "no-cache"
ALLERGEN_NAMES = {
    Allergen.GLUTEN: gettext_noop("gluten"),
    Allergen.CRUSTACEANS: gettext_noop("crustaceans"),
    Allergen.MILK: gettext_noop("milk"),
    Allergen.EGG: gettext_noop("egg"),
    Allergen.FISH: gettext_noop("fish"),
    Allergen.PEANUTS: gettext_noop("peanuts"),
    Allergen.NUTS: gettext_noop("nuts"),
    Allergen.SOY: gettext_noop("soy"),
    Allergen.SULPHITES: gettext_noop("sulphites"),
}
SPICE_NAMES = {
    Spice.MILD: gettext_noop("Mild"),
    Spice.HOT: gettext_noop("Hot"),
    Spice.VERY_HOT: gettext_noop("Very hot"),
}


@router.get(
    "/data/menu_{restaurant_id}.csv",
    summary="Menu as CSV",
    response_class=Response,
    responses={200: {"content": {"text/csv": {"schema": {"type": "string"}}}}}
    | error_responses(422, codes={404: ("unknown_restaurant",)}),
)
async def menu_csv(restaurant_id: RestaurantId) -> Response:
    """The dishes on sale: a header, then `id,name,description,price,category` of each."""
    restaurant = _restaurant(restaurant_id)
    try:
        menu = wiring.services().catalogue.menu(restaurant.id) if restaurant else None
    except MenuUnavailable:
        menu = None
    if menu is None:
        raise NotFound("unknown_restaurant", "There is no such menu.")
    text = io.StringIO()
    rows = csv.writer(text, lineterminator="\n")
    rows.writerow(COLUMNS)
    rows.writerows(
        (each.id, each.name, each.description, str(each.price).removesuffix(".00"), each.category)
        for each in menu.dishes
    )
    return Response(
        text.getvalue(),
        media_type="text/csv; charset=utf-8",
        headers={"cache-control": _REVALIDATE},
    )


@router.get(
    "/api/menus/{restaurant_id}",
    summary="Menu as the menu screen shows it",
    response_model=models.Menu,
    responses={304: {"description": "Not changed."}}
    | error_responses(422, 503, codes={404: ("menu_unavailable",), 500: ("menu_unavailable",)}),
)
async def menu_json(
    restaurant_id: RestaurantId,
    if_none_match: Annotated[str, Header(description="The `etag` of the stored menu.")] = "",
) -> Response:
    """Grouped into the sections of the screen; prices as text and in paise."""
    body = _menu(restaurant_id).model_dump_json(by_alias=True).encode()
    tag = f'"{hashlib.sha256(body).hexdigest()[:24]}"'
    headers = {"etag": tag, "cache-control": _REVALIDATE, "vary": LANGUAGE_HEADERS}
    if if_none_match == tag:
        return Response(status_code=304, headers=headers)
    return Response(body, media_type="application/json", headers=headers)


def shown_menu(restaurant_id: str) -> dict[str, Any]:
    """Return the JSON of a restaurant's menu.

    Raises:
        MenuUnavailable: If there is no such restaurant, or its menu cannot be read.
    """
    return _menu(restaurant_id).model_dump(by_alias=True)


def _menu(restaurant_id: str) -> models.Menu:
    restaurant = _restaurant(restaurant_id)
    if restaurant is None:
        raise MenuUnavailable(MenuMessage.RESTAURANT_NOT_FOUND, 404)
    menu = wiring.services().catalogue.menu(restaurant.id)
    return models.Menu(restaurant=_menu_restaurant(restaurant), sections=menu_sections(menu))


def _restaurant(id_: str) -> Restaurant | None:
    restaurant_id = routes.parse_restaurant_id(id_)
    return None if restaurant_id is None else wiring.services().catalogue.restaurant(restaurant_id)


def _menu_restaurant(restaurant: Restaurant) -> models.MenuRestaurant:
    return models.MenuRestaurant(
        id=str(restaurant.id),
        name=restaurant.name,
        image=f"/images/{restaurant.image}",
        rating=restaurant.rating,
        delivery_minutes=restaurant.delivery_minutes,
        hours=str(restaurant.hours),
        has_tables=restaurant == reservable_restaurant(wiring.services().catalogue),
        menu_images=[
            models.MenuImage(
                src=f"/menus/{restaurant.id}/{image.file}",
                taken_on=date_words(image.taken_on, "d MMMM y"),
            )
            for image in restaurant.menu_images
        ],
    )


def menu_sections(menu: Menu) -> list[models.MenuSection]:
    """Return the sections of a menu as the menu screen shows them, in the visitor's language."""
    seen: set[str] = set()
    return [
        models.MenuSection(
            id=f"section-{number}",
            number=f"{number:02}",
            name=section.name_in(language()),
            count=len(section.dishes),
            dishes=[_dish(dish, seen) for dish in section.dishes],
        )
        for number, section in enumerate(menu.sections(), start=1)
    ]


def facts_of(marks: DishMarks) -> str:
    """Return what a kitchen declares of a dish, in the visitor's language; empty for nothing."""
    contains = ", ".join(t(ALLERGEN_NAMES[each]) for each in marks.allergens)
    sentences = (
        t(SPICE_NAMES[marks.spice]) if marks.spice else "",
        t("Contains {allergens}", allergens=contains) if contains else "",
    )
    return ". ".join(filter(None, sentences))


def _dish(dish: Dish, seen: set[str]) -> models.Dish:
    is_repeated = dish.id in seen
    seen.add(dish.id)
    texts = dish.texts_in(language())
    replaced = [dish.category, dish.description if texts.description else ""]
    return models.Dish(
        id=dish.id,
        test_id=f"repeated-item-{dish.id}" if is_repeated else f"item-{dish.id}",
        name=dish.name,
        local_name=None if language() == ENGLISH else texts.name,
        description=texts.description or dish.description,
        english_words=None if language() == ENGLISH else " ".join(filter(None, replaced)),
        price=format_rupees(dish.price),
        paise=to_paise(dish.price),
        diet=dish.marks.diet.value if dish.marks.diet else "",
        spice=str(dish.marks.spice.value),
        facts=facts_of(dish.marks),
    )
