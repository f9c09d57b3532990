"""Group orders: who may change what, and the open pages that show a group order.

Source: specification 10.68 to 10.72.
"""

import asyncio
from collections.abc import Awaitable, Callable, Collection, Mapping
from dataclasses import dataclass, replace
from datetime import timedelta

from campus_app.ordering.rules import group_order as rules
from campus_app.ordering.rules.cart import Cart
from campus_app.ordering.rules.group_order import GroupOrder, GroupState, Member
from campus_app.ordering.sql.group_orders import SqlGroupOrders, StoredGroupOrder
from campus_app.shared.rules.constants import MAXIMUM_GROUP_CHANGES_PER_MINUTE
from campus_app.shared.rules.errors import Conflict, NotFound
from campus_app.shared.rules.messages import GroupOrderMessage
from kit.clock import Clock
from kit.open_views import OpenViews
from kit.rate_limit import RateLimiter

_RETENTION = timedelta(days=1)
"""How long after its last change a group order is stored, with the names of its members."""
_ATTEMPTS = 20
"""How often a change is tried again because another one was stored first."""


@dataclass(frozen=True)
class Follower:
    """An open page: the group order that it shows, and the hash of its member's key, or ""."""

    group_id: str
    key_hash: str


class GroupOrders:
    """Stores group orders, and wakes the pages that show them when one has changed."""

    def __init__(
        self,
        store: SqlGroupOrders,
        clock: Clock,
        publish_change: Callable[[], Awaitable[None]],
        begin_limit: RateLimiter,
    ) -> None:
        self.store = store
        self.clock = clock
        self._publish_change = publish_change
        self._begin_limit = begin_limit
        self._change_limit = RateLimiter.within_a_minute(MAXIMUM_GROUP_CHANGES_PER_MINUTE)
        self.changed = asyncio.Event()
        """Set when the open pages may be outdated."""
        self.followers: OpenViews[Follower] = OpenViews(self.changed.set)

    async def begin(
        self, restaurant_id: int, name: str, key: str, cart: Cart | None, client: str
    ) -> GroupOrder:
        """Store a new group order of the browser with a key; `client` is limited per minute.

        Its owner's dishes are those of an ordinary cart at the same restaurant.

        `name` is one of `parse_name`.

        Raises:
            Conflict: `group_order_limit`.
        """
        if self._begin_limit.retry_after(client):
            raise Conflict("group_order_limit", GroupOrderMessage.TOO_FAST)
        cart_key = rules.new_cart_key()
        id_ = rules.group_order_id(rules.link_token(cart_key))
        owner = Member(rules.hash_of_key(key, id_), name)
        if cart is not None and cart.restaurant_id == restaurant_id:
            owner = replace(owner, quantities=dict(cart.quantities))
        group = rules.begin(restaurant_id, owner, cart_key, self.clock.now())
        await self.store.create(group)
        return group

    async def find(self, token: object, restaurant_id: int) -> StoredGroupOrder | None:
        """Return the group order of a link, or None if there is none at this restaurant."""
        if not isinstance(token, str) or not rules.is_key(token):
            return None
        found = await self.store.find(rules.group_order_id(token))
        return found if found and found.group.restaurant_id == restaurant_id else None

    async def of_cart(self, cart_key: str) -> StoredGroupOrder | None:
        """Return the group order of its owner's cart."""
        found = await self.store.find(rules.group_order_id(rules.link_token(cart_key)))
        return found if found and found.group.cart_key == cart_key else None

    async def find_all(self, ids: Collection[str]) -> Mapping[str, StoredGroupOrder]:
        """Return the group orders with these ids, by their ids."""
        return await self.store.find_all(ids)

    def state_of(self, found: StoredGroupOrder) -> GroupState:
        """Return the current state of a group order."""
        return rules.state_of(found.group, found.order, self.clock.now())

    async def join(self, group_id: str, key: str, name: str) -> GroupOrder:
        """Add a guest, or change the name of a member. Raises: as `step`, and Invalid."""
        guest_name = rules.parse_name(name)
        return await self._change(
            group_id, key, lambda group, key_hash: rules.with_name(group, key_hash, guest_name)
        )

    async def step(self, group_id: str, key: str, dish_id: str, by: int) -> GroupOrder:
        """Add one unit of a dish to those of a member, or take one out.

        Raises:
            NotFound: If there is no such group order.
            Conflict: If the key is no member's, the group order is not open, or a limit is reached.
        """
        return await self._change(
            group_id, key, lambda group, key_hash: rules.with_step(group, key_hash, dish_id, by)
        )

    async def take_out(
        self, group_id: str, owner_key: str, member_id: str, dish_id: str
    ) -> GroupOrder:
        """Take a dish of any member out, or without a dish a guest; only the owner may."""

        def change(group: GroupOrder, key_hash: str) -> GroupOrder:
            _require_owner(group, key_hash)
            if dish_id:
                return rules.without_dish(group, member_id, dish_id)
            return rules.without_guest(group, member_id)

        return await self._change(group_id, owner_key, change)

    async def lock(self, group_id: str, owner_key: str) -> GroupOrder:
        """Let nobody change a group order, because its owner goes on to the payment."""

        def change(group: GroupOrder, key_hash: str) -> GroupOrder:
            _require_owner(group, key_hash)
            return replace(group, is_locked=True)

        return await self._change(group_id, owner_key, change)

    async def unlock(self, group_id: str, owner_key: str) -> GroupOrder:
        """Let all members change a locked group order again; only the owner may."""

        def change(group: GroupOrder, key_hash: str) -> GroupOrder:
            _require_owner(group, key_hash)
            return replace(group, is_locked=False)

        return await self._change(group_id, owner_key, change, is_locked=True)

    async def delete_expired(self) -> int:
        """Delete the group orders whose last change is a day ago; return their number."""
        return await self.store.delete_before(self.clock.now() - _RETENTION)

    async def _change(
        self,
        group_id: str,
        key: str,
        change: Callable[[GroupOrder, str], GroupOrder],
        *,
        is_locked: bool = False,
    ) -> GroupOrder:
        """Store what `change` returns for the current group order and the hash of a key.

        It is applied again if another change was stored meanwhile: no change is lost, and each one
        has seen all that were stored before it.
        """
        key_hash = rules.hash_of_key(key, group_id)
        if self._change_limit.retry_after(key_hash):
            raise Conflict("group_order_limit", GroupOrderMessage.TOO_FAST)
        for _ in range(_ATTEMPTS):
            found = await self.store.find(group_id)
            if found is None:
                raise NotFound("unknown_group_order", GroupOrderMessage.ENDED)
            group, state = found.group, self.state_of(found)
            if not (is_locked and state is GroupState.LOCKED):
                rules.require_open(group, state)
            changed = change(group, key_hash)
            if changed == group:
                return group
            stored = await self.store.replace(replace(changed, changed_at=self.clock.now()))
            if stored is not None:
                await self._notify()
                return stored
        raise Conflict("group_order_limit", GroupOrderMessage.TOO_FAST)

    async def _notify(self) -> None:
        """Update the open pages of all processes."""
        self.changed.set()
        await self._publish_change()


def _require_owner(group: GroupOrder, key_hash: str) -> None:
    if not group.is_owner(key_hash):
        raise Conflict("group_order_stranger", GroupOrderMessage.OWNER_ONLY)
