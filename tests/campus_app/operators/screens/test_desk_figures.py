"""The events of the figures, and the visits that events count. Source: 13.1, 13.5."""

import asyncio

import pytest

from campus_app.operators.rules.desk import DeskArea, DeskRole
from campus_app.operators.rules.figures import VisitStep
from campus_app.operators.screens.desk_state import DeskState
from campus_app.ordering.screens.cart_state import CartState
from tests.helpers.builders import order_request
from tests.helpers.databases import sqlite_only
from tests.helpers.desk import cookie_of, enrol_desk
from tests.helpers.flows import pay
from tests.helpers.processes import children_that_run
from tests.helpers.tables import execute

pytestmark = [pytest.mark.anyio, sqlite_only, pytest.mark.usefixtures("sent_at_once")]

FIGURES = "/desk/figures"
PROGRAM = "campus_app.operators.figures_program"
_POLLS, _POLL_SECONDS = 600, 0.05


@pytest.fixture
def desk(services, open_tab):
    """Opens the figures on a new device of a role; returns the tab."""

    async def desk(role=DeskRole.OWNER, path=FIGURES):
        tab = open_tab(cookies=cookie_of(await enrol_desk(services, role)))
        await tab.visit(path)
        return tab

    return desk


@pytest.fixture
def shown(services):
    """Returns the figures that are pushed to a tab; no session has them."""

    async def shown(tab):
        for _ in range(_POLLS):
            view = services.desk.take_pushes().get(tab.socket_id, {}).get("figures")
            if view and (view["sums"] or view["problem"]):
                return view
            await asyncio.sleep(_POLL_SECONDS)
        return None

    return shown


async def test_owner_sees_the_figures_of_the_address(desk, shown, services):
    await pay(services, await services.ordering.prepare(order_request()))
    view = await shown(await desk(path=f"{FIGURES}?first=2026-11-17&last=2026-11-18"))
    sums = {each["key"]: (each["now"], each["before"]) for each in view["sums"]}
    assert sums["orders"] == ("1", "before: 0")
    assert (view["days"], view["before"]) == (
        "17 Nov 2026 – 18 Nov 2026",
        "15 Nov 2026 – 16 Nov 2026",
    )
    (days,) = (each for each in view["tables"] if each["key"] == "days")
    assert [each["name"] for each in days["rows"]] == ["Tue 17 Nov", "Wed 18 Nov"]
    assert [each["name"] for each in days["bars"]] == ["Tue 17 Nov", "Wed 18 Nov"]


async def test_desk_is_open_to_figures_while_an_owners_page_is(desk, services):
    await desk(DeskRole.SUPPORT, "/desk")
    assert not services.desk.is_open_to(DeskArea.FIGURES)
    tab = await desk(DeskRole.OWNER, "/desk")
    assert services.desk.is_open_to(DeskArea.FIGURES)
    await tab.call(DeskState.leave)
    assert not services.desk.is_open_to(DeskArea.FIGURES)


@pytest.mark.parametrize("role", [DeskRole.SUPPORT, DeskRole.SALES])
async def test_other_roles_see_no_figures(desk, services, role):
    tab = await desk(role)
    assert tab.get(DeskState.is_refused)
    assert services.desk.take_pushes() == {}


@pytest.mark.parametrize(
    ("event", "argument", "query"),
    [
        (
            "choose_span",
            {"first": "2026-11-02", "last": "2026-11-04"},
            "2026-11-02&last=2026-11-04",
        ),
        ("choose_span", {"first": ["x"]}, "2026-11-12&last=2026-11-18"),
        ("choose_days", 1, "2026-11-18&last=2026-11-18"),
        ("choose_days", 10**9, "2025-11-18&last=2026-11-18"),
    ],
)
async def test_chosen_span_is_in_the_address(desk, event, argument, query):
    tab = await desk()
    await tab.call(getattr(DeskState, event), argument)
    assert tab.redirects[-1].address == f"{FIGURES}?first={query}"


@pytest.mark.parametrize("days", [None, {"a": 1}, float("nan")])
async def test_days_that_are_no_number_change_nothing(desk, days):
    tab = await desk()
    await tab.call(DeskState.choose_days, days)
    assert tab.redirects == []


async def test_figures_that_can_not_be_read_are_said(desk, shown, services):
    await execute(services.database, "ALTER TABLE visits RENAME TO gone")
    view = await shown(await desk())
    assert ("can’t be read now" in view["problem"], view["tables"]) == (True, [])


async def test_latest_span_is_shown_when_several_are_asked_for(desk, shown):
    tab = await desk()
    await tab.visit(f"{FIGURES}?first=2026-11-18")
    assert (await shown(tab))["first"] == "2026-11-18"


async def test_program_of_a_left_page_is_ended_and_the_next_one_runs(desk, shown):
    tab = await desk()
    program = await started_program()
    program.suspend()  # as if it took long
    await tab.call(DeskState.leave)
    for _ in range(_POLLS):
        if not program.is_running():
            break
        await asyncio.sleep(_POLL_SECONDS)
    else:
        program.kill()
        pytest.fail("it still runs")
    assert (await shown(await desk()))["sums"]


async def started_program():
    """Return the process that computes figures; databases are children of this one too."""
    while not (found := children_that_run(PROGRAM)):  # noqa: ASYNC110 - another process
        await asyncio.sleep(_POLL_SECONDS)
    return found[0]


async def test_events_of_a_visit_are_counted(open_tab, services):
    tab = open_tab()
    await tab.visit("/menu/1")
    await tab.call(CartState.add_dish, 1, "104")
    await tab.visit("/menu/1")
    await tab.visit("/terms")
    stranger = open_tab()
    await stranger.visit("/desk")
    counted = {step: count for (_, step), count in services.visits.counts.items()}
    assert counted == {VisitStep.VISIT: 1, VisitStep.MENU: 1, VisitStep.CART: 1}
