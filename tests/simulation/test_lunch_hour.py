"""A small lunch hour: all records agree despite crashes, outages and the loss of the host."""

import asyncio
import json
from collections import Counter
from dataclasses import replace

import pytest

from tests.helpers.product import ROOT
from tools.simulation.audit import audit, findings
from tools.simulation.drill import report
from tools.simulation.plan import BACKUP_MINUTE, CLOSURES, DRILL, OUTAGES
from tools.simulation.run import lunch_hour, write
from tools.simulation.summary import summary


@pytest.fixture(scope="module")
def result(tmp_path_factory):
    """A finished and settled hour on the real stack."""
    if not (ROOT / ".web" / "build" / "client" / "index.html").exists():
        pytest.fail("The pages are not built: run make build", pytrace=False)
    return asyncio.run(lunch_hour(DRILL, tmp_path_factory.mktemp("lunch")))


def test_lunch_hour_accounts_for_all_money_and_notifications(result):
    # Source: specification P5.3.
    assert findings(audit(result.evidence)) == []
    assert result.unfinished == []


def test_lunch_hour_contains_every_kind_of_fault_and_outcome(result):
    """The negative control of the test above: without faults it could not fail."""
    states = {order.state for order in result.evidence.database.orders}
    assert states == {"confirmed", "refund_due", "lapsed"}
    assert len(result.evidence.kills) > 1
    assert len(result.evidence.outages) == len(OUTAGES)
    assert len(result.evidence.closures) == len(CLOSURES)
    assert all(one.checked_count for one in audit(result.evidence))
    assert {refund.state for refund in result.evidence.database.refunds} == {"due", "done"}


def test_host_is_lost_while_orders_are_written(result):
    """The negative control of the drill: orders came after the backup and before the loss."""
    times = result.host_loss
    lost_minute = result.minute_of(times.lost_at)
    written = [result.minute_of(each.at) for each in result.evidence.database.writes]
    assert [at for at in written if BACKUP_MINUTE + 2 < at < lost_minute]
    assert [at for at in written if at > lost_minute]
    assert 0 < times.database < times.site < times.archive
    assert sum(kill.at == times.lost_at for kill in result.evidence.kills) == result.processes


def test_drill_reports_what_was_lost(result):
    evidence = result.evidence
    assert report(result, audit(evidence)).endswith("\nlost: nothing")
    orders = replace(evidence.database, orders=evidence.database.orders[1:])
    text = report(result, audit(replace(evidence, database=orders)))
    assert "lost: nothing" not in text
    assert evidence.database.orders[0].number in text


def test_kitchens_have_cut_lines_undone_presses_and_sold_out_dishes(result):
    """The negative control of the checks of the kitchens: without faults they could not fail."""
    content = summary(result, ())["kitchens"]
    assert content["connections"] > content["devices"]
    assert content["presses_cut_after_sending"]
    assert content["undone"]
    assert content["presses_without_effect"]
    assert content["orders_refused"]
    assert content["seconds_until_shown"]["undisturbed"]["arrivals"]


def test_audit_finds_a_record_removed_from_any_source(result):
    evidence = result.evidence
    confirmed = {order.number for order in evidence.database.orders if order.is_confirmed}
    copies = Counter(mail.message_id for mail in evidence.mails)
    mail = next(
        each for each in evidence.mails if each.number in confirmed and copies[each.message_id] == 1
    )
    call = next(each for each in evidence.calls if each.has_rung)
    provider_order = next(each for each in evidence.provider_orders if each.number in confirmed)
    for source, removed in (("mails", mail), ("calls", call), ("provider_orders", provider_order)):
        kept = tuple(each for each in getattr(evidence, source) if each is not removed)
        assert findings(audit(replace(evidence, **{source: kept}))), source
    presses = evidence.database.kitchen_presses[1:]
    database = replace(evidence.database, kitchen_presses=presses)
    assert findings(audit(replace(evidence, database=database)))


def test_report_is_self_contained(result, tmp_path):
    file = write(result, audit(result.evidence), tmp_path)
    page = file.read_text(encoding="utf-8")
    assert "Every rupee and every notification is accounted for." in page
    assert "<script" not in page
    assert "http" not in page.replace("http://www.w3.org", "")
    content = json.loads((tmp_path / "summary.json").read_text(encoding="utf-8"))
    assert content["orders"]["customers"] == len(result.evidence.customer_logs)
