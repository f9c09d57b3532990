"""Every message that a business rule shows to a person."""

from collections.abc import Mapping
from enum import StrEnum

from kit.text import FormattedMessage


class Message(StrEnum):
    """A message of a rule; some have placeholders such as `{name}`."""

    def of(self, **names: object) -> FormattedMessage:
        """Return the message with these values in its placeholders."""
        return FormattedMessage(self.value, names)


class CustomerMessage(Message):
    """Validation errors of the contact details. Source: specification 5.1 to 5.4, 5.7."""

    NAME_REQUIRED = "Name is required"
    EMAIL_REQUIRED = "Email is required"
    EMAIL_INVALID = "Please enter a valid email address"
    PHONE_REQUIRED = "Phone number is required"
    PHONE_INVALID = "Please enter a valid Indian phone number"
    ADDRESS_REQUIRED = "Address is required"
    NAME_INVALID = "Please use only ordinary characters in the name"
    NAME_TOO_LONG = "Please shorten the name to 80 characters"
    ADDRESS_TOO_LONG = "Please shorten the address to 300 characters"
    NOTE_TOO_LONG = "Please shorten the note to 300 characters"
    DETAILS_MISSING = "Please fill in all the details."


class MenuMessage(Message):
    """Why a menu cannot be shown, or a cart cannot be changed.

    Source: specification 5.15, 8.5 to 8.9.
    """

    RESTAURANT_NOT_FOUND = "Restaurant not found"
    LOAD_FAILED = "Failed to load menu (Status: {status})"
    EMPTY = "Menu data is empty"
    UNREADABLE = "Failed to parse menu data"
    NO_DISHES = "No menu items found"
    NOT_ADDED = (
        "The menu can't be read right now, so nothing was added. Please try again in a minute."
    )
    DISH_GONE = "This dish is no longer on the menu."
    DISH_SOLD_OUT = "This dish is sold out."
    MOST_OF_A_DISH = "An order has at most {most} of one dish."
    MOST_DISHES = "An order has at most {most} different dishes."
    DISHES_LOST = (
        "Not on the menu right now: {dishes}."
        " If that changes within {minutes} minutes, your cart has them again."
    )
    UNNAMED_DISHES_LOST = (
        "Some dishes of your cart are not on the menu right now."
        " If that changes within {minutes} minutes, your cart has them again."
    )
    DISHES_BACK = "On the menu again, and in your cart: {dishes}."


class StatusMessage(Message):
    """Messages about a restaurant's availability. Source: specification 4.3, 8.1 to 8.3."""

    TEMPORARILY_CLOSED = "Temporarily Closed"
    BACK_AT = "Back at {time}"
    INITIAL_FETCH_FAILED = "Failed to load restaurant statuses"
    POLL_FAILED = "Connection error"
    REFRESH_FAILED = "Refresh failed"


class OrderMessage(Message):
    """Why an order is refused."""

    RESTAURANT_CLOSED = "{name} is closed right now."
    RESTAURANT_UNAVAILABLE = "{name} is not delivering right now."
    CART_KEPT = "Your cart is kept."
    UNKNOWN_RESTAURANT = "There is no such restaurant."
    DISH_LEFT_MENU = "A dish of this order is no longer on the menu."
    SOLD_OUT = "Sold out: {dishes}. Please choose another dish."
    UNKNOWN_DISH = "There is no such dish on this menu."
    NOT_SERVED = "{name} does not deliver to this campus."
    EMPTY_CART = "The cart is empty."
    TOO_LARGE = "An order can be at most {maximum}. Please divide it into several orders."
    BELOW_MINIMUM = "Add {shortfall} more to reach the {minimum} minimum."
    PRICE_MISMATCH = "A price has changed. Please look at the new total before you pay."
    NEW_PRICES = "New prices: {dishes}. Please look at the new total before you pay."
    CART_CHANGED = (
        "Your cart has changed: {dishes}, {total} in all. Please look at it before you pay."
    )
    CAMPUS_CHANGED = (
        "Your campus has changed: delivery to {campus} costs {fee}. "
        "Please look at the new total before you pay."
    )
    ORDER_ID_TAKEN = "This order number is already in use."
    KEY_REUSED = "This key was already used for a different order."
    QUANTITY = "A quantity is a whole number from 0 to 50."
    DONATION = "A donation is 0, 5, 10, 20 or 50 rupees."
    CAMPUS = "The campus is {campuses}."
    ORDER_ID = "An order number looks like AS_482."
    AMOUNT = "The amount is not this order's."
    UNKNOWN_ORDER = "There is no such order."
    SLOT_UNAVAILABLE = "This time can't be reserved any more. Please choose another one."
    PARTY = "A table is for 1 to 8 guests."
    NO_RESERVATIONS = "{name} does not take reservations."
    ALREADY_PAID = "This order is already paid."
    NUMBER = "Your order is #{number}."
    CART_PAID = "Order #{number} is paid."
    CART_REFUNDED = "The money for order #{number} goes back to you."
    REST_KEPT = "What you have added since is in your cart."
    REFUND_DUE = "The money for this order goes back to you. Please place a new order."
    BUSY = "Too many orders at this moment. Please try again in a minute."
    UNAVAILABLE = "Orders can't be taken at this moment. Please try again in a minute."
    FAILED = "That did not work, and it is our fault. Please try again."


class ShortageMessage(Message):
    """About a dish that the kitchen can't cook. Source: specification 10.67."""

    STORED = "Your choice is stored. The kitchen sees it."
    TOO_LATE = "This can't be chosen any more. Please look at your order."


class NewCartMessage(Message):
    """About the dishes of an earlier order or of a link. Source: specification 10.11, 10.15."""

    GONE = "No longer on the menu: {dishes}."
    SOLD_OUT = "Sold out: {dishes}."
    NOTHING_LEFT = "None of the dishes of this order is on the menu any more."
    ALL_SOLD_OUT = "The dishes of this order are sold out, or no longer on the menu."
    DEARER = "Dearer than in that order: {dishes}."
    NO_TABLE = "The table of that order is not reserved again."
    FOR_TABLE = "These dishes are now for the table that you have reserved."
    FROM_LINK = "These dishes come from a link. Nothing is ordered yet."
    LINK_LATER = "The dishes of this link are offered here as soon as the kitchen takes orders."
    LINK_DISHES_GONE = "Some dishes of the link are no longer on the menu."
    LINK_DISHES_SOLD_OUT = "Some dishes of the link are sold out."
    LINK_UNREADABLE = "This link can't be read. Please ask for it again."
    LINK_WITHOUT_DISHES = "No dish of this link is on the menu any more."


class GroupOrderMessage(Message):
    """Why a group order was not changed, or its cart not ordered.

    Source: specification 10.68 to 10.72.
    """

    NAME_FIRST = "Please give your name first."
    OWNER_ONLY = "Only the one who pays can do this."
    NAME_TOO_LONG = "Please shorten the name to {most} characters."
    FULL = "This group order has {most} guests already."
    LOCKED = "{owner} is paying. Nothing was changed."
    ENDED = "This group order has ended. Nothing was changed."
    TOO_FAST = "Too many changes at once. Please try again in a minute."
    NOT_SOLD = "Not sold right now: {dishes}. Please take them out first."
    LOCK_FIRST = "Your cart is a group order. Lock it to go on to the payment."
    CHANGED_THERE = "These dishes are a group order, and are changed there."


class PaymentMessage(Message):
    """Messages of the payment screens. Source: specification 2.36, 8.11 to 8.17."""

    CHECKING = "Verifying your payment..."
    DO_NOT_REFRESH = "Do not refresh this page"
    ORDER_ID_MISSING = "Order ID not found. Redirecting..."
    ORDER_NOT_FOUND = "Order not found. Redirecting..."
    TAKING_LONGER = "Payment verification taking longer than expected. Redirecting..."
    RETRYING = "Retrying payment verification... ({attempt}/30)"
    VERIFICATION_FAILED = "Payment verification failed. Redirecting..."
    PROCESSING_ERROR = "Error processing payment response. Redirecting..."
    FORM_FAILED = "Failed to get payment form URL"
    DECLINED = "The payment was declined. Nothing was taken and your cart is kept."
    CANCELLED = "The payment was cancelled. Nothing was taken and your cart is kept."
    LAPSED = "The time to pay ran out. Nothing was taken and your cart is kept."


class ConfirmationMessage(Message):
    """Messages of the confirmation while the payment is not verified.

    Source: specification 8.1 to 8.28.
    """

    NEEDS_VERIFICATION = (
        "Payment completed but verification is taking time. Please check your email."
    )
    HAS_ERROR = "Could not verify payment status. Please check your email or contact support."
    DETAILS_UNCLEAR = "Payment completed but order details unclear. Please check your email."
    ORDER_NOT_FOUND = "Order not found. Please contact support if payment was deducted."
    PROCESSING_ERROR = "Payment processing error. Please contact support."


class ReservationMessage(Message):
    """Messages of the reservation screen. Source: specification 5.12."""

    SLOT_REQUIRED = "Please select a time slot"
    SLOT_TAKEN = "These seats have just been taken. Please choose another time."
    TOO_MANY_HELD = (
        "Half of the seats at this time are held from your network and not paid for yet. Please "
        "choose another time, or try again in some minutes."
    )
    NOT_HELD = "No table is held for you here. This is the menu at the usual prices."
    HOLD_ENDED = "Your table is no longer held. Dishes are at the usual prices."
    LEFT = "Your cart is not ordered for a table any more. It is at the usual prices."
    CLOSED = "{name} takes reservations from {opens}."
    CANCELLED = "Your reservation is cancelled."


class OfferMessage(Message):
    """Shown when an offer starts or ends while a cart is open. Source: specification M7."""

    BEGUN = "{offer}. It applies from now on, and your total is new."
    ENDED = "{offer}: this offer has ended, and your total is new."


class KitchenMessage(Message):
    """Messages about kitchen boards and their devices."""

    UNKNOWN_DEVICE = "There is no such device."
    ORDER_CLOSED = "This can't be changed for this order any more."
    CLOSED_BY_OPERATOR = "The operator has closed this kitchen. Please call them to open it."


class DeskMessage(Message):
    """Messages of the operators' desk."""

    NAME_LENGTH = "The name needs 1 to {most} characters."
    NOT_ALLOWED = "This device may not do that. Please ask the owner for a link."
    NOT_AS_TYPED = "The number is not that of this order. Nothing was given back."
    AMOUNT = "Please type an amount in rupees: 20 or 20.50."
    NOTHING_DUE = "No refund is due, or waits for the payment provider."
    SETTLED_BEFORE = "Somebody has settled it before."
    LEAD_CHANGED = "Somebody has changed this lead meanwhile. Please look again."
    REFUNDED = "Asked for at the payment provider."
    SENT_AGAIN = "It is sent again within seconds."
    NOTHING_TO_SEND = "There is nothing to send again."
    CALL_IS_OVER = "The call can’t be made again: please phone the kitchen."
    SETTLED = "Settled. It needs nobody any more."
    STORED = "Stored."
    NOT_STORED = "It could not be stored: the lead is gone, or a text is too long."
    NO_FIGURES = "The figures can’t be read now. Please try again in a minute."
    NOTE_LENGTH = "The note needs 1 to {most} characters."


class OperatorMessage(Message):
    """Messages of the operators' command line."""

    PURGED = "The personal data of this order was deleted."
    MESSAGE_TOO_LONG = "Please shorten the message to {most} characters."
    DATABASE_UNAVAILABLE = (
        "The database can't be used now ({reason}). Please try again, or look at DATABASE_URL."
    )
    DATABASE_FAILED = (
        "The database can't be used now ({reason}). Please look at what was changed before you try"
        " again."
    )
    DATABASE_OUTDATED = "The database schema is outdated: {problem}. Please run: make migrate"
    DATABASE_QUERY = "A database query is wrong, which is a bug: {problem}"
    NOT_CONFIRMED = "Not confirmed: nothing was changed."
    DATA_UNREADABLE = "{file}: {problem}. Please look at DATA_DIR."
    NOTHING_PAID = "Nothing was paid for this order."
    NOT_DUE = "This order is confirmed and no refund is due; --force refunds it anyway."
    AMOUNT_UNKNOWN = (
        "The amount paid is unknown. Please check it in the payment provider's dashboard."
    )
    OTHER_CURRENCY = (
        "It was paid in {currency}. Please refund it in the payment provider's dashboard."
    )
    PAYMENT_UNREADABLE = (
        "The payment provider says paid, but its figures can't be read. Please look at its books."
    )
    REFUNDS_CHANGED = "Another refund was made meanwhile. Please look again."
    PART_TOO_LARGE = "A part must be less than the {most} that are left of what was paid."
    REFUND_LATER = (
        "The payment provider does not answer. Please repeat this later; no second refund is made."
    )
    REFUND_REFUSED = "The payment provider refused the refund. Please check its dashboard."


class DayMessage(Message):
    """Why today's hours or seats of a kitchen were not changed. Source: specification 15.4."""

    TIME = "Please type a time like 18:00."
    MEETS_NEXT_DAY = "{close} is after the next day’s opening at {open}."
    SEATS = "Please type a whole number of seats from 0 to {most}."


class DeskMenuMessage(Message):
    """Why a menu is not published, or a file not read. Source: specification 12.3, 12.7."""

    CHANGED = "Someone else has changed this menu meanwhile. Load it again: your changes are kept."
    HAS_FAULTS = "The menu has faults. Correct the marked cells, then publish it."
    UNPUBLISHED = "Publish or discard your changes first: they would be lost."
    OPEN_FORM = "Take the open offer into the list or close its form first: it would be lost."
    SAME = "This is the menu that is sold already."
    NOTHING_TO_UNDO = "Nothing that was published can be undone."
    NOTHING_PUBLISHED = "Nothing was published at the desk yet."
    UNDONE = "Undo of version {number}"
    NOTE_TOO_LONG = "Please shorten the note to {most} characters."
    TOO_LARGE = "This file is too large: at most 2 MB, 2,000 dishes and 60 columns are read."
    TOO_SLOW = "Reading this file took too long. Choose it again, or save it as CSV first."
    OLD_WORKBOOK = (
        "This is an old Excel file, or one with a password. "
        "Save it as XLSX or CSV without one, and choose it again."
    )
    UNREADABLE = "This is no sheet that can be read. Save it as XLSX or CSV, and choose it again."
    EMPTY = "There is nothing in this sheet."
    NEEDS_COLUMNS = "Choose which column is the name and which is the price."


class RefundReason(Message):
    """Why received money is refunded. Source: specification M11."""

    WRONG_AMOUNT = "The amount paid is not the amount of the order."
    PAID_LATE = "The payment arrived after the order had lapsed."
    PAID_TWICE = "The cart was ordered again before this payment arrived."
    RESTAURANT_CLOSED = "The restaurant stopped taking orders before the payment arrived."
    SEATS_GONE = "The table was given to others before the payment arrived."
    PAID_AGAIN = "The order was paid a second time."
    BY_OPERATOR = "An operator gave the money back."
    PART_BY_OPERATOR = "An operator gave a part of the money back."
    NOT_COOKED = "The kitchen can't cook this order."
    DISH_NOT_COOKED = "The kitchen could not cook a dish of this order."


class Severity(StrEnum):
    """How serious a message is; it decides its look and its ARIA role."""

    ERROR = "error"
    WARNING = "warning"
    SUCCESS = "success"


_SEVERITIES: Mapping[str, Severity] = {
    OrderMessage.FAILED: Severity.ERROR,
    ConfirmationMessage.HAS_ERROR: Severity.ERROR,
    ConfirmationMessage.ORDER_NOT_FOUND: Severity.ERROR,
    ConfirmationMessage.PROCESSING_ERROR: Severity.ERROR,
    OfferMessage.BEGUN: Severity.SUCCESS,
    OrderMessage.CART_PAID: Severity.SUCCESS,
    ReservationMessage.CANCELLED: Severity.SUCCESS,
    ShortageMessage.STORED: Severity.SUCCESS,
}
_NAMING_SUPPORT = frozenset(
    {
        ConfirmationMessage.HAS_ERROR,
        ConfirmationMessage.ORDER_NOT_FOUND,
        ConfirmationMessage.PROCESSING_ERROR,
    }
)


def severity_of(message: str) -> Severity:
    """Return the severity of a message; WARNING unless another is registered.

    Source: specification 8.18 to 8.20, S19.
    """
    template = message.message if isinstance(message, FormattedMessage) else message
    return _SEVERITIES.get(template, Severity.WARNING)


def names_support(message: str) -> bool:
    """Return whether a message refers to support, so that the address must be shown beside it.

    Source: specification S19.
    """
    return message in _NAMING_SUPPORT
