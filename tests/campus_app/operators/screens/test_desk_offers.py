"""The events of the desk's offers. Source: specification 14.8."""

import pytest

from campus_app.operators.rules.desk import DeskRole
from campus_app.operators.screens.desk_state import DeskState
from campus_app.ordering.rules.offer_list import offer_json
from campus_app.ordering.rules.offers import OFFERS, OneFree, PercentOff, Weekday
from campus_app.shared.rules.audit import Actor
from campus_app.shared.rules.constants import MAXIMUM_OFFERS
from campus_app.shared.rules.messages import DeskMenuMessage
from tests.helpers.databases import sqlite_only
from tests.helpers.desk import cookie_of, enrol_desk

pytestmark = [pytest.mark.anyio, sqlite_only, pytest.mark.usefixtures("sent_at_once")]

PAGE = "/desk/offers"
FORM = {
    "title": "Lunch: 15% off",
    "restaurantId": "1",
    "benefit": "percent",
    "percent": "15",
    "from": "12:00",
    "until": "14:30",
    "firstDay": "",
    "lastDay": "2026-12-31",
    "minimum": "300",
    "monday": "on",
    "friday": "on",
}


@pytest.fixture
async def tab(services, open_tab):
    """A device of support on the desk's offers."""
    device = await enrol_desk(services, DeskRole.SUPPORT, "Ravi")
    tab = open_tab(cookies=cookie_of(device))
    await tab.visit(PAGE)
    return tab


async def add(tab, **changes):
    await tab.call(DeskState.edit_offer, "")
    await tab.call(DeskState.store_offer, FORM | changes)


async def publish(tab, note=""):
    await tab.call(DeskState.publish_offers, {"note": note})


def ids(tab):
    return [each["id"] for each in tab.get(DeskState.offer_list)]


async def test_page_begins_with_the_offers_that_hold(tab):
    assert ids(tab) == ["wednesday", "saturday"]
    _, saturday = tab.get(DeskState.offer_list)
    assert (saturday["holds"], saturday["mark"]) == ("Saturday, 6PM to 12AM", "")
    view = tab.get(DeskState.offers)
    assert (view["isChanged"], view["canUndo"], view["history"]) == (False, False, [])


async def test_offer_is_added_compared_and_published_with_a_note(tab, services):
    await add(tab)
    assert ids(tab) == ["wednesday", "saturday", "offer-1"]
    assert services.offers.offers == OFFERS
    (group,) = tab.get(DeskState.offer_changes)
    assert (group["title"], group["lines"][0]["name"]) == ("New", "Lunch: 15% off")
    await publish(tab, "Monsoon")
    assert tab.get(DeskState.done) == "Version 1 holds now."
    lunch = services.offers.offers[2]
    assert (lunch.benefit, lunch.restaurant_id) == (PercentOff(15), 1)
    assert lunch.weekdays == (Weekday.MONDAY, Weekday.FRIDAY)
    (version,) = tab.get(DeskState.offers)["history"]
    assert (version["by"], version["note"]) == ("Ravi", "Monsoon")
    assert tab.get(DeskState.offer_changes) == []


async def test_form_has_the_values_of_its_offer_and_changes_it(tab, services):
    await tab.call(DeskState.edit_offer, "saturday")
    form = tab.get(DeskState.offer_form)
    assert (form["values"]["from"], form["values"]["percent"]) == ("18:00", "10")
    assert [day for day, is_chosen in form["days"].items() if is_chosen] == ["saturday"]
    await tab.call(DeskState.store_offer, FORM | {"benefit": "secondFree", "percent": ""})
    assert tab.get(DeskState.offer_form) == {}
    (group,) = tab.get(DeskState.offer_changes)
    assert group["title"] == "Changed"
    assert "Saturday, 6PM to 12AM → Monday, Friday, 12PM to 2:30PM" in group["lines"][0]["what"]
    await publish(tab)
    assert services.offers.offers[1].benefit == OneFree(every=2)
    assert ids(tab) == ["wednesday", "saturday"]


async def test_faults_are_at_their_fields_and_nothing_is_taken(tab):
    await add(tab, percent="95", title="", monday="", friday="")
    faults = tab.get(DeskState.offer_form)["faults"]
    assert set(faults) == {"percent", "title", "weekdays"}
    assert faults["percent"] == "The percentage is a whole number from 1 to 90."
    assert ids(tab) == ["wednesday", "saturday"]
    await tab.call(DeskState.close_offer)
    assert tab.get(DeskState.offer_form) == {}


async def test_form_names_no_other_offer_than_the_one_that_is_open(tab):
    await tab.call(DeskState.store_offer, FORM | {"id": "saturday"})
    await tab.call(DeskState.edit_offer, "unknown")
    await tab.call(DeskState.store_offer, FORM)
    assert tab.get(DeskState.offer_changes) == []
    await add(tab, id="saturday")
    assert ids(tab) == ["wednesday", "saturday", "offer-1"]


async def test_offer_is_removed_and_the_publish_undone(tab, services):
    await tab.call(DeskState.drop_offer, "wednesday")
    await publish(tab)
    assert [each.id for each in services.offers.offers] == ["saturday"]
    await tab.call(DeskState.undo_offers)
    assert tab.get(DeskState.done) == "The former offers hold again, as version 2."
    assert services.offers.offers == OFFERS
    assert ids(tab) == ["wednesday", "saturday"]


async def test_second_who_publishes_is_told_and_keeps_the_changes(tab, services):
    await add(tab)
    await services.offers.publish([offer_json(OFFERS[0])], 0, note="", by=Actor("Asha"))
    await publish(tab)
    assert tab.get(DeskState.problem).startswith("Someone else has changed the offers meanwhile.")
    assert tab.get(DeskState.offers)["isOutdated"]
    await tab.call(DeskState.keep_offers)
    assert ids(tab) == ["wednesday", "saturday", "offer-1"]
    (group,) = tab.get(DeskState.offer_changes)
    assert group["count"] == 2  # the other's removal would be undone, and is shown
    await publish(tab)
    assert services.offers.number == 2


async def test_undo_is_refused_when_somebody_has_published_meanwhile(tab, services):
    await publish_of(services, 0)
    await tab.visit(PAGE)
    await publish_of(services, 1)
    await tab.call(DeskState.undo_offers)
    assert tab.get(DeskState.offers)["isOutdated"]
    assert services.offers.number == 2


async def publish_of(services, base):
    value = [offer_json(OFFERS[base])]
    await services.offers.publish(value, base, note="", by=Actor("Asha"))


async def test_list_takes_at_most_twenty_offers(tab):
    for _ in range(MAXIMUM_OFFERS):
        await add(tab)
    assert len(ids(tab)) == len(set(ids(tab))) == MAXIMUM_OFFERS
    assert not tab.get(DeskState.offers)["canAdd"]


async def test_sales_and_strangers_see_and_change_no_offer(services, open_tab):
    sales = cookie_of(await enrol_desk(services, DeskRole.SALES, "Meena"))
    for cookies in (sales, ""):
        tab = open_tab(cookies=cookies)
        await tab.visit(PAGE)
        assert tab.get(DeskState.is_refused)
        await add(tab)
        await tab.call(DeskState.drop_offer, "saturday")
        await publish(tab)
        await tab.call(DeskState.undo_offers)
        assert tab.get(DeskState.offer_list) == []
    assert services.offers.number == 0


async def test_edited_list_outlives_a_reconnection_and_another_page_until_discarded(tab):
    await add(tab)
    for path in (PAGE, "/desk/menus", PAGE):
        if path != PAGE:
            await tab.call(DeskState.leave)
        await tab.visit(path)
    assert ids(tab) == ["wednesday", "saturday", "offer-1"]
    await tab.call(DeskState.discard_offers)
    assert ids(tab) == ["wednesday", "saturday"]
    await tab.visit(PAGE)
    assert ids(tab) == ["wednesday", "saturday"]


async def test_edited_list_outlives_a_refused_page_but_not_a_revoked_device(tab, services):
    await add(tab)
    await tab.call(DeskState.open_figures)
    assert tab.get(DeskState.is_refused)
    await tab.visit(PAGE)
    assert ids(tab)[-1] == "offer-1"
    (device,) = await services.desk_devices.devices()
    await services.desk_devices.revoke(device.id, Actor("asha"))
    await tab.visit(PAGE)
    assert tab.get(DeskState.is_refused)
    assert ids(tab) == []


async def test_open_form_is_kept_by_a_reconnection_and_stops_a_publish_and_an_undo(tab, services):
    await tab.call(DeskState.drop_offer, "wednesday")
    await publish(tab)
    await tab.call(DeskState.edit_offer, "")
    await tab.visit(PAGE)
    for press in (publish, lambda tab: tab.call(DeskState.undo_offers)):
        await press(tab)
        assert tab.get(DeskState.problem) == DeskMenuMessage.OPEN_FORM
    assert tab.get(DeskState.offer_form)["id"] == "offer-1"
    assert services.offers.number == 1


async def test_list_that_is_not_published_stops_an_undo(tab, services):
    await tab.call(DeskState.drop_offer, "wednesday")
    await publish(tab)
    await add(tab)
    await tab.call(DeskState.undo_offers)
    assert tab.get(DeskState.problem) == DeskMenuMessage.UNPUBLISHED
    assert (ids(tab), services.offers.number) == (["saturday", "offer-1"], 1)


async def test_kept_list_says_that_the_offers_changed_meanwhile(tab, services):
    await add(tab)
    value = [offer_json(OFFERS[0])]
    await services.offers.publish(value, 0, note="", by=Actor("asha"))
    await tab.visit(PAGE)
    assert tab.get(DeskState.offers)["isOutdated"]
    assert ids(tab)[-1] == "offer-1"
