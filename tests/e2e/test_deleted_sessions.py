"""A visitor whose session was deleted loses nothing."""

import httpx
import pytest
from playwright.sync_api import expect

from tests.e2e.conftest import WEDNESDAY, require_build
from tests.e2e.journey import (
    LUNCH,
    add,
    at_confirmation,
    at_waiting_room,
    choose_campus,
    confirm_details,
    give_details,
    next_to_details,
    open_page,
    open_payment,
    open_restaurant,
    pay,
    proceed,
    session_storage,
    wait_until_hydrated,
)
from tests.e2e.network import PageSocket
from tests.e2e.server import Server
from tests.helpers.metrics import samples
from tests.helpers.product import OPERATOR_TOKEN, eventually

DELETED, CONNECTED = "campus_deleted_sessions_total", "campus_live_sessions"


class SessionDeletingServer(Server):
    """An installation that deletes each session when its socket closes."""

    def _environment(self):
        return super()._environment() | {"IDLE_SESSIONS": "0"}

    def metric(self, name):
        headers = {"authorization": f"Bearer {OPERATOR_TOKEN}"}
        text = httpx.get(f"{self.url}/metrics", headers=headers, timeout=30).text
        return samples(text)[(name,)]


@pytest.fixture
def session_deleting_server(tmp_path, redis):
    require_build()
    server = SessionDeletingServer(tmp_path / "own", WEDNESDAY, redis.url)
    server.start()
    yield server
    server.stop()


def test_order_completes_when_session_is_deleted_on_each_screen_of_an_order(
    session_deleting_server, visit
):
    page = visit(session_deleting_server)
    socket = PageSocket(page)

    def lose_session():
        eventually(lambda: session_deleting_server.metric(CONNECTED), "the page is connected")
        deleted = session_deleting_server.metric(DELETED)
        socket.disconnect()
        eventually(lambda: session_deleting_server.metric(DELETED) > deleted, "it is deleted")
        socket.reconnect()
        eventually(lambda: session_deleting_server.metric(CONNECTED), "the page is connected again")

    open_page(page, "/campus")
    lose_session()
    choose_campus(page)
    wait_until_hydrated(page)
    lose_session()
    open_restaurant(page)
    add(page, *LUNCH)
    lose_session()
    add(page, "Mini Thali")
    expect(page.get_by_test_id("total")).to_have_text("₹470")
    lose_session()
    proceed(page)
    page.get_by_role("radio", name="₹10", exact=True).click()
    expect(page.get_by_test_id("grand-total")).to_have_text("₹495")
    lose_session()
    expect(page.get_by_test_id("grand-total")).to_have_text("₹495")
    next_to_details(page)
    give_details(page)
    page.get_by_label("Address").blur()
    eventually(lambda: "Hostel 4" in session_storage(page, "checkoutDraft"), "the draft is stored")
    lose_session()
    page.reload()  # otherwise the field itself keeps its text
    expect(page.get_by_label("Address")).to_have_value("Hostel 4, B block, room 212")
    confirm_details(page)
    at_waiting_room(page)
    lose_session()
    number = open_payment(page)
    pay(page)
    at_confirmation(page)
    page.get_by_role("button", name="Stay on this page").click()
    lose_session()
    expect(page.get_by_test_id("order-id")).to_have_text(f"ORDER_ID: #{number}")
    expect(page.get_by_role("heading", level=1)).to_have_text("THANK YOU, AARAV SHARMA!")
    session_deleting_server.wait_until_notified(number)
