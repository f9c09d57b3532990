"""The banner that explains a redirect or an error."""

import pytest

from campus_app.ordering.screens.cart_state import CartState
from campus_app.ordering.screens.checkout_state import NO_CART
from campus_app.shared import current
from campus_app.shared.rules.constants import SUPPORT_EMAIL
from campus_app.shared.rules.messages import (
    ConfirmationMessage,
    OfferMessage,
    OrderMessage,
    ReservationMessage,
)
from campus_app.shell.banner_state import BannerState, ms_until
from tests.helpers.builders import at
from tests.helpers.steps import banner, to_menu
from tests.helpers.waiting import eventually

pytestmark = pytest.mark.anyio

CLOSED = OrderMessage.RESTAURANT_CLOSED.format(name="Pehla Food Point")


async def test_banner_stays_on_the_screen_it_redirects_to(tab):
    await tab.visit("/checkout")  # without a cart it redirects to /campus
    await tab.follow_redirect()
    assert banner(tab) == NO_CART


async def test_close_clears_the_banner(tab):
    await tab.visit("/checkout")
    await tab.follow_redirect()
    await tab.call(BannerState.close)
    assert banner(tab) == ""


async def test_banner_is_not_shared_between_visitors(open_tab):
    one, other = open_tab(), open_tab()
    await one.visit("/checkout")
    await other.visit("/campus")
    assert banner(one) == NO_CART
    assert banner(other) == ""


def test_ms_until_adds_the_margin_of_50_ms_and_is_never_zero():
    assert ms_until(at(13, 0, 1), at(13)) == 1_050
    assert ms_until(at(13), at(13)) == 50
    assert ms_until(at(12), at(13)) == 50


async def test_banner_shows_error_when_an_event_handler_raises(tab, monkeypatch):
    def away():
        raise RuntimeError("away")

    await tab.visit("/menu/1")
    monkeypatch.setattr(current, "services", away)
    with pytest.raises(RuntimeError, match="away"):
        await tab.call(CartState.add_dish, 1, "104")
    await eventually(lambda: banner(tab) != "", "the visitor is told")
    assert banner(tab) == "That did not work, and it is our fault. Please try again."


# When the banner leaves


async def test_banner_disappears_when_next_screen_is_left(tab):
    await tab.visit("/checkout")
    await tab.follow_redirect()
    await tab.visit("/terms")
    assert banner(tab) == ""


async def test_banner_disappears_when_its_own_screen_is_left(tab, clock):
    await to_menu(tab, {"104": 3})
    clock.set(at(20, 30))
    await tab.call(CartState.proceed)
    assert banner(tab).startswith(CLOSED)
    await tab.visit("/offers")
    assert banner(tab) == ""


async def test_banner_stays_when_its_screen_is_reloaded(tab):
    await tab.visit("/checkout")
    await tab.follow_redirect()
    await tab.visit("/campus")  # the same screen again
    assert banner(tab) == NO_CART


async def test_banner_mentions_cart_when_cart_has_dishes(tab, clock):
    await to_menu(tab, {"104": 3})
    clock.set(at(20, 30))
    await tab.call(CartState.proceed)
    assert banner(tab) == f"{CLOSED} {OrderMessage.CART_KEPT}"


@pytest.mark.parametrize(
    ("message", "severity", "contact"),
    [
        (ConfirmationMessage.DETAILS_UNCLEAR, "warning", ""),
        (ConfirmationMessage.ORDER_NOT_FOUND, "error", SUPPORT_EMAIL),
        (ConfirmationMessage.PROCESSING_ERROR, "error", SUPPORT_EMAIL),
        (ReservationMessage.CANCELLED, "success", ""),
        (OfferMessage.BEGUN.of(offer="10% off"), "success", ""),
        ("", "warning", ""),
    ],
)
async def test_banner_has_severity_and_contact_of_its_message(tab, message, severity, contact):
    """Source: specification 8.18 to 8.20, S19."""
    state = BannerState()
    state._show(message)
    assert (state.severity, state.contact) == (severity, contact)


async def test_banner_has_no_contact_when_it_is_closed(tab):
    await tab.visit("/payment-success")
    assert tab.get(BannerState.contact) == SUPPORT_EMAIL
    await tab.call(BannerState.close)
    assert tab.get(BannerState.contact) == ""
