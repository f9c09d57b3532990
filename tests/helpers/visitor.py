"""A visitor without a browser who orders over the WebSocket as the pages do, with retries.

Like a browser, a visitor stores the cart and the draft, and sends them after a reconnect. Each step
ends when the server has sent the expected state, and is repeated if the connection ends before.
"""

import asyncio
import contextlib
import json
import secrets
from collections import deque
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Any
from urllib.parse import parse_qs, urlsplit

import httpx
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidHandshake

from campus_app.shared.rules.campus import Campus
from kit.http.client import ssl_context
from tests.helpers.builders import CUSTOMER, QUANTITIES

ROOT = "reflex___state____state"
_SCREENS = f"{ROOT}.campus_app___ordering___screens___"
CART = f"{_SCREENS}cart_state____cart_state"
CAMPUS = f"{ROOT}.campus_app___catalogue___screens___campus_state____campus_state"
_CHECKOUT = f"{_SCREENS}checkout_state____checkout_state"
_CUSTOMER = f"{_SCREENS}customer_state____customer_state"
_WAITING = f"{_SCREENS}waiting_room_state____waiting_room_state"
_RETURN = f"{_SCREENS}payment_return_state____payment_return_state"
_CONFIRMATION = f"{_SCREENS}confirmation_state____confirmation_state"
_IS_HYDRATED = f"{ROOT}.is_hydrated"
_ON_LOAD = f"{ROOT}.reflex___state____on_load_internal_state.on_load_internal"
"""What Reflex's page sends when the visitor opens another page."""
_STORED = (f"{CART}.cart", f"{CAMPUS}.selected", f"{_CHECKOUT}.draft")
FIELD = "_rx_state_"
NAMESPACE = "/_event"
_NOTE = "no onions"
_RETRY_SECONDS = 0.2
_STEP_SECONDS = 120.0
_NOTES, _NOTE_CHARACTERS = 8, 1_000
"""How much of what happened last an error shows."""
STEPS = (
    "open_menu",
    "fill_cart",
    "open_checkout",
    "enter_details",
    "open_waiting_room",
    "pay",
    "return_from_payment",
    "open_confirmation",
)


class Disconnected(Exception):
    """The connection ended before the expected state arrived."""


def page_data(address: str, **parameters: Any) -> dict[str, Any]:
    path = urlsplit(address).path
    return {"pathname": path, "asPath": address, "query": parameters}


class Visitor:
    """One visitor with one tab."""

    def __init__(self, url: str, number: int, origin: str = "") -> None:
        self.email = f"visitor{number}@students.example"
        self.token = secrets.token_hex(16)
        self.vars: dict[str, Any] = {}
        self.connection_count = 0
        self.order = ""
        self._url = url
        self._origin = origin or url
        self._storage: dict[str, Any] = {f"{CAMPUS}.selected": Campus.NORTH.value}
        self._redirects: list[str] = []
        self._socket: ClientConnection | None = None
        self._notes: deque[str] = deque(maxlen=_NOTES)
        self._address = page_data("/menu/1", restaurant_id="1")

    async def step(self, name: str) -> None:
        """Run a step of the order; repeat it if the connection ends.

        Raises:
            TimeoutError: If it takes longer than 120 s; its text says what happened last.
        """
        try:
            async with asyncio.timeout(_STEP_SECONDS):
                await self._run_connected(getattr(self, f"_{name}"))
        except TimeoutError:
            notes = "\n".join(self._notes)
            raise TimeoutError(f"{self.email} waits in '{name}' after\n{notes}") from None

    async def _run_connected(self, step: Callable[[], Awaitable[None]]) -> None:
        while True:
            try:
                await step()
            except (
                Disconnected,
                ConnectionClosed,
                InvalidHandshake,
                OSError,
                httpx.TransportError,
            ) as error:
                self._note(repr(error))
                await self.leave()
                await asyncio.sleep(_RETRY_SECONDS)
            else:
                return

    def _note(self, event: str) -> None:
        self._notes.append(event[:_NOTE_CHARACTERS])

    async def leave(self) -> None:
        """Close the connection."""
        socket, self._socket = self._socket, None
        if socket is not None:
            await socket.close()

    async def _open_menu(self) -> None:
        await self._open_page(page_data("/menu/1", restaurant_id="1"))

    async def _fill_cart(self) -> None:
        await self._open_menu()
        for dish, quantity in QUANTITIES.items():
            while (count := self._in_cart(dish)) < quantity:
                await self._send_and_wait(
                    f"{CART}.add_dish",
                    lambda dish=dish, expected=count + 1: self._in_cart(dish) == expected,
                    restaurant_id=1,
                    dish_id=dish,
                )

    async def _open_checkout(self) -> None:
        await self._open_page(page_data("/checkout"))
        await self._read_until(lambda: bool(self.vars.get(f"{_CHECKOUT}.bill")))
        await self._send_and_wait(
            f"{_CHECKOUT}.next", lambda: self._was_redirected_to("/personal-info")
        )

    async def _enter_details(self) -> None:
        await self._open_page(page_data("/personal-info"))
        form = {**CUSTOMER, "email": self.email}
        confirmed_email = f"{_CUSTOMER}.confirmed_email"
        await self._send_and_wait(
            f"{_CUSTOMER}.next", lambda: self.vars.get(confirmed_email) == self.email, form=form
        )
        await self._send_and_wait(
            f"{_CUSTOMER}.next", lambda: self._was_redirected_to("/waiting-room"), form=form
        )

    async def _open_waiting_room(self) -> None:
        await self._open_page(page_data("/waiting-room"))
        await self._read_until(lambda: self.vars.get(f"{_WAITING}.seconds", -1) > 0)

    async def request_payment(self) -> str:
        """Place the order; return the URL of its payment page."""
        await self._open_waiting_room()
        # The note is part of the order: another note would make another order.
        await self._store_note(_NOTE)
        pay_url = f"{_WAITING}.pay_url"
        await self._send_and_wait(f"{_WAITING}.pay", lambda: bool(self.vars.get(pay_url)))
        return self.vars[pay_url]

    async def _pay(self) -> None:
        pay_url = await self.request_payment()
        (self.order,) = parse_qs(urlsplit(pay_url).query)["order_id"]
        form = {"order_id": self.order, "button": "pay"}
        async with httpx.AsyncClient(
            base_url=self._url, trust_env=False, verify=ssl_context(), timeout=20
        ) as browser:
            # The page's cookie leads back to the receipt: without it the return knows no token.
            page = await self._answer(lambda: browser.get(pay_url))
            assert page.status_code == 200, page.text
            response = await self._answer(lambda: browser.post("/sandbox/pay", data=form))
            assert response.status_code == 303, response.text
        self._return_path = urlsplit(response.headers["location"]).path

    async def _answer(self, send: Callable[[], Awaitable[httpx.Response]]) -> httpx.Response:
        """Return the answer to a request; send it again until a process answers.

        A payment page is not requested anew: a paid order has none.
        """
        while True:
            try:
                response = await send()
            except httpx.TransportError as error:
                self._note(repr(error))
            else:
                if response.status_code < 500:
                    return response
                self._note(f"{response.status_code} {response.text}")
            await asyncio.sleep(_RETRY_SECONDS)

    async def _return_from_payment(self) -> None:
        splat = self._return_path.removeprefix("/forms/response/")
        await self._open_page(page_data(self._return_path, splat=[splat]))
        await self._wait_until_processed()  # the poll with which the page opens
        while self.vars.get(f"{_RETURN}.stored_number") != self.order:
            redirect_count = len(self._redirects)
            # The server gives up after a number of polls: they must be as slow as the page's.
            await asyncio.sleep(self.vars[f"{_RETURN}.poll_ms"] / 1_000)
            await self._send(f"{_RETURN}.poll")
            await self._wait_until_processed()
            assert len(self._redirects) == redirect_count, self._redirects
        await self._send_and_wait(
            f"{_RETURN}.confirm",
            lambda: self._was_redirected_to("/order-confirmation"),
            number=self.order,
        )
        self._confirmation_address = self._redirects[-1]

    async def _open_confirmation(self) -> None:
        query = {
            key: value[0]
            for key, value in parse_qs(urlsplit(self._confirmation_address).query).items()
        }
        await self._open_page(page_data(self._confirmation_address, **query))
        await self._read_until(lambda: self.vars.get(f"{_CONFIRMATION}.is_paid") is True)
        assert self.vars[f"{_CONFIRMATION}.order_id"] == self.order

    def _in_cart(self, dish: str) -> int:
        dishes = self.vars.get(f"{CART}.cart", "").rpartition("|")[2]
        quantities = dict(each.split(":") for each in dishes.split(",") if each)
        return int(quantities.get(dish, 0))

    def _was_redirected_to(self, target: str) -> bool:
        return any(urlsplit(each).path == target for each in self._redirects)

    async def _open_page(self, page: dict[str, Any]) -> None:
        """Open a page, as a link of the open page or as the first one."""
        self._address = page
        self._redirects.clear()
        self.vars[_IS_HYDRATED] = False
        if self._socket is None:
            await self._connect()
        else:
            await self._send(_ON_LOAD)
        await self._read_until(lambda: self.vars[_IS_HYDRATED] is True)

    async def _connect(self) -> None:
        host = urlsplit(self._url).netloc
        self._socket = await connect(
            f"ws://{host}/_event/?token={self.token}&EIO=4&transport=websocket",
            origin=self._origin,
            max_size=None,
            ping_interval=None,
            compression=None,
            proxy=None,
            open_timeout=10,
        )
        self.connection_count += 1
        event = {
            "name": f"{ROOT}.hydrate_and_load",
            "payload": {"vars": self._storage},
            "router_data": self._address,
        }
        await self._socket.send(f"40{NAMESPACE}," + json.dumps({"event": event}))

    async def _send_and_wait(
        self, name: str, condition: Callable[[], bool], /, **payload: Any
    ) -> None:
        """Send an event; return when the condition is true."""
        await self._send(name, **payload)
        await self._read_until(condition)

    async def _wait_until_processed(self) -> None:
        """Return when all sent events have been processed."""
        await self._store_note(secrets.token_hex(4))

    async def _store_note(self, note: str) -> None:
        """Change the note for the door; return when the server has sent the change."""
        draft = f"{_CHECKOUT}.draft"
        await self._send_and_wait(
            f"{_CUSTOMER}.store_value",
            lambda: f'"doorNote":"{note}"' in self.vars.get(draft, ""),
            name="deliveryInstructions",
            value=note,
        )

    async def _send(self, name: str, /, **payload: Any) -> None:
        if self._socket is None:
            raise Disconnected
        self._note(f"sent {name}")
        event = {"name": name, "payload": payload, "router_data": self._address}
        await self._socket.send(f"42{NAMESPACE}," + json.dumps(["event", event]))

    async def _read_until(self, condition: Callable[[], bool]) -> None:
        if self._socket is None:
            raise Disconnected
        while not condition():
            await self._handle(str(await self._socket.recv()))

    async def _handle(self, text: str) -> None:
        self._note(text)
        if text == "2" and self._socket:
            await self._socket.send("3")
        if not text.startswith(f"42{NAMESPACE},"):
            return
        kind, content = json.loads(text.removeprefix(f"42{NAMESPACE},"))[:2]
        if kind == "new_token":
            self.token = content
        elif kind == "event":
            for event in content.get("events") or []:
                if event["name"] == "_redirect":
                    self._redirects.append(event["payload"]["path"])
            for state, changes in (content.get("delta") or {}).items():
                for name, value in changes.items():
                    self._set_var(f"{state}.{name.removesuffix(FIELD)}", value)

    def _set_var(self, name: str, value: Any) -> None:
        self.vars[name] = value
        if name in _STORED:
            self._storage[name] = value


@contextlib.asynccontextmanager
async def open_visitors(url: str, count: int) -> AsyncIterator[list[Visitor]]:
    """Yield visitors; close their connections afterwards."""
    visitors = [Visitor(url, number) for number in range(count)]
    try:
        yield visitors
    finally:
        await asyncio.gather(*(each.leave() for each in visitors), return_exceptions=True)
