"""What the commands print for programs. The shapes are documented in docs/operators.md."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from campus_app.adapters.csv.checks import CheckedFile
from campus_app.adapters.csv.menu_images import PriceDifference
from campus_app.domain.audit import AuditEntry
from campus_app.domain.campus import Campus
from campus_app.domain.constants import CAMPUS_TIME_ZONE
from campus_app.domain.money import json_number
from campus_app.domain.order import Order
from campus_app.domain.order_admin import NotificationRecord, OrderPage, OrderSummary, PaymentRecord
from campus_app.domain.refund import RefundRecord
from campus_app.domain.restaurant import Restaurant
from campus_app.services.availability import RestaurantStatus
from campus_app.services.operations import OrderDetails, OverrideResult
from campus_app.services.refunds import RefundReport

Json = dict[str, Any]

_BILL_FIGURES = {
    "subtotal": "subtotal",
    "discount": "discount",
    "deliveryFee": "delivery_fee",
    "convenienceFee": "convenience_fee",
    "dogDonation": "donation",
    "grandTotal": "grand_total",
    "preOrderPayment": "online",
    "remainingPayment": "remaining",
}


def restaurants_json(
    restaurants: Mapping[int, Restaurant], statuses: Sequence[RestaurantStatus]
) -> Json:
    """Return the list of restaurants."""
    return {
        "restaurants": [
            {
                "id": status.restaurant_id,
                "name": restaurants[status.restaurant_id].name,
                "state": status.state.value,
                "isOpen": status.is_open,
                "message": status.message,
                "hours": str(restaurants[status.restaurant_id].hours),
                "campuses": [
                    campus.value
                    for campus in Campus
                    if campus in restaurants[status.restaurant_id].campuses
                ],
            }
            for status in statuses
        ]
    }


def turned_json(turned: OverrideResult) -> Json:
    """Return how a switch stands now."""
    return {
        "restaurantId": turned.status.restaurant_id,
        "isOpen": turned.status.is_open,
        "message": turned.status.message,
        "state": turned.status.state.value,
        "toldServer": turned.by_server,
    }


def orders_json(page: OrderPage) -> Json:
    """Return a list of orders; nobody's name is in it."""
    return {"orders": [_line(line) for line in page.lines], "total": page.total}


def order_json(file: OrderDetails) -> Json:
    """Return all about one order."""
    order = file.order
    return {
        "key": order.id,
        "orderId": order.number,
        "createdAt": _time(order.created_at),
        "state": order.state.value,
        "refundReason": order.refund_reason,
        "restaurantId": order.restaurant_id,
        "restaurantName": order.restaurant_name,
        "campus": order.campus.value,
        "orderType": order.type.value,
        "reservation": _reservation(order),
        "userDetails": {
            "fullName": order.customer.full_name,
            "email": order.customer.email,
            "phoneNumber": order.customer.phone,
            "address": order.customer.address,
        },
        "specialInstructions": order.note,
        "items": [
            {
                "id": line.item_id,
                "name": line.name,
                "price": json_number(line.price),
                "quantity": line.quantity,
            }
            for line in order.lines
        ],
        "bill": {
            **{name: json_number(getattr(order.bill, key)) for name, key in _BILL_FIGURES.items()},
            "discountName": order.bill.discount_name,
        },
        "payment": _payment(file.payment),
        "refunds": [_refund(refund) for refund in file.refunds],
        "notifications": [_notice(notification) for notification in file.notifications],
        "audit": [_entry(entry) for entry in file.audit],
    }


def refunded_json(report: RefundReport) -> Json:
    """Return an order's refunds."""
    return {
        "key": report.order.id,
        "orderId": report.order.number,
        "refunds": [_refund(refund) for refund in report.refunds],
    }


def files_json(files: Sequence[CheckedFile], differences: Sequence[PriceDifference]) -> Json:
    """Return what was found in the files of data/; prices in rupees."""
    return {
        "files": [
            {
                "file": file.name,
                "soundRows": file.sound_rows,
                "faults": [
                    {"row": fault.row, "column": fault.column, "reason": fault.reason}
                    for fault in file.faults
                ],
            }
            for file in files
        ],
        "faults": sum(len(file.faults) for file in files),
        "priceDifferences": [
            {
                "restaurantId": each.restaurant_id,
                "itemId": each.item_id,
                "name": each.name,
                "pictured": json_number(each.pictured),
                "price": json_number(each.price),
            }
            for each in differences
        ],
    }


def purged_json(before: datetime, orders: int) -> Json:
    """Return how many orders have forgotten who ordered."""
    return {"before": _time(before), "orders": orders}


def audit_json(entries: Sequence[AuditEntry]) -> Json:
    """Return what operators did."""
    return {"audit": [_entry(entry) for entry in entries]}


def _line(line: OrderSummary) -> Json:
    return {
        "key": line.id,
        "orderId": line.number,
        "createdAt": _time(line.created_at),
        "restaurantId": line.restaurant_id,
        "restaurantName": line.restaurant_name,
        "state": line.state.value,
        "paymentState": line.payment_state.value,
        "grandTotal": json_number(line.grand_total),
        "preOrderPayment": json_number(line.online),
        "remainingPayment": json_number(line.remaining),
        "paid": None if line.paid is None else json_number(line.paid),
        "refundReason": line.refund_reason,
        "failedNotifications": list(line.failed_notifications),
    }


def _payment(payment: PaymentRecord) -> Json:
    return {
        "provider": payment.provider,
        "reference": payment.reference,
        "providerPaymentId": payment.provider_payment_id,
        "state": payment.state.value,
        "reason": payment.reason,
        "amount": json_number(payment.amount),
        "paid": None if payment.paid is None else json_number(payment.paid),
        "currency": payment.paid_currency,
        "createdAt": _time(payment.created_at),
        "expiresAt": _time(payment.expires_at),
        "paidAt": payment.paid_at and _time(payment.paid_at),
    }


def _refund(refund: RefundRecord) -> Json:
    return {
        "id": refund.id,
        "amount": None if refund.amount is None else json_number(refund.amount),
        "reason": refund.reason,
        "state": refund.state.value,
        "markedAt": _time(refund.marked_at),
        "settledAt": refund.completed_at and _time(refund.completed_at),
    }


def _notice(notification: NotificationRecord) -> Json:
    return {
        "topic": notification.topic,
        "state": notification.state,
        "attempts": notification.attempts,
        "lastError": notification.last_error,
        "nextTryAt": notification.next_try_at and _time(notification.next_try_at),
        "doneAt": notification.done_at and _time(notification.done_at),
    }


def _entry(entry: AuditEntry) -> Json:
    return {
        "at": _time(entry.at),
        "actor": entry.actor,
        "action": entry.action.value,
        "subject": entry.subject,
        "details": dict(entry.details),
    }


def _reservation(order: Order) -> Json | None:
    table = order.reservation
    if table is None:
        return None
    return {
        "date": table.date.isoformat(),
        "timeSlot": f"{table.slot:%H:%M}",
        "partySize": table.party_size,
    }


def _time(moment: datetime) -> str:
    return moment.astimezone(CAMPUS_TIME_ZONE).isoformat(timespec="seconds")
