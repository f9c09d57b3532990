"""A lunch hour at a reduced size: whatever happens in it, the books of all sides agree."""

import asyncio
import json
from collections import Counter
from dataclasses import replace

import pytest

from tests.helpers.product import ROOT
from tests.simulation.audit import audit, findings
from tests.simulation.plan import CLOSURES, OUTAGES, SMALL
from tests.simulation.run import lunch_hour, write


@pytest.fixture(scope="module")
def day(tmp_path_factory):
    """One hour on the real stack, over and settled."""
    if not (ROOT / ".web" / "build" / "client" / "index.html").exists():
        pytest.fail("The pages are not built: run make build", pytrace=False)
    return asyncio.run(lunch_hour(SMALL, tmp_path_factory.mktemp("lunch")))


def test_lunch_hour_accounts_for_all_money_and_notifications(day):
    # Source: specification P5.3.
    assert findings(audit(day.books)) == []
    assert day.unfinished == []


def test_lunch_hour_contains_every_kind_of_fault_and_outcome(day):
    """The control of the test above: where nothing happens, nothing is lost."""
    states = {order.state for order in day.books.ours.orders}
    assert states == {"confirmed", "refund_due", "lapsed"}
    assert len(day.books.deaths) > 1
    assert len(day.books.outages) == len(OUTAGES)
    assert len(day.books.closures) == len(CLOSURES)
    assert all(one.looked_at for one in audit(day.books))
    assert {refund.state for refund in day.books.ours.refunds} == {"due", "done"}


def test_audit_finds_a_record_removed_from_any_source(day):
    books = day.books
    confirmed = {order.number for order in books.ours.orders if order.is_confirmed}
    times = Counter(letter.message_id for letter in books.letters)
    letter = next(
        each for each in books.letters if each.number in confirmed and times[each.message_id] == 1
    )
    call = next(each for each in books.calls if each.has_rung)
    taken = next(each for each in books.taken if each.number in confirmed)
    for side, lost in (("letters", letter), ("calls", call), ("taken", taken)):
        kept = tuple(each for each in getattr(books, side) if each is not lost)
        assert findings(audit(replace(books, **{side: kept}))), side


def test_report_is_self_contained(day, tmp_path):
    file = write(day, audit(day.books), tmp_path)
    page = file.read_text(encoding="utf-8")
    assert "Every rupee and every notice is accounted for." in page
    assert "<script" not in page
    assert "http" not in page.replace("http://www.w3.org", "")
    ledger = json.loads((tmp_path / "ledger.json").read_text(encoding="utf-8"))
    assert ledger["orders"]["came"] == len(day.books.told)
