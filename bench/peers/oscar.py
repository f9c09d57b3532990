"""What a customer of the django-oscar shop sends, from the catalogue to the paid order."""

from dataclasses import dataclass

import httpx
from report import MeasurementFailed

from peers.forms import form
from peers.shop import CSRF_TOKEN, CUSTOMER, require

CATALOGUE = "/catalogue/"
_BASKET, _CHECKOUT = "/basket/add/", "/checkout/"
_ORDERED = ((4, 2), (12, 1))
"""The dishes of an order, and how many of each."""


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
        """Put a dish of the open catalogue into the basket, until the page with its total is here."""
        self.page = await self._add(await self._catalogue(), 4, 1)

    async def fill_cart(self) -> None:
        """Put three dishes into the basket without opening the pages that follow."""
        self.client.cookies.set("csrftoken", CSRF_TOKEN, self.client.base_url.host)
        for dish, quantity in _ORDERED:
            values = {"csrfmiddlewaretoken": CSRF_TOKEN, "quantity": str(quantity)}
            require(await self.client.post(f"{_BASKET}{dish}/", data=values), 302)

    async def order(self) -> None:
        """Order what is in the basket; return when the order is stored and its payment recorded."""
        page = await self._get(_CHECKOUT)
        guest = {"username": CUSTOMER.email, "options": "anonymous"}
        page = await self._submit(page, {**form(page.text, "").values, **guest}, "shipping-address")
        address = {
            "first_name": CUSTOMER.first_name,
            "last_name": CUSTOMER.last_name,
            "line1": CUSTOMER.address,
            "line4": CUSTOMER.city,
            "postcode": CUSTOMER.postcode,
            "phone_number": CUSTOMER.phone,
        }
        page = await self._submit(page, address, "payment-details")
        page = await self._get(f"{_CHECKOUT}preview/")
        await self._submit(page, {"action": "place_order"}, "thank-you")

    async def _catalogue(self) -> httpx.Response:
        if self.page is None:
            await self.visit()
        assert self.page is not None
        return self.page

    async def _add(self, page: httpx.Response, dish: int, quantity: int) -> httpx.Response:
        sent = form(page.text, f"{_BASKET}{dish}/")
        values = {**sent.values, "quantity": str(quantity)}
        response = await self.client.post(
            sent.action,
            data=values,
            headers={"referer": str(page.url)},
            follow_redirects=True,
        )
        return require(response, 200)

    async def _submit(
        self, page: httpx.Response, values: dict[str, str], expected: str
    ) -> httpx.Response:
        """Send a screen of the checkout to its own address; return the expected next screen."""
        token = self.client.cookies["csrftoken"]
        response = await self.client.post(
            page.url,
            data={**values, "csrfmiddlewaretoken": token},
            headers={"referer": str(page.url)},
            follow_redirects=True,
        )
        if expected not in require(response, 200).url.path:
            raise MeasurementFailed(f"oscar: {page.url} led to {response.url}")
        return response

    def leave(self) -> None:
        """Close the page, which the server does not notice."""
        self.page = None

    async def _get(self, address: str) -> httpx.Response:
        return require(await self.client.get(address, follow_redirects=True), 200)
