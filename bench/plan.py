"""Durations and numbers of repetitions of the benchmarks."""

from dataclasses import dataclass


@dataclass(frozen=True)
class PeerPlan:
    """Durations and counts of each compared shop or framework (`--peers`)."""

    starts: int = 3
    loads: int = 5
    """Loads of the catalogue in a browser."""
    lighthouse_runs: int = 3
    clicks: int = 10
    """Items put into the cart in a browser."""
    items: int = 12
    """Items put into the cart without a browser, one after another."""
    customers: int = 20
    """Customers who order at the same time."""
    orders_each: int = 3
    """Orders of each of these customers."""
    visitors: int = 32
    pages: int = 10
    """Open pages in a browser."""


@dataclass(frozen=True)
class Plan:
    """Durations and counts of a run; the defaults are those of `make bench`."""

    rounds: int = 3
    round_seconds: float = 3.0
    clicking_pages: int = 50
    watching_pages: int = 1000
    visitors: int = 2000
    visit_seconds: float = 60.0
    order_visitors: int = 30
    """Visitors who order one after another."""
    storm_pages: int = 2000
    storm_seconds: float = 10.0
    storm_tap_seconds: float = 8.0
    scaling_visitors: int = 32
    scaling_rounds: int = 4
    """The model learns from every other one, and is compared with those between."""
    scaling_seconds: float = 50.0
    pushes: int = 12
    peers: PeerPlan = PeerPlan()


QUICK = Plan(
    rounds=2,
    round_seconds=1.0,
    clicking_pages=20,
    watching_pages=200,
    visitors=200,
    visit_seconds=8.0,
    order_visitors=4,
    storm_pages=200,
    storm_seconds=3.0,
    storm_tap_seconds=1.0,
    scaling_visitors=4,
    scaling_rounds=2,
    scaling_seconds=6.0,
    pushes=6,
    peers=PeerPlan(
        starts=1,
        loads=2,
        lighthouse_runs=1,
        clicks=4,
        items=4,
        customers=4,
        orders_each=1,
        visitors=6,
        pages=3,
    ),
)
"""The plan of `--quick`, which shows that the benchmarks work; its figures are not representative."""
