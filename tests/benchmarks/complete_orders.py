"""Orders that are prepared, paid by the provider's notice and told of in a second, on one core.

Beside a loop that only stores the rows that such an order leaves. As every provider, the one that
sends the notices works elsewhere: on the customers' core.
"""

import asyncio
import contextlib
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import rounds
import uvloop
from apps import OURS, migrate, served
from bare_loop import bare_turn
from customers import customer
from places import MeasurementFailed
from plan import Plan
from report import Goal, Limit, Measured
from rounds import Pair, Watch
from servers import CLIENT_CORE, SERVER_CORE, on_core
from sqlalchemy import Engine, create_engine, text

from campus_app.adapters.sandbox.payments import installation_secret
from tests.helpers.clock import WEDNESDAY
from tests.helpers.databases import running_postgres
from tests.helpers.flows import sign_webhook

_GOAL = Goal(Limit.RATIO_AT_LEAST, 0.35)
_CLIENTS = 8
_WARM_UP_SECONDS = 0.5
_SPARE_SECONDS = 60
_LOOK_SECONDS = 0.02
_EFFECTS = 3
_REFERENCE = text("SELECT reference FROM sandbox_payments WHERE order_number = :number")
_WHY = (
    "Orders paid and told of: the loop stores an order's rows in one transaction. The product"
    " answers four requests for them and carries out some twenty statements in a dozen"
    " transactions, two mails and a call; on PostgreSQL, which shares the core, each statement is"
    " a round trip between two processes."
)
_UNDONE = text("SELECT count(*) FROM outbox WHERE state != 'done'")
_CONFIRMED = text(
    "SELECT count(*) FROM orders JOIN payments ON payments.order_id = orders.id"
    " WHERE orders.state = 'confirmed' AND payments.state = 'paid'"
)
_TOLD = text("SELECT topic, count(DISTINCT subject), count(*) FROM outbox GROUP BY topic")


def measure(plan: Plan, folder: Path) -> Measured:
    """Measure on SQLite and on PostgreSQL, which shares the core of who uses it."""
    figures, details, notes = [], {}, [_WHY]
    for name, databases in (("SQLite", _sqlite), ("PostgreSQL", _postgres)):
        with databases(folder / name) as (ours, bare):
            pairs = _pairs(plan, folder / name, ours, bare)
        what = f"Orders paid and told of, {name}"
        figures += rounds.figures(what, "orders/s", _GOAL, pairs)
        details[name] = rounds.as_json(pairs)
        notes += rounds.notes(what, pairs)
    return Measured(figures, details, notes)


def _pairs(plan: Plan, folder: Path, ours: str, bare: str) -> list[Pair]:
    pairs: list[Pair] = []
    changes = {"DATABASE_URL": ours}
    with served(OURS, folder / "ours", changes) as server, on_core(CLIENT_CORE):
        books = create_engine(ours)
        secret = installation_secret(folder / "ours" / "sandbox.secret")
        market = _Market(server.port, books, secret)
        taken = market.complete_orders(_WARM_UP_SECONDS)
        while not rounds.are_enough(pairs, plan):
            watch, began = Watch(server.cpu_seconds), time.perf_counter()
            done = market.complete_orders(plan.round_seconds)
            our_turn = watch.turn(done, time.perf_counter() - began)
            taken += done
            pairs.append((our_turn, bare_turn(ours, bare, plan.round_seconds, "complete")))
        _none_is_lost_or_doubled(books, folder / "ours" / "outbox", taken)
        books.dispose()
    return pairs


@dataclass(frozen=True)
class _Market:
    """The customers, and the provider with whom they pay."""

    port: int
    books: Engine
    secret: bytes

    def complete_orders(self, seconds: float) -> int:
        """Take orders for so long; return how many, once everybody has been told of all."""
        taken = uvloop.run(self._orders_in(seconds))
        deadline = time.perf_counter() + _SPARE_SECONDS
        while undone := _count(self.books, _UNDONE):
            if time.perf_counter() > deadline:
                raise MeasurementFailed(f"{undone} effects are not done")
            time.sleep(_LOOK_SECONDS)
        return taken

    async def _orders_in(self, seconds: float) -> int:
        """Let customers order and pay for so long; return how often they did."""
        end = time.perf_counter() + seconds

        async def one() -> int:
            taken = 0
            async with customer(self.port) as person:
                while time.perf_counter() < end:
                    order = await person.prepare()
                    await person.pay(order)
                    await person.tell(*self._notice(order["orderId"]))
                    taken += 1
            return taken

        async with asyncio.timeout(seconds + _SPARE_SECONDS):
            return sum(await asyncio.gather(*(one() for _ in range(_CLIENTS))))

    def _notice(self, number: str) -> tuple[dict[str, str], bytes]:
        with self.books.connect() as connection:
            reference = connection.execute(_REFERENCE, {"number": number}).scalar_one()
        return sign_webhook(self.secret, reference, WEDNESDAY)


def _count(books: Engine, statement: object) -> int:
    with books.connect() as connection:
        return connection.execute(statement).scalar_one()


def _none_is_lost_or_doubled(books: Engine, outbox: Path, taken: int) -> None:
    with books.connect() as connection:
        told = {topic: counted for topic, *counted in connection.execute(_TOLD)}
    mails = Counter(file.name.partition("-")[0] for file in (outbox / "mail").glob("*.eml"))
    calls = len((outbox / "calls.jsonl").read_text().splitlines())
    counted = {_count(books, _CONFIRMED), calls, *mails.values()}
    counted |= {
        each for topic in told if topic.endswith(("customer", "vendor")) for each in told[topic]
    }
    if counted != {taken} or len(mails) + 1 != _EFFECTS:
        raise MeasurementFailed(f"of {taken} orders: {told}, {mails}, {calls} calls")


@contextlib.contextmanager
def _sqlite(folder: Path) -> Iterator[tuple[str, str]]:
    bare_folder = folder / "bare"
    bare_folder.mkdir(parents=True)
    migrate(bare_folder)
    yield f"sqlite:///{folder}/ours/food_points.db", f"sqlite:///{bare_folder}/food_points.db"


@contextlib.contextmanager
def _postgres(_folder: Path) -> Iterator[tuple[str, str]]:
    with on_core(SERVER_CORE), running_postgres() as cluster:
        with cluster.database() as ours, cluster.database() as bare:
            yield ours, bare
