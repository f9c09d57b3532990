"""Every business constant of the specification, with its unit in its name."""

from decimal import Decimal
from typing import Final
from zoneinfo import ZoneInfo

CAMPUS_TIME_ZONE: Final = ZoneInfo("Asia/Kolkata")
"""All decisions about time use campus time. Source: specification R1."""

CURRENCY: Final = "INR"

CONVENIENCE_FEE: Final = Decimal("5.00")
"""Source: specification 9.3."""

PRE_RESERVATION_DISCOUNT_PERCENT: Final = 10
MAXIMUM_PERCENT_OFF: Final = 90
"""The largest percentage of an offer. Source: specification 14.4."""
MINIMUM_ORDER: Final = Decimal("200.00")
MINIMUM_PRE_RESERVED_ORDER: Final = Decimal("400.00")
"""The minimum of subtotal minus discount. Source: specification 5.9, 9.5, 9.6, M8."""

PRE_RESERVED_CHARGE: Final = Decimal("20.00")
FLAT_CHARGE_RESTAURANT_ID: Final = 5
FLAT_CHARGE: Final = Decimal("25.00")
FLAT_CHARGE_DONATION_ALLOWANCE: Final = Decimal("5.00")
VENDOR_CHARGE_LARGE_ORDER: Final = Decimal("50.00")
CHARGED_ORDER_MINIMUM: Final = Decimal("200.00")
LARGE_ORDER_MINIMUM: Final = Decimal("500.00")
VENDOR_CHARGE_PER_UNIT: Final = Decimal("20.00")
CHARGED_UNIT_MINIMUM_PRICE: Final = Decimal("100.00")
"""The rules of the amount paid online.

Source: specification 9.8 to 9.11, M4, M5.
"""

DONATION_CHOICES: Final = (
    Decimal("0.00"),
    Decimal("5.00"),
    Decimal("10.00"),
    Decimal("20.00"),
    Decimal("50.00"),
)
"""Source: specification M6."""

MAXIMUM_LINE_QUANTITY: Final = 50
"""Source: specification M14."""

MAXIMUM_CART_DISHES: Final = 200
"""How many different dishes a cart or an order may have.

Source: specification 10.54.
"""

MAXIMUM_DISH_PRICE: Final = Decimal("100000.00")
"""Source: specification 10.53."""

FIRST_SLOT_MINUTE: Final = 12 * 60
SLOT_MINUTES: Final = 30
SLOT_COUNT: Final = 12
MINIMUM_PARTY: Final = 1
MAXIMUM_PARTY: Final = 8
RESERVING_SECONDS: Final = 2
"""Source: specification 9.13 to 9.15."""

MAXIMUM_SEATS_PER_SLOT: Final = 200
"""The most seats that an operator can give a slot of a day. Source: specification 15.4."""

SEAT_HOLD_MINUTES: Final = 30
SEAT_HOLD_MINUTES_WITHOUT_DETAILS: Final = 10
"""How long unpaid seats are held. Source: specification P3.4."""

CLOSING_NOTICE_MINUTES: Final = 30
"""A cart says when its kitchen closes from this many minutes before.

Source: specification 10.8.
"""

WAITING_ROOM_SECONDS: Final = 150
PAYMENT_POLL_ATTEMPTS: Final = 30
PAYMENT_POLL_SECONDS: Final = 1
PAYMENT_RETRY_SECONDS: Final = 2
PROBLEM_REDIRECT_SECONDS: Final = 3
CONFIRMATION_OVERLAY_SECONDS: Final = 2
CONFIRMATION_REDIRECT_SECONDS: Final = 45
NOTIFICATION_POLL_SECONDS: Final = 2
"""Source: specification 9.16, 9.23 to 9.27."""

TOAST_FOLD_SECONDS: Final = 6
"""How long the toasts of the confirmation are shown whole. Source: specification 10.44."""

OWN_ORDERS_POLL_SECONDS: Final = 5
"""How often the list of a browser's own orders is read while a payment of theirs is open.

Source: specification 10.9.
"""

UPI_HOURS: Final = 6
"""How long after an order, or its table's time, a receipt offers UPI.

Source: specification 10.12.
"""

MAXIMUM_SHARED_DISHES: Final = 100
"""How many different dishes a link may bring. Source: specification 10.15."""

MAXIMUM_GROUP_GUESTS: Final = 8
"""How many guests a group order has beside its owner."""
MAXIMUM_GROUP_NAME_CHARACTERS: Final = 40
GROUP_ORDER_HOURS: Final = 3
"""How long a group order is open or locked after its last change.

Source: specification 10.68, 10.69.
"""
MAXIMUM_GROUP_CHANGES_PER_MINUTE: Final = 120
"""By one member, counted in each process."""

MAXIMUM_OWN_ORDERS: Final = 20
"""How many of its newest orders a browser remembers. Source: specification 10.9."""

MAXIMUM_SHORTCUTS: Final = 3
"""The number of kitchens among the shortcuts of the installed app. Source: specification 10.17."""

SUPPORT_EMAIL: Final = "support@food-points.example"
"""The address that students write to about a payment. Source: specification S6, S19."""

DEFAULT_DELIVERY_MINUTES: Final = "30-40"
NOTIFIED_PARTIES: Final = 2

ORDER_NUMBER_PREFIX: Final = "AS_"
ORDER_NUMBER_HELD_HOURS: Final = 24
"""How long the number of a paid order is held. Source: specification M9."""
LAPSED_NUMBER_HELD_MINUTES: Final = 60
"""How long a number is held after its order can't be paid any more. Source: specification M16."""

PAYMENT_LIFETIME_SECONDS: Final = 20 * 60
"""How long an unpaid order can be paid. Providers allow 15 minutes or more."""

MAXIMUM_OPEN_ORDERS: Final = 6_000
"""The unpaid orders of one client address that can be paid at once: 300 a minute, all unpaid.

Source: specification M16, C3.
"""

MINIMUM_CHECKOUT_SECONDS: Final = 16 * 60
"""The shortest expiry sent to a provider: its minimum of 15 minutes, plus a minute for latency."""

PAYMENT_POLL_AFTER_EXPIRY_SECONDS: Final = 30 * 60
"""How long an expired payment is still polled, since an attempt may end after the order expires."""

CART_HOURS_AFTER_CHANGE: Final = 6
"""How long a cart survives midnight after its last change. Source: specification M13."""

LOST_DISH_MINUTES: Final = 30
"""How long a cart keeps a dish that its menu lost. Source: specification 10.35."""

MENU_STILL_SECONDS: Final = 1.0
"""How long a data file must be unchanged before it counts. Source: specification 10.34."""

MAXIMUM_DISHES: Final = 2000
"""Source: specification 12.3."""

MAXIMUM_MENU_BYTES: Final = 2 * 1024 * 1024
"""The maximum size of a menu that is published, or of a file that is read at the desk.

Source: specification 12.3.
"""

MAXIMUM_MENU_CELL_CHARACTERS: Final = 1000
MAXIMUM_VERSION_NOTE_CHARACTERS: Final = 200
"""The length limits of a menu's cell at the desk, and of the note of a published version."""

MAXIMUM_OFFERS: Final = 20
MAXIMUM_OFFER_TITLE_CHARACTERS: Final = 60
LARGEST_OFFER_MINIMUM: Final = 10_000
"""Limits of the offers at the desk; the last one in rupees. Source: specification 14.4."""

MISSED_CALL_DEADLINE_SECONDS: Final = 10 * 60
"""How long after the payment a missed call is still useful to the kitchen."""

MISSED_CALL_MAXIMUM_ATTEMPTS: Final = 2
"""Call attempts per order. A second one is made only if the first certainly did not ring."""

MISSED_CALL_POLL_SECONDS: Final = 60
"""How long to wait for a status webhook before polling the service, and between polls."""

MISSED_CALL_SEARCH_SECONDS: Final = 5
"""How long to wait before the first search for an unconfirmed call."""

MISSED_CALL_RETRY_SECONDS: Final = 20
"""The minimum time between a failed call and the next attempt."""

MAXIMUM_NAME_CHARACTERS: Final = 80
MAXIMUM_EMAIL_CHARACTERS: Final = 254
MAXIMUM_ADDRESS_CHARACTERS: Final = 300
MAXIMUM_NOTE_CHARACTERS: Final = 300
MAXIMUM_INPUT_CHARACTERS: Final = 2_000
"""Of a text field before normalization, which removes spaces and takes time."""

MAXIMUM_STATUS_CHARACTERS: Final = 200
"""The length limit of an operator's message about a closed restaurant."""

MINIMUM_RETENTION_HOURS: Final = 24
"""The minimum age of orders whose personal data may be purged: younger ones may still be paid,
notified or complained about."""

KITCHEN_LINK_HOURS: Final = 24
"""How long a kitchen link enrols a device. Source: specification 10.24."""

KITCHEN_DEVICE_DAYS: Final = 90
"""How long a device stays enrolled after its last use. Source: specification 10.24."""

DESK_LINK_HOURS: Final = 1
"""How long a link to the desk enrols a device. Source: specification 11.1."""

DESK_DEVICE_DAYS: Final = 30
"""How long a device may use the desk after its last use. Source: specification 11.2."""

LONGEST_DESK_DEVICE_DAYS: Final = 400
"""How long a device may use the desk at most. Source: specification 11.2."""

UNDO_SECONDS: Final = 60
"""How long a press on a kitchen board can be undone. Source: specification 10.26."""

HELD_SECONDS: Final = 2
"""How long a ticket that was pressed keeps its place, and messages of the press wait.

Source: specification 10.45.
"""

GROUP_REFUSAL_SECONDS: Final = 8
"""How long a group order shows why a change was refused (10.70)."""

SHORTAGE_UNDO_SECONDS: Final = 10
"""How long a kitchen can take back that it can't cook a dish; then the customer is told.

Source: specification 10.67.
"""

ANSWER_MINUTES: Final = 10
"""How long a customer can choose what becomes of a dish that can't be cooked.

Source: specification 10.67.
"""

UNSEEN_SECONDS: Final = 5 * 60
"""When an order that no kitchen device has marked as seen is shown to operators.

Source: specification 10.29.
"""

MAXIMUM_PRESSES: Final = 200
"""How many presses on one order are stored; a cook needs three, and an undo or two."""

PAUSE_MINUTES: Final = (15, 30, 60)
"""How long a kitchen can take no new orders. Source: specification 10.28."""
MAXIMUM_VERSIONS: Final = 200
"""How many versions of a menu, and of the offers, are kept. Source: specification 12.1, 14.5."""
MENU_DRAFT_DAYS: Final = 1
"""How long a menu's table that is not published is stored. Source: specification 12.11."""
MAXIMUM_COUNTED: Final = 10_000
"""Up to how many lines the desk counts what a list leaves out. Source: specification 11.7."""
USUAL_FIGURE_DAYS: Final = 7
MAXIMUM_FIGURE_DAYS: Final = 1_100
"""How many days the desk's figures span by default, and at most. Source: specification 13.1."""
