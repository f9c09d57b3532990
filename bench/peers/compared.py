"""The benchmarks of `--peers`: ours beside each shop and each framework, in the same run."""

import contextlib
import statistics
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from dataclasses import asdict, dataclass
from functools import cache
from pathlib import Path
from typing import Any

from plan import Plan
from report import Figure, MeasurementFailed, Result
from servers import last_lines

from peers import frameworks, load, oscar, oscar_server, ours, pages, pretix, pretix_server
from peers.backing import Backing, started_backing
from peers.deployment import Deployment
from peers.environments import HERE
from peers.load import Load, Orders
from peers.pages import CartPage, Page
from peers.percentiles import p95
from peers.pins import version

_QUANTITIES = (
    "[...document.querySelectorAll('button[aria-label^=\"Add one\"]')].slice(0, 12)"
    ".map((button) => button.previousElementSibling.textContent).join()"
)
_STEPPERS = CartPage('button[aria-label^="Add one"]', _QUANTITIES, alternates=12)
_OUR_ROUNDS = 6
"""Ours would otherwise be measured for a second only."""
_PACKAGES = {
    "pretix": ("pretix_shop", ("pretix", "Django", "celery", "gunicorn")),
    "django-oscar": ("oscar_shop", ("django-oscar", "Django", "Whoosh", "gunicorn")),
    "NiceGUI": ("nicegui_menu", ("nicegui",)),
    "Streamlit": ("streamlit_menu", ("streamlit",)),
}
"""The folder of each peer's requirements, and the packages whose versions are reported."""


@dataclass(frozen=True)
class Shop:
    """A shop with a catalogue, a cart, and orders that are paid."""

    served: Callable[[Backing, Path, int], AbstractContextManager[Deployment]]
    catalogue: str
    cart: CartPage
    orders: Orders


@dataclass(frozen=True)
class Measured:
    """All figures of a shop or a framework."""

    page: Page
    start_seconds: list[float]
    page_bytes: float | None = None
    """Of an open page in a browser."""
    load: Load | None = None


_OURS = Shop(ours.served, ours.CATALOGUE, _STEPPERS, Orders(mails=2, rounds=_OUR_ROUNDS))
_PRETIX = Shop(
    pretix_server.served,
    pretix.CATALOGUE,
    CartPage(
        button="#btn-add-to-cart",
        figure="document.querySelector('.cart-row.total .totalprice').textContent.trim()",
        prepare="() => { document.querySelector('#item_4').value = '1'; }",
    ),
    Orders(mails=2),
)
_OSCAR = Shop(
    oscar_server.served,
    oscar.CATALOGUE,
    CartPage(
        button='form[action^="/basket/add/"] button',
        figure="document.querySelector('.basket-mini').innerText.match(/[0-9.,]+/)[0]",
    ),
    Orders(mails=1),
)
_NICEGUI = CartPage("button.add", "document.querySelector('.subtotal').textContent", alternates=12)
_STREAMLIT = CartPage(
    button='[class*="st-key-more"] button',
    figure=(
        "[...document.querySelectorAll('[data-testid=\"stText\"]')]"
        ".find((text) => text.textContent.startsWith('Subtotal')).textContent"
    ),
    alternates=12,
)


def measure_pretix(plan: Plan, folder: Path) -> Result:
    """Measure pretix beside ours."""
    return _beside("pretix", plan, folder, _shop("pretix", _PRETIX, plan, folder))


def measure_oscar(plan: Plan, folder: Path) -> Result:
    """Measure django-oscar beside ours."""
    return _beside("django-oscar", plan, folder, _shop("django-oscar", _OSCAR, plan, folder))


def measure_nicegui(plan: Plan, folder: Path) -> Result:
    """Measure NiceGUI beside ours."""
    program = frameworks.nicegui(folder)
    served = frameworks.served(program, folder, plan.peers.starts)
    return _beside("NiceGUI", plan, folder, _framework("NiceGUI", served, _NICEGUI, plan))


def measure_streamlit(plan: Plan, folder: Path) -> Result:
    """Measure Streamlit beside ours."""
    program = frameworks.streamlit(folder)
    served = frameworks.served(program, folder, plan.peers.starts)
    return _beside("Streamlit", plan, folder, _framework("Streamlit", served, _STREAMLIT, plan))


def measure_single_page_app(plan: Plan, folder: Path) -> Result:
    """Measure a single-page app, whose cart never leaves the browser, beside ours."""
    name, served = "single-page app", frameworks.single_page_app(folder)
    return _beside(name, plan, folder, _framework(name, served, _STEPPERS, plan))


BENCHMARKS: dict[str, Callable[[Plan, Path], Result]] = {
    "pretix": measure_pretix,
    "django_oscar": measure_oscar,
    "nicegui": measure_nicegui,
    "streamlit": measure_streamlit,
    "single_page_app": measure_single_page_app,
}


def figures(name: str, product: Measured, peer: Measured) -> list[Figure]:
    """Return what was measured of both."""
    rows = [(text, unit, read(product), read(peer)) for text, unit, read in _FIGURES]
    return [
        Figure(f"{name}: {text}", unit, our_value, peer_value, beside=name)
        for text, unit, our_value, peer_value in rows
        if our_value is not None and peer_value is not None
    ]


def _shop(name: str, shop: Shop, plan: Plan, folder: Path) -> Measured:
    with started_backing() as backing, _explained(folder / "shop" / "web.log"):
        progress = _Progress(name)
        with shop.served(backing, folder / "shop", plan.peers.starts) as site:
            progress("cold start")
            page_bytes = None
            if shop is _OURS:
                page_bytes = pages.bytes_each(plan.peers, site, shop.catalogue, shop.cart)
                progress("open pages")
            page = pages.measure(plan.peers, site, shop.catalogue, shop.cart)
            progress("browser")
            with site.fronted():
                loaded = load.measure(plan.peers, backing, site, shop.orders)
            progress("items, orders and visitors")
            return Measured(page, site.start_seconds, page_bytes, loaded)


def _framework(
    name: str, served: AbstractContextManager[Deployment], cart: CartPage, plan: Plan
) -> Measured:
    progress = _Progress(name)
    with served as site:
        progress("cold start")
        # Before the other visits, whose freed memory would be used again.
        page_bytes = pages.bytes_each(plan.peers, site, "/", cart)
        progress("open pages")
        page = pages.measure(plan.peers, site, "/", cart)
        progress("browser")
        return Measured(page, site.start_seconds, page_bytes)


@contextlib.contextmanager
def _explained(log: Path) -> Iterator[None]:
    """Add the last lines of a server's log to the reason of a failure: the log is deleted."""
    try:
        yield
    except MeasurementFailed as error:
        raise MeasurementFailed(f"{error}\n{last_lines(log)}") from error


@cache
def _ours(plan: Plan, folder: Path) -> Measured:
    """Measure ours once for all peers of a run."""
    return _shop("ours", _OURS, plan, folder)


def _beside(name: str, plan: Plan, folder: Path, peer: Measured) -> Result:
    measured = _ours(plan, folder.parent / "ours_beside_peers")
    details: dict[str, Any] = {
        "versions": _versions(name),
        "ours": asdict(measured),
        name: asdict(peer),
    }
    return Result(figures(name, measured, peer), details)


def _versions(name: str) -> dict[str, str]:
    folder, packages = _PACKAGES.get(name, ("", ()))
    if not folder:
        return {}
    text = (HERE / folder / "requirements.txt").read_text(encoding="utf-8")
    return {package: version(text, package) for package in packages}


class _Progress:
    """Prints how long each part of a benchmark took."""

    def __init__(self, name: str) -> None:
        self._name, self._start = name, time.monotonic()

    def __call__(self, part: str) -> None:
        now = time.monotonic()
        print(f"  {self._name}, {part}: {now - self._start:.0f} s", flush=True)
        self._start = now


def _of_load(read: Callable[[Load], float]) -> Callable[[Measured], float | None]:
    return lambda measured: None if measured.load is None else read(measured.load)


def _start(measured: Measured) -> float | None:
    return statistics.median(measured.start_seconds) if measured.start_seconds else None


def _score(category: str) -> Callable[[Measured], float]:
    return lambda each: statistics.median(run[category] for run in each.page.lighthouse)


def _page_kilobytes(measured: Measured) -> float | None:
    return None if measured.page_bytes is None else measured.page_bytes / 1e3


_FIGURES: tuple[tuple[str, str, Callable[[Measured], float | None]], ...] = (
    ("catalogue, received", "kB", lambda each: each.page.received_bytes / 1e3),
    ("catalogue, requests", "", lambda each: each.page.requests),
    ("catalogue, first paint", "ms", lambda each: statistics.median(each.page.first_paint_ms)),
    ("catalogue, first paint on a phone", "ms", _score("first-contentful-paint")),
    ("catalogue, Lighthouse performance", "", _score("performance")),
    ("item, click until it is drawn", "ms", lambda each: statistics.median(each.page.item_ms)),
    ("item, sent", "kB", lambda each: each.page.item_sent_bytes / 1e3),
    ("item, received", "kB", lambda each: each.page.item_received_bytes / 1e3),
    ("item, response", "ms", _of_load(lambda each: statistics.median(each.item_ms))),
    ("item, processor", "ms", _of_load(lambda each: each.item_cpu_ms)),
    ("complete orders", "orders/s", _of_load(lambda each: each.orders_per_second)),
    ("order, processor", "ms", _of_load(lambda each: each.order_cpu_ms)),
    ("order, p95 of 20 at once", "s", _of_load(lambda each: p95(each.order_seconds))),
    ("order, statements", "", _of_load(lambda each: each.statements)),
    ("memory without visitors", "MB", _of_load(lambda each: each.base_bytes / 1e6)),
    ("memory of a visitor", "kB", _of_load(lambda each: each.visitor_bytes / 1e3)),
    ("memory of an open page", "kB", _page_kilobytes),
    ("cold start", "s", _start),
)
"""The figures of a comparison; a figure that either side lacks is left out."""
