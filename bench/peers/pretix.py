"""What a customer of the pretix shop sends, from the catalogue to the paid order."""

import asyncio
from dataclasses import dataclass

import httpx
from report import MeasurementFailed

from peers.forms import form, forms
from peers.shop import CSRF_TOKEN, CUSTOMER, first, require

CATALOGUE = "/campus/menu/"
TOKEN = "the-token-of-the-benchmark-and-of-no-other-shop"
_CART = "/campus/menu/cart/add"
_API = "/api/v1/organizers/campus/events/menu/orders"
_FIRST_CHECK_SECONDS, _CHECK_SECONDS = 0.1, 0.25
"""How long pretix's own script waits before it asks whether a task is done."""
_CHECKS = 400
_STEPS = 6
"""The most screens of a checkout."""


@dataclass
class Customer:
    """A visitor with cookies of its own."""

    client: httpx.AsyncClient
    page: httpx.Response | None = None
    """The open catalogue."""

    async def visit(self) -> None:
        """Open the catalogue."""
        self.page = await self._get(CATALOGUE)

    async def add_item(self) -> None:
        """Put a dish of the open catalogue into the cart, until the page with the cart is here."""
        await self._add(await self._catalogue(), {"item_4": "1"})

    async def fill_cart(self) -> None:
        """Put three dishes into the cart without opening a page."""
        self.client.cookies.set("pretix_csrftoken", CSRF_TOKEN, self.client.base_url.host)
        values = {"csrfmiddlewaretoken": CSRF_TOKEN, "item_4": "2", "item_12": "1"}
        await self._run_task(f"{_CART}?next={CATALOGUE}", values)

    async def order(self) -> None:
        """Order what is in the cart; return when the order is stored and its payment confirmed."""
        page = await self._get("/campus/menu/checkout/start")
        for _ in range(_STEPS):
            page = await self._submit_step(page)
            if "/order/" in page.url.path:
                await self._confirm_payment(page.url.path.split("/order/")[1].split("/")[0])
                return
        raise MeasurementFailed(f"pretix: no order after {page.url}")

    async def _catalogue(self) -> httpx.Response:
        if self.page is None:
            await self.visit()
        assert self.page is not None
        return self.page

    async def _add(self, page: httpx.Response, quantities: dict[str, str]) -> None:
        sent = form(page.text, _CART)
        values = {name: value for name, value in sent.values.items() if value}
        done = await self._run_task(sent.action, {**values, **quantities})
        self.page = await self._get(done)

    async def _submit_step(self, page: httpx.Response) -> httpx.Response:
        """Fill in one screen of the checkout, and return the next."""
        sent = first(
            each
            for each in forms(page.text)
            if "csrfmiddlewaretoken" in each.values and "/cart/" not in each.action
        )
        values = dict(sent.values)
        for name in values:
            if name.endswith(("email", "email_repeat")):
                values[name] = CUSTOMER.email
        if page.url.path.endswith("/payment/"):
            values["payment"] = "banktransfer"
        address = str(page.url.join(sent.action))
        if page.url.path.endswith("/confirm/"):
            return await self._get(await self._run_task(address, values))
        return require(await self.client.post(address, data=values, follow_redirects=True), 200)

    async def _run_task(self, address: str, values: dict[str, str]) -> str:
        """Send a form as pretix's script does; return the next page when the worker has done it."""
        response = require(await self.client.post(address, data={**values, "ajax": "1"}), 200)
        answer, check = response.json(), response.json().get("check_url", "")
        pause = _FIRST_CHECK_SECONDS
        for _ in range(_CHECKS):
            if "redirect" in answer:
                break
            await asyncio.sleep(pause)
            pause = _CHECK_SECONDS
            answer = require(await self.client.get(check), 200).json()
        if not answer.get("success"):
            raise MeasurementFailed(f"pretix: {address}: {answer}")
        return answer["redirect"]

    async def _confirm_payment(self, code: str) -> None:
        """Confirm the payment over the REST API, as a program that reads bank statements does."""
        response = await self.client.post(
            f"{_API}/{code}/payments/1/confirm/",
            json={"send_email": True},
            headers={"authorization": f"Token {TOKEN}"},
        )
        require(response, 200)

    def leave(self) -> None:
        """Close the page, which the server does not notice."""
        self.page = None

    async def _get(self, address: str) -> httpx.Response:
        return require(await self.client.get(address, follow_redirects=True), 200)
