"""/order-confirmation: thanks, the amount due, and the notifications."""

from typing import Any

import reflex as rx

from campus_app import routes
from campus_app.components import browser
from campus_app.components.icon import icon
from campus_app.components.layout import basics, to_list
from campus_app.components.overlay import phone_link, processing_overlay
from campus_app.components.sentence import sentence
from campus_app.components.toast import toast
from campus_app.domain import constants
from campus_app.domain.constants import SUPPORT_EMAIL
from campus_app.domain.messages import ConfirmationMessage, gettext_noop
from campus_app.domain.notification import MissedCallStatus
from campus_app.pages.receipt import printed_receipt
from campus_app.states.confirmation import ConfirmationState, Phase
from campus_app.states.receipt import ReceiptState
from campus_app.translations import t
from kit.reflex.pages import Page

_DUE_AT_THE_RESTAURANT = gettext_noop("PLEASE PAY {amount} AT THE RESTAURANT")
_AMOUNT = "{amount}"
_MS = 1000
State = ConfirmationState


def order_confirmation_page() -> rx.Component:
    return rx.el.div(
        basics(),
        rx.el.main(
            browser.FallbackAfterTimeout.create(
                # Before hydration, the state may belong to another order.
                rx.cond(rx.State.is_hydrated, outcome(), arriving()),
                unreachable(),
                waiting=~rx.State.is_hydrated
                | (State.phase == Phase.PROCESSING.value)
                | (State.phase == Phase.LOADING.value),
            ),
            browser.LogHealth.create(),
            id="main",
        ),
        rx.cond(rx.State.is_hydrated, printed_receipt()),
        rx.cond(rx.State.is_hydrated & (State.phase != Phase.PROCESSING.value), notices()),
        browser.FocusOnNavigation.create(),
        class_name="poster-page",
    )


def outcome() -> Any:
    return rx.match(
        State.phase,
        (Phase.PROCESSING.value, processing()),
        (
            Phase.LOADING.value,
            processing_overlay(t("ORDER"), t("Loading Order Details"), t("One moment, please.")),
        ),
        (Phase.CONFIRMED.value, confirmed()),
        (Phase.REFUND.value, refund()),
        unverified(),
    )


def arriving() -> rx.Component:
    return processing_overlay(
        t("PROCESSING PAYMENT"), t("Checking your payment"), t("One moment, please.")
    )


def processing() -> rx.Component:
    return rx.fragment(
        processing_overlay(
            t("PROCESSING PAYMENT"),
            rx.cond(State.is_paid, t("Payment Successful!"), t("Checking your payment")),
            rx.cond(State.is_paid, t("Confirming your order..."), t("This takes a moment.")),
        ),
        browser.TakeStoredOrder.create(
            number=State.order_id,
            ms=constants.CONFIRMATION_OVERLAY_SECONDS * _MS,
            on_taken=State.reveal,
        ),
    )


def poster(*content: rx.Component) -> rx.Component:
    return rx.el.div(*content, foot(), class_name="wrap poster")


def confirmed() -> rx.Component:
    thanks = rx.el.span(t("THANK YOU,"))
    return poster(
        rx.el.p(t("ORDER CONFIRMED"), class_name="stamp"),
        title(sentence("{thanks} {name}!", thanks=thanks, name=State.name)),
        rx.el.div(
            rx.cond(State.amount_due != "", amount_due()),
            facts(
                rx.cond(State.table != "", at_the_table(), on_its_way()),
                fact(
                    "mail",
                    t(
                        "Kindly check your Gmail right now, for order info. "
                        "Not there? Look in the spam folder."
                    ),
                ),
                call_the_kitchen(),
            ),
            class_name="poster-side",
        ),
    )


def title(words: rx.Component) -> rx.Component:
    """The heading with the customer's name; long names are set smaller on small screens."""
    return rx.el.h1(words, style={"--characters": rx.Var.create(State.name).length()})


def on_its_way() -> rx.Component:
    delivery = t("Delivery initiated to {restaurant}", restaurant=State.restaurant)
    return rx.fragment(
        rx.cond(State.restaurant != "", fact("scooter", delivery)),
        fact(
            "clock",
            sentence(
                "You will be notified once we reach your location in {minutes} minutes",
                minutes=rx.el.span(State.minutes, class_name="unbroken"),
            ),
        ),
    )


def at_the_table() -> rx.Component:
    """The lines of an order for a table, in place of the delivery's. Source: specification S18."""
    return rx.fragment(
        fact("table", t("Your {table}. Pay the rest at the restaurant.", table=State.table)),
        fact("tick", t("{restaurant} has your food ready then.", restaurant=State.restaurant)),
    )


def amount_due() -> rx.Component:
    # Translations place the amount anywhere in the sentence.
    before, after = t(_DUE_AT_THE_RESTAURANT).split(_AMOUNT)
    is_table = State.table != ""
    return rx.el.p(
        rx.el.span(rx.cond(is_table, before.strip(), t("PLEASE PAY"))),
        " ",
        rx.el.b(State.amount_due, custom_attrs={"data-testid": "amount-due"}),
        " ",
        rx.el.span(rx.cond(is_table, after.strip(), t("UPON DELIVERY"))),
        class_name="amount-due",
        style={"--characters": rx.Var.create(State.amount_due).length()},
    )


def refund() -> rx.Component:
    sorry = rx.el.span(t("SORRY,"))
    return poster(
        rx.el.p(t("MONEY COMES BACK"), class_name="stamp"),
        title(sentence("{sorry} {name}.", sorry=sorry, name=State.name)),
        rx.el.div(
            facts(
                fact("warning", t("Your payment arrived, but this order can't go ahead.")),
                rx.cond(State.hint != "", fact("bill", State.hint)),
                rx.cond(
                    State.refund_amount != "",
                    fact(
                        "tick",
                        t(
                            "{amount} goes back to you. Do not pay again.",
                            amount=State.refund_amount,
                        ),
                    ),
                ),
                call_the_kitchen(),
            ),
            class_name="poster-side",
        ),
    )


def unverified() -> rx.Component:
    return poster(
        rx.el.p(t("NOT CONFIRMED YET"), class_name="stamp"),
        rx.el.h1(State.hint, class_name="hint-title"),
        rx.el.div(
            facts(
                fact("clock", t("We keep asking the payment service. Please do not pay again.")),
                contact_support(),
                call_the_kitchen(),
            ),
            class_name="poster-side",
        ),
    )


def unreachable() -> rx.Component:
    """The view while the server is unreachable, from the browser's own data."""
    number = browser.OrderNumber.create(
        words=t("Processing..."), custom_attrs={"data-testid": "order-id"}
    )
    return rx.el.div(
        rx.el.p(t("NOT CONFIRMED YET"), class_name="stamp"),
        rx.el.h1(t(ConfirmationMessage.HAS_ERROR), class_name="hint-title"),
        rx.el.div(
            facts(
                fact("clock", t("We keep asking our server. Please do not pay again.")),
                contact_support(),
            ),
            class_name="poster-side",
        ),
        rx.el.div(number, class_name="poster-foot"),
        class_name="wrap poster",
        role="status",
    )


def contact_support() -> rx.Component:
    link = rx.el.a(SUPPORT_EMAIL, href=f"mailto:{SUPPORT_EMAIL}")
    return fact("mail", sentence("Support: {email}. Please name your order number.", email=link))


def facts(*lines: rx.Component | rx.Var) -> rx.Component:
    """The lines that scroll in low windows; the important parts stay outside of them."""
    return browser.ScrollArea.create(rx.el.ul(*lines), words=t("More below"))


def fact(name: str, words: str | rx.Component) -> rx.Component:
    return rx.el.li(icon(name), rx.el.span(words))


def call_the_kitchen() -> rx.Component:
    link = rx.el.a(State.phone, href=phone_link(State.phone), class_name="figure")
    words = sentence("Questions? Call the kitchen: {phone}", phone=link)
    return rx.cond(State.phone != "", fact("phone", words))


def foot() -> rx.Component:
    number = rx.cond(State.order_id != "", f"ORDER_ID: #{State.order_id}", t("Processing..."))
    return rx.el.div(
        rx.el.span(number, custom_attrs={"data-testid": "order-id"}),
        rx.cond(
            ReceiptState.is_shown,
            rx.el.a(t("Your receipt"), href=ReceiptState.facts["path"], class_name="text-button"),
        ),
        rx.cond(
            State.is_staying,
            rx.el.a(t("To the restaurants"), class_name="text-button", **to_list()),
            rx.fragment(
                browser.CountdownText.create(
                    seconds=constants.CONFIRMATION_REDIRECT_SECONDS,
                    words=t("Redirecting to home in {seconds} seconds..."),
                    running=~State.is_staying,
                    on_finish=State.go_home,
                    custom_attrs={"data-testid": "redirect-countdown"},
                ),
                rx.el.button(
                    t("Stay on this page"),
                    class_name="text-button",
                    type="button",
                    on_click=State.stay,
                ),
            ),
        ),
        class_name="poster-foot",
    )


def notices() -> rx.Component:
    return rx.fragment(
        rx.el.div(
            rx.cond(
                State.emails_sent > 0,
                toast(
                    "mail",
                    t("Notified"),
                    State.emails_text,
                    f"{State.emails_sent}/{State.mails_due}",
                ),
            ),
            rx.cond(
                State.missed_call == MissedCallStatus.SUCCESS.value,
                toast("phone", t("MISSED CALL SENT"), t("Vendor notification sent")),
            ),
            class_name="toasts",
            role="status",
        ),
        rx.cond(
            State.is_awaited,
            browser.Interval.create(
                ms=constants.NOTIFICATION_POLL_SECONDS * _MS, on_tick=State.poll
            ),
        ),
    )


PAGE = Page(
    route=routes.ORDER_CONFIRMATION,
    title=gettext_noop("Your order · FOOD_points"),
    description=gettext_noop("What you have ordered, what is paid, and when the food comes."),
    content=order_confirmation_page,
    on_load=[ConfirmationState.open],
)
