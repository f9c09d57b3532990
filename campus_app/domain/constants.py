"""Every business number of the specification, with its unit in its name."""

from decimal import Decimal
from typing import Final
from zoneinfo import ZoneInfo

CAMPUS_TIME_ZONE: Final = ZoneInfo("Asia/Kolkata")
"""Every decision about time is made in campus time. Source: specification R1."""

CURRENCY: Final = "INR"

CONVENIENCE_FEE: Final = Decimal("5.00")
"""Source: specification 9.3."""

PRE_RESERVATION_DISCOUNT_PERCENT: Final = 10
MINIMUM_ORDER: Final = Decimal("200.00")
MINIMUM_PRE_RESERVED_ORDER: Final = Decimal("400.00")
"""What subtotal minus discount must reach. Source: specification 5.9, 9.5, 9.6, M8."""

PRE_RESERVED_CHARGE: Final = Decimal("20.00")
FLAT_CHARGE_RESTAURANT_ID: Final = 5
FLAT_CHARGE: Final = Decimal("25.00")
FLAT_CHARGE_DONATION_ALLOWANCE: Final = Decimal("5.00")
VENDOR_CHARGE_LARGE_ORDER: Final = Decimal("50.00")
LARGE_ORDER_FROM: Final = Decimal("500.00")
VENDOR_CHARGE_PER_UNIT: Final = Decimal("20.00")
CHARGED_UNIT_FROM: Final = Decimal("100.00")
"""What is paid online. Source: specification 9.8 to 9.11, M4, M5."""

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

FIRST_SLOT_MINUTE: Final = 12 * 60
SLOT_MINUTES: Final = 30
SLOT_COUNT: Final = 12
MINIMUM_PARTY: Final = 1
MAXIMUM_PARTY: Final = 8
RESERVING_SECONDS: Final = 2
"""Source: specification 9.13 to 9.15."""

SEAT_HOLD_MINUTES: Final = 30
"""How long seats wait for their payment. Source: specification P3.4."""

WAITING_ROOM_SECONDS: Final = 150
PAYMENT_POLL_ATTEMPTS: Final = 30
PAYMENT_POLL_SECONDS: Final = 1
PAYMENT_RETRY_SECONDS: Final = 2
PROBLEM_REDIRECT_SECONDS: Final = 3
CONFIRMATION_OVERLAY_SECONDS: Final = 2
CONFIRMATION_REDIRECT_SECONDS: Final = 45
NOTIFICATION_POLL_SECONDS: Final = 2
"""Source: specification 9.16, 9.23 to 9.27."""

SUPPORT_EMAIL: Final = "support@food-points.example"
"""Whom a student writes to about a payment. Source: specification S6, S19."""

DEFAULT_DELIVERY_MINUTES: Final = "30-40"
NOTIFIED_PARTIES: Final = 2

ORDER_NUMBER_PREFIX: Final = "AS_"
ORDER_NUMBER_HELD_HOURS: Final = 24
"""Source: specification M9."""

PAYMENT_LIFETIME_SECONDS: Final = 20 * 60
"""How long an unpaid order may still be paid; the shortest that providers allow is 15 minutes."""

SHORTEST_CHECKOUT_SECONDS: Final = 16 * 60
"""A provider keeps a payment open no shorter than a quarter of an hour; a minute is for the way."""

PAYMENT_WATCH_AFTER_EXPIRY_SECONDS: Final = 30 * 60
"""How long a lapsed payment is still asked after: an attempt may end later than the order."""

CART_HOURS_AFTER_CHANGE: Final = 6
"""A cart of the evening outlives midnight, so long after its last change.

Source: specification M13.
"""

MISSED_CALL_USEFUL_SECONDS: Final = 10 * 60
"""A phone that rings later than that after the payment tells the kitchen nothing any more."""

MISSED_CALL_MOST_RINGS: Final = 2
"""How often a phone may be called about one order: again only if it certainly did not ring."""

MISSED_CALL_NOTICE_SECONDS: Final = 60
"""After how long without a word the provider is asked how a call went, and then again."""

MISSED_CALL_SEARCH_SECONDS: Final = 5
"""After how long a call that nobody confirmed is looked for, the first time."""

MISSED_CALL_PAUSE_SECONDS: Final = 20
"""How long after a call that failed the next one begins, at the earliest."""

MAXIMUM_NAME_CHARACTERS: Final = 80
MAXIMUM_EMAIL_CHARACTERS: Final = 254
MAXIMUM_ADDRESS_CHARACTERS: Final = 300
MAXIMUM_NOTE_CHARACTERS: Final = 300

MAXIMUM_STATUS_CHARACTERS: Final = 200
"""How long an operator's word on a closed restaurant may be."""

SHORTEST_RETENTION_HOURS: Final = 24
"""Younger orders may still be paid, told of or complained about: their names stay."""
