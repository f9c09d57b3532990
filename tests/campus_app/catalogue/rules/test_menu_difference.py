"""The difference of two menus. Source: specification 12.6."""

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from campus_app.catalogue.rules.menu import Allergen, Diet, Dish, DishMarks, LocalTexts, Menu, Spice
from campus_app.catalogue.rules.menu_difference import menu_difference
from campus_app.shared.rules.money import rupees

TEA = Dish("1", "Tea", "Hot.", rupees(20), "Drinks")
NAAN = Dish("2", "Naan", "", rupees(30), "Breads")
ROTI = Dish("3", "Roti", "", rupees(10), "Breads")


def menu(*dishes, trending=()):
    return Menu(1, dishes, trending)


def test_difference_names_new_and_gone_dishes_and_prices():
    dearer, cheaper = replace(TEA, price=rupees("22.50")), replace(NAAN, price=rupees(25))
    found = menu_difference(menu(TEA, NAAN), menu(cheaper, ROTI))
    assert (found.new, found.gone) == ((ROTI,), (TEA,))
    assert [(each.after.id, each.dearer_by) for each in found.cheaper] == [("2", rupees(-5))]
    (change,) = menu_difference(menu(TEA), menu(dearer)).dearer
    assert (change.dearer_by, change.fields) == (rupees("2.50"), ())


def test_difference_names_each_field_that_changed():
    marks = DishMarks(Diet.VEGETARIAN, (Allergen.MILK,), Spice.MILD)
    local = {"hi": LocalTexts("चाय", "पेय", "गरम")}
    other = Dish("1", "Chai", "With milk.", rupees(20), "Hot", marks, local)
    (change,) = menu_difference(menu(TEA), menu(other, trending=("1",))).changed
    assert change.fields == (
        *("name", "description", "category", "diet", "allergens", "spice"),
        *("name_hi", "description_hi", "category_hi", "trending"),
    )


def test_difference_is_empty_when_menus_are_equal():
    assert menu_difference(menu(TEA, NAAN), menu(TEA, NAAN)).is_empty


def test_difference_says_when_only_the_order_changed():
    found = menu_difference(menu(TEA, NAAN), menu(NAAN, TEA))
    assert found.is_reordered
    assert (found.is_empty, found.changed) == (False, ())
    trending = menu(TEA, NAAN, trending=("1", "2")), menu(TEA, NAAN, trending=("2", "1"))
    assert menu_difference(*trending).is_reordered


def test_every_dish_is_new_when_there_was_no_menu():
    assert menu_difference(None, menu(TEA, NAAN)).new == (TEA, NAAN)


DISHES = st.lists(
    st.builds(
        lambda id_, name, price: Dish(id_, name, "", rupees(price), "A"),
        st.sampled_from("abcd"),
        st.sampled_from(["Tea", "Naan"]),
        st.integers(1, 3),
    ),
    max_size=4,
    unique_by=lambda dish: dish.id,
)


@given(DISHES, DISHES)
def test_difference_applied_to_the_first_menu_gives_the_second(before, after):
    found = menu_difference(menu(*before), menu(*after))
    applied = {dish.id: dish for dish in before if dish not in found.gone}
    applied |= {dish.id: dish for dish in found.new}
    applied |= {change.after.id: change.after for change in found.changed}
    assert applied == {dish.id: dish for dish in after}
    assert found.is_empty == (before == after)
