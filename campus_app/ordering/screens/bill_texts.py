"""The amounts of a bill as text, in the visitor's language."""

from collections.abc import Sequence
from typing import TypedDict

from campus_app.ordering.rules.bill import Bill, charged_units
from campus_app.ordering.rules.price_changes import PriceChange
from campus_app.ordering.services.ordering import Quote
from campus_app.shared.rules import constants
from campus_app.shared.rules.money import Rupees, format_rupees
from campus_app.shared.translations import t
from kit.text import gettext_noop

_NO_OFFER = gettext_noop("No offer applies now")


class BillLine(TypedDict):
    """A line of the bill, as text."""

    times: str
    name: str
    total: str


class Working(TypedDict):
    """A step of how an amount is computed, as text."""

    label: str
    amount: str


def bill_line(quantity: int, name: str, total: Rupees) -> BillLine:
    """Return a dish as a line of a bill."""
    return BillLine(times=f"{quantity}×", name=name, total=format_rupees(total))


def dishes_text(count: int) -> str:
    """Return a number of dishes as text."""
    return t("1 dish") if count == 1 else t("{count} dishes", count=count)


def price_changes_text(changes: Sequence[PriceChange]) -> str:
    """Return dishes with their new and their former prices as text."""
    return ", ".join(
        t(
            "{dish} {now} (was {before})",
            dish=change.name,
            now=format_rupees(change.now),
            before=format_rupees(change.before),
        )
        for change in changes
    )


def bill_texts(bill: Bill) -> dict[str, str]:
    """Return every amount of a bill as text."""
    amounts = {
        name: format_rupees(getattr(bill, name))
        for name in (
            "subtotal",
            "discount",
            "delivery_fee",
            "convenience_fee",
            "donation",
            "grand_total",
            "online",
            "remaining",
        )
    }
    return {**amounts, "discount_name": t(bill.discount_name or _NO_OFFER)}


def workings(quote: Quote) -> list[Working]:
    """Return the steps by which the online amount is computed."""
    bill = quote.bill
    if quote.is_pre_reserved:
        steps = [(t("Fixed for a reserved table"), bill.online)]
    elif quote.restaurant.id == constants.FLAT_CHARGE_RESTAURANT_ID:
        steps = [(t("Fixed for this kitchen"), constants.FLAT_CHARGE)]
        if bill.donation:
            extra = bill.donation - constants.FLAT_CHARGE_DONATION_ALLOWANCE
            allowance = format_rupees(constants.FLAT_CHARGE_DONATION_ALLOWANCE)
            steps.append((t("Donation, less {allowance}", allowance=allowance), extra))
    else:
        units = charged_units(quote.lines)
        label = (
            t(
                "Fixed for dishes of {amount} and more",
                amount=format_rupees(constants.LARGE_ORDER_MINIMUM),
            )
            if bill.subtotal >= constants.LARGE_ORDER_MINIMUM
            else t(
                "{charge} for each of {count} dishes of {price} and more",
                charge=format_rupees(constants.VENDOR_CHARGE_PER_UNIT),
                count=units,
                price=format_rupees(constants.CHARGED_UNIT_MINIMUM_PRICE),
            )
        )
        steps = [(label, bill.vendor_charge)] if bill.vendor_charge else []
        steps += [(t("Donation"), bill.donation)] if bill.donation else []
        steps += [(t("Convenience fee"), bill.convenience_fee)] if bill.convenience_fee else []
    return [Working(label=label, amount=format_rupees(amount)) for label, amount in steps]
