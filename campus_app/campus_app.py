"""The Reflex app: the table of screens, the HTTP interface beside them, what runs behind."""

from collections.abc import Callable
from functools import partial, update_wrapper
from typing import Protocol

import reflex as rx
from reflex.event import EventCallback
from reflex.utils.prerequisites import get_web_dir
from starlette.middleware.trustedhost import TrustedHostMiddleware
from starlette.types import ASGIApp

from campus_app import live, routes, wiring
from campus_app.api import create_api
from campus_app.api.catalogue import shown_menu
from campus_app.api.restaurants import LIVE
from campus_app.components.browser import (
    Awake,
    ConnectionBanner,
    RegisterWorker,
    bar_colour,
    follow_campus,
    forgiving_storage,
    kept_taps,
    stream_shims,
)
from campus_app.components.home_message import home_message
from campus_app.domain.campus import Campus
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
from campus_app.pages.initial_statuses import first_statuses
from campus_app.pages.prerendered_menu import DrawnMenus
from campus_app.states.campus import STORAGE_KEY, CampusState
from campus_app.states.cart import CartState
from campus_app.states.checkout import CheckoutState
from campus_app.states.confirmation import ConfirmationState
from campus_app.states.customer import CustomerState
from campus_app.states.notice import BannerState, event_failed
from campus_app.states.offers import OffersState
from campus_app.states.payment_return import PaymentReturnState
from campus_app.states.reservation import ReservationState
from campus_app.states.waiting_room import WaitingRoomState
from campus_app.translations import (
    LANGUAGES,
    chosen_language,
    language,
    page_language,
    set_locale,
    t,
)
from kit.gc_tuning import Collector
from kit.http.csp import BuiltPages, PagePolicy
from kit.http.locale import EventLanguage, PageFolders, in_chosen_language
from kit.http.middleware import (
    body_limit,
    common_headers,
    not_found_in_language,
    one_line_addresses,
    page_addresses,
    short_headers,
    with_first_words,
    written_pages,
)
from kit.http.same_origin import own_origins_only
from kit.http.sockets import (
    EVENTS,
    LimitedSockets,
    closed_sessions,
    events_directly,
    live_sessions,
)
from kit.observability import logs
from kit.reflex.event_metrics import TimedEvents
from kit.reflex.page_plugins import page_templates_of
from kit.reflex.session_limits import SessionLimits
from kit.reflex.sessions import line_over
from voice_site.api import demo_requests, scene, seo
from voice_site.pages import index
from voice_site.settings import voice_settings
from voice_site.wiring import Shared
from voice_site.wiring import build as build_site

_BODY_BYTES = 256 * 1024
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
_services.worker.add_effects(_site.effects)
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
        follow_campus(STORAGE_KEY, {campus.value: routes.restaurants(campus) for campus in Campus}),
        kept_taps(),
        stream_shims(),
        bar_colour("#fbf7f0", "light"),
        bar_colour("#15110e", "dark"),
    ],
    api_transformer=[
        create_api(
            demo_requests.create_router(_site),
            scene.create_router(_site.settings.scene),
            seo.create_router(_settings.origin, _PAGES / "index.html", _WORTH_FINDING),
        ),
        body_limit(_BODY_BYTES, ("/api", "/payment/", "/sandbox")),
        partial(BuiltPages, static=_PAGES, policy=_policy),
        page_addresses(_folders, routes.PRERENDERED),
        written_pages(with_first_words(_folders, _FIRST_WORDS), _policy),
        written_pages(_menus.write, _policy),
        not_found_in_language(_folders, _policy),
        in_chosen_language(chosen_language, set_locale),
        common_headers(is_encrypted=_settings.is_encrypted),
    ],
)
app.app_wraps[(5, "Overlay")] = lambda _stateful: rx.fragment(
    Awake.create(hydrated=rx.State.is_hydrated),
    ConnectionBanner.create(words=_LOST),
    RegisterWorker.create(path="/service-worker.js"),
)
app.add_middleware(TimedEvents())
app.add_middleware(EventLanguage(chosen_language, set_locale))
app.register_lifespan_task(logs.stop_quoting)
app.register_lifespan_task(live.lifespan)
app.register_lifespan_task(Collector(live_sessions, closed_sessions).watch)
if _line:
    app.register_lifespan_task(_line.share)
app.register_lifespan_task(SessionLimits(_settings.idle_allowance).watch)


def served() -> ASGIApp:
    """Return what a server serves: the app behind what comes before its first route."""
    whole = short_headers(events_directly(app))
    if _line:
        whole = _line.wrap(whole)
    whole = LimitedSockets(whole, paths=(EVENTS, LIVE), allowance=_settings.sockets)
    whole = own_origins_only(_settings.allowed_origins)(whole)
    hosts = _settings.allowed_hosts
    return one_line_addresses(TrustedHostMiddleware(whole, allowed_hosts=hosts, www_redirect=False))


def _page(make: Callable[..., rx.Component], *given: object) -> Callable[[], rx.Component]:
    """Return a page's maker that still tells its module, by which Reflex splits the code.

    A page that is handed over made has lost it; the components of all such pages would share
    one file, and every one of them would load the code of both products.
    """
    return update_wrapper(partial(make, *given), make)


class _Words(Protocol):
    """What the module of a page says of it."""

    TITLE: str
    DESCRIPTION: str


def _add(
    route: str,
    page: Callable[[], rx.Component],
    words: _Words,
    *on_load: EventCallback[()],
) -> None:
    """Register a page at its address; `on_load` are the events when it comes up."""
    app.add_page(
        page,
        route=route,
        title=t(words.TITLE),
        description=t(words.DESCRIPTION),
        on_load=[BannerState.open_screen, *on_load],
    )


_home_message = home_message(
    BannerState.message, BannerState.severity, BannerState.contact, BannerState.close
)
_home = _page(index.index_page, _home_message)
app.add_page(
    _home,
    route=routes.HOME,
    title=index.TITLE,
    description=index.DESCRIPTION,
    image=index.PREVIEW,
    on_load=BannerState.open_screen,
)
for _campus, _route, _enter in (
    (Campus.NORTH, routes.NORTH, CampusState.enter_north),
    (Campus.SOUTH, routes.SOUTH, CampusState.enter_south),
):
    app.add_page(
        _page(about.about_page, _campus, _restaurants),
        route=_route,
        title=t(about.TITLES[_campus]),
        description=t(about.DESCRIPTIONS[_campus]),
        on_load=[BannerState.open_screen, _enter],
    )
_campus_page = _page(campus.campus_page, len(_restaurants))
_menu_page = _page(menu.menu_page, _reservable)
_pre_reserve_page = _page(pre_reserve.pre_reserve_page, _reservable)
_offers_page = _page(offers.offers_page, {each.id: each for each in _restaurants})

# Every other page is one line: its address, what makes it, the module of its words, its event.
_add(routes.CAMPUS, _campus_page, campus, CampusState.look)
_add(routes.MENU, _menu_page, menu, CampusState.look, CartState.open_menu)
_add(routes.PRE_RESERVE, _pre_reserve_page, pre_reserve, ReservationState.open)
_add(routes.OFFERS, _offers_page, offers, CampusState.look, OffersState.look)
_add(routes.CHECKOUT, checkout.checkout_page, checkout, CheckoutState.open)
_add(routes.PERSONAL_INFO, personal_info.personal_info_page, personal_info, CustomerState.open)
_add(routes.WAITING_ROOM, waiting_room.waiting_room_page, waiting_room, WaitingRoomState.open)
for _route in (routes.FORM_RESPONSE, routes.CASHFREE_RESPONSE, routes.PAYMENT_SUCCESS):
    _add(_route, payment_return.payment_return_page, payment_return, PaymentReturnState.open)
_add(
    routes.ORDER_CONFIRMATION,
    order_confirmation.order_confirmation_page,
    order_confirmation,
    ConfirmationState.open,
)
_add(routes.UNDER_PROGRESS, underprogress.underprogress_page, underprogress)
_add(routes.TERMS, terms.terms_page, terms)
_add("404", not_found.not_found_page, not_found)
