"""What differs between two menus of a restaurant. Source: specification 12.6."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from campus_app.catalogue.rules.menu import Dish, Menu
from campus_app.shared.rules.money import ZERO, Rupees

TRENDING_FIELD = "trending"
_TEXT_FIELDS = ("name", "description", "category")
_MARKS = ("diet", "allergens", "spice")


@dataclass(frozen=True)
class DishChange:
    """A dish of both menus that differs; `fields` names what does, apart from the price."""

    before: Dish
    after: Dish
    fields: tuple[str, ...]

    @property
    def dearer_by(self) -> Rupees:
        """The rupees by which the dish is dearer; negative if it is cheaper."""
        return self.after.price - self.before.price


@dataclass(frozen=True)
class MenuDifference:
    """The dishes that only one menu has, and those that differ, in the order of the menus."""

    new: tuple[Dish, ...]
    gone: tuple[Dish, ...]
    changed: tuple[DishChange, ...]
    is_reordered: bool
    """Whether dishes, or the tab Trending, are in another order."""

    @property
    def is_empty(self) -> bool:
        """Whether the menus are the same."""
        return not (self.new or self.gone or self.changed or self.is_reordered)

    @property
    def dearer(self) -> tuple[DishChange, ...]:
        """The dishes that cost more than before."""
        return tuple(each for each in self.changed if each.dearer_by > ZERO)

    @property
    def cheaper(self) -> tuple[DishChange, ...]:
        """The dishes that cost less than before."""
        return tuple(each for each in self.changed if each.dearer_by < ZERO)


def menu_difference(before: Menu | None, after: Menu) -> MenuDifference:
    """Return what the second menu changes; a dish is the same if its id is.

    Without a first menu every dish is new.
    """
    before = before or Menu(after.restaurant_id, ())
    changes = (
        DishChange(before.by_id[dish.id], dish, fields)
        for dish in after.dishes
        if dish.id in before.by_id
        and (
            (fields := tuple(_changed_fields(before, after, dish.id)))
            or dish.price != before.by_id[dish.id].price
        )
    )
    return MenuDifference(
        tuple(dish for dish in after.dishes if dish.id not in before.by_id),
        tuple(dish for dish in before.dishes if dish.id not in after.by_id),
        tuple(changes),
        _is_reordered(before, after),
    )


def _changed_fields(before: Menu, after: Menu, dish_id: str) -> Iterator[str]:
    old, new = before.by_id[dish_id], after.by_id[dish_id]
    yield from (each for each in _TEXT_FIELDS if getattr(old, each) != getattr(new, each))
    yield from (each for each in _MARKS if getattr(old.marks, each) != getattr(new.marks, each))
    for code in sorted({*old.local, *new.local}):
        texts = old.texts_in(code), new.texts_in(code)
        yield from (
            f"{each}_{code}"
            for each in _TEXT_FIELDS
            if getattr(texts[0], each) != getattr(texts[1], each)
        )
    if (dish_id in before.trending) != (dish_id in after.trending):
        yield TRENDING_FIELD


def _is_reordered(before: Menu, after: Menu) -> bool:
    def common(ids: Sequence[str], others: Sequence[str]) -> list[str]:
        known = set(others)
        return [id_ for id_ in dict.fromkeys(ids) if id_ in known]

    orders = (tuple(before.by_id), tuple(after.by_id)), (before.trending, after.trending)
    return any(common(old, new) != common(new, old) for old, new in orders)
