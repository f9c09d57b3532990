"""A menu: its dishes in the order of the categories, Trending first."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from enum import IntEnum, StrEnum

from campus_app.shared.rules.constants import MAXIMUM_DISH_PRICE
from campus_app.shared.rules.money import Rupees, rupees, to_paise
from kit.text import normalize_text

TRENDING = "Trending"
COLUMNS = ("id", "name", "description", "price", "category")
"""The header of a menu's CSV. Source: specification 3.4, C3.5."""

DISH_ID = r"[A-Za-z0-9_-]{1,64}"
"""The regular expression of a dish's id, wherever one is read: a UUID is one.

Source: specification 10.53.
"""
MAXIMUM_ID_CHARACTERS = 64

_DISH_ID = re.compile(DISH_ID, re.ASCII)
_AT_MOST = f"at most {MAXIMUM_ID_CHARACTERS}"
_TRENDING_HINT = "list the dish in trending.csv, and write the category where people look for it"
LOCAL_TEXTS = ("name", "category", "description")
"""The texts that a menu may have in other languages, each in a column such as `category_hi`."""
_LOCAL_COLUMN = re.compile(rf"(?P<text>{'|'.join(LOCAL_TEXTS)})_(?P<code>[a-z]{{2,3}})", re.ASCII)


class Diet(StrEnum):
    """The vegetarian or non-vegetarian mark of Indian food."""

    VEGETARIAN = "veg"
    NON_VEGETARIAN = "non_veg"


class Allergen(StrEnum):
    """What Indian food labels must declare; the value is the word in `data/diet.csv`.

    Source: FSSAI, Labelling and Display Regulations 2020, 5(14).
    """

    GLUTEN = "gluten"
    CRUSTACEANS = "crustaceans"
    MILK = "milk"
    EGG = "egg"
    FISH = "fish"
    PEANUTS = "peanuts"
    NUTS = "nuts"
    SOY = "soy"
    SULPHITES = "sulphites"


class Spice(IntEnum):
    """How hot a dish is; UNKNOWN if the kitchen does not say."""

    UNKNOWN = 0
    MILD = 1
    HOT = 2
    VERY_HOT = 3


@dataclass(frozen=True)
class DishMarks:
    """What a kitchen declares of a dish, beside its price."""

    diet: Diet | None = None
    """None if the data has no mark."""
    allergens: tuple[Allergen, ...] = ()
    """Empty if the kitchen declares none, which does not mean that there are none."""
    spice: Spice = Spice.UNKNOWN


NO_MARKS = DishMarks()


@dataclass(frozen=True)
class LocalTexts:
    """The texts of a dish in another language; empty where the menu has none."""

    name: str = ""
    category: str = ""
    description: str = ""


NO_LOCAL_TEXTS = LocalTexts()


@dataclass(frozen=True)
class Dish:
    """A dish."""

    id: str
    name: str
    description: str
    price: Rupees
    category: str
    marks: DishMarks = NO_MARKS
    local: Mapping[str, LocalTexts] = field(default_factory=dict[str, LocalTexts], hash=False)
    """The texts in other languages, by the language's code. Source: specification 10.19, 10.65."""

    def texts_in(self, code: str) -> LocalTexts:
        """Return the texts in a language."""
        return self.local.get(code, NO_LOCAL_TEXTS)


def is_dish_id(text: str) -> bool:
    """Whether a text is a dish's id. Source: specification 10.53."""
    return _DISH_ID.fullmatch(text) is not None


def is_trending(category: str) -> bool:
    """Whether a category has the name of our own tab, Trending. Source: specification 10.52."""
    return category.casefold() == TRENDING.casefold()


def with_merged_categories(dishes: Iterable[Dish]) -> tuple[Dish, ...]:
    """Return the dishes, of which those whose categories differ in case alone have the first one.

    Source: specification 10.52.
    """
    first: dict[str, str] = {}
    return tuple(
        replace(dish, category=first.setdefault(dish.category.casefold(), dish.category))
        for dish in dishes
    )


def price_list(dishes: Iterable[Dish]) -> str:
    """Return the ids and prices of dishes, in paise: `id:paise,id:paise`."""
    return ",".join([f"{dish.id}:{to_paise(dish.price)}" for dish in dishes])


@dataclass(frozen=True)
class MenuSection:
    """The dishes of one tab."""

    name: str
    dishes: tuple[Dish, ...]

    def name_in(self, code: str) -> str:
        """Return the category's name in a language: that of its first dish with one, else `name`.

        Trending, which is no category, keeps its name. Source: specification 10.65.
        """
        if self.name == TRENDING:
            return self.name
        names = (dish.texts_in(code).category for dish in self.dishes)
        return next(filter(None, names), self.name)


@dataclass(frozen=True)
class Menu:
    """The dishes that one restaurant sells."""

    restaurant_id: int
    dishes: tuple[Dish, ...]
    trending: tuple[str, ...] = ()
    by_id: Mapping[str, Dish] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "by_id", {dish.id: dish for dish in self.dishes})

    def sections(self) -> tuple[MenuSection, ...]:
        """Return Trending, then the categories in the order of the menu.

        A trending dish is listed under its category as well, where visitors look for it too.

        Source: specification 2.27.
        """
        listed = dict.fromkeys(self.trending)
        trending = tuple(self.by_id[id_] for id_ in listed if id_ in self.by_id)
        categories = self.categories()
        return (MenuSection(TRENDING, trending), *categories) if trending else categories

    def categories(self) -> tuple[MenuSection, ...]:
        """Return the categories in the order of the menu, each dish once."""
        grouped: dict[str, list[Dish]] = {}
        for dish in self.dishes:
            grouped.setdefault(dish.category, []).append(dish)
        return tuple(MenuSection(name, tuple(dishes)) for name, dishes in grouped.items())


class InvalidCell(ValueError):
    """A CSV cell whose value is invalid in its column."""

    def __init__(self, column: str, reason: str) -> None:
        super().__init__(f"{column}: {reason}")
        self.column = column
        self.reason = reason


def menu_dish(row: Mapping[str, str], marks: DishMarks = NO_MARKS) -> Dish:
    """Return the dish that a CSV row describes.

    Raises:
        InvalidCell: With the column and the reason.
    """
    id_, name = row["id"].strip(), row["name"].strip()
    category = normalize_text(row["category"])
    if not is_dish_id(id_):
        raise InvalidCell("id", f"{id_!r} is not made of letters, digits, - and _, {_AT_MOST}")
    if not name:
        raise InvalidCell("name", "is empty")
    if not category:
        raise InvalidCell("category", f"{category!r} is not a category")
    if is_trending(category):
        raise InvalidCell("category", f"{category!r} is a tab of its own: {_TRENDING_HINT}")
    try:
        price = rupees(row["price"].strip())
    except ValueError as error:
        raise InvalidCell("price", str(error)) from error
    if price <= 0:
        raise InvalidCell("price", f"{price} is not above zero")
    if price > MAXIMUM_DISH_PRICE:
        raise InvalidCell("price", f"{price} is above {MAXIMUM_DISH_PRICE}")
    return Dish(id_, name, row["description"].strip(), price, category, marks, _local_texts(row))


def _local_texts(row: Mapping[str, str]) -> dict[str, LocalTexts]:
    texts: dict[str, dict[str, str]] = {}
    for column, cell in row.items():
        match = _LOCAL_COLUMN.fullmatch(column)
        if match and cell.strip():
            text = normalize_text(cell) if match["text"] == "category" else cell.strip()
            texts.setdefault(match["code"], {})[match["text"]] = text
    return {code: LocalTexts(**named) for code, named in texts.items()}
