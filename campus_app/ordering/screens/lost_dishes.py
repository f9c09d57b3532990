"""The dishes of a cart that its menu has lost for the moment."""

from campus_app.catalogue.rules.menu import Menu
from campus_app.ordering import wiring
from campus_app.ordering.rules.cart import Cart, FollowedMenu, are_lost_dishes_kept
from campus_app.ordering.screens.browser_storage import cart_from
from campus_app.shared.rules.constants import LOST_DISH_MINUTES
from campus_app.shared.rules.messages import MenuMessage
from kit.text import join_isolated


async def kept_lost_dishes(text: object, cart: Cart | None) -> Cart | None:
    """Return the lost dishes of a stored text, if they are still kept for this cart."""
    now = wiring.services().clock.now()
    lost = cart_from(text, now)
    if lost is None or not are_lost_dishes_kept(lost.changed_at, now):
        return None
    if cart is not None:
        return lost if cart.key == lost.key else None
    # An ordered cart is empty, too.
    _, newest = await wiring.services().carts.newest(lost.key)
    return None if newest is not None and newest.order.state.is_paid else lost


def lost_dishes_messages(menu: Menu, followed: FollowedMenu) -> list[str]:
    """Return the messages about the dishes that a cart has lost, and those that it has again."""
    name_before = wiring.services().catalogue.name_before
    gone = [name_before(menu.restaurant_id, id_) for id_ in followed.gone]
    back = [menu.by_id[id_].name for id_ in followed.back]
    lost = MenuMessage.DISHES_LOST if all(gone) else MenuMessage.UNNAMED_DISHES_LOST
    messages: list[str] = []
    if gone:
        messages.append(lost.of(dishes=join_isolated(gone), minutes=LOST_DISH_MINUTES))
    if back:
        messages.append(MenuMessage.DISHES_BACK.of(dishes=join_isolated(back)))
    return messages
