"""The JSON that the commands print for programs. The shapes are in docs/operators.md."""

import json
from collections.abc import Mapping, Sequence
from datetime import datetime, time
from decimal import Decimal
from pathlib import Path
from typing import Any

import click
from pydantic.alias_generators import to_camel

from campus_app.catalogue.csv.checks import CheckedFile
from campus_app.catalogue.csv.menu_images import PriceDifference
from campus_app.catalogue.rules.restaurant import Restaurant, RestaurantState
from campus_app.catalogue.services.availability import RestaurantStatus
from campus_app.catalogue.services.menu_versions import CurrentMenu
from campus_app.kitchen.rules.day_sheet import DaySheet
from campus_app.kitchen.rules.kitchen import KitchenDevice
from campus_app.operators.posters import menu_address
from campus_app.operators.rules.desk import DeskDevice
from campus_app.operators.rules.figures import SALES, Figures
from campus_app.operators.rules.order_admin import OrderPage
from campus_app.operators.screens.desk_today_view import AttentionRow
from campus_app.operators.services.operations import OrderDetails, OverrideResult
from campus_app.ordering.rules.offer_list import offer_json
from campus_app.ordering.rules.offer_version import OfferVersion
from campus_app.ordering.rules.offers import Offer
from campus_app.ordering.rules.refund import RefundRecord
from campus_app.ordering.services.refunds import RefundReport
from campus_app.shared.rules.audit import AuditEntry
from campus_app.shared.rules.campus import Campus
from campus_app.shared.rules.constants import CAMPUS_TIME_ZONE
from campus_app.shared.rules.money import json_number
from kit.outbox.store import FailedJobs

Json = dict[str, Any]


def print_json(content: Json) -> None:
    """Print an object: money in rupees, times in campus time."""
    click.echo(json.dumps(content, default=_encoded, ensure_ascii=False, indent=2))


def posters(file: Path, known: Sequence[Restaurant], origin: str) -> Json:
    """Return the written file, and the address in the QR code of each restaurant."""
    return {
        "file": str(file),
        "posters": [
            {"id": each.id, "name": each.name, "address": menu_address(each, origin)}
            for each in known
        ],
    }


def attention(rows: Sequence[AttentionRow]) -> Json:
    """Return what needs somebody; `subject` is the key of an order, a kitchen's id or a topic."""
    names = ("kind", "subject", "name", "what", "todo", "detail", "waits")
    return {"lines": [{name: row[name] for name in names} for row in rows]}


def _encoded(value: object) -> object:
    if isinstance(value, Decimal):
        return json_number(value)
    if isinstance(value, datetime):
        return value.astimezone(CAMPUS_TIME_ZONE).isoformat(timespec="seconds")
    if isinstance(value, Mapping):
        return dict(value)
    return f"{value:%H:%M}" if isinstance(value, time) else str(value)


def _members(record: object, *names: str, **renamed: str) -> Json:
    """Return attributes of a record as members in camelCase; `new_name="old_name"` renames one."""
    sources = dict(zip(names, names, strict=True)) | renamed
    return {to_camel(name): getattr(record, source) for name, source in sources.items()}


def restaurants(known: Mapping[int, Restaurant], statuses: Sequence[RestaurantStatus]) -> Json:
    """Return the restaurants with their statuses."""
    lines: list[Json] = []
    for status in statuses:
        restaurant = known[status.restaurant_id]
        campuses = [campus for campus in Campus if campus in restaurant.campuses]
        lines.append(
            {
                **_members(status, "state", "is_open", "message", "back_at", id="restaurant_id"),
                "name": restaurant.name,
                "hours": str(restaurant.hours),
                "hoursToday": status.hours or str(restaurant.hours),
                "campuses": campuses,
            }
        )
    return {"restaurants": lines}


def override(result: OverrideResult) -> Json:
    """Return a restaurant's new status, and whether the running server set it."""
    status = _members(result.status, "restaurant_id", "is_open", "message", "state", "back_at")
    return {**status, "setByServer": result.by_server}


def restaurant_day(restaurant: Restaurant, state: RestaurantState, now: datetime) -> Json:
    """Return today's hours and seats of a restaurant, beside the usual ones."""
    hours, today = restaurant.hours, now.astimezone(CAMPUS_TIME_ZONE).date()
    day = hours.day_at(now)
    return {
        "restaurantId": restaurant.id,
        "state": state,
        "day": day,
        "hours": str(hours.on(day)),
        "usualHours": str(hours),
        "seatsPerSlot": restaurant.seats_on(today),
        "usualSeatsPerSlot": restaurant.seats_per_slot,
    }


def sold_out(result: OverrideResult) -> Json:
    """Return the dishes that a restaurant has sold out, and whether the running server set it."""
    status = result.status
    return {
        "restaurantId": status.restaurant_id,
        "soldOut": list(status.sold_out),
        "setByServer": result.by_server,
    }


def orders(page: OrderPage) -> Json:
    """Return a list of orders, without personal data."""
    columns = (
        *("created_at", "restaurant_id", "restaurant_name", "state", "payment_state"),
        *("grand_total", "paid", "refund_reason", "failed_notifications"),
    )
    renamed = {
        "key": "id",
        "order_id": "number",
        "pre_order_payment": "online",
        "remaining_payment": "remaining",
    }
    return {
        "orders": [_members(line, *columns, **renamed) for line in page.lines],
        "total": page.total,
    }


def day_sheet(sheet: DaySheet) -> Json:
    """Return the account of a day."""
    columns = ("restaurant_id", "restaurant_name", "paid_at", "state", "dishes", "grand_total")
    amounts = ("paid", "to_collect", "refunded", "refund_due")
    return {
        "day": sheet.day,
        "orders": [_members(line, *columns, *amounts, order_id="number") for line in sheet.lines],
        "sums": _members(sheet.sums, "grand_total", *amounts),
    }


def figures(found: Figures) -> Json:
    """Return the figures of a span, beside the sums of the span before."""
    return {
        **_members(found.span, "first", "last"),
        "sums": _members(found.sums, *SALES),
        "before": _members(found.before, *SALES),
        "tables": {
            key.value: [
                {"name": name}
                | {
                    to_camel(each): value
                    for each, value in zip(table.measures, values, strict=True)
                }
                for name, values in table.lines
            ]
            for key, table in found.tables.items()
        },
    }


def order(details: OrderDetails) -> Json:
    """Return all details of an order."""
    ordered, table = details.order, details.order.reservation
    return {
        **_members(ordered, "created_at", "state", "refund_reason", "restaurant_id"),
        **_members(ordered, "restaurant_name", "campus", key="id", order_id="number"),
        **_members(ordered, order_type="type"),
        **_members(
            ordered.instructions,
            "no_cutlery",
            special_instructions="note",
            delivery_instructions="door_note",
        ),
        "reservation": table and _members(table, "date", "party_size", time_slot="slot"),
        "userDetails": _members(
            ordered.customer, "full_name", "email", "address", phone_number="phone"
        ),
        "items": [
            _members(line, "name", "price", "quantity", id="dish_id") for line in ordered.lines
        ],
        "bill": _members(
            ordered.bill,
            *("subtotal", "discount", "discount_name", "delivery_fee", "convenience_fee"),
            "grand_total",
            dog_donation="donation",
            pre_order_payment="online",
            remaining_payment="remaining",
        ),
        "payment": _members(
            details.payment,
            *("provider", "reference", "provider_payment_id", "state", "reason", "amount"),
            *("paid", "created_at", "expires_at", "paid_at"),
            currency="paid_currency",
        ),
        "refunds": _refunds(details.refunds),
        "cooking": _members(details.cooking, "state", "seen_at", "changed_at"),
        "notifications": [
            _members(each, "topic", "state", "attempts", "last_error", "next_try_at", "done_at")
            for each in details.notifications
        ],
        **audit(details.audit),
    }


def refunds(report: RefundReport) -> Json:
    """Return an order's refunds."""
    return {
        **_members(report.order, key="id", order_id="number"),
        "refunds": _refunds(report.refunds),
    }


def menu_sources(menus: Sequence[CurrentMenu], names: Mapping[int, str]) -> list[Json]:
    """Return where each menu comes from, and its latest version at the desk."""
    return [
        {
            **_members(each, "restaurant_id", "source", version="number"),
            "restaurantName": names[each.restaurant_id],
            "since": each.latest.at if each.latest else None,
            "author": each.latest.author if each.latest else "",
            "note": each.latest.note if each.latest else "",
        }
        for each in menus
    ]


def offers(current: Sequence[Offer], latest: OfferVersion | None) -> Json:
    """Return the offers, and the version that says so; the product's own ones have the number 0."""
    return {
        "version": latest.number if latest else 0,
        "since": latest.at if latest else None,
        "author": latest.author if latest else "",
        "note": latest.note if latest else "",
        "offers": [offer_json(each) for each in current],
    }


def files(
    checked: Sequence[CheckedFile],
    differences: Sequence[PriceDifference],
    of_desk: Sequence[CurrentMenu],
) -> Json:
    """Return the faults in the data files, and prices that differ from the original menus.

    `of_desk` are the menus whose files are not sold.
    """
    return {
        "files": [
            {
                **_members(file, "valid_rows", file="name"),
                "faults": [_members(fault, "row", "column", "reason") for fault in file.faults],
            }
            for file in checked
        ],
        "faults": sum(len(file.faults) for file in checked),
        "priceDifferences": [
            _members(each, "restaurant_id", "dish_id", "name", "pictured", "price")
            for each in differences
        ],
        "menusOfDesk": [_members(each, "restaurant_id", version="number") for each in of_desk],
    }


def kitchen_devices(devices: Sequence[KitchenDevice], names: Mapping[int, str]) -> Json:
    """Return the kitchens' devices; `names` are those of the restaurants, by id."""
    columns = ("id", "restaurant_id", "enrolled_at", "last_used_at")
    return {
        "devices": [
            {**_members(each, *columns), "restaurantName": names.get(each.restaurant_id, "")}
            for each in devices
        ]
    }


def desk_devices(devices: Sequence[DeskDevice]) -> Json:
    """Return the devices of the desk."""
    columns = ("id", "name", "role", "enrolled_at", "last_used_at")
    return {"devices": [_members(each, *columns) for each in devices]}


def failed_mails(failed: Sequence[FailedJobs]) -> Json:
    """Return the e-mails that wait or were given up."""
    columns = ("topic", "reason", "is_waiting", "count")
    return {
        "mails": [
            {**_members(each, *columns), "nextTryAt": each.next_run_at if each.is_waiting else None}
            for each in failed
        ]
    }


def audit(entries: Sequence[AuditEntry]) -> Json:
    """Return entries of the audit trail."""
    columns = ("at", "actor", "action", "subject", "details")
    return {"audit": [_members(entry, *columns) for entry in entries]}


def _refunds(records: Sequence[RefundRecord]) -> list[Json]:
    columns = ("id", "amount", "reason", "state", "marked_at")
    return [_members(each, *columns, settled_at="completed_at") for each in records]
