"""What a kitchen board sends to its devices, as the members of a JSON object."""

from collections.abc import Mapping, Sequence
from typing import Any

from campus_app.catalogue.rules.errors import MenuUnavailable
from campus_app.catalogue.rules.menu import Dish, Spice
from campus_app.kitchen import wiring
from campus_app.kitchen.rules.kitchen import Ticket
from campus_app.ordering.rules.cooking import CookingState
from campus_app.ordering.rules.customer import format_phone
from campus_app.ordering.rules.order import OrderLine
from campus_app.ordering.rules.shortage import WHOLE_ORDER, Shortage, ShortageAnswer
from campus_app.shared.rules.constants import CAMPUS_TIME_ZONE, HELD_SECONDS, UNDO_SECONDS
from campus_app.shared.rules.money import format_rupees
from kit.clock import to_ms
from kit.text import isolate

_MS = 1000
_MOST_HANDED_OVER = 20
"""How many of the tickets that were handed over are sent: the board is sent whole each time."""


def board_of(restaurant_id: int, tickets: Sequence[Ticket]) -> dict[str, Any]:
    """Return the board of a kitchen: its name and tickets, in the sequence of their due times."""
    restaurant = wiring.services().catalogue.restaurant(restaurant_id)
    dishes = _dishes(restaurant_id)
    ordered = sorted(_shown(tickets), key=lambda each: (each.due_from, each.order_id))
    return {
        "restaurant": str(restaurant_id),
        "name": restaurant.name if restaurant else "",
        "heldMs": HELD_SECONDS * _MS,
        "tickets": [_ticket(each, dishes) for each in ordered],
    }


def _ticket(ticket: Ticket, dishes: Mapping[str, Dish]) -> dict[str, Any]:
    cooking, table = ticket.cooking, ticket.reservation
    shortages = _open_shortages(ticket)
    short = {each.dish_id for each in shortages}
    replaced = {each.replacement_id: each.name for each in ticket.shortages if each.replacement_id}
    return {
        "id": ticket.order_id,
        "number": ticket.number,
        "state": cooking.state,
        "previous": cooking.previous,
        "undoUntil": to_ms(cooking.changed_at) + UNDO_SECONDS * _MS if cooking.changed_at else 0,
        "isCancelled": ticket.is_cancelled,
        "paidAt": to_ms(ticket.paid_at),
        "dueFrom": to_ms(ticket.due_from),
        "lines": [
            _line(line, dishes.get(line.dish_id))
            | {
                "isShort": line.dish_id in short or WHOLE_ORDER in short,
                "insteadOf": isolate(replaced.get(line.dish_id, "")),
            }
            for line in ticket.lines
        ],
        "shortages": [_shortage(each) for each in shortages],
        "note": isolate(ticket.instructions.note),
        "doorNote": isolate(ticket.instructions.door_note),
        "noCutlery": ticket.instructions.no_cutlery,
        "customer": isolate(ticket.customer_name),
        "phone": format_phone(ticket.phone) if ticket.phone else "",
        "campus": "" if table else ticket.campus,
        "address": "" if table else isolate(ticket.address),
        "slot": f"{table.slot:%H:%M}" if table else "",
        "party": str(table.party_size) if table else "",
        "collect": format_rupees(ticket.to_collect),
    }


def _open_shortages(ticket: Ticket) -> list[Shortage]:
    """Return what the customer has not chosen yet; nothing of a cancelled order."""
    is_open = ShortageAnswer.OPEN
    return [] if ticket.is_cancelled else [s for s in ticket.shortages if s.answer is is_open]


def _shortage(shortage: Shortage) -> dict[str, Any]:
    until = shortage.answer_by.astimezone(CAMPUS_TIME_ZONE)
    is_told = shortage.answer_by > shortage.told_at
    return {
        "dishId": shortage.dish_id,
        "name": isolate(shortage.name),
        "until": f"{until:%H:%M}" if is_told else "",
    }


def _line(line: OrderLine, dish: Dish | None) -> dict[str, Any]:
    """Return a dish of an order; the menu may have lost it, or sell another one by its id."""
    return {
        "id": line.dish_id,
        "quantity": line.quantity,
        "name": isolate(line.name),
        "localNames": {code: each.name for code, each in dish.local.items() if each.name}
        if dish
        else {},
        "spice": str(dish.marks.spice.value if dish else Spice.UNKNOWN.value),
    }


def _shown(tickets: Sequence[Ticket]) -> list[Ticket]:
    """Return the tickets without those that were handed over first, of which only a few stay."""
    done = [each for each in tickets if each.cooking.state is CookingState.HANDED_OVER]
    latest = sorted(done, key=lambda each: each.cooking.changed_at or each.paid_at)
    left_out = {each.order_id for each in latest[:-_MOST_HANDED_OVER]}
    return [each for each in tickets if each.order_id not in left_out]


def _dishes(restaurant_id: int) -> Mapping[str, Dish]:
    """Return the dishes of a kitchen's menu, by their ids."""
    try:
        menu = wiring.services().catalogue.menu(restaurant_id)
    except MenuUnavailable:
        return {}
    return {dish.id: dish for dish in menu.dishes}
