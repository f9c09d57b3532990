"""The Reflex app: the route table, the head of every page, and the background tasks."""

import json
from dataclasses import replace

import reflex as rx
from reflex.event import EventCallback
from starlette.types import ASGIApp

from campus_app import http_stack, live, wiring
from campus_app.catalogue.screens import about_page, campus_page
from campus_app.catalogue.screens.campus_state import STORAGE_KEY
from campus_app.catalogue.screens.foot_facts import foot_facts
from campus_app.kitchen.screens import kitchen_page
from campus_app.kitchen.screens.kitchen_state import device_cookie
from campus_app.kitchen.screens.ready_push import ready_push_button
from campus_app.operators.screens import (
    desk_figures_page,
    desk_leads_page,
    desk_menu_page,
    desk_menus_page,
    desk_offers_page,
    desk_order_page,
    desk_people_page,
    desk_restaurants_page,
    desk_today_page,
)
from campus_app.operators.screens.desk_entry import desk_cookie
from campus_app.operators.screens.visit_events import VisitEvents
from campus_app.ordering.screens import (
    checkout_page,
    confirmation_page,
    group_order_page,
    menu_page,
    offers_page,
    payment_return_page,
    personal_info_page,
    pre_reserve_page,
    terms_page,
    underprogress_page,
    waiting_room_page,
)
from campus_app.ordering.screens.cart_link import cart_link
from campus_app.ordering.screens.last_order import LastOrderState, last_order_link
from campus_app.ordering.screens.order_poster import READY_PUSH
from campus_app.ordering.screens.paid_cart_state import PaidCartState
from campus_app.shared.rules import routes
from campus_app.shared.rules.campus import Campus
from campus_app.shared.translations import language_of_headers, t
from campus_app.shell import not_found_page
from campus_app.shell.banner import home_message
from campus_app.shell.banner_state import BannerState, event_failed
from campus_app.shell.connection_react import ConnectionBanner
from campus_app.shell.failed_page import failed_page_boundary
from campus_app.shell.page_react import PageReady, RegisterServiceWorker
from campus_app.shell.slots import CART_LINK, FOOT_FACTS, OFFER_TITLES
from kit.gc_tuning import collect_regularly
from kit.http.sockets import EVENTS, page_count
from kit.observability import logs
from kit.redis.gate import RedisGate
from kit.reflex.event_locale import EventLocale
from kit.reflex.event_metrics import TimedEvents
from kit.reflex.inline_script import inline_script
from kit.reflex.page_load import PageLoad
from kit.reflex.pages import Page
from kit.reflex.session_limits import SessionLimits
from kit.reflex.session_locks import release_cancelled_locks
from kit.reflex.storage_fallback import storage_fallback
from kit.reflex.storage_limit import StorageLimit
from kit.reflex.unset_fields import share_defaults
from kit.translations import language, page_language, set_locale
from voice_site.live import LeadUpkeep
from voice_site.pages import index, legal
from voice_site.settings import voice_settings
from voice_site.wiring import Shared
from voice_site.wiring import build as build_site

CART_LINK.fill(cart_link)
FOOT_FACTS.fill(foot_facts)
OFFER_TITLES.fill(offers_page.offer_titles)
READY_PUSH.fill(ready_push_button)


def home_page() -> rx.Component:
    """Render the assistant's page, with the message of an order that redirects to it."""
    return index.index_page(home_message(), last_order_link("btn btn--line"))


_ORDERING = [
    *map(offers_page.with_offer_titles, about_page.PAGES),
    menu_page.PAGE,
    group_order_page.PAGE,
    pre_reserve_page.PAGE,
    offers_page.PAGE,
    checkout_page.PAGE,
    personal_info_page.PAGE,
    waiting_room_page.PAGE,
    *payment_return_page.PAGES,
    confirmation_page.PAGE,
]
"""The screens from the list of restaurants until the confirmation: one that is opened is a visit."""
PAGES = [
    replace(index.PAGE, content=home_page, on_load=[LastOrderState.open], loads_on_connect=True),
    *legal.PAGES,
    campus_page.PAGE,
    *_ORDERING,
    underprogress_page.PAGE,
    terms_page.PAGE,
    kitchen_page.PAGE,
    desk_today_page.PAGE,
    desk_order_page.PAGE,
    desk_restaurants_page.PAGE,
    desk_menus_page.PAGE,
    desk_menu_page.PAGE,
    desk_offers_page.PAGE,
    desk_figures_page.PAGE,
    desk_leads_page.PAGE,
    *desk_people_page.PAGES,
    not_found_page.PAGE,
]
"""The route table: each screen is the `PAGE` of its module."""

_WITHOUT_CART = {
    routes.HOME,
    routes.KITCHEN,
    routes.ORDER_CONFIRMATION,
    *(page.route for page in (*legal.PAGES, *payment_return_page.PAGES)),
    *(page.route for page in PAGES if page.route.startswith(routes.DESK)),
}
"""Screens that show no kept cart, or an order that has just been paid."""


def _on_load(page: Page) -> list[EventCallback[()]]:
    """Return the handlers of a page, after those that every screen has."""
    checks = [] if page.route in _WITHOUT_CART else [PaidCartState.open]
    return [BannerState.open_screen, *checks, *page.on_load]


_services = wiring.services()
_settings = _services.settings
_site = build_site(
    voice_settings(),
    Shared(_services.database, _services.outbox, _services.mailer, _services.clock),
)
_services.worker.add_effects(_site.effects)
_services.desk.leads = _site.leads
_services.desk.requests = _site.demo_requests
_redis_gate = RedisGate(_settings.redis_url, EVENTS) if _settings.redis_url else None
_lists = {each.value: routes.restaurants(each) for each in Campus}
_bar_colours = {"light": "#fbf7f0", "dark": "#15110e"}
"""The colour of the browser's own bar, by colour scheme."""

app = rx.App(
    backend_exception_handler=event_failed,
    frontend_exception_handler=logs.browser_failed,
    html_lang=page_language(language()),
    toaster=None,
    reset_style=False,
    stylesheets=["/css/tokens.css", "/css/base.css"],
    head_components=[
        storage_fallback(),
        inline_script(
            "campus_app/shell/campus_choice.js", data_key=STORAGE_KEY, data_lists=json.dumps(_lists)
        ),
        inline_script("kit/event_replay.js"),
        inline_script("kit/kept_scroll.js"),
        inline_script("kit/stream_polyfills.js"),
        *(
            # As a prop of its own, `media` would become a style.
            rx.el.meta(
                name="theme-color",
                content=colour,
                custom_attrs={"media": f"(prefers-color-scheme: {scheme})"},
            )
            for scheme, colour in _bar_colours.items()
        ),
    ],
    api_transformer=http_stack.api_transformers(_settings, _site, PAGES),
)
app.app_wraps[(55, "ErrorBoundary")] = failed_page_boundary
app.app_wraps[(5, "Overlay")] = lambda _stateful: rx.fragment(
    PageReady.create(hydrated=rx.State.is_hydrated),
    ConnectionBanner.create(
        words=t("The connection is lost. Your cart is safe; each tap tries again."),
        refused=t("This needs a connection. Press again when this line is gone."),
        silent=t("No answer from the server yet. Your cart is kept."),
        kept=t("Menus and prices as of {time}."),
    ),
    RegisterServiceWorker.create(path="/service-worker.js"),
)
app.add_middleware(TimedEvents())
app.add_middleware(EventLocale(language_of_headers, set_locale))
app.add_middleware(device_cookie)
app.add_middleware(desk_cookie)
app.add_middleware(StorageLimit())
app.add_middleware(VisitEvents([page.route for page in _ORDERING]))
_loads_on_connect = [page.route for page in PAGES if page.loads_on_connect or not page.on_load]
app.add_middleware(PageLoad(event_failed, _loads_on_connect))
release_cancelled_locks(app.state_manager)
share_defaults()
app.register_lifespan_task(live.lifespan, others=[LeadUpkeep(_site).run])
app.register_lifespan_task(collect_regularly, pages=page_count)
if _redis_gate:
    app.register_lifespan_task(_redis_gate.watch)
app.register_lifespan_task(SessionLimits(_settings.idle_allowance).watch)
for page in PAGES:
    app.add_page(
        page.content,
        route=page.route,
        title=t(page.title),
        description=t(page.description),
        image=page.image,
        on_load=_on_load(page),
    )


def served() -> ASGIApp:
    """Return the ASGI application that `campus_app.serve` runs."""
    return http_stack.served_app(app, _settings, _redis_gate)
