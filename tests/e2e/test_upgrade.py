"""The procedure 'Upgrade' of docs/operations.md while visitors order: nobody loses anything.

The next release has other variables and event handlers in its states, and other scripts.
"""

import asyncio
import contextlib
import os
import re
import subprocess
import sys
import threading
import uuid
from datetime import timedelta

import httpx
import pytest
from playwright.sync_api import expect

from tests.e2e.conftest import require_build
from tests.e2e.journey import (
    LUNCH,
    add,
    at_checkout,
    at_confirmation,
    at_waiting_room,
    confirm_details,
    give_details,
    next_to_details,
    open_page,
    open_payment,
    pay,
    to_details,
)
from tests.helpers.builders import order_body
from tests.helpers.deployment import running_deployment
from tests.helpers.menu_page import open_pages, wait_until_confirmed, wait_until_hydrated
from tests.helpers.product import eventually
from tests.helpers.releases import has_script, next_release, release_links

LONGEST_RECONNECTING = timedelta(seconds=5) * 2
"""Twice that of specification P5.9: a busy machine is slower."""
ADDRESS = "Hostel 4, B block, room 212"
PAGES_OF_A_PAYMENT = 2
"""The provider's page, and the return to ours."""
_SOCKETS = 20
_DISHES = ("104", "105", "106", "107", "112")
_TAP_SECONDS = 0.2
_ORDER_SECONDS = 0.1
_LOAD_SECONDS = 60.0
_WATCH = """() => {
  const problems = ".toast.bad, [role=alertdialog], #reflex-new-version-banner, .error-page";
  let before;
  const look = () => {
    const banner = document.querySelector(".connection-banner.shown");
    const problem = document.querySelector(problems);
    const now = JSON.stringify([banner !== null, problem?.textContent ?? ""]);
    if (now !== before) window.record(Date.now(), ...JSON.parse(now));
    before = now;
  };
  const all = { subtree: true, childList: true, attributes: true, characterData: true };
  new MutationObserver(look).observe(document, all);
  window.record(Date.now(), null, "");
}"""


class Watch:
    """What a page has shown to its visitor: each load, the banner 'reconnecting' and problems."""

    def __init__(self, page):
        self.loads = 0
        self.problems = []
        self.longest = timedelta()
        self._since = None
        page.expose_function("record", self._record)
        page.add_init_script(f"({_WATCH})()")

    def _record(self, at_ms, is_reconnecting, problem):
        if is_reconnecting is None:
            self.loads += 1
        if problem:
            self.problems.append(problem)
        if self._since is not None:
            self.longest = max(self.longest, timedelta(milliseconds=at_ms - self._since))
        self._since = at_ms if is_reconnecting else None

    @property
    def is_reconnecting(self):
        return self._since is not None


class Load:
    """Work that runs in threads until the block ends; an exception in it fails the test."""

    def __init__(self):
        self.is_ending = threading.Event()
        self._errors = []
        self._threads = []

    def start(self, work, *values):
        thread = threading.Thread(target=self._run, args=(work, *values))
        self._threads.append(thread)
        thread.start()

    def end(self):
        self.is_ending.set()
        for thread in self._threads:
            thread.join(_LOAD_SECONDS)
        assert self._errors == []
        assert not any(thread.is_alive() for thread in self._threads)

    def _run(self, work, *values):
        try:
            work(*values)
        except Exception as error:  # noqa: BLE001 - of another thread
            self._errors.append(error)


class Orders:
    """Orders over HTTP, each prepared with a key of its own and paid."""

    def __init__(self, url):
        self.responses = {}
        self.paid = []
        self._url = url

    def run(self, is_ending):
        with httpx.Client(base_url=self._url, timeout=20, trust_env=False) as client:
            while not is_ending.wait(_ORDER_SECONDS):
                self._order(client, uuid.uuid4().hex)

    def _order(self, client, key):
        body = order_body(userDetails__email=f"{key}@students.example")
        response = self._sent(
            client, "/payment/prepare-order", json=body, headers={"Idempotency-Key": key}
        )
        self.responses[key] = response
        number = response.json()["orderId"]
        amount = response.json()["paymentBreakdown"]["preOrderPayment"]
        self._sent(client, f"/api/payment-form/{amount}?order_id={number}", "GET")
        fields = {"order_id": number, "button": "pay"}
        assert self._sent(client, "/sandbox/pay", data=fields).status_code == 303
        self.paid.append(number)

    @staticmethod
    def _sent(client, path, method="POST", **content):
        """Send a request, again until the response is not a server error, as clients do."""
        while True:
            with contextlib.suppress(httpx.TransportError):
                response = client.request(method, path, **content)
                if response.status_code < 500:
                    return response


class Taps:
    """Pages without a browser, on which visitors add dishes."""

    def __init__(self, deployment):
        self._deployment = deployment
        self.pages = ()

    def run(self, is_ending):
        asyncio.run(self._tap_until(is_ending))

    async def _tap_until(self, is_ending):
        deployment = self._deployment
        async with open_pages(deployment.url, deployment.now, _SOCKETS) as self.pages:
            await wait_until_hydrated(self.pages)
            number = 0
            while not is_ending.is_set():
                page = self.pages[number % _SOCKETS]
                await page.tap(_DISHES[number // _SOCKETS % len(_DISHES)])
                number += 1
                await asyncio.sleep(_TAP_SECONDS / _SOCKETS)
            async with asyncio.timeout(_LOAD_SECONDS):
                await wait_until_confirmed(self.pages)


@pytest.fixture(scope="module")
def release():
    require_build()
    return next_release()


@pytest.fixture
def links():
    with release_links() as links:
        yield links


@pytest.fixture
def deployment(release, links):
    with running_deployment(
        release=links.current, previous=links.previous, PREPARED_ORDERS_PER_MINUTE="100000"
    ) as deployment:
        yield deployment


def migrate(links, deployment):
    subprocess.run(
        [sys.executable, "-m", "campus_app.migrate"],
        cwd=links.current,
        env={**os.environ, "DATABASE_URL": deployment.parts.database_url},
        check=True,
    )


def test_upgrade_under_load_loses_no_order_no_tap_and_nothing_typed(
    deployment, links, release, visit
):
    # Source: specification P5.9.
    load, orders, taps = Load(), Orders(deployment.url), Taps(deployment)
    typing, choosing = visit(deployment), visit(deployment)
    watches = [Watch(page) for page in (typing, choosing)]
    load.start(orders.run, load.is_ending)
    load.start(taps.run, load.is_ending)
    try:
        to_details(typing, deployment)
        give_details(typing, Email="typing@students.example", Address=None)
        typing.get_by_label("Address").press_sequentially(ADDRESS[:10])
        open_page(choosing, "/menu/1")
        add(choosing, *LUNCH)
        eventually(
            lambda: (
                len(orders.paid) > 5
                and sum(deployment.pages_at(each) for each in (0, 1)) > _SOCKETS
            ),
            "load",
        )
        for watch in watches:
            watch.loads = 0

        links.switch(release)
        migrate(links, deployment)
        # Its screens' scripts are not in the folder of the new release.
        with choosing.expect_response(re.compile(r"/assets/_checkout_")) as loaded:
            choosing.get_by_role("button", name="PROCEED TO CART").click()
        at_checkout(choosing)
        assert loaded.value.status == 200
        assert not has_script(release, httpx.URL(loaded.value.url).path)

        for number, process in enumerate(deployment.parts.backends):
            process.stop()
            # At once, because the page reloads in between, and typing would go on without the focus.
            typed = 10 + 5 * number
            expect(typing.get_by_label("Address")).to_have_value(ADDRESS[:typed])
            typing.get_by_label("Address").fill(ADDRESS[: typed + 5])
            count = len(orders.paid)
            eventually(lambda count=count: len(orders.paid) > count + 2, "the other one works")
            process.start()
        for page, watch in zip((typing, choosing), watches, strict=True):
            eventually(
                lambda page=page, watch=watch: page.wait_for_timeout(50) or watch.loads,
                "it reloads",
            )
        expect(typing.get_by_label("Address")).to_have_value(ADDRESS[:20])
        typing.wait_for_function("() => window.isHydrated")
        typing.get_by_label("Address").press_sequentially(ADDRESS[20:])
        expect(typing.get_by_label("Email")).to_have_value("typing@students.example")
        numbers = [finish_order(typing)]
        expect(choosing.get_by_test_id("grand-total")).to_be_visible()
        choosing.wait_for_function("() => window.isHydrated")
        next_to_details(choosing)
        give_details(choosing, Email="choosing@students.example")
        numbers.append(finish_order(choosing))
    finally:
        load.end()

    assert {response.status_code for response in orders.responses.values()} == {201}
    prepared = [response.json()["orderId"] for response in orders.responses.values()]
    assert sorted(prepared) == sorted(set(prepared))
    assert orders.paid == prepared
    eventually(
        lambda: states(deployment) == dict.fromkeys(prepared + numbers, "confirmed"),
        "every order is stored once, and confirmed",
    )
    assert [page.cart() for page in taps.pages] == [dict(page.quantities) for page in taps.pages]
    assert {message for page in taps.pages for message in page.messages} == set()
    for watch in watches:
        assert watch.problems == []
        assert watch.longest < LONGEST_RECONNECTING
        assert not watch.is_reconnecting
        assert watch.loads == 1 + PAGES_OF_A_PAYMENT, "a page reloads once"


def finish_order(page):
    """Confirm the details and pay; return the order's number."""
    confirm_details(page)
    at_waiting_room(page)
    number = open_payment(page)
    pay(page)
    at_confirmation(page)
    return number


def states(deployment):
    return {
        row["number"]: row["state"] for row in deployment.rows("select number, state from orders")
    }
