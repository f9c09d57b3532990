"""The order that the browser stores between payment and confirmation."""

import json

from campus_app.catalogue.csv.catalogue import CsvCatalogue
from campus_app.ordering.rules.order import Order
from campus_app.shared.rules.constants import DEFAULT_DELIVERY_MINUTES
from campus_app.shared.rules.money import json_number


def stored_order_json(order: Order, catalogue: CsvCatalogue) -> str:
    """Return an order as JSON for the storage key `order_{number}`.

    Source: specification 3.12, M4.
    """
    restaurant = catalogue.restaurant(order.restaurant_id)
    minutes = restaurant.delivery_minutes if restaurant else DEFAULT_DELIVERY_MINUTES
    bill = order.bill
    return json.dumps(
        {
            "orderId": order.number,
            "responseToken": order.response_token,
            "totalOrderValue": json_number(bill.grand_total),
            "amount": json_number(bill.remaining),
            "paymentBreakdown": {
                "total": json_number(bill.grand_total),
                "remainingPayment": json_number(bill.remaining),
            },
            "userDetails": {"fullName": order.customer.full_name},
            "orderDetails": {"deliveryTime": minutes},
            "restaurantName": order.restaurant_name,
            "vendorPhone": restaurant.vendor_phone if restaurant else "",
            "vendorEmail": restaurant.vendor_email if restaurant else "",
        },
        ensure_ascii=False,
    )
