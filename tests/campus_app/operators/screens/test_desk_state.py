"""The events of the desk: what each role may do, and nobody else. Source: 11.3 to 11.13."""

import inspect

import pytest
import reflex as rx

from campus_app.operators.rules.attention import AttentionKind
from campus_app.operators.rules.desk import DESK_COOKIE, DeskRole
from campus_app.operators.screens.desk_state import DeskState
from campus_app.ordering.rules.order import OrderState
from campus_app.shared import current
from campus_app.shared.rules.audit import AuditAction, audit_entry
from campus_app.shared.rules.messages import DeskMessage, OperatorMessage
from campus_app.shared.sql.tables import AuditRow
from tests.helpers.builders import order_request
from tests.helpers.clock import WEDNESDAY
from tests.helpers.databases import sqlite_only
from tests.helpers.demo import REQUEST_BODY, site_on
from tests.helpers.desk import OWNER, cookie_of, enrol_desk
from tests.helpers.flows import pay
from tests.helpers.kitchens import enrol
from tests.helpers.tables import count
from voice_site.content.plans import VARIANTS
from voice_site.domain.demo_request import read_request

pytestmark = [pytest.mark.anyio, sqlite_only, pytest.mark.usefixtures("sent_at_once")]

TODAY, RESTAURANTS, LEADS = "/desk", "/desk/restaurants", "/desk/leads"
DEVICES, AUDIT = "/desk/devices", "/desk/audit"
MENUS, FIGURES = "/desk/menus", "/desk/figures"
_DAY = {"id": "2", "open": "09:00", "close": "10:00", "seats": "1", "dish": "204"}
_FORM = {"text": "AS", "name": "Eve", "role": "owner", "number": "AS_1", "choice": "all"} | _DAY
"""A value for each field of the desk's forms."""


@pytest.fixture
def desk(services, open_tab):
    """Opens a page of the desk on a new device of a role; returns the tab."""

    async def desk(role=DeskRole.OWNER, path=TODAY, name="Asha"):
        tab = open_tab(cookies=cookie_of(await enrol_desk(services, role, name)))
        await tab.visit(path)
        return tab

    return desk


@pytest.fixture
async def order(services):
    """A paid order."""
    return (await pay(services, await services.ordering.prepare(order_request()))).order


@pytest.fixture
def assistant_site(services):
    """The assistant's site, whose leads the desk shows."""
    site = site_on(services)
    services.desk.leads, services.desk.requests = site.leads, site.demo_requests
    return site


@pytest.fixture
def pushed(services):
    """Returns the value that a tab was last pushed under a name; no session has pushed values."""
    sent = {}

    def pushed(tab, name):
        for socket_id, values in services.desk.take_pushes().items():
            sent.setdefault(socket_id, {}).update(values)
        return sent.get(tab.socket_id, {}).get(name)

    return pushed


def path_of(order):
    return f"/desk/orders/{order.id}"


def views(services):
    return dict(services.desk.views)


# Who gets in


async def test_enrolled_device_sees_who_it_is_and_its_areas(desk, services):
    tab = await desk(DeskRole.SUPPORT)
    assert tab.get(DeskState.person) == "Asha · Support"
    assert tab.get(DeskState.areas) == ["orders", "restaurants", "menus"]
    assert not tab.get(DeskState.is_refused)
    assert list(views(services)) == [tab.socket_id]


async def test_stranger_sees_nothing(open_tab, services, order):
    kitchen = await enrol(services)
    for cookies in ("", f"{DESK_COOKIE}=guessed", f"{DESK_COOKIE}={kitchen.token}"):
        tab = open_tab(cookies=cookies)
        for path in (TODAY, RESTAURANTS, MENUS, DEVICES, AUDIT, FIGURES, path_of(order)):
            await tab.visit(path)
            assert tab.get(DeskState.is_refused)
            assert tab.get(DeskState.person) == ""
    assert views(services) == {}


async def test_visitors_session_keeps_nothing_of_the_desk(open_tab, sessions):
    tab = open_tab()
    await tab.visit("/menu/1")
    root = await sessions.get_state(rx.BaseStateToken(ident=tab.token, cls=rx.State))
    assert tab.get(DeskState.areas) == []
    assert vars(await root.get_state(DeskState)) == {}


@pytest.mark.parametrize(
    ("role", "open_pages"),
    [
        (DeskRole.OWNER, {TODAY, RESTAURANTS, MENUS, LEADS, DEVICES, AUDIT, FIGURES}),
        (DeskRole.SUPPORT, {TODAY, RESTAURANTS, MENUS}),
        (DeskRole.SALES, {LEADS}),
    ],
)
async def test_each_role_opens_its_pages_alone(desk, role, open_pages):
    for path in (TODAY, RESTAURANTS, MENUS, LEADS, DEVICES, AUDIT, FIGURES):
        tab = await desk(role, path)
        assert (tab.get(DeskState.person) != "") is (path in open_pages)


async def test_sales_changes_no_kitchen(desk, services):
    tab = await desk(DeskRole.SALES, LEADS)
    await tab.call(DeskState.set_hours, _FORM)
    await tab.call(DeskState.set_seats, _FORM)
    assert services.catalogue.restaurant(2).days == ()
    assert tab.get(DeskState.is_refused)


@pytest.mark.usefixtures("assistant_site")
async def test_sales_is_led_from_the_first_page_to_the_leads(desk):
    tab = await desk(DeskRole.SALES)
    assert tab.redirects[-1].address == LEADS
    assert tab.redirects[-1].replaces


async def test_revoked_device_is_shown_nothing_more(desk, services):
    tab = await desk()
    (device,) = await services.desk_devices.devices()
    await services.desk_devices.revoke(device.id, OWNER)
    await tab.call(DeskState.find, {"text": "AS"})
    assert tab.get(DeskState.is_refused)
    assert views(services) == {}


# No event of a stranger changes anything

_ARGUMENTS = {
    "filter_orders": ("kitchen", "1"),
    "filter_leads": ("new",),
    "close_restaurant": (1, ""),
    "open_restaurant": (1,),
    "pause_restaurant": (1, 15),
    "make_board_link": (1,),
    "choose_sold_out": (1,),
    "sell_again": (1, "104"),
    "revoke_board": ("x",),
    "set_usual_hours": (1,),
    "set_usual_seats": (2,),
    "revoke_device": ("x",),
    "set_cell": ("310", "price", "1"),
    "set_trending": ("310", True),
    "remove_dish": ("310",),
    "turn_page": (1,),
    "receive_part": ("menu.csv", 0, 1, "SXRlbSxSYXRlCk5hYW4sMzAK"),
    "set_sheet": (0,),
    "set_target": (0, "name"),
    "set_unit": ("paise",),
    "set_menu_source": ("desk",),
    "choose_days": (7,),
    "edit_offer": ("saturday",),
    "drop_offer": ("saturday",),
}
# `setvar` is Reflex's; `leave` only forgets what the page has shown.
_EVENTS = sorted(name for name in DeskState.event_handlers if name not in {"setvar", "leave"})


@pytest.mark.parametrize("event", _EVENTS)
async def test_event_of_a_stranger_changes_and_shows_nothing(event, open_tab, services, order):
    handler = getattr(DeskState, event)
    _, *names = inspect.signature(handler.fn).parameters
    arguments = [_FORM] if names == ["form"] else _ARGUMENTS[event] if names else []
    before = await count(services.database, AuditRow)
    tab = open_tab(cookies=f"{DESK_COOKIE}=guessed")
    await tab.visit(path_of(order))
    await tab.call(handler, *arguments)
    assert tab.get(DeskState.is_refused)
    assert tab.redirects == []
    assert await count(services.database, AuditRow) == before
    assert all(each.is_open and not each.sold_out for each in services.statuses.all())
    assert all(each.days == () for each in services.catalogue.restaurants())


_HOSTILE = [None, 7, "x", [], {}, {"text": 3}, "\x00", "x" * 5_000]


@pytest.mark.parametrize("event", _EVENTS)
async def test_event_with_hostile_values_raises_nothing(event, desk, order, caplog):
    handler = getattr(DeskState, event)
    tab = await desk(path=path_of(order))
    _, *names = inspect.signature(handler.fn).parameters
    for value in _HOSTILE:
        await tab.call(handler, *([value] * len(names)))
        await tab.call(handler, *([{"text": value, "name": value, "number": value}] * len(names)))
    assert [each for each in caplog.records if each.levelname == "ERROR"] == []


# An order


async def test_contact_is_shown_on_a_press_audited_and_in_no_session(desk, services, pushed, order):
    tab = await desk(path=path_of(order))
    assert pushed(tab, "contact") == {}
    await tab.call(DeskState.show_contact)
    contact, email = pushed(tab, "contact"), order.customer.email
    assert (contact["email"], contact["mailto"]) == (email, f"mailto:{email}")
    (entry,) = await services.operations.audit.entries(subject=order.id, limit=9)
    assert (entry.action, entry.actor) == ("order.show", "Asha")
    await tab.visit("/campus")
    assert tab.get(DeskState.contact) == {}


@pytest.mark.parametrize("typed", ["", "AS_000", "as", None, 3])
async def test_refund_needs_the_orders_number(desk, services, order, typed):
    tab = await desk(path=path_of(order))
    await tab.call(DeskState.refund, {"number": typed, "choice": "all"})
    assert tab.get(DeskState.problem) == DeskMessage.NOT_AS_TYPED
    assert (await services.desk.order_file(order.id)).refunds == []


async def test_refund_of_all_cancels_the_order_once(desk, services, order):
    tabs = [await desk(path=path_of(order)), await desk(DeskRole.SUPPORT, path_of(order), "Ravi")]
    form = {"number": f" {order.number.lower()} ", "choice": "all"}
    for tab in tabs * 5:
        await tab.call(DeskState.refund, form)
    file = await services.desk.order_file(order.id)
    assert [each.amount for each in file.refunds] == [order.bill.online]
    assert file.order.state is OrderState.REFUND_DUE


@pytest.mark.parametrize("amount", ["", "0", "-5", "1e3", "5.005", "१०", "x"])
async def test_refund_of_a_part_needs_a_positive_amount(desk, services, order, amount):
    tab = await desk(path=path_of(order))
    form = {"number": order.number, "choice": "part", "amount": amount}
    await tab.call(DeskState.refund, form)
    assert tab.get(DeskState.problem) == DeskMessage.AMOUNT
    assert (await services.desk.order_file(order.id)).refunds == []


async def test_refund_of_a_part_is_made_by_the_person_at_the_device(desk, services, order):
    tab = await desk(DeskRole.SUPPORT, path_of(order), "Ravi")
    form = {"number": order.number, "choice": "part", "amount": "10.50"}
    await tab.call(DeskState.begin_refund)
    await tab.call(DeskState.refund, form)
    assert tab.get(DeskState.done) == DeskMessage.REFUNDED
    entries = await services.operations.audit.entries(subject=order.id, limit=9)
    (entry,) = [each for each in entries if each.action == "order.refund"]
    assert (entry.actor, entry.details["amount"]) == ("Ravi", "10.50")


async def test_part_is_refused_when_another_was_given_while_it_was_typed(desk, services, order):
    tabs = [await desk(path=path_of(order)), await desk(DeskRole.SUPPORT, path_of(order), "Ravi")]
    for tab in tabs:
        await tab.call(DeskState.begin_refund)
    form = {"number": order.number, "choice": "part", "amount": "10"}
    for tab in [*tabs, tabs[0]]:
        await tab.call(DeskState.refund, form)
    file = await services.desk.order_file(order.id)
    assert [str(each.amount) for each in file.refunds] == ["10.00"]
    assert tabs[1].get(DeskState.problem) == OperatorMessage.REFUNDS_CHANGED


async def test_refunds_seen_of_one_order_do_not_count_for_another(desk, services, order):
    other = (await pay(services, await services.ordering.prepare(order_request()))).order
    ravi = await desk(DeskRole.SUPPORT, path_of(order), "Ravi")
    await give_back_a_part(ravi, order)
    asha = await desk(path=path_of(order))
    await asha.call(DeskState.begin_refund)
    await asha.visit(path_of(other))
    await asha.call(DeskState.begin_refund)
    await ravi.visit(path_of(other))
    await give_back_a_part(ravi, other)
    await asha.call(DeskState.refund, {"number": other.number, "choice": "part", "amount": "10"})
    assert asha.get(DeskState.problem) == OperatorMessage.REFUNDS_CHANGED
    file = await services.desk.order_file(other.id)
    assert [str(each.amount) for each in file.refunds] == ["10.00"]


async def give_back_a_part(tab, order):
    await tab.call(DeskState.begin_refund)
    await tab.call(DeskState.refund, {"number": order.number, "choice": "part", "amount": "10"})


async def test_refund_that_is_not_due_is_reported(desk, services, order):
    tab = await desk(path=path_of(order))
    await tab.call(DeskState.refund, {"number": order.number, "choice": "due"})
    assert tab.get(DeskState.problem) == DeskMessage.NOTHING_DUE
    assert await services.operations.audit.entries(subject=order.id, limit=9) == []


async def test_settled_order_is_noted(desk, services, order):
    tab = await desk()
    kind = AttentionKind.UNSEEN.value
    await tab.call(DeskState.settle, {"order": order.id, "kind": kind, "note": "phoned"})
    assert tab.get(DeskState.done) == DeskMessage.SETTLED
    await tab.call(DeskState.settle, {"order": order.id, "kind": kind, "note": "again"})
    assert tab.get(DeskState.problem) == DeskMessage.SETTLED_BEFORE
    assert [each.note for each in (await services.desk.order_file(order.id)).settled] == ["phoned"]


# Lists


async def test_search_shows_no_personal_data(desk, pushed, order):
    tab = await desk()
    await tab.call(DeskState.find, {"text": order.customer.full_name})
    (row,) = pushed(tab, "found")["orders"]
    assert row["number"] == order.number
    for secret in (order.customer.full_name, order.customer.phone, order.customer.email):
        assert secret not in str(row)


async def test_filters_are_in_the_address(desk, services):
    tab = await desk(path=f"{TODAY}?kitchen=2&only=refund&campus=north&other=1")
    assert tab.get(DeskState.filters) == {"kitchen": "2", "only": "refund", "campus": "north"}
    query = views(services)[tab.socket_id].query
    assert (query.restaurant_id, query.only, query.campus) == (2, "refund", "north")
    await tab.call(DeskState.filter_orders, "only", "")
    assert tab.redirects[-1].address == "/desk?kitchen=2&campus=north"


async def test_more_orders_are_shown_up_to_500_until_filtered(desk, services):
    tab = await desk()
    for limit in (100, *range(150, 501, 50), 500):
        await tab.call(DeskState.show_more_orders)
        assert views(services)[tab.socket_id].query.limit == limit
    await tab.call(DeskState.filter_orders, "only", "refund")
    await tab.follow_redirect()
    assert views(services)[tab.socket_id].query.limit == 50


@pytest.mark.parametrize("value", ["x", "99999999999999", "'"])
async def test_unknown_filters_filter_nothing(desk, services, value):
    tab = await desk(path=f"{TODAY}?kitchen={value}x&only={value}&campus={value}")
    query = views(services)[tab.socket_id].query
    assert (query.restaurant_id, query.only, query.campus) == (None, None, None)


# Kitchens


async def test_kitchen_is_closed_paused_and_opened_by_name(desk, services, clock):
    tab = await desk(DeskRole.SUPPORT, RESTAURANTS, "Ravi")
    await tab.call(DeskState.close_restaurant, 1, " No gas\ntoday ")
    assert tab.get(DeskState.restaurants)[0]["message"] == "No gas today"
    await tab.call(DeskState.open_restaurant, 1)
    await tab.call(DeskState.pause_restaurant, 1, 30)
    assert tab.get(DeskState.restaurants)[0]["until"] == "13:30"
    entries = await services.operations.audit.entries(subject="restaurant 1", limit=9)
    assert [(each.actor, each.action) for each in entries] == [
        ("Ravi", "restaurant.close"),
        ("Ravi", "restaurant.open"),
        ("Ravi", "restaurant.close"),
    ]


async def test_hours_and_seats_of_today_are_set_and_taken_back(desk, services):
    tab = await desk(DeskRole.SUPPORT, RESTAURANTS, "Ravi")

    def row():
        return tab.get(DeskState.restaurants)[1]

    await tab.call(DeskState.set_hours, {"id": "2", "open": "09:00", "close": "12:30"})
    assert row()["state"] == "CLOSED"
    assert (row()["day"], row()["today"]) == ("Wed 18 Nov", "09:00 to 12:30")
    await tab.call(DeskState.set_hours, {"id": "2", "open": "09:00", "close": "01:30"})
    assert row()["today"] == "09:00 to 01:30 the next day"
    await tab.call(DeskState.set_usual_hours, 2)
    assert (row()["today"], row()["opens"], row()["closes"]) == ("", "09:00", "00:00")
    await tab.call(DeskState.set_seats, {"id": "2", "seats": "10"})
    assert (row()["seats"], row()["hasOtherSeats"]) == ("Today 10 seats a slot", True)
    await tab.call(DeskState.set_usual_seats, 2)
    assert (row()["seats"], row()["seatCount"]) == ("24 seats a slot", "24")
    entries = await services.operations.audit.entries(subject="restaurant 2", limit=9)
    assert {each.actor for each in entries} == {"Ravi"}


@pytest.mark.parametrize(
    ("event", "form", "faults"),
    [
        ("set_hours", {"open": "", "close": "9"}, {"open", "close"}),
        ("set_hours", {"open": "25:00", "close": "18:00"}, {"open"}),
        ("set_hours", {"open": "11:00", "close": "10:00"}, {"close"}),
        ("set_seats", {"seats": "201"}, {"seats"}),
        ("set_seats", {"seats": "-1"}, {"seats"}),
        ("set_seats", {"seats": "two"}, {"seats"}),
    ],
)
async def test_fault_of_a_day_is_at_its_field_and_changes_nothing(
    desk, services, event, form, faults
):
    tab = await desk(path=RESTAURANTS)
    await tab.call(getattr(DeskState, event), {"id": "2"} | form)
    shown = tab.get(DeskState.day_faults)
    assert (shown.pop("id"), set(shown)) == ("2", faults)
    assert services.catalogue.restaurant(2).days == ()
    await tab.call(DeskState.set_seats, {"id": "2", "seats": "9"})
    assert tab.get(DeskState.day_faults) == {}
    await tab.call(DeskState.set_seats, {"id": "99", "seats": "9"})
    assert tab.get(DeskState.problem) == "There is no such restaurant."


async def test_link_of_a_board_enrols_a_device_that_can_be_revoked(desk, services, pushed):
    tab = await desk(path=RESTAURANTS)
    await tab.call(DeskState.make_board_link, 2)
    token = pushed(tab, "board_link")["url"].rpartition("/")[2]
    device = (await services.kitchen_devices.enrol(token)).device
    await tab.call(DeskState.open_restaurants)
    (row,) = tab.get(DeskState.restaurants)[1]["boards"]
    assert row["id"] == device.id
    await tab.call(DeskState.revoke_board, device.id)
    assert tab.get(DeskState.restaurants)[1]["boards"] == []


# Leads


@pytest.fixture
async def lead(assistant_site):
    """The reference of a lead of the assistant's site."""
    id_ = await assistant_site.demo_requests.submit(read_request(REQUEST_BODY, VARIANTS))
    return (await assistant_site.leads.find(id_)).reference


def lead_form(lead, **changes):
    return {"reference": lead, "state": "new", "owner": "", "note": ""} | changes


async def test_sales_changes_a_lead_and_the_history_says_who(desk, services, pushed, lead):
    tab = await desk(DeskRole.SALES, LEADS, "Mina")
    (row,) = pushed(tab, "leads")
    assert (row["reference"], row["state"], row["isLate"]) == (lead, "new", False)
    form = lead_form(lead, state="contacted", owner="Mina", note=" rang\nthem ")
    await tab.call(DeskState.change_lead, form)
    assert tab.get(DeskState.done) == DeskMessage.STORED
    file = await services.desk.leads.file_of(await services.desk.leads.find(lead))
    assert [(each.actor, each.field, each.value) for each in file.history] == [
        ("Mina", "state", "contacted"),
        ("Mina", "owner", "Mina"),
        ("Mina", "note", "rang them"),
    ]


async def test_change_of_another_person_is_not_overwritten_by_an_older_form(
    desk, services, pushed, lead
):
    ravi = await desk(DeskRole.SALES, LEADS, "Ravi")
    (shown,) = pushed(ravi, "leads")
    mina = await desk(DeskRole.SALES, LEADS, "Mina")
    await mina.call(DeskState.change_lead, lead_form(lead, state="won", note="hers"))
    await ravi.call(DeskState.show_more_leads)  # pushes all rows anew
    # `form` is the key of the row's form: while it is the same, the browser keeps what is typed.
    assert pushed(ravi, "leads")[0]["form"] == shown["form"]
    await ravi.call(DeskState.change_lead, lead_form(lead, owner="Ravi"))
    assert ravi.get(DeskState.done) == DeskMessage.STORED
    stored = await services.desk.leads.find(lead)
    assert (stored.state, stored.owner, stored.note) == ("won", "Ravi", "hers")


async def test_refused_change_is_kept_beside_what_others_have_set(desk, services, pushed, lead):
    ravi = await desk(DeskRole.SALES, LEADS, "Ravi")
    (shown,) = pushed(ravi, "leads")
    mina = await desk(DeskRole.SALES, LEADS, "Mina")
    await mina.call(DeskState.change_lead, lead_form(lead, state="won", note="hers"))
    await ravi.call(DeskState.change_lead, lead_form(lead, note="mine"))
    assert ravi.get(DeskState.problem) == DeskMessage.LEAD_CHANGED
    assert (await services.desk.leads.find(lead)).note == "hers"
    (row,) = pushed(ravi, "leads")
    assert (row["state"], row["note"]) == ("won", "mine")
    assert row["form"] != shown["form"]
    await ravi.call(DeskState.change_lead, lead_form(lead, state="won", note="mine"))
    assert (await services.desk.leads.find(lead)).note == "mine"


async def test_leads_are_filtered_by_state_in_the_address(desk, pushed, lead):
    tab = await desk(DeskRole.SALES, f"{LEADS}?state=won")
    assert pushed(tab, "leads") == []
    await tab.call(DeskState.filter_leads, "new")
    assert tab.redirects[-1].address == f"{LEADS}?state=new"
    await tab.follow_redirect()
    assert [each["reference"] for each in pushed(tab, "leads")] == [lead]


@pytest.mark.parametrize("changes", [{"reference": "none"}, {"note": "x" * 2_001}])
async def test_lead_that_cannot_be_stored_is_reported(desk, lead, changes):
    tab = await desk(DeskRole.SALES, LEADS)
    await tab.call(DeskState.change_lead, lead_form(lead, state="won") | changes)
    assert tab.get(DeskState.problem) == DeskMessage.NOT_STORED


async def test_lead_that_was_deleted_meanwhile_leaves_the_page(desk, services, pushed, lead):
    tab = await desk(DeskRole.SALES, LEADS)
    stored = await services.desk.requests.find((await services.desk.leads.find(lead)).id)
    await services.desk.requests.delete(stored)
    await tab.call(DeskState.change_lead, lead_form(lead, state="won"))
    assert tab.get(DeskState.problem) == DeskMessage.NOT_STORED
    assert pushed(tab, "leads") == []


async def test_support_sees_and_changes_no_lead(desk, services, lead):
    tab = await desk(DeskRole.SUPPORT, LEADS)
    assert tab.get(DeskState.is_refused)
    await tab.call(DeskState.change_lead, {"reference": lead, "state": "lost"})
    assert (await services.desk.leads.find(lead)).state == "new"
    assert tab.other_events == []
    await tab.call(DeskState.download_leads)
    assert tab.other_events == []


async def test_leads_are_downloaded_as_csv_and_the_download_is_audited(desk, services, lead):
    tab = await desk(DeskRole.SALES, LEADS)
    await tab.call(DeskState.download_leads)
    assert "demo-requests.csv" in str(tab.other_events[-1].payload)
    (entry,) = await services.operations.audit.entries(subject="leads", limit=9)
    assert (entry.actor, entry.action) == ("Asha", AuditAction.DOWNLOAD_LEADS)
    assert entry.details["requests"] == "1"


# People


async def test_owner_lets_somebody_in_and_revokes_the_device(desk, services, pushed):
    tab = await desk(path=DEVICES)
    await tab.call(DeskState.make_desk_link, {"name": " Ravi ", "role": "sales"})
    link = pushed(tab, "desk_link")
    assert link["name"] == "Ravi"
    enrolment = await services.desk_devices.enrol(link["url"].rpartition("/")[2])
    assert enrolment.device.role is DeskRole.SALES
    await tab.call(DeskState.revoke_device, enrolment.device.id)
    assert [each["name"] for each in pushed(tab, "devices")] == ["Asha"]


async def test_audit_is_filtered_by_who_what_and_where(desk, services, pushed, order):
    tab = await desk(path=AUDIT)
    await services.desk.show_contact(order.id, OWNER)
    # "Looked at the contact" are the words of the page for order.show.
    for text in (OWNER.name, "order.show", "looked at", order.id):
        await tab.call(DeskState.filter_audit, {"text": text})
        assert "order.show" in [each["action"] for each in pushed(tab, "entries")]
    await tab.call(DeskState.filter_audit, {"text": "nothing like this"})
    assert pushed(tab, "entries") == []


async def test_audit_leads_to_an_order_also_if_its_number_was_not_noted(
    desk, services, pushed, order
):
    entry = audit_entry(WEDNESDAY, OWNER, AuditAction.REPORT_SHORTAGE, order.id, dish="101")
    await services.operations.audit.record(entry)
    await services.desk.show_contact(order.id, OWNER)
    tab = await desk(path=AUDIT)
    shown = {each["action"]: each for each in pushed(tab, "entries")}
    noted, unnoted = shown["order.show"], shown["shortage.report"]
    assert (noted["subject"], unnoted["subject"]) == (order.number, "Open the order")
    assert noted["href"] == unnoted["href"] == f"/desk/orders/{order.id}"


async def test_audit_says_what_it_hides_and_shows_more(desk, services, pushed):
    entry = audit_entry(WEDNESDAY, OWNER, AuditAction.RETRY_MAIL, "mails")
    for _ in range(250):
        await services.operations.audit.record(entry)
    tab = await desk(path=AUDIT)
    assert pushed(tab, "entries_end")["words"] == "Newest 200 of 252"
    await tab.call(DeskState.show_more_entries)
    assert (len(pushed(tab, "entries")), pushed(tab, "entries_end")["words"]) == (252, "")


async def test_person_is_told_to_phone_when_missed_call_can_not_be_repeated(
    scenario, open_tab, monkeypatch
):
    monkeypatch.setattr(current, "services", lambda: scenario.services)
    # `scenario` is the product with a fake Twilio, which makes the missed calls.
    stored = await scenario.paid()
    scenario.clock.advance(minutes=10)
    await scenario.move_call(scenario.fake.only, "failed")
    tab = open_tab(cookies=cookie_of(await enrol_desk(scenario.services)))
    await tab.visit(f"/desk/orders/{stored.order.id}")
    await tab.call(DeskState.send_again)
    assert (tab.get(DeskState.done), tab.get(DeskState.problem)) == ("", DeskMessage.CALL_IS_OVER)
