"""The ASGI middleware around Reflex: that of HTTP requests, then that of all connections.

Each wraps those listed before it, so a request passes the last one first and its response the last
one last.
"""

from collections.abc import Sequence
from functools import partial
from typing import Any

import reflex as rx
from starlette.middleware.trustedhost import TrustedHostMiddleware
from starlette.types import ASGIApp

from campus_app import wiring
from campus_app.catalogue.api.catalogue import shown_menu
from campus_app.catalogue.api.restaurants import LIVE
from campus_app.catalogue.screens.initial_statuses import initial_statuses
from campus_app.http_api import create_api
from campus_app.kitchen.screens.kitchen_state import device_cookie
from campus_app.operators.screens.desk_entry import desk_cookie
from campus_app.ordering.screens.menu_metadata import described_menus
from campus_app.ordering.screens.prerendered_menu import PrerenderedMenus
from campus_app.shared.rules import routes
from campus_app.shared.settings import Settings
from campus_app.shared.translations import CATALOGUES, LANGUAGES, t
from kit.http.body_limit import body_limit
from kit.http.csp import ContentSecurityPolicy, PagePolicy
from kit.http.initial_data import rendered_pages, with_initial_data
from kit.http.locale import PageFolders, request_locale
from kit.http.not_found import localized_not_found
from kit.http.page_addresses import page_addresses
from kit.http.page_notice import page_notice
from kit.http.requests_only import http_interface, requests_only
from kit.http.same_origin import same_origin
from kit.http.security_headers import security_headers
from kit.http.sockets import EVENTS, SocketLimits
from kit.redis.gate import RedisGate
from kit.reflex.page_templates import page_templates_of
from kit.reflex.pages import BUILT_PAGES, Page
from kit.reflex.release_match import same_release
from kit.text import gettext_noop
from kit.translations import language
from voice_site.api import demo_requests, request_link, scene, seo
from voice_site.domain.stored_request import LINK_PATH
from voice_site.wiring import Site

_BODY_BYTES = 256 * 1024
_DEMONSTRATION = gettext_noop("Demonstration: orders, payments and requests are not real.")


def api_transformers(settings: Settings, site: Site, pages: Sequence[Page]) -> list[Any]:
    """Return the value of `rx.App(api_transformer=…)`: the HTTP interface and what wraps it.

    All sockets bypass `requests_only`, and the pages' sockets bypass the interface as well.
    """
    folders = PageFolders(BUILT_PAGES, LANGUAGES, language)
    policy = PagePolicy(settings.allowed_origins, site.settings.foreign_sources)
    menus = PrerenderedMenus(
        page_templates_of(BUILT_PAGES), shown_menu, initial_statuses, settings.origin
    )
    initial_data = {page.route: page.initial_data for page in pages if page.initial_data}
    in_sitemap = [page.route for page in pages if page.is_in_sitemap]
    in_sitemap += [routes.menu(each.id) for each in wiring.services().catalogue.restaurants()]
    api = create_api(
        demo_requests.create_router(site),
        request_link.create_router(site),
        scene.create_router(site.settings.scene),
        seo.create_router(settings.origin, folders, in_sitemap),
    )
    return [
        http_interface(api, sockets=(LIVE,)),
        requests_only(
            body_limit(_BODY_BYTES, ("/api", "/payment/", "/sandbox", LINK_PATH)),
            partial(ContentSecurityPolicy, static=BUILT_PAGES, policy=policy),
            page_addresses(folders, [page.route for page in pages], routes.PRERENDERED),
            rendered_pages(with_initial_data(folders, initial_data), policy),
            rendered_pages(described_menus(folders, settings.origin), policy),
            rendered_pages(menus.page, policy),
            localized_not_found(folders, policy),
            *([page_notice(lambda: t(_DEMONSTRATION))] if settings.demonstration else []),
            # Outside all that renders a text, and inside the headers that each response gets.
            request_locale(CATALOGUES, is_encrypted=settings.is_encrypted),
            security_headers(is_encrypted=settings.is_encrypted),
        ),
    ]


def served_app(app: rx.App, settings: Settings, redis_gate: RedisGate | None) -> ASGIApp:
    """Return the app behind the checks that every request and every socket must pass.

    `redis_gate` is None without Redis.
    """
    served = desk_cookie.wrap(device_cookie.wrap(app()))
    if redis_gate:
        served = redis_gate.wrap(served)
    served = SocketLimits(served, paths=(EVENTS, LIVE), allowance=settings.sockets)
    served = same_release(served)
    served = same_origin(settings.allowed_origins)(served)
    return TrustedHostMiddleware(served, allowed_hosts=settings.allowed_hosts, www_redirect=False)
