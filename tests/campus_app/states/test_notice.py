"""The sentence that says why another screen came up."""

import pytest

from campus_app import wiring
from campus_app.states.cart import CartState
from campus_app.states.checkout import NO_CART
from campus_app.states.notice import NoticeState, ms_until
from tests.campus_app.states.steps import notice
from tests.support.builders import at
from tests.support.waiting import eventually

pytestmark = pytest.mark.anyio


async def test_nothing_is_said_to_a_new_visitor(tab):
    await tab.visit("/campus")
    assert notice(tab) == ""


async def test_a_notice_is_still_there_on_the_screen_that_it_leads_to(tab):
    await tab.visit("/checkout")
    await tab.go_on()
    assert notice(tab) == NO_CART


async def test_a_notice_can_be_put_away(tab):
    await tab.visit("/checkout")
    await tab.go_on()
    await tab.call(NoticeState.close)
    assert notice(tab) == ""


async def test_the_notice_of_one_visitor_is_not_shown_to_another(open_tab):
    one, other = open_tab(), open_tab()
    await one.visit("/checkout")
    await other.visit("/campus")
    assert notice(one) == NO_CART
    assert notice(other) == ""


async def test_an_open_tab_that_says_that_it_is_there_changes_nothing(tab):
    await tab.visit("/menu/1")
    await tab.call(CartState.add_item, "104")
    cart = tab.sees(CartState.cart)
    await tab.call(NoticeState.stay_known)
    assert tab.sees(CartState.cart) == cart
    assert tab.moves == []


def test_a_browser_waits_a_little_longer_than_until_the_moment_and_never_not_at_all():
    assert ms_until(at(13, 0, 1), at(13)) == 1_050
    assert ms_until(at(13), at(13)) == 50
    assert ms_until(at(12), at(13)) == 50


async def test_an_event_that_fails_is_owned_up_to(tab, monkeypatch):
    def away():
        raise RuntimeError("away")

    await tab.visit("/menu/1")
    monkeypatch.setattr(wiring, "services", away)
    with pytest.raises(RuntimeError, match="away"):
        await tab.call(CartState.add_item, "104")
    await eventually(lambda: notice(tab) != "", "the visitor is told")
    assert notice(tab) == "That did not work, and it is our fault. Please try again."
