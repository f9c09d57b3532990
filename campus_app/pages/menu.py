"""/menu/{restaurantId}: one restaurant's menu, and the cart beside it."""

from typing import Any

import reflex as rx

from campus_app import routes, wiring
from campus_app.components import browser
from campus_app.components.bill_slip import slip_line
from campus_app.components.campus_prompt import campus_prompt
from campus_app.components.icon import icon
from campus_app.components.item_card import item_card
from campus_app.components.layout import banner, numbered_label, screen, screen_head, to_list
from campus_app.components.restaurant_card import facts
from campus_app.components.sentence import in_words, sentence
from campus_app.components.status_badge import status_badge
from campus_app.components.table_banner import (
    after,
    promo_bar,
    promo_link,
    reserve_link,
    table_banner,
)
from campus_app.components.toast import problem_toast
from campus_app.domain.constants import (
    MAXIMUM_LINE_QUANTITY,
    MINIMUM_ORDER,
    MINIMUM_PRE_RESERVED_ORDER,
)
from campus_app.domain.messages import MenuMessage, OrderMessage, gettext_noop
from campus_app.domain.money import format_rupees
from campus_app.domain.offers import OFFERS, PRE_RESERVATION_DISCOUNT
from campus_app.domain.restaurant import Restaurant, RestaurantState
from campus_app.pages.initial_statuses import live_feed
from campus_app.states.banner import BannerState
from campus_app.states.campus import CampusState
from campus_app.states.cart import NO_RESERVED_TOTALS, NO_TOTALS, CartState
from campus_app.states.reservation import ReservationState
from campus_app.translations import ENGLISH, language, t
from kit.reflex.modal import Modal
from kit.reflex.pages import Page

OUR_SECTIONS = (gettext_noop("Trending"),)
"""The sections that we name, not the restaurants."""
_MENU_PROBLEMS = (
    MenuMessage.RESTAURANT_NOT_FOUND,
    MenuMessage.EMPTY,
    MenuMessage.UNREADABLE,
    MenuMessage.NO_ITEMS,
    *(MenuMessage.LOAD_FAILED.of(status=status) for status in (404, 500)),
)
"""The server's messages about menus that it can't serve."""
_DISCOUNTS = (*(offer.title for offer in OFFERS), PRE_RESERVATION_DISCOUNT)
_MINIMUM = format_rupees(MINIMUM_ORDER)
_RESERVED_MINIMUM = format_rupees(MINIMUM_PRE_RESERVED_ORDER)
_ORIGINAL_MENU_TITLE = "original-menu-title"
_IS_ORIGINAL_MENU_OPEN = browser.chosen("original_menu", "closed") == "open"


def menu_page() -> rx.Component:
    return screen(
        rx.match(
            browser.menu_status,
            (
                "ready",
                rx.fragment(
                    menu_head(),
                    closed_banner(),
                    reserved_table_bar(wiring.services().reservations.restaurant()),
                    menu_tabs(),
                    menu_body(),
                    problem_toast(
                        rx.cond(
                            browser.has_lost_steps, t(MenuMessage.STEPS_LOST), CartState.refusal
                        )
                    ),
                ),
            ),
            ("error", menu_error()),
            menu_skeleton(),
        ),
        new_cart_dialog(),
        after(CartState.offer_ms, CartState.reprice),
        rx.cond(CartState.is_reserved, after(ReservationState.held_ms, CartState.reprice)),
        live_feed(),
        browser.ConfirmedCart.create(
            cart=CartState.cart,
            sequence=CartState.sequence,
            most=MAXIMUM_LINE_QUANTITY,
            hydrated=rx.State.is_hydrated,
        ),
        banner=banner(BannerState.message, BannerState.close),
        prompt=campus_prompt(lambda campus: CampusState.select(campus.value)),
        has_foot=False,
    )


def menu_head() -> rx.Component:
    head = browser.menu_head
    return rx.el.div(
        rx.el.div(
            rx.el.div(browser.picture(head["image"]), class_name="menu-picture"),
            rx.el.div(
                numbered_label("01", t("MENU")),
                rx.el.h1(head["name"]),
                facts(head["rating"], head["deliveryMinutes"], head["hours"]),
                rx.el.div(
                    status_badge(browser.state_of(head["id"])),
                    verify_button(),
                    class_name="row",
                ),
                class_name="menu-title",
                custom_attrs={"data-testid": f"restaurant-{head['id']}"},
            ),
            class_name="wrap",
        ),
        original_menu_dialog(),
        class_name="menu-head",
    )


def closed_banner() -> rx.Component:
    """The banner of a restaurant that closes while its menu is shown."""
    state = browser.state_of(browser.menu_head["id"])
    is_closed = (state != "") & (state != RestaurantState.OPEN.value)
    words = rx.el.div(
        icon("warning"),
        rx.el.p(
            t("This kitchen takes no orders now."),
            rx.cond(browser.dish_count > 0, " " + t(OrderMessage.CART_KEPT), ""),
        ),
        class_name="wrap",
    )
    return rx.el.div(rx.cond(is_closed, rx.el.div(words, class_name="notice-band")), role="status")


def verify_button() -> rx.Component:
    return rx.el.button(
        icon("bill"),
        t("VERIFY OUR PRICES"),
        class_name="button",
        type="button",
        aria_haspopup="dialog",
        on_click=browser.choose("original_menu", "open"),
    )


def original_menu_dialog() -> rx.Component:
    """The pictures of the restaurant's printed menu, or today's prices if there are none."""
    has_images = browser.menu_images.length() > 0
    heading = rx.cond(has_images, t("The original menu"), t("Today's prices"))
    close = browser.choose("original_menu", "closed")
    return Modal.create(
        rx.el.div(
            rx.el.h2(heading, id=_ORIGINAL_MENU_TITLE),
            rx.el.button(icon("cross"), type="button", aria_label=t("Close"), on_click=close),
            class_name="sheet-head",
        ),
        rx.cond(has_images, original_menu_images(), todays_prices()),
        open=_IS_ORIGINAL_MENU_OPEN,
        on_dismiss=close,
        class_name="sheet original-menu",
        # The heading is not known at the build: it depends on whether there are pictures.
        aria_labelledby=_ORIGINAL_MENU_TITLE,
    )


def original_menu_images() -> rx.Component:
    return rx.el.div(
        rx.foreach(
            browser.menu_images,
            lambda image, index: rx.el.figure(
                rx.el.figcaption(t("Picture taken on {day}", day=image["takenOn"])),
                rx.el.img(
                    src=image["src"],
                    alt=t(
                        "The original menu of {restaurant}, picture {number}",
                        restaurant=browser.menu_head["name"],
                        number=index + 1,
                    ),
                ),
            ),
        ),
        class_name="original-menu-images",
    )


def todays_prices() -> rx.Component:
    return rx.fragment(
        rx.el.p(
            t("This restaurant has given us no picture of its menu. These are the prices here.")
        ),
        rx.foreach(
            browser.menu_categories,
            lambda category: rx.fragment(
                rx.el.h3(category["name"]),
                rx.el.ul(
                    rx.foreach(
                        category["dishes"].to(list[browser.Dish]),
                        lambda dish: rx.el.li(
                            rx.el.span(dish["name"]),
                            rx.el.span(class_name="leader", aria_hidden="true"),
                            rx.el.b(dish["price"]),
                        ),
                    ),
                    class_name="price-list",
                ),
            ),
        ),
    )


def reserved_table_bar(reservable: Restaurant | None) -> rx.Component:
    """The reserved table that the menu is for, the one that is held, or a link to reserve one."""
    if reservable is None:
        return rx.fragment()
    table = ReservationState.table
    return rx.cond(
        CartState.is_reserved,
        table_banner(table),
        rx.cond(
            browser.menu_head["hasTables"],
            rx.cond(
                table != "",
                promo_bar(
                    t(
                        "You hold a {table}, until {until}.",
                        table=table,
                        until=ReservationState.held_until,
                    ),
                    promo_link(t("Order for it"), routes.reserved_menu(reservable.id)),
                ),
                promo_bar(t("Sit down to it: a table, and 10% off."), reserve_link()),
            ),
        ),
    )


def menu_tabs() -> rx.Component:
    said = {} if language() == ENGLISH else {name: t(name) for name in OUR_SECTIONS}
    return browser.Tabs.create(
        name="section",
        label=t("Menu"),
        labels=browser.menu_section_names(said),
        targets=browser.menu_section_ids,
    )


def menu_body() -> rx.Component:
    return rx.el.div(
        rx.el.div(rx.foreach(browser.menu_sections, menu_section)),
        cart_slip(),
        class_name="wrap menu-body",
    )


def menu_section(section: Any) -> rx.Component:
    dishes = section["dishes"].to(list[browser.Dish])
    heading = f"{section['id']}-title"
    count = section["count"]
    return rx.el.section(
        rx.el.header(
            rx.el.h2(in_words(section["name"], OUR_SECTIONS), id=heading),
            rx.el.p(
                rx.el.b(section["number"]),
                rx.cond(
                    count == 1,
                    t("/{count} DISH", count=count),
                    t("/{count} DISHES", count=count),
                ),
                class_name="numbered-label",
            ),
        ),
        rx.el.ul(
            rx.foreach(dishes, lambda dish: menu_item(dish=dish)),
            class_name="item-list",
        ),
        class_name="menu-section",
        id=section["id"],
        aria_labelledby=heading,
    )


@rx.memo
def menu_item(dish: rx.Var[browser.Dish]) -> rx.Component:
    """A dish, rendered again only when its quantity changes."""
    known: Any = dish
    return item_card(
        known,
        on_add=CartState.add_item(known["id"], browser.step(known, 1)),
        on_remove=CartState.remove_item(known["id"], browser.step(known, -1)),
    )


def cart_slip() -> rx.Component:
    count = browser.dish_count
    return rx.el.aside(
        rx.el.div(
            numbered_label("00", t("YOUR CART")),
            rx.el.h2(
                rx.match(
                    count,
                    (0, t("Nothing yet")),
                    (1, t("1 dish")),
                    t("{count} dishes", count=count),
                )
            ),
            class_name="cart-head",
        ),
        rx.el.ul(
            rx.foreach(
                browser.cart_lines,
                lambda line: slip_line(line["times"], line["name"], line["total"]),
            ),
            class_name="cart-lines",
        ),
        cart_bar(),
        class_name=rx.cond(browser.is_cart_pending, "cart awaited", "cart"),
        aria_label=t("Your cart"),
    )


def cart_bar() -> rx.Component:
    totals = browser.totals_here(
        CartState.cart,
        CartState.totals,
        rx.cond(CartState.is_reserved, NO_RESERVED_TOTALS, NO_TOTALS),
    )
    minimum = rx.cond(CartState.is_reserved, _RESERVED_MINIMUM, _MINIMUM)
    subtotal, discount, total, shortfall = (totals[index] for index in range(4))
    is_short, missing = shortfall > 0, browser.rupees(shortfall)
    return rx.el.div(
        rx.el.progress(
            class_name="cart-minimum",
            max=rx.cond(CartState.is_reserved, int(MINIMUM_PRE_RESERVED_ORDER), int(MINIMUM_ORDER)),
            value=total,
            aria_label=t("Towards the {minimum} minimum", minimum=minimum),
        ),
        rx.el.dl(
            figure(t("Subtotal"), browser.rupees(subtotal), "subtotal"),
            figure(
                t("Discount"),
                browser.rupees(discount),
                "discount",
                look=rx.cond(discount > 0, "minus", ""),
            ),
            figure(t("Total"), browser.rupees(total), "total"),
            class_name="cart-sums",
        ),
        rx.cond(
            (CartState.offer != "") & (discount > 0),
            rx.el.p(in_words(CartState.offer, _DISCOUNTS), class_name="offer-line"),
        ),
        rx.el.p(
            rx.cond(
                is_short,
                rx.cond(
                    CartState.is_reserved,
                    t(
                        "Add {missing} more. Pre-reserved orders start at {minimum}.",
                        missing=missing,
                        minimum=_RESERVED_MINIMUM,
                    ),
                    t(
                        "Add {missing} more to reach the {minimum} minimum.",
                        missing=missing,
                        minimum=_MINIMUM,
                    ),
                ),
                t("Minimum {minimum} reached.", minimum=minimum),
            ),
            class_name=rx.cond(is_short, "shortfall", "shortfall met"),
            role="status",
            custom_attrs={"data-testid": "shortfall"},
        ),
        rx.el.button(
            t("PROCEED TO CART"),
            icon("arrow"),
            class_name="button primary wide asks",
            type="button",
            disabled=is_short,
            on_click=CartState.proceed,
        ),
        class_name="cart-bar",
    )


def figure(label: str, amount: str, test_id: str, look: Any = "") -> rx.Component:
    return rx.el.div(
        rx.el.dt(label),
        rx.el.dd(amount, custom_attrs={"data-testid": test_id}),
        class_name=look,
    )


def menu_error() -> rx.Component:
    status = rx.cond(browser.menu_failure == "none", t("no connection"), browser.menu_failure)
    problem = rx.cond(
        browser.menu_failure != "",
        t(MenuMessage.LOAD_FAILED, status=status),
        in_words(browser.menu_message, _MENU_PROBLEMS),
    )
    return rx.el.div(
        screen_head("!!", t("MENU"), t("No menu today")),
        rx.el.div(
            rx.el.p(t("Error: {problem}", problem=problem), role="alert"),
            rx.el.button(
                t("Retry"),
                icon("refresh"),
                class_name="button primary",
                type="button",
                on_click=browser.reload_page,
            ),
            rx.el.a(t("To the restaurants"), class_name="text-button", **to_list()),
            class_name="prose",
        ),
        class_name="wrap",
    )


def menu_skeleton() -> rx.Component:
    """Placeholders of the final size, so that the layout does not shift."""
    line = rx.el.div(
        rx.el.div(class_name="skeleton-line wide"),
        rx.el.div(class_name="skeleton-line"),
        class_name="item-skeleton",
    )
    return rx.el.div(
        rx.el.div(
            rx.el.div(
                rx.el.div(class_name="menu-picture skeleton"),
                rx.el.div(
                    rx.el.div(class_name="skeleton-line title"),
                    rx.el.div(class_name="skeleton-line"),
                    class_name="menu-title stretched",
                ),
                class_name="wrap",
            ),
            class_name="menu-head",
        ),
        rx.el.div(class_name="tabs tabs-skeleton"),
        rx.el.div(*[line] * 6, class_name="wrap"),
        rx.el.h1(t("Menu"), class_name="visually-hidden"),
        rx.el.p(t("Loading the menu"), class_name="visually-hidden", role="status"),
        aria_busy="true",
    )


def new_cart_dialog() -> rx.Component:
    return Modal.create(
        numbered_label("00", t("YOUR CART")),
        rx.el.h2(t("Start a new cart?")),
        rx.el.p(
            sentence(
                "One order comes from one kitchen. "
                "A new cart empties the one with your dishes of {restaurant}.",
                restaurant=rx.el.b(CartState.other_restaurant),
            )
        ),
        rx.el.div(
            rx.el.button(
                t("Keep my cart"),
                class_name="button",
                type="button",
                on_click=CartState.keep_cart,
            ),
            rx.el.button(
                t("Start a new cart"),
                icon("arrow"),
                class_name="button primary",
                type="button",
                on_click=CartState.start_new_cart,
            ),
            class_name="actions",
        ),
        open=CartState.pending_item_id != "",
        on_dismiss=CartState.keep_cart,
        class_name="sheet",
        aria_label=t("Start a new cart?"),
    )


PAGE = Page(
    route=routes.MENU,
    title=gettext_noop("Menu · FOOD_points"),
    description=gettext_noop(
        "The menu of a campus restaurant, with prices. Choose your dishes and order."
    ),
    content=menu_page,
    on_load=[CampusState.refresh_statuses, CartState.open_menu],
)
