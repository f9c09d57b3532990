"""The tables and sentences that the commands print for people."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from pathlib import Path

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table
from rich.text import Text

from campus_app.catalogue.csv.checks import CheckedFile
from campus_app.catalogue.csv.menu_images import PriceDifference
from campus_app.catalogue.rules.restaurant import Restaurant, RestaurantState
from campus_app.catalogue.services.availability import RestaurantStatus
from campus_app.catalogue.services.menu_versions import CurrentMenu
from campus_app.kitchen.rules.day_sheet import DaySheet
from campus_app.kitchen.rules.kitchen import KitchenDevice
from campus_app.operators.figure_words import MEASURES, TABLES, cell, line_name
from campus_app.operators.json_output import Json
from campus_app.operators.posters import menu_address
from campus_app.operators.rules.desk import DeskDevice
from campus_app.operators.rules.figures import SALES, Figures
from campus_app.operators.rules.order_admin import OrderPage, OrderSummary, PaymentRecord
from campus_app.operators.screens.desk_today_view import AttentionRow
from campus_app.operators.services.operations import OrderDetails, OverrideResult
from campus_app.ordering.rules.cooking import Cooking
from campus_app.ordering.rules.customer import format_phone
from campus_app.ordering.rules.offer_version import OfferVersion
from campus_app.ordering.rules.offers import Offer
from campus_app.ordering.rules.order import Order, OrderState
from campus_app.ordering.rules.refund import RefundRecord
from campus_app.ordering.screens import offer_texts
from campus_app.ordering.services.refunds import RefundReport
from campus_app.shared.rules.audit import AuditEntry
from campus_app.shared.rules.constants import CAMPUS_TIME_ZONE
from campus_app.shared.rules.money import Rupees, format_rupees
from kit.outbox.store import FailedJobs
from kit.qr_code import terminal_qr_code
from kit.text import normalize_text

_WIDTH_OF_A_FILE = 200
_STATE_STYLES = {
    RestaurantState.OPEN.value: "green",
    RestaurantState.UNAVAILABLE.value: "red",
    OrderState.REFUND_DUE.value: "red",
    OrderState.CONFIRMED.value: "green",
}
_NOTHING = "-"
_WITHIN_A_SECOND = (
    "It is in the database: a server that runs shows it to all pages within a second."
)
_QR_CODE_STYLE = "#ffffff on #000000"
"""A terminal may be dark or light: the code sets both colors."""


def console(*, stderr: bool = False) -> Console:
    """Return a console: as wide as the terminal, or 200 columns if the output is redirected."""
    opened = Console(stderr=stderr, highlight=False, markup=False, emoji=False)
    if not opened.is_terminal:
        opened.width = _WIDTH_OF_A_FILE
    return opened


def say(sentence: str) -> None:
    """Print a sentence."""
    console().print(Text(sentence), soft_wrap=True)


def progress() -> Progress:
    """Return a progress bar on stderr, so that stdout has the command's result alone."""
    return Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeRemainingColumn(),
        console=console(stderr=True),
    )


def show_restaurants(
    restaurants: Mapping[int, Restaurant], statuses: Sequence[RestaurantStatus]
) -> None:
    """Print every restaurant with its status and hours."""
    rows = [
        (
            status.restaurant_id,
            restaurants[status.restaurant_id].name,
            status.state.value,
            _NOTHING if status.is_open else "closed",
            f"{status.hours} today" if status.hours else restaurants[status.restaurant_id].hours,
            status.words,
        )
        for status in statuses
    ]
    _print(_table(("ID", "Restaurant", "State", "Override", "Hours", "Message"), rows))


def show_override(name: str, result: OverrideResult) -> None:
    """Print a restaurant's new status, and whether the running server set it."""
    status = result.status
    message = f" ({status.words})" if status.words else ""
    say(f"{name} is {status.state}{message}.")
    _say_who_set_it(result)


def show_restaurant_day(restaurant: Restaurant, day: Json) -> None:
    """Print today's hours and seats of a restaurant, beside the usual ones."""
    say(f"{restaurant.name} is {day['state']}.")
    say(f"Hours of {day['day']}: {day['hours']} (usually {day['usualHours']}).")
    if restaurant.takes_reservations:
        seats, usual = day["seatsPerSlot"], day["usualSeatsPerSlot"]
        say(f"Seats in each slot of today: {seats} (usually {usual}).")
    say(_WITHIN_A_SECOND)


def show_sold_out(names: Sequence[str], result: OverrideResult) -> None:
    """Print the dishes that are sold out now, and whether the running server set it."""
    say(f"Sold out: {', '.join(names) or 'nothing'}.")
    _say_who_set_it(result)


def _say_who_set_it(result: OverrideResult) -> None:
    say(
        "The running server has published it to all pages."
        if result.by_server
        else _WITHIN_A_SECOND
    )


def show_attention(rows: Sequence[AttentionRow]) -> None:
    """Print what needs somebody, with what to do."""
    lines = [(row["kind"], row["what"], row["waits"], row["todo"], row["detail"]) for row in rows]
    if lines:
        _print(_table(("Kind", "What", "Waits", "To do", "Detail"), lines))
    say(count(len(lines), "line") if lines else "Nobody is needed.")


def show_orders(page: OrderPage) -> None:
    """Print a list of orders, without personal data."""
    columns = ("Order", "Placed", "Restaurant", "State", "Payment")
    amounts = ("Total", "Online", "Paid")
    rows = [_row(line) for line in page.lines]
    _print(_table((*columns, *amounts, "Remarks"), rows, right=amounts))
    shown, total = len(page.lines), page.total
    say(count(total, "order") + (f", the {shown} newest shown" if shown < total else ""))


def show_day_sheet(sheet: DaySheet) -> None:
    """Print the account of a day, without personal data."""
    amounts = ("Total", "Paid online", "To collect", "Refunded", "Refund due")
    rows: list[tuple[object, ...]] = [
        (
            *(line.number, _time(line.paid_at), line.restaurant_name, line.state.value),
            *(_rupees(line.grand_total), _rupees(line.paid), _rupees(line.to_collect)),
            *(_rupees(line.refunded), _rupees(line.refund_due)),
        )
        for line in sheet.lines
    ]
    sums = sheet.sums
    total = (sums.grand_total, sums.paid, sums.to_collect, sums.refunded, sums.refund_due)
    rows.append(("Sum", "", "", "", *map(_rupees, total)))
    columns = ("Order", "Paid", "Restaurant", "State")
    _print(_table((*columns, *amounts), rows, right=amounts))
    say(f"{sheet.day:%d %b %Y}, 05:00 to 05:00: {count(len(sheet.lines), 'paid order')}")


def show_figures(figures: Figures) -> None:
    """Print how it went in a span of days: the sums beside those before, then each table."""
    rows = [
        (MEASURES[each], *(_sum(getattr(sums, each)) for sums in (figures.sums, figures.before)))
        for each in SALES
    ]
    spans = [f"{each.first} to {each.last}" for each in (figures.span, figures.span.before)]
    _print(_table(("", *spans), rows, right=spans))
    for key, table in figures.tables.items():
        names = [MEASURES[each] for each in table.measures]
        lines = [
            (line_name(key, name), *map(cell, table.measures, values))
            for name, values in table.lines
        ]
        _print(_table(("", *names), lines, right=names, title=TABLES[key]))


def _sum(value: int | Rupees) -> str:
    return f"{value:,}" if isinstance(value, int) else _rupees(value)


def show_order(details: OrderDetails) -> None:
    """Print all details of an order."""
    _print(_pairs(_order_pairs(details.order)))
    lines = [
        (line.quantity, line.dish_id, line.name, format_rupees(line.price), _rupees(line.total))
        for line in details.order.lines
    ]
    columns = ("", "Dish", "Name", "Price", "Total")
    _print(_table(columns, lines, right=("", "Price", "Total"), title="Dishes"))
    _print(_pairs(_bill_pairs(details.order), title="Bill"))
    _print(_pairs(_payment_pairs(details.payment), title="Payment"))
    if details.refunds:
        _show_refunds(details.refunds)
    notifications = [
        (n.topic, n.state, n.attempts, _time(n.done_at), _time(n.next_try_at), n.last_error)
        for n in details.notifications
    ]
    if details.order.state is OrderState.CONFIRMED:
        _print(_pairs(_cooking_pairs(details.cooking), title="Kitchen"))
    columns = ("Notification", "State", "Attempts", "Done", "Next try", "Last error")
    _print(_table(columns, notifications, title="Notifications"))
    show_audit(details.audit)


def show_refunds(report: RefundReport) -> None:
    """Print the state of each refund of an order."""
    say(f"Order {report.order.number}")
    _show_refunds(report.refunds)


def _show_refunds(refunds: Sequence[RefundRecord]) -> None:
    rows = [
        (
            each.id,
            _rupees(each.amount),
            each.state.value,
            _time(each.marked_at),
            _time(each.completed_at),
            each.reason,
        )
        for each in refunds
    ]
    columns = ("Refund", "Amount", "State", "Marked", "Settled", "Reason")
    _print(_table(columns, rows, right=("Amount",), title="Refunds"))


def show_files(files: Sequence[CheckedFile]) -> None:
    """Print the faults in the data files by row."""
    faults = [
        (fault.file, fault.row or _NOTHING, fault.column or _NOTHING, fault.reason)
        for file in files
        for fault in file.faults
    ]
    if faults:
        _print(_table(("File", "Row", "Column", "Reason"), faults, right=("Row",)))
    rows = sum(file.valid_rows for file in files)
    say(f"{count(len(files), 'file')}, {count(rows, 'valid row')}, {len(faults)} faults")


def show_price_differences(differences: Sequence[PriceDifference]) -> None:
    """Print the prices that differ from the pictures of the original menus."""
    if not differences:
        return
    rows = [
        (
            f"menu_{each.restaurant_id}.csv",
            each.dish_id,
            each.name,
            format_rupees(each.pictured),
            format_rupees(each.price),
        )
        for each in differences
    ]
    columns = ("File", "Dish", "Name", "Original menu", "Today")
    title = "Prices that differ from the picture of the original menu"
    _print(_table(columns, rows, right=("Original menu", "Today"), title=title))


def show_menu_sources(menus: Sequence[CurrentMenu], names: Mapping[int, str]) -> None:
    """Print where each menu comes from, and its latest version at the desk."""
    rows = [
        (
            each.restaurant_id,
            names[each.restaurant_id],
            each.source,
            each.number or _NOTHING,
            _time(each.latest.at) if each.latest else _NOTHING,
            each.latest.author if each.latest else _NOTHING,
            each.latest.note if each.latest else "",
        )
        for each in menus
    ]
    _print(_table(("ID", "Restaurant", "Source", "Version", "Since", "By", "Note"), rows))


def show_offers(
    current: Sequence[Offer], latest: OfferVersion | None, names: Mapping[int, str]
) -> None:
    """Print the offers, and the version that says so."""
    rows = [
        (
            each.id,
            each.title,
            names.get(each.restaurant_id, each.restaurant_id),
            offer_texts.subtitle(each),
            offer_texts.timing(each),
            format_rupees(each.minimum) if each.minimum else _NOTHING,
        )
        for each in current
    ]
    _print(_table(("ID", "Name", "Restaurant", "Gives", "Holds", "Minimum"), rows))
    if latest:
        note = f": {latest.note}" if latest.note else ""
        say(f"Version {latest.number}, {_time(latest.at)}, by {latest.author}{note}")
    else:
        say("Nothing was published yet: these are the product's own offers.")


def show_posters(file: Path, known: Sequence[Restaurant], origin: str) -> None:
    """Print the written file, and the address in the QR code of each restaurant."""
    rows = [(str(each.id), each.name, menu_address(each, origin)) for each in known]
    _print(_table(("Id", "Name", "QR code"), rows, title=f"Posters in {file}"))


def show_device_link(url: str, expires_at: datetime) -> None:
    """Print a link that enrols a device, with its QR code and until when it works."""
    say(url)
    say(f"It works for one device, until {_time(expires_at)}.")
    console().print(Text(terminal_qr_code(url), style=_QR_CODE_STYLE), soft_wrap=True, end="")


def show_desk_devices(devices: Sequence[DeskDevice]) -> None:
    """Print the devices of the desk."""
    rows = [
        (each.id, each.name, each.role.value, _time(each.enrolled_at), _time(each.last_used_at))
        for each in devices
    ]
    _print(_table(("Device", "Name", "Role", "Enrolled", "Last used"), rows))
    say(count(len(devices), "device"))


def show_kitchen_devices(devices: Sequence[KitchenDevice], names: Mapping[int, str]) -> None:
    """Print the kitchens' devices; `names` are those of the restaurants, by id."""
    rows = [
        (
            each.id,
            names.get(each.restaurant_id, f"restaurant {each.restaurant_id}"),
            _time(each.enrolled_at),
            _time(each.last_used_at),
        )
        for each in devices
    ]
    _print(_table(("Device", "Kitchen", "Enrolled", "Last used"), rows))
    say(count(len(devices), "device"))


def show_failed_mails(failed: Sequence[FailedJobs]) -> None:
    """Print the e-mails that wait or were given up."""
    rows = [
        (
            each.topic,
            each.count,
            "waits" if each.is_waiting else "given up",
            _time(each.next_run_at) if each.is_waiting else _NOTHING,
            each.reason,
        )
        for each in failed
    ]
    _print(_table(("E-mail", "How many", "State", "Next try", "Reason"), rows, title="E-mails"))


def show_audit(entries: Sequence[AuditEntry]) -> None:
    """Print entries of the audit trail."""
    rows = [
        (
            _time(entry.at),
            entry.actor,
            entry.action.value,
            entry.subject,
            ", ".join(f"{name}: {value}" for name, value in entry.details.items()),
        )
        for entry in entries
    ]
    _print(_table(("When", "Who", "Action", "Subject", "Details"), rows, title="Audit"))


def _row(line: OrderSummary) -> tuple[object, ...]:
    failed = ", ".join(line.failed_notifications)
    remarks = [line.refund_reason, f"failed: {failed}" if failed else ""]
    return (
        line.number,
        _time(line.created_at),
        line.restaurant_name,
        line.state.value,
        line.payment_state.value,
        _rupees(line.grand_total),
        _rupees(line.online),
        _rupees(line.paid),
        " ".join(remark for remark in remarks if remark),
    )


def _order_pairs(order: Order) -> Iterable[tuple[str, object]]:
    customer, table = order.customer, order.reservation
    yield "Order", order.number
    yield "Key", order.id
    yield "State", order.state.value
    if order.refund_reason:
        yield "Refund", order.refund_reason
    yield "Placed", _time(order.created_at)
    yield "Restaurant", f"{order.restaurant_id} {order.restaurant_name}, {order.campus} campus"
    if table:
        yield "Table", f"{table.date} {table.slot:%H:%M}, {table.party_size} guests"
    yield "Customer", customer.full_name or "deleted"
    yield "Email", customer.email
    yield "Phone", format_phone(customer.phone) if customer.phone else ""
    yield "Address", customer.address
    yield "Note", order.instructions.note
    if not table:
        yield "Door", order.instructions.door_note
        yield "Cutlery", "no" if order.instructions.no_cutlery else "yes"


def _cooking_pairs(cooking: Cooking) -> Iterable[tuple[str, object]]:
    yield "State", cooking.state.value.replace("_", " ")
    yield "Seen", cooking.seen_at and _time(cooking.seen_at)
    yield "Changed", cooking.changed_at and _time(cooking.changed_at)


def _bill_pairs(order: Order) -> Iterable[tuple[str, object]]:
    bill = order.bill
    yield "Subtotal", _rupees(bill.subtotal)
    yield f"Discount {bill.discount_name}".strip(), _rupees(-bill.discount)
    if not order.reservation:
        yield "Delivery", _rupees(bill.delivery_fee)
    yield "Convenience fee", _rupees(bill.convenience_fee)
    yield "Donation", _rupees(bill.donation)
    yield "Grand total", _rupees(bill.grand_total)
    yield "Online", _rupees(bill.online)
    yield "At the restaurant" if order.reservation else "At the door", _rupees(bill.remaining)


def _payment_pairs(payment: PaymentRecord) -> Iterable[tuple[str, object]]:
    yield "State", payment.state.value
    yield "Amount", _rupees(payment.amount)
    yield "Paid", f"{_rupees(payment.paid)} {payment.paid_currency}".strip()
    yield "Paid at", _time(payment.paid_at)
    yield "Expires", _time(payment.expires_at)
    yield "Provider", payment.provider
    yield "Reference", payment.reference
    yield "Provider's id", payment.provider_payment_id
    yield "Reason", payment.reason


def _table(
    columns: Sequence[str],
    rows: Iterable[Sequence[object]],
    *,
    right: Sequence[str] = (),
    title: str = "",
) -> Table:
    table = Table(title=title or None, title_justify="left", title_style="bold", box=None)
    for name in columns:
        table.add_column(name, justify="right" if name in right else "left", overflow="fold")
    for row in rows:
        table.add_row(*(_cell(value) for value in row))
    return table


def _pairs(pairs: Iterable[tuple[str, object]], *, title: str = "") -> Table:
    table = _table(("", ""), [(name, value) for name, value in pairs if value], title=title)
    table.show_header = False
    return table


def _cell(value: object) -> Text:
    # Control characters in a customer's input must not reach the terminal.
    text = normalize_text(str(value))
    return Text(text, style=_STATE_STYLES.get(text, ""))


def _print(table: Table) -> None:
    console().print(table, "")


def _time(moment: datetime | None) -> str:
    return f"{moment.astimezone(CAMPUS_TIME_ZONE):%d %b %Y %H:%M:%S}" if moment else _NOTHING


def _rupees(amount: Rupees | None) -> str:
    return _NOTHING if amount is None else format_rupees(amount)


def count(number: int, noun: str) -> str:
    """Return a number with its noun, such as `1 order` or `2 orders`."""
    return f"{number:,} {noun}" + ("" if number == 1 else "s")
