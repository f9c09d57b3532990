"""A menu for link previews and search engines: title, Open Graph metadata, structured data."""

import json
import re
from collections.abc import Callable
from html import escape
from pathlib import Path
from typing import Any

from campus_app.catalogue.rules.errors import MenuUnavailable
from campus_app.catalogue.rules.menu import Diet, Dish, Menu
from campus_app.catalogue.rules.opening_hours import OpeningHours
from campus_app.catalogue.rules.restaurant import Restaurant
from campus_app.ordering import wiring
from campus_app.ordering.screens.offer_texts import description as offer_description
from campus_app.shared.rules import routes
from campus_app.shared.rules.campus import Campus
from campus_app.shared.rules.constants import CURRENCY
from campus_app.shared.translations import LANGUAGES, t
from kit.http.csp import escape_script_json
from kit.http.locale import PageFolders
from kit.translations import ENGLISH, QUERY, language, page_language, use_locale

PREVIEWS = "/images/previews/"
"""Where the pictures of link previews are, which `python -m tools.link_previews` draws."""
PREVIEW_SIZE = (1200, 630)
_OTHER_PREVIEW = "/images/app-512.png"
_ASSETS = Path(__file__).parents[3] / "assets"
_TITLE = re.compile("<title>.*?</title>")
_BUILT_PREVIEW = re.compile('<meta content="[^"]*" property="og:image"/>')
_BUILT_DESCRIPTION = re.compile('<meta content="[^"]*" name="description"/>')
_DAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
_SCHEMA = "https://schema.org"


def described_menus(folders: PageFolders, origin: str) -> Callable[[str], str | None]:
    """Return a renderer of built menu pages with the metadata of their restaurant."""

    def render(path: str) -> str | None:
        restaurant = wiring.services().catalogue.restaurant(routes.restaurant_id_in(path) or 0)
        if restaurant is None:
            return None
        try:
            menu = wiring.services().catalogue.menu(restaurant.id)
        except MenuUnavailable:
            menu = None
        page = folders.file(routes.built_menu().lstrip("/")).read_text(encoding="utf-8")
        return with_metadata(page, restaurant, menu, origin)

    return render


def with_metadata(page: str, restaurant: Restaurant, menu: Menu | None, origin: str) -> str:
    """Return a menu's HTML page with the title and the metadata of its restaurant.

    Source: specification 10.13, 10.14.
    """
    about = description(restaurant)
    title = f"<title>{escape(page_title(restaurant.name))}</title>"
    page = _TITLE.sub(lambda _: title, page, count=1)
    for built in (_BUILT_PREVIEW, _BUILT_DESCRIPTION):
        page = built.sub("", page, count=1)
    described = structured_data(restaurant, menu, origin)
    data = json.dumps(described, ensure_ascii=False, separators=(",", ":"))
    script = f'<script type="application/ld+json">{escape_script_json(data)}</script>'
    metas = _metas(restaurant, about, origin)
    return page.replace("</head>", f"{metas}</head>", 1).replace("</body>", f"{script}</body>", 1)


def page_title(name: str) -> str:
    """Return the title of a restaurant's menu page."""
    return f"{name} · FOOD_points"


def description(restaurant: Restaurant) -> str:
    """Return one sentence about a restaurant: what it cooks, and when it is open."""
    return t(
        "{cuisines}, open {hours}. Menu with prices: choose your dishes and order.",
        cuisines=", ".join(t(each) for each in restaurant.categories),
        hours=str(restaurant.hours).replace("-", "–"),
    )


def preview_picture(restaurant: Restaurant) -> str:
    """Return the path of a restaurant's picture for link previews; they show no SVG."""
    drawn = f"{PREVIEWS}{Path(restaurant.image).stem}.jpg"
    return drawn if (_ASSETS / drawn.lstrip("/")).is_file() else _OTHER_PREVIEW


def _metas(restaurant: Restaurant, about: str, origin: str) -> str:
    picture = preview_picture(restaurant)
    properties = {
        "og:type": "restaurant.menu",
        "og:site_name": "FOOD_points",
        "og:title": restaurant.name,
        "og:description": about,
        "og:url": _address(restaurant, origin, language()),
        "og:locale": page_language(language()).replace("-", "_"),
        "og:image": f"{origin}{picture}",
        "og:image:alt": restaurant.name,
    }
    if picture != _OTHER_PREVIEW:
        width, height = PREVIEW_SIZE
        properties |= {"og:image:width": str(width), "og:image:height": str(height)}
    metas = [
        f'<meta property="{name}" content="{escape(content)}"/>'
        for name, content in properties.items()
    ]
    addresses = {page_language(code): _address(restaurant, origin, code) for code in LANGUAGES}
    alternates = [
        f'<link rel="alternate" hreflang="{tag}" href="{escape(address)}"/>'
        for tag, address in addresses.items()
    ]
    canonical = _address(restaurant, origin, language())
    return "".join(
        [
            f'<meta name="description" content="{escape(about)}"/>',
            '<meta name="twitter:card" content="summary_large_image"/>',
            f'<link rel="canonical" href="{escape(canonical)}"/>',
            *alternates,
            *metas,
        ]
    )


def _address(restaurant: Restaurant, origin: str, code: str) -> str:
    query = "" if code == ENGLISH else f"?{QUERY}={code}"
    return f"{origin}{routes.menu(restaurant.id)}{query}"


def structured_data(restaurant: Restaurant, menu: Menu | None, origin: str) -> dict[str, Any]:
    """Return JSON-LD of a restaurant, its opening hours, its offers and its menu.

    Source: https://schema.org/Restaurant.
    """
    address = f"{origin}{routes.menu(restaurant.id)}"
    campuses = [campus.place_name for campus in Campus if campus in restaurant.campuses]
    return {
        "@context": _SCHEMA,
        "@type": "Restaurant",
        "@id": f"{address}#restaurant",
        "name": restaurant.name,
        "url": address,
        "image": f"{origin}{preview_picture(restaurant)}",
        "telephone": restaurant.vendor_phone,
        "servesCuisine": list(restaurant.categories),
        "address": {
            "@type": "PostalAddress",
            "addressLocality": " / ".join(campuses),
            "addressCountry": "IN",
        },
        "areaServed": campuses,
        "currenciesAccepted": CURRENCY,
        "acceptsReservations": restaurant.takes_reservations,
        "openingHoursSpecification": _opening_hours(restaurant.hours),
        "makesOffer": _offers(restaurant, origin),
        **({"hasMenu": _menu(menu, address)} if menu else {}),
    }


def _offers(restaurant: Restaurant, origin: str) -> list[dict[str, Any]]:
    with use_locale(ENGLISH):
        return [
            {
                "@type": "Offer",
                "name": offer.title,
                "description": offer_description(offer, restaurant.name),
                "url": f"{origin}{routes.OFFERS}",
            }
            for offer in wiring.services().offers.offers
            if offer.restaurant_id == restaurant.id
        ]


def _opening_hours(hours: OpeningHours) -> dict[str, Any]:
    """Return the hours; a closing time before the opening time is of the next day."""
    return {
        "@type": "OpeningHoursSpecification",
        "dayOfWeek": [f"{_SCHEMA}/{day}" for day in _DAYS],
        "opens": f"{hours.open:%H:%M}",
        "closes": f"{hours.close:%H:%M}",
    }


def _menu(menu: Menu, address: str) -> dict[str, Any]:
    return {
        "@type": "Menu",
        "url": address,
        "inLanguage": "en-IN",
        "hasMenuSection": [
            {
                "@type": "MenuSection",
                "name": section.name,
                "hasMenuItem": [_menu_dish(dish) for dish in section.dishes],
            }
            for section in menu.categories()
        ],
    }


def _menu_dish(dish: Dish) -> dict[str, Any]:
    is_vegetarian = dish.marks.diet is Diet.VEGETARIAN
    return {
        "@type": "MenuItem",
        "name": dish.name,
        **({"description": dish.description} if dish.description else {}),
        **({"suitableForDiet": f"{_SCHEMA}/VegetarianDiet"} if is_vegetarian else {}),
        "offers": {"@type": "Offer", "price": f"{dish.price:.2f}", "priceCurrency": CURRENCY},
    }
