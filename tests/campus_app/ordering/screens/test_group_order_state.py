"""A group order in the tabs of its owner and its guests, and in those of strangers.

Source: specification 10.68 to 10.72.
"""

import pytest

from campus_app.ordering.rules.group_order import is_group_cart, new_key
from campus_app.ordering.screens.browser_storage import cart_from
from campus_app.ordering.screens.cart_state import CartState
from campus_app.ordering.screens.checkout_state import CheckoutState
from campus_app.ordering.screens.customer_state import CustomerState
from campus_app.ordering.screens.group_order_state import GroupOrderState
from campus_app.ordering.screens.new_cart_state import NewCartState
from campus_app.ordering.screens.waiting_room_state import WaitingRoomState
from campus_app.ordering.sql.tables import GroupOrderRow, OrderRow
from campus_app.ordering.updates import GroupOrderUpdates
from tests.helpers.builders import CUSTOMER, QUANTITIES
from tests.helpers.open_sockets import OpenSockets
from tests.helpers.steps import banner, stored_cart
from tests.helpers.tables import count, only_row

pytestmark = pytest.mark.anyio

BEGIN = "/together/1"
CHANGED = "These dishes are a group order, and are changed there."


@pytest.fixture
async def owner(tab):
    """The tab of Asha, who has begun a group order with her cart; `owner.link` is its address."""
    tab.local["cart"] = stored_cart(QUANTITIES)
    return await begun(tab)


async def begun(tab):
    """Begin a group order, and open its page."""
    await joined(tab, BEGIN, "Asha")
    tab.link = tab.redirects[-1].address
    await tab.follow_redirect()
    return tab


@pytest.fixture
async def guest(owner, open_tab):
    """The tab of Ravi, a guest of the owner's group order."""
    return await joined(open_tab(), owner.link)


async def joined(tab, link, name="Ravi"):
    await tab.visit(link)
    await tab.call(GroupOrderState.join, {"name": name})
    return tab


def view(tab):
    return tab.get(GroupOrderState.view)


def refusal(tab):
    return tab.get(GroupOrderState.refusal)


def cart(tab, clock):
    return cart_from(tab.local["cart"], clock.now())


async def shown(tab):
    """Return what a tab shows after opening its page again."""
    await tab.visit(tab._address)
    return view(tab)


def chosen(shown_view):
    return {
        each["name"]: {dish["id"]: dish["times"] for dish in each["dishes"]}
        for each in shown_view["members"]
    }


# Beginning


async def test_owner_takes_the_cart_along_and_the_link_opens_it(owner, clock):
    assert view(owner)["status"] == "open"
    assert view(owner)["isOwner"]
    assert chosen(view(owner)) == {"Asha": {"104": "2×", "112": "1×"}}
    assert view(owner)["total"] == "₹380"
    assert is_group_cart(cart(owner, clock).key)
    assert cart(owner, clock).quantities == QUANTITIES


async def test_database_stores_no_secret_of_a_group_order(owner, services):
    row = await only_row(services.database, GroupOrderRow)
    assert owner.link.partition("=")[2] not in str(row)
    assert owner.local["groupKey"] not in str(row)


async def test_cart_of_another_restaurant_stays_and_is_replaced_after_a_question(tab, clock):
    tab.local["cart"] = own = stored_cart({"501": 1}, 5)
    await begun(tab)
    for _ in range(2):
        await tab.call(GroupOrderState.add_dish, "104")
    assert tab.local["cart"] == own
    await tab.call(GroupOrderState.lock)
    assert tab.get(NewCartState.other_restaurant) == "Slice Theory Pizza"
    await tab.call(NewCartState.start)
    assert tab.redirects[-1].address == "/checkout"
    assert cart(tab, clock).quantities == {"104": 2}


async def test_page_without_link_leads_back_to_the_own_group_order(owner):
    await owner.visit(BEGIN)
    assert owner.redirects[-1].address == owner.link


async def test_closed_restaurant_begins_no_group_order(tab, services):
    await services.statuses.set_override(1, is_open=False, message="")
    await tab.visit(BEGIN)
    await tab.call(GroupOrderState.join, {"name": "Asha"})
    assert refusal(tab) == "Pehla Food Point is not delivering right now."
    assert await count(services.database, GroupOrderRow) == 0


async def test_invalid_name_begins_and_joins_nothing(owner, open_tab, services):
    stranger = open_tab()
    for name in ({}, {"name": ""}, {"name": 5}, {"name": "x" * 41}, {"name": None}):
        for address in (BEGIN, owner.link):
            await stranger.visit(address)
            await stranger.call(GroupOrderState.join, name)
            assert refusal(stranger)
    assert await count(services.database, GroupOrderRow) == 1
    assert len((await shown(owner))["members"]) == 1


# Guests


async def test_guest_chooses_and_the_owners_cart_and_bill_follow(owner, guest, clock):
    await guest.call(GroupOrderState.add_dish, "103")
    assert view(guest)["myTotal"] == "₹90"
    await owner.call(GroupOrderState.lock)
    assert cart(owner, clock).quantities == {**QUANTITIES, "103": 1}
    await owner.follow_redirect()
    assert owner.get(CheckoutState.bill)["subtotal"] == "₹470"
    assert [each["name"] for each in owner.get(CheckoutState.members)] == ["Asha", "Ravi"]
    assert owner.get(CheckoutState.menu) == owner.link


async def test_second_tab_of_a_guest_has_the_same_dishes(guest, open_tab):
    await guest.call(GroupOrderState.add_dish, "103")
    second = open_tab(local=guest.local)
    await second.visit(guest._address)
    assert view(second)["mine"] == {"103": 1}
    await second.call(GroupOrderState.remove_dish, "103")
    assert (await shown(guest))["mine"] == {}


async def test_owner_takes_out_a_guests_dish_and_the_guest(owner, guest):
    await guest.call(GroupOrderState.add_dish, "103")
    ravi = (await shown(owner))["members"][1]["id"]
    await owner.call(GroupOrderState.take_out, ravi, "103")
    assert (await shown(guest))["mine"] == {}
    await owner.call(GroupOrderState.take_out, ravi, "")
    assert not (await shown(guest))["isMember"]


async def test_dish_that_is_sold_out_or_unknown_is_not_added(guest, services):
    await services.statuses.set_sold_out(1, "103", is_sold_out=True)
    for dish, words in (("103", "This dish is sold out."), ("999", "no longer on the menu")):
        await guest.call(GroupOrderState.add_dish, dish)
        assert words in refusal(guest)
    assert view(guest)["mine"] == {}


async def test_kitchen_that_has_closed_takes_no_dishes_but_lets_them_go(guest, services):
    await guest.call(GroupOrderState.add_dish, "103")
    await services.statuses.set_override(1, is_open=False, message="")
    await guest.call(GroupOrderState.add_dish, "103")
    assert "not delivering" in refusal(guest)
    await guest.call(GroupOrderState.remove_dish, "103")
    assert view(guest)["mine"] == {}


async def test_chosen_dish_that_is_sold_out_meanwhile_stops_the_owner(owner, guest, services):
    await guest.call(GroupOrderState.add_dish, "103")
    await services.statuses.set_sold_out(1, "103", is_sold_out=True)
    await owner.call(GroupOrderState.lock)
    assert refusal(owner) == "Not sold right now: Mini Thali. Please take them out first."
    assert (await shown(guest))["status"] == "open"


async def test_new_price_is_the_one_that_is_paid(menus, owner, guest, services):
    await guest.call(GroupOrderState.add_dish, "103")
    menus.change_price(1, "103", "100")
    services.catalogue.read_all()
    await owner.call(GroupOrderState.lock)
    await owner.follow_redirect()
    assert owner.get(CheckoutState.bill)["subtotal"] == "₹480"


async def test_order_below_the_minimum_is_not_locked(tab):
    await begun(tab)
    await tab.call(GroupOrderState.add_dish, "103")
    await tab.call(GroupOrderState.lock)
    assert refusal(tab) == "Add ₹110 more to reach the ₹200 minimum."
    assert view(tab)["status"] == "open"
    await tab.call(GroupOrderState.forget_refusal)
    assert refusal(tab) == ""


# The lock


async def test_locked_order_is_changed_by_nobody(owner, guest):
    await guest.call(GroupOrderState.add_dish, "103")
    await owner.call(GroupOrderState.lock)
    before = chosen(await shown(guest))
    await guest.call(GroupOrderState.add_dish, "103")
    assert refusal(guest) == "Asha is paying. Nothing was changed."
    await guest.call(GroupOrderState.remove_dish, "103")
    await guest.call(GroupOrderState.join, {"name": "R"})
    await owner.visit(owner.link)
    await owner.call(GroupOrderState.add_dish, "103")
    assert chosen(await shown(guest)) == before


async def test_unlocked_order_is_not_paid_as_it_was_locked(owner, guest, clock, services):
    """What the guest adds is neither charged unseen nor lost: the owner has to lock it again."""
    await owner.call(GroupOrderState.lock)
    await owner.follow_redirect()
    await to_waiting_room_from_summary(owner)
    await unlock_in_another_tab(owner, services)
    await guest.call(GroupOrderState.add_dish, "103")
    await owner.call(WaitingRoomState.pay)
    assert owner.redirects[-1].address == owner.link
    assert await count(services.database, OrderRow) == 0
    await owner.visit("/checkout")
    assert owner.redirects[-1].address == owner.link
    await owner.follow_redirect()
    assert banner(owner) == "Your cart is a group order. Lock it to go on to the payment."
    await owner.call(GroupOrderState.lock)
    assert cart(owner, clock).quantities == {**QUANTITIES, "103": 1}


async def to_waiting_room_from_summary(owner):
    await owner.call(CheckoutState.next)
    await owner.follow_redirect()
    await owner.call(CustomerState.next, CUSTOMER)
    await owner.call(CustomerState.next, CUSTOMER)
    await owner.follow_redirect()


async def unlock_in_another_tab(owner, services):
    token = owner.link.partition("=")[2]
    found = await services.group_orders.find(token, 1)
    await services.group_orders.unlock(found.group.id, owner.local["groupKey"])


async def test_menu_does_not_change_the_dishes_of_a_group_order(owner, clock):
    await owner.visit("/menu/1")
    for step in (CartState.add_dish, CartState.remove_dish):
        await owner.call(step, 1, "104")
        assert owner.get(CartState.refusal) == CHANGED
    assert cart(owner, clock).quantities == QUANTITIES


async def test_cart_of_an_ended_group_order_becomes_an_ordinary_one(owner, clock):
    clock.advance(hours=3)
    await owner.visit("/checkout")
    assert owner.get(CheckoutState.restaurant)
    assert not is_group_cart(cart(owner, clock).key)
    assert cart(owner, clock).quantities == QUANTITIES
    await owner.visit(owner.link)
    assert view(owner)["status"] == "ended"


async def test_cart_of_an_ended_group_order_keeps_its_pending_order(owner, clock, services):
    """Else the same dishes could be paid twice. Source: specification M15."""
    await owner.call(GroupOrderState.lock)
    clock.advance(minutes=175)
    await owner.visit("/checkout")
    await to_waiting_room_from_summary(owner)
    await owner.call(WaitingRoomState.pay)
    clock.advance(minutes=6)
    await owner.visit("/checkout")
    await to_waiting_room_from_summary(owner)
    await owner.call(WaitingRoomState.pay)
    assert await count(services.database, OrderRow) == 1
    clock.advance(minutes=20)  # the order has expired
    await owner.visit("/checkout")
    await owner.visit("/checkout")
    assert not is_group_cart(cart(owner, clock).key)


async def test_expired_order_is_changed_by_nobody_and_deleted_after_a_day(
    owner, guest, clock, services
):
    clock.advance(hours=3)
    await guest.call(GroupOrderState.add_dish, "103")
    assert refusal(guest) == "This group order has ended. Nothing was changed."
    assert await services.group_orders.delete_expired() == 0
    clock.advance(hours=22)
    assert await services.group_orders.delete_expired() == 1
    assert (await shown(guest))["status"] == "unknown"


# Strangers


async def test_stranger_with_the_link_sees_but_changes_nothing(owner, guest, open_tab):
    stranger = open_tab()
    await stranger.visit(owner.link)
    members = view(stranger)["members"]
    before = chosen(view(stranger))
    for key in ("", "x", new_key(), None, ["a"], "a" * 5_000):
        stranger.local["groupKey"] = key
        await stranger.visit(owner.link)
        await stranger.call(GroupOrderState.add_dish, "103")
        await stranger.call(GroupOrderState.remove_dish, "104")
        for each in members:
            await stranger.call(GroupOrderState.take_out, each["id"], "104")
            await stranger.call(GroupOrderState.take_out, each["id"], "")
        await stranger.call(GroupOrderState.lock)
        await stranger.call(GroupOrderState.unlock)
    assert chosen(await shown(owner)) == before
    assert view(owner)["status"] == "open"


async def test_guest_cannot_do_what_the_owner_can(owner, guest):
    asha = view(guest)["members"][0]["id"]
    before = chosen(await shown(owner))
    await guest.call(GroupOrderState.take_out, asha, "104")
    await guest.call(GroupOrderState.take_out, asha, "")
    await guest.call(GroupOrderState.lock)
    assert guest.redirects == []
    assert chosen(await shown(owner)) == before
    await owner.call(GroupOrderState.lock)
    await guest.call(GroupOrderState.unlock)
    assert (await shown(guest))["status"] == "locked"


async def test_key_of_another_group_order_opens_nothing(owner, open_tab):
    other = open_tab()
    await other.visit(BEGIN)
    await other.call(GroupOrderState.join, {"name": "Meena"})
    await other.visit(owner.link)
    assert not view(other)["isMember"]
    await other.call(GroupOrderState.lock)
    await other.call(GroupOrderState.add_dish, "103")
    assert (await shown(owner))["status"] == "open"
    assert len(view(owner)["members"]) == 1


@pytest.mark.parametrize(
    "address",
    [
        "/together/1?with=",
        "/together/1?with=aaaaaaaaaaaaaaaaaaaaaa",
        "/together/1?with=%00",
        "/together/x?with=aaaaaaaaaaaaaaaaaaaaaa",
    ],
)
async def test_forged_link_shows_no_group_order(address, guest):
    await guest.visit(address)
    assert view(guest)["status"] in {"unknown", "new"}
    await guest.call(GroupOrderState.add_dish, "103")
    await guest.call(GroupOrderState.lock)
    assert guest.redirects == []


@pytest.mark.parametrize("address", ["/together/5", "/together/1?with=aaaaaaaaaaaaaaaaaaaaaa"])
async def test_page_gets_no_pushes_of_the_group_order_that_it_has_left(address, guest, services):
    followers = services.group_orders.followers
    assert guest.socket_id in followers
    await guest.visit(address)
    assert guest.socket_id not in followers


async def test_change_that_is_undone_before_its_push_is_undone_on_the_page(owner, guest, services):
    sockets = OpenSockets()
    sockets.open = {guest.socket_id}
    updates = GroupOrderUpdates(services, sockets)
    await owner.call(GroupOrderState.add_dish, "112")
    await updates.update()
    assert chosen(sockets.values(guest.socket_id, GroupOrderState, "view")[-1])["Ravi"] == {}
    await guest.call(GroupOrderState.add_dish, "103")
    (ravi,) = (each for each in (await shown(owner))["members"] if each["name"] == "Ravi")
    await owner.call(GroupOrderState.take_out, ravi["id"], "103")
    await updates.update()
    *_, pushed = sockets.values(guest.socket_id, GroupOrderState, "view")
    assert chosen(view(guest))["Ravi"] == {"103": "1×"}
    assert chosen(pushed)["Ravi"] == {}
    assert len(sockets.values(guest.socket_id, GroupOrderState, "view")) == 2


async def test_link_of_another_restaurant_shows_no_group_order(owner):
    await owner.visit(owner.link.replace("/1?", "/2?"))
    assert view(owner)["status"] == "unknown"


async def test_views_name_no_key_and_no_hash_of_one(owner, guest, services):
    row = await only_row(services.database, GroupOrderRow)
    hashes = [each["key_hash"] for each in row.members]
    text = str(await shown(owner)) + str(await shown(guest))
    assert not any(each in text for each in (*hashes, owner.local["groupKey"], row.cart_key))


async def test_flood_of_one_guest_is_limited_and_leaves_the_others_alone(owner, guest):
    for _ in range(60):
        await guest.call(GroupOrderState.add_dish, "103")
    assert refusal(guest) == "Too many changes at once. Please try again in a minute."
    await owner.visit(owner.link)
    await owner.call(GroupOrderState.add_dish, "103")
    assert refusal(owner) == ""
