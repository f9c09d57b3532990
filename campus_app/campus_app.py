"""The Reflex app: the table of screens, the HTTP interface beside them, what runs behind."""

from collections.abc import Callable
from functools import partial, update_wrapper

import reflex as rx
from reflex.utils.prerequisites import get_web_dir
from starlette.middleware.trustedhost import TrustedHostMiddleware
from starlette.types import ASGIApp

from campus_app import live, routes, wiring
from campus_app.api import create_api
from campus_app.api.catalogue import shown_menu
from campus_app.api.restaurants import LIVE
from campus_app.components.browser import (
    ConnectionBanner,
    RegisterWorker,
    Ticker,
    bar_colour,
    forgiving_storage,
)
from campus_app.components.frame import notice_band
from campus_app.domain.campus import Campus
from campus_app.infrastructure import logs
from campus_app.infrastructure.collector import Collector
from campus_app.infrastructure.http import (
    body_limit,
    common_headers,
    not_found_in_language,
    one_line_addresses,
    page_addresses,
    short_headers,
    with_first_words,
    written_pages,
)
from campus_app.infrastructure.languages import EventLanguage, PageFolders, in_chosen_language
from campus_app.infrastructure.page_policy import BuiltPages, PagePolicy
from campus_app.infrastructure.reflex_pages import page_templates_of
from campus_app.infrastructure.sessions import line_over
from campus_app.infrastructure.sockets import EVENTS, LimitedSockets, events_directly, live_sessions
from campus_app.infrastructure.timed_events import TimedEvents
from campus_app.pages import (
    about,
    campus,
    checkout,
    menu,
    not_found,
    offers,
    order_confirmation,
    payment_return,
    personal_info,
    pre_reserve,
    terms,
    underprogress,
    waiting_room,
)
from campus_app.pages.drawn_menu import DrawnMenus
from campus_app.pages.live_statuses import first_statuses
from campus_app.states.campus import CampusState
from campus_app.states.cart import CartState
from campus_app.states.checkout import CheckoutState
from campus_app.states.confirmation import ConfirmationState
from campus_app.states.customer import CustomerState
from campus_app.states.notice import NoticeState, event_failed
from campus_app.states.offers import OffersState
from campus_app.states.payment_return import PaymentReturnState
from campus_app.states.reservation import ReservationState
from campus_app.states.waiting_room import WaitingRoomState
from campus_app.translations import (
    LANGUAGES,
    chosen_language,
    language,
    page_language,
    speak,
    t,
)
from voice_site.api import demo_requests, found, scene
from voice_site.pages import index
from voice_site.settings import voice_settings
from voice_site.wiring import Shared
from voice_site.wiring import build as build_site

_BODY_BYTES = 256 * 1024
_STAY_KNOWN_MS = 20 * 60 * 1000
_PAGES = get_web_dir() / "build" / "client"
_PAGES_WITH_STATUSES = (routes.CAMPUS, routes.NORTH, routes.SOUTH)
_FIRST_WORDS = {
    **dict.fromkeys(_PAGES_WITH_STATUSES, first_statuses),
    routes.OFFERS: offers.first_offers,
}
_WORTH_FINDING = (routes.HOME, *_PAGES_WITH_STATUSES, routes.TERMS)
_LOST = t("The connection is lost. We keep trying; your cart is safe.")
_services = wiring.services()
_restaurants = _services.catalogue.restaurants()
_reservable = _services.reservations.restaurant()
_site = build_site(
    voice_settings(),
    Shared(_services.database, _services.outbox, _services.mailer, _services.clock),
)
_services.worker.carry_out_also(_site.effects)
_settings = _services.settings
_folders = PageFolders(_PAGES, LANGUAGES, language)
_policy = PagePolicy(_settings.allowed_origins, _site.settings.foreign_sources)
_menus = DrawnMenus(page_templates_of(_PAGES), shown_menu, first_statuses)
_line = line_over(_settings.redis_url)

app = rx.App(
    backend_exception_handler=event_failed,
    frontend_exception_handler=logs.browser_failed,
    html_lang=page_language(language()),
    toaster=None,
    reset_style=False,
    stylesheets=["/css/tokens.css", "/css/base.css"],
    head_components=[
        forgiving_storage(),
        bar_colour("#fbf7f0", "light"),
        bar_colour("#15110e", "dark"),
        rx.el.link(rel="icon", href="/favicon.svg", type="image/svg+xml"),
        rx.el.link(rel="apple-touch-icon", href="/images/app-180.png"),
        rx.el.link(rel="manifest", href="/manifest.webmanifest"),
    ],
    api_transformer=[
        create_api(
            demo_requests.create_router(_site),
            scene.create_router(_site.settings.scene),
            found.create_router(_settings.origin, _PAGES / "index.html", _WORTH_FINDING),
        ),
        body_limit(_BODY_BYTES, ("/api", "/payment/", "/sandbox")),
        partial(BuiltPages, static=_PAGES, policy=_policy),
        page_addresses(_folders, routes.DRAWN),
        written_pages(with_first_words(_folders, _FIRST_WORDS), _policy),
        written_pages(_menus.write, _policy),
        not_found_in_language(_folders, _policy),
        in_chosen_language(chosen_language, speak),
        common_headers(is_encrypted=_settings.is_encrypted),
    ],
)
app.app_wraps[(5, "Overlay")] = lambda _stateful: rx.fragment(
    ConnectionBanner.create(words=_LOST),
    RegisterWorker.create(path="/service-worker.js"),
    Ticker.create(ms=_STAY_KNOWN_MS, on_tick=NoticeState.stay_known),
)
app.add_middleware(TimedEvents())
app.add_middleware(EventLanguage(chosen_language, speak))
app.register_lifespan_task(logs.stop_quoting)
app.register_lifespan_task(live.lifespan)
app.register_lifespan_task(Collector(live_sessions).watch)
if _line:
    app.register_lifespan_task(_line.share)


def served() -> ASGIApp:
    """Return what a server serves: the app behind what comes before its first route."""
    whole = short_headers(events_directly(app))
    if _line:
        whole = _line.wrap(whole)
    whole = LimitedSockets(whole, paths=(EVENTS, LIVE), allowance=_settings.sockets)
    hosts = _settings.allowed_hosts
    return one_line_addresses(TrustedHostMiddleware(whole, allowed_hosts=hosts, www_redirect=False))


def _page(make: Callable[..., rx.Component], *given: object) -> Callable[[], rx.Component]:
    """Return a page's maker that still tells its module, by which Reflex splits the code.

    A page that is handed over made has lost it; the components of all such pages would share
    one file, and every one of them would load the code of both products.
    """
    return update_wrapper(partial(make, *given), make)


# fmt: off
app.add_page(_page(index.index_page, notice_band(NoticeState.message, NoticeState.close)), route=routes.HOME, title=index.TITLE, description=index.DESCRIPTION, image=index.PREVIEW)
app.add_page(_page(campus.campus_page, len(_restaurants)), route=routes.CAMPUS, title=t(campus.TITLE), description=t(campus.DESCRIPTION), on_load=CampusState.look)
app.add_page(_page(about.about_page, Campus.NORTH, _restaurants), route=routes.NORTH, title=t(about.TITLES[Campus.NORTH]), description=t(about.DESCRIPTIONS[Campus.NORTH]), on_load=CampusState.enter_north)
app.add_page(_page(about.about_page, Campus.SOUTH, _restaurants), route=routes.SOUTH, title=t(about.TITLES[Campus.SOUTH]), description=t(about.DESCRIPTIONS[Campus.SOUTH]), on_load=CampusState.enter_south)
app.add_page(_page(menu.menu_page, _reservable), route=routes.MENU, title=t(menu.TITLE), description=t(menu.DESCRIPTION), on_load=[CampusState.look, CartState.open_menu])
app.add_page(_page(pre_reserve.pre_reserve_page, _reservable), route=routes.PRE_RESERVE, title=t(pre_reserve.TITLE), description=t(pre_reserve.DESCRIPTION), on_load=ReservationState.open)
app.add_page(_page(offers.offers_page, {each.id: each for each in _restaurants}), route=routes.OFFERS, title=t(offers.TITLE), description=t(offers.DESCRIPTION), on_load=[CampusState.look, OffersState.look])
app.add_page(checkout.checkout_page, route=routes.CHECKOUT, title=t(checkout.TITLE), description=t(checkout.DESCRIPTION), on_load=CheckoutState.open)
app.add_page(personal_info.personal_info_page, route=routes.PERSONAL_INFO, title=t(personal_info.TITLE), description=t(personal_info.DESCRIPTION), on_load=CustomerState.open)
app.add_page(waiting_room.waiting_room_page, route=routes.WAITING_ROOM, title=t(waiting_room.TITLE), description=t(waiting_room.DESCRIPTION), on_load=WaitingRoomState.open)
for _route in (routes.FORM_RESPONSE, routes.CASHFREE_RESPONSE, routes.PAYMENT_SUCCESS):
    app.add_page(payment_return.payment_return_page, route=_route, title=t(payment_return.TITLE), description=t(payment_return.DESCRIPTION), on_load=PaymentReturnState.open)
app.add_page(order_confirmation.order_confirmation_page, route=routes.ORDER_CONFIRMATION, title=t(order_confirmation.TITLE), description=t(order_confirmation.DESCRIPTION), on_load=ConfirmationState.open)
app.add_page(underprogress.underprogress_page, route=routes.UNDER_PROGRESS, title=t(underprogress.TITLE), description=t(underprogress.DESCRIPTION))
app.add_page(terms.terms_page, route=routes.TERMS, title=t(terms.TITLE), description=t(terms.DESCRIPTION))
app.add_page(not_found.not_found_page, route="404", title=t(not_found.TITLE), description=t(not_found.DESCRIPTION))
# fmt: on
