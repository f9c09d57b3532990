"""What a visitor's browser sees of a site: its catalogue, and an item that goes into the cart."""

import contextlib
import statistics
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

from browser import SELECT_CAMPUS, Tab, new_tab
from delay_proxy import DelayProxy, delay_proxy
from lighthouse import run_reports
from page_weight import Transfers
from plan import PeerPlan
from playwright.sync_api import Error
from playwright.sync_api import Page as BrowserPage
from report import MeasurementFailed
from servers import CLIENT_CORE, on_core

from peers.deployment import Deployment
from tests.helpers.ports import free_port

_WAIT_MS = 30_000
_IDLE_MS = 700
"""After the last request; scripts and sockets have ended their work by then."""
_PAUSE_MS = 300
_POLL_MS = 20
_WARM_UP_PAGES = 3
_WATCH = """(() => {
    // Every frame, in every document: a page that is loaded anew is watched from its first frame.
    const figure = () => { try { return String(%s); } catch { return ""; } };
    const now = () => performance.timeOrigin + performance.now();
    let last = null;
    const look = () => {
        const shown = document.body ? figure() : "";
        if (shown && shown !== last) {
            last = shown;
            sessionStorage.setItem("benchmarkFigure", JSON.stringify([shown, now()]));
        }
        requestAnimationFrame(look);
    };
    look();
})()"""
_START = """([button, random]) => new Promise((resolve) => setTimeout(() => {
    // Resolved before the click: a page that is left answers nothing.
    resolve(performance.timeOrigin + performance.now());
    setTimeout(() => button.click());
}, random))"""
_SHOWN = "JSON.parse(sessionStorage.getItem('benchmarkFigure') ?? '[\"\", 0]')"
_PAINT = """() => performance.getEntriesByName("first-contentful-paint")[0]?.startTime ?? 0"""


@dataclass(frozen=True)
class CartPage:
    """How a visitor puts an item into the cart on the catalogue's page."""

    button: str
    """A selector of the button that puts a dish into the cart."""
    figure: str
    """An expression of the text that shows what is in the cart; empty while it is not shown."""
    prepare: str = "() => {}"
    """What the visitor does before, like choosing a quantity, which is not timed."""
    alternates: int = 1
    """How many of the first buttons are clicked in turn."""


@dataclass(frozen=True)
class Page:
    """The figures of a site in a browser."""

    requests: int
    received_bytes: int
    sent_bytes: int
    kinds: dict[str, int]
    first_paint_ms: list[float]
    lighthouse: list[dict[str, float]]
    item_ms: list[float]
    """From the click until the frame that shows the new figure."""
    item_received_bytes: float
    item_sent_bytes: float
    details: dict[str, Any] = field(default_factory=dict)


def measure(plan: PeerPlan, site: Deployment, path: str, cart: CartPage) -> Page:
    """Measure a catalogue and its cart."""
    with on_core(CLIENT_CORE):
        with site.fronted():
            url = f"{site.url}{path}"
            paints = _first_paints(plan, url)
            times = _item_times(plan, url, cart)
            reports = run_reports(plan.lighthouse_runs, url)
        with _counted(site) as (counted_url, counter):
            requests, kinds, page, items = _bytes(plan, f"{counted_url}{path}", cart, counter)
    sent, received = page
    return Page(
        requests=requests,
        received_bytes=received,
        sent_bytes=sent,
        kinds=kinds,
        first_paint_ms=paints,
        lighthouse=reports,
        item_ms=times,
        item_received_bytes=statistics.median(each[1] for each in items),
        item_sent_bytes=statistics.median(each[0] for each in items),
    )


@contextlib.contextmanager
def _counted(site: Deployment) -> Iterator[tuple[str, DelayProxy]]:
    """Serve the site behind a counter, at the port that visitors use if the site can be moved."""
    other = free_port()
    if site.front is None:
        with delay_proxy(other, site.port) as counter:
            yield f"http://127.0.0.1:{other}", counter
    else:
        with site.front(other), delay_proxy(site.port, other) as counter:
            yield site.url, counter


def bytes_each(plan: PeerPlan, site: Deployment, path: str, cart: CartPage) -> float:
    """Return the growth of the servers' memory for each open page with an item in the cart."""
    with on_core(CLIENT_CORE), site.fronted(), new_tab() as tab:
        browser = tab.page.context.browser
        assert browser is not None

        def come() -> None:
            # A visitor of its own: contexts share no cookies and no storage.
            page = browser.new_context().new_page()
            page.add_init_script(SELECT_CAMPUS)
            visitor = Tab(page, page.context.new_cdp_session(page))
            visitor.page.add_init_script(_WATCH % cart.figure)
            _open(visitor, f"{site.url}{path}", cart)
            _click(visitor, cart, 0)

        for _ in range(_WARM_UP_PAGES):
            come()
        before = site.memory_bytes()
        for _ in range(plan.pages):
            come()
        return (site.memory_bytes() - before) / plan.pages


def _first_paints(plan: PeerPlan, url: str) -> list[float]:
    """Return the milliseconds to the first paint of content, each time with an empty cache."""
    paints = list[float]()
    with new_tab() as tab:
        for _ in range(plan.loads):
            tab.page.goto(url, wait_until="load", timeout=_WAIT_MS)
            paints.append(_eventually(tab.page, _PAINT, lambda paint: paint > 0))
    return paints


def _item_times(plan: PeerPlan, url: str, cart: CartPage) -> list[float]:
    """Return the milliseconds of each item, with the cache of a visitor who has come before."""
    with _watched_tab(url, cart) as tab:
        return [_click(tab, cart, number) for number in range(plan.clicks)]


def _bytes(
    plan: PeerPlan, url: str, cart: CartPage, counter: DelayProxy
) -> tuple[int, dict[str, int], tuple[int, int], list[tuple[int, int]]]:
    """Return the requests and bytes of the first load, and the bytes of each item."""
    with new_tab() as tab:
        transfers = Transfers(tab)
        _open(tab, url, cart)
        requests, kinds, page = transfers.count(), dict(transfers.by_kind()), counter.take_bytes()
    items = list[tuple[int, int]]()
    with _watched_tab(url, cart) as tab:
        for number in range(plan.clicks):
            counter.take_bytes()
            _click(tab, cart, number)
            tab.page.wait_for_load_state("networkidle", timeout=_WAIT_MS)
            tab.page.wait_for_timeout(_IDLE_MS)
            items.append(counter.take_bytes())
    return requests, kinds, page, items


@contextlib.contextmanager
def _watched_tab(url: str, cart: CartPage) -> Iterator[Tab]:
    with new_tab() as tab:
        tab.devtools.send("Network.setCacheDisabled", {"cacheDisabled": False})
        tab.page.add_init_script(_WATCH % cart.figure)
        _open(tab, url, cart)
        # The first item of a visitor also begins a session.
        _click(tab, cart, 0)
        yield tab


def _open(tab: Tab, url: str, cart: CartPage) -> None:
    tab.page.goto(url, wait_until="load", timeout=_WAIT_MS)
    tab.page.locator(cart.button).first.wait_for(state="attached", timeout=_WAIT_MS)
    tab.page.wait_for_load_state("networkidle", timeout=_WAIT_MS)
    tab.page.wait_for_timeout(_IDLE_MS)


def _click(tab: Tab, cart: CartPage, number: int) -> float:
    """Put an item into the cart; return the milliseconds until its figure is drawn."""
    page = tab.page
    page.wait_for_load_state("load", timeout=_WAIT_MS)
    page.wait_for_timeout(_PAUSE_MS)
    page.evaluate(cart.prepare)
    before = page.evaluate(_SHOWN)[0]
    button = page.locator(cart.button).nth(number % cart.alternates).element_handle()
    # The random part: clicks must not always fall on the same moment of a frame.
    start = page.evaluate(_START, [button, number * 7 % 16])
    _, at = _eventually(page, _SHOWN, lambda shown: shown[0] not in {"", before})
    if at < start:
        raise MeasurementFailed(f"{page.url}: the cart changed before the click")
    return at - start


def _eventually(page: BrowserPage, expression: str, is_reached: Callable[[Any], bool]) -> Any:
    """Return an expression's value when it is reached; the page may be left in the meantime.

    `wait_for_function` would need eval(), which pretix's Content-Security-Policy forbids.
    """
    deadline = time.monotonic() + _WAIT_MS / 1000
    while True:
        # A page that is being left has no context to evaluate in.
        with contextlib.suppress(Error):
            value = page.evaluate(expression)
            if is_reached(value):
                return value
        if time.monotonic() > deadline:
            raise MeasurementFailed(f"{page.url}: {expression} is not reached")
        page.wait_for_timeout(_POLL_MS)
