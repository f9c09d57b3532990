"""Menus: the CSV as it is, and the same as JSON for the menu screen."""

import hashlib
import json

from fastapi import APIRouter, Header
from fastapi.responses import Response

from campus_app import wiring
from campus_app.api.answers import DishAnswer, MenuAnswer, MenuRestaurantAnswer, SectionAnswer
from campus_app.domain.errors import MenuUnavailable
from campus_app.domain.menu import Menu, MenuItem
from campus_app.domain.messages import MenuMessage
from campus_app.domain.money import format_rupees, to_paise
from campus_app.domain.restaurant import Restaurant
from campus_app.translations import date_words
from kit.http.errors import error_answer, refusals

router = APIRouter(tags=["menus"])

_FRESH = "no-cache"
_TEXT = {"schema": {"type": "string"}}
_AS_BEFORE = {304: {"description": "It is what the browser has."}}


@router.get(
    "/data/menu_{restaurant_id}.csv",
    summary="A menu as it is kept",
    response_class=Response,
    responses={200: {"content": {"text/csv": _TEXT}}} | refusals(404, 422),
)
async def menu_csv(restaurant_id: str) -> Response:
    catalogue = wiring.services().catalogue
    restaurant = catalogue.restaurant(int(restaurant_id)) if _is_id(restaurant_id) else None
    file = catalogue.menu_file(restaurant.id) if restaurant else None
    if file is None or not file.is_file():
        return error_answer(404, "unknown_restaurant", "There is no such menu.")
    return Response(
        file.read_bytes(),
        media_type="text/csv; charset=utf-8",
        headers={"cache-control": _FRESH},
    )


@router.get(
    "/api/menus/{restaurant_id}",
    summary="A menu as the menu screen shows it",
    response_model=MenuAnswer,
    responses=_AS_BEFORE | refusals(404, 422, 500, 503),
)
async def menu_json(restaurant_id: str, if_none_match: str = Header(default="")) -> Response:
    try:
        answer = shown_menu(restaurant_id)
    except MenuUnavailable as error:
        return error_answer(error.status, "menu_unavailable", error.message)
    body = json.dumps(answer, ensure_ascii=False, separators=(",", ":"))
    return _cached(body.encode(), "application/json", if_none_match)


def shown_menu(restaurant_id: str) -> MenuAnswer:
    """Return the menu of the restaurant that is called so, as the menu screen shows it.

    Raises:
        MenuUnavailable: If there is no such restaurant, or its menu can't be read.
    """
    restaurant, menu = _look_up(restaurant_id)
    return {"restaurant": _restaurant(restaurant), "sections": _sections(menu)}


def _is_id(text: str) -> bool:
    return text.isascii() and text.isdigit() and len(text) <= 9


def _cached(body: bytes, media_type: str, if_none_match: str) -> Response:
    """Return a body that browsers keep, and ask after each time."""
    tag = f'"{hashlib.sha256(body).hexdigest()[:24]}"'
    headers = {"etag": tag, "cache-control": _FRESH}
    if if_none_match == tag:
        return Response(status_code=304, headers=headers)
    return Response(body, media_type=media_type, headers=headers)


def _look_up(restaurant_id: str) -> tuple[Restaurant, Menu]:
    catalogue = wiring.services().catalogue
    restaurant = catalogue.restaurant(int(restaurant_id)) if _is_id(restaurant_id) else None
    if restaurant is None:
        raise MenuUnavailable(MenuMessage.RESTAURANT_NOT_FOUND, 404)
    return restaurant, catalogue.menu(restaurant.id)


def _restaurant(restaurant: Restaurant) -> MenuRestaurantAnswer:
    return {
        "id": str(restaurant.id),
        "name": restaurant.name,
        "image": f"/images/{restaurant.image}",
        "rating": restaurant.rating,
        "deliveryMinutes": restaurant.delivery_minutes,
        "hours": str(restaurant.hours),
        "hasTables": restaurant == wiring.services().reservations.restaurant(),
        "menuImages": [
            {
                "src": f"/menus/{restaurant.id}/{image.file}",
                "takenOn": date_words(image.taken_on, "d MMMM y"),
            }
            for image in restaurant.menu_images
        ],
    }


def _sections(menu: Menu) -> list[SectionAnswer]:
    shown: set[str] = set()
    return [
        {
            "id": f"section-{number}",
            "number": f"{number:02}",
            "name": section.name,
            "count": len(section.items),
            "dishes": [_dish(item, shown) for item in section.items],
        }
        for number, section in enumerate(menu.sections(), start=1)
    ]


def _dish(item: MenuItem, shown: set[str]) -> DishAnswer:
    is_repeated = item.id in shown
    shown.add(item.id)
    return {
        "id": item.id,
        "testId": f"repeated-item-{item.id}" if is_repeated else f"item-{item.id}",
        "name": item.name,
        "description": item.description,
        "price": format_rupees(item.price),
        "paise": to_paise(item.price),
        "diet": item.diet.value if item.diet else "",
    }
