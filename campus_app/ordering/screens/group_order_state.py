"""The events of a group order's page. Every key, id and name is validated: clients send anything.

Source: specification 10.68 to 10.72.
"""

from collections.abc import Awaitable, Callable
from typing import Any

import reflex as rx

from campus_app.ordering import wiring
from campus_app.ordering.rules import group_order as rules
from campus_app.ordering.rules.group_order import GroupOrder, GroupState
from campus_app.ordering.screens.cart_refusals import can_name_dish, refusal_of_dish
from campus_app.ordering.screens.cart_state import current_cart
from campus_app.ordering.screens.group_cart import follow_group, store_group_cart
from campus_app.ordering.screens.group_order_view import (
    GroupView,
    group_link,
    group_view,
    new_view,
    unsold_dishes,
)
from campus_app.ordering.screens.new_cart_state import NewCart, offer_cart, withdraw_offer
from campus_app.ordering.screens.reservation_state import ordered_table
from campus_app.ordering.services.group_orders import Follower
from campus_app.ordering.sql.group_orders import StoredGroupOrder
from campus_app.shared.rules import routes
from campus_app.shared.rules.errors import OrderingError
from campus_app.shared.rules.messages import GroupOrderMessage
from campus_app.shared.translations import t
from kit.rate_limit import rate_limit_key
from kit.text import join_isolated

_NAME = "name"
"""The field of the form."""
_ORDERABLE = (GroupState.OPEN, GroupState.LOCKED)


class GroupOrderState(rx.State):
    """A group order as this page shows it; pushes update it between events."""

    key: str = rx.LocalStorage("", name="groupKey", sync=True)
    """The browser's secret, by which the server recognises its dishes in all group orders."""
    view: GroupView = {}  # pyright: ignore[reportAssignmentType] - {}: every page's script has it
    refusal: str = ""
    """Why the last change was refused, in the visitor's language."""

    @rx.event
    async def open(self):
        """Show the group order of the link, or how to begin one without a link."""
        self._say_refusal("")
        restaurant_id = self._restaurant_id()
        await withdraw_offer(self)
        if self._token():
            await self._show(await self._found())
            return None
        cart = await current_cart(self)
        if cart and cart.restaurant_id == restaurant_id and rules.is_group_cart(cart.key):
            found = await wiring.services().group_orders.of_cart(cart.key)
            if found and self._state_of(found) is not GroupState.ENDED:
                return rx.redirect(group_link(found.group), replace=True)
        self._stop_following()
        self.view = new_view(restaurant_id)
        return None

    @rx.event
    async def join(self, form: dict[str, Any]):
        """Begin a group order, or join that of the link, under the name of the form."""
        name = form.get(_NAME) if isinstance(form, dict) else ""
        if self._token():
            await self._change(lambda orders, id_: orders.join(id_, self._own_key(), name))
            return None
        return await self._begin(name)

    @rx.event
    async def add_dish(self, dish_id: str):
        """Add one unit of a dish to those of the visitor."""
        restaurant_id = self._restaurant_id()
        if not can_name_dish(restaurant_id, dish_id):
            return
        refusal = refusal_of_dish(None, restaurant_id, dish_id) or self._why_closed()
        if refusal:
            self._say_refusal(t(refusal))
            return
        await self._change(lambda orders, id_: orders.step(id_, self.key, dish_id, 1))

    @rx.event
    async def remove_dish(self, dish_id: str):
        """Take one unit of a dish out of those of the visitor."""
        if isinstance(dish_id, str):
            await self._change(lambda orders, id_: orders.step(id_, self.key, dish_id, -1))

    @rx.event
    async def take_out(self, member_id: str, dish_id: str):
        """Take out a member's dish, or with an empty `dish_id` the guest; only the owner may."""
        if isinstance(member_id, str) and isinstance(dish_id, str):
            await self._change(
                lambda orders, id_: orders.take_out(id_, self.key, member_id, dish_id)
            )

    @rx.event
    async def lock(self):
        """Lock the group order, and go on to the order summary with the dishes of all members."""
        found = await self._found()
        if found is None or not self._is_owner(found.group):
            return None
        group = found.group
        if self._state_of(found) not in _ORDERABLE:
            await self._show(found)
            return None
        if refusal := await self._why_not_ordered(group):
            self._say_refusal(refusal)
            return None
        if not group.is_locked:
            locked = await self._change(lambda orders, id_: orders.lock(id_, self.key))
            if locked is None:
                return None
            group = locked
        new = NewCart(group.restaurant_id, group.quantities, key=group.cart_key)
        return await offer_cart(self, new)

    @rx.event
    async def unlock(self):
        """Let all members change the group order again."""
        await self._change(lambda orders, id_: orders.unlock(id_, self.key))

    @rx.event
    def forget_refusal(self):
        """Remove the refusal, which has been shown for long enough."""
        self.refusal = ""

    async def _begin(self, name: object):
        restaurant_id = self._restaurant_id()
        services = wiring.services()
        try:
            services.ordering.require_open_id(restaurant_id)
            cart = await current_cart(self)
            client = rate_limit_key(self.router.session.client_ip)
            group = await services.group_orders.begin(
                restaurant_id, rules.parse_name(name), self._own_key(), cart, client
            )
        except OrderingError as refused:
            self._say_refusal(t(refused.message))
            return None
        self._say_refusal("")
        if cart is None or cart.restaurant_id == restaurant_id:
            await store_group_cart(self, group)
        return rx.redirect(group_link(group), replace=True)

    async def _change(self, change: Callable[..., Awaitable[GroupOrder]]) -> GroupOrder | None:
        """Make a change of the link's group order and show it; None if it was refused."""
        found, group = await self._found(), None
        if found is not None:
            try:
                group = await change(wiring.services().group_orders, found.group.id)
                self._say_refusal("")
            except OrderingError as refused:
                self._say_refusal(t(refused.message))
        if group is not None and self._is_owner(group):
            await follow_group(self, group)
        # Last: what is pushed between this and the end of the event would be overwritten.
        await self._show(await self._found())
        return group

    async def _why_not_ordered(self, group: GroupOrder) -> str:
        """Return why the dishes of a group order can't be ordered now; empty if they can."""
        if unsold := unsold_dishes(group):
            return t(GroupOrderMessage.NOT_SOLD.of(dishes=join_isolated(unsold)))
        ordering = wiring.services().ordering
        table = await ordered_table(self, group.restaurant_id)
        try:
            ordering.require_open_id(group.restaurant_id)
            totals = ordering.price_dishes(
                group.restaurant_id, group.quantities, is_pre_reserved=table is not None
            ).totals
        except OrderingError as refused:
            return t(refused.message)
        return t(totals.shortfall_message) if totals.shortfall else ""

    def _why_closed(self) -> str:
        try:
            wiring.services().ordering.require_open_id(self._restaurant_id())
        except OrderingError as closed:
            return closed.message
        return ""

    async def _found(self) -> StoredGroupOrder | None:
        return await wiring.services().group_orders.find(self._token(), self._restaurant_id())

    async def _show(self, found: StoredGroupOrder | None) -> None:
        """Show a group order, and register this page for pushes of its changes."""
        if found is None:
            self._stop_following()
            self.view = group_view(None, "")
            return
        key_hash = self._key_hash(found.group)
        self.view = view = group_view(found, key_hash)
        wiring.services().group_orders.followers.show(
            self.router.session.session_id, Follower(found.group.id, key_hash), view
        )

    def _stop_following(self) -> None:
        """Let no change of the group order that was shown before replace what is shown now."""
        wiring.services().group_orders.followers.close(self.router.session.session_id)

    def _own_key(self) -> str:
        if not rules.is_key(self.key):
            self.key = rules.new_key()
        return self.key

    def _key_hash(self, group: GroupOrder) -> str:
        return rules.hash_of_key(self.key, group.id) if rules.is_key(self.key) else ""

    def _is_owner(self, group: GroupOrder) -> bool:
        return group.is_owner(self._key_hash(group))

    def _state_of(self, found: StoredGroupOrder) -> GroupState:
        return wiring.services().group_orders.state_of(found)

    def _token(self) -> str:
        return self.router.url.query_parameters.get(routes.GROUP, "")

    def _restaurant_id(self) -> int:
        """Return the id in the address, or 0 if it is not an id: clients can forge addresses."""
        return routes.parse_restaurant_id(getattr(self, "restaurant_id", "")) or 0

    def _say_refusal(self, words: str) -> None:
        if words != self.refusal:
            self.refusal = words
