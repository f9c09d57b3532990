"""`GET /metrics`: for operators, with the totals of the database."""

from dataclasses import replace

import pytest
from sqlalchemy import text

from campus_app.ordering.rules.cooking import CookingState
from campus_app.ordering.rules.notification import Notification
from campus_app.ordering.rules.refund import RefundState
from campus_app.shared.rules.audit import HTTP_ACTOR
from kit.db.database import Database
from kit.outbox.errors import DeliveryRejected
from kit.outbox.worker import Effect, OutboxWorker
from tests.helpers.builders import CUSTOMER, order_body, order_request
from tests.helpers.databases import sqlite_only
from tests.helpers.flows import drain, pay, press
from tests.helpers.kitchens import enrol, press_on_board
from tests.helpers.metrics import samples
from tests.helpers.outbox import run_batch
from tests.helpers.settings import OPERATOR_TOKEN
from tests.helpers.tables import execute

pytestmark = pytest.mark.anyio

AUTHORIZED = {"authorization": f"Bearer {OPERATOR_TOKEN}"}


async def metrics_of(api):
    response = await api.get("/metrics", headers=AUTHORIZED)
    assert response.status_code == 200, response.text
    return samples(response.text)


@sqlite_only
@pytest.mark.parametrize("headers", [{}, {"authorization": "Bearer wrong"}])
async def test_metrics_are_401_without_the_operator_token(api, new_services, monkeypatch, headers):
    response = await api.get("/metrics", headers=headers)
    assert (response.status_code, response.headers["www-authenticate"]) == (401, "Bearer")
    assert "campus_" not in response.text
    closed = new_services(operator_token="")
    monkeypatch.setattr("campus_app.shared.current.services", lambda: closed)
    assert (await api.get("/metrics", headers=headers)).status_code == 401


async def test_orders_are_counted_by_state(api, services):
    empty = await metrics_of(api)
    assert {empty["campus_orders", s] for s in ("pending", "confirmed", "lapsed")} == {0}
    await services.ordering.prepare(order_request())
    await pay(services, await services.ordering.prepare(order_request()))
    found = await metrics_of(api)
    assert (found["campus_orders", "pending"], found["campus_orders", "confirmed"]) == (1, 1)


async def test_metrics_count_paid_payments_with_unreadable_amount(api, services):
    stored = await services.ordering.prepare(order_request())
    assert (await metrics_of(api))["campus_payments_unreadable",] == 0
    assert await services.payments.orders.mark_unreadable(stored.payment.id)
    assert not await services.payments.orders.mark_unreadable(stored.payment.id)
    assert (await metrics_of(api))["campus_payments_unreadable",] == 1
    await pay(services, stored)
    assert (await metrics_of(api))["campus_payments_unreadable",] == 0
    assert not await services.payments.orders.mark_unreadable(stored.payment.id)


async def test_metrics_count_waiting_mails_by_reason(api, services):
    # Source: specification P4.18.
    await pay(services, await services.ordering.prepare(order_request()))
    await execute(
        services.database,
        "UPDATE outbox SET last_error = 'the mail server answered 450 to RCPT'"
        " WHERE topic LIKE 'mail.%'",
    )
    found = await metrics_of(api)
    assert found["campus_mails_waiting", "the mail server answered 450 to RCPT"] == 2


async def test_metrics_count_unseen_orders_of_kitchens_with_a_device(api, services, clock):
    # Source: specification 10.29.
    await pay(services, await services.ordering.prepare(order_request()))
    clock.advance(seconds=1)
    device = (await enrol(services)).device
    stored = await pay(services, await services.ordering.prepare(order_request()))
    await pay(services, await services.ordering.prepare(order_request()))
    assert (await metrics_of(api))["campus_unseen_orders",] == 0
    clock.advance(minutes=5)
    assert (await metrics_of(api))["campus_unseen_orders",] == 2
    assert await press_on_board(services, device, stored.order.id, CookingState.SEEN)
    assert (await metrics_of(api))["campus_unseen_orders",] == 1


async def test_pending_payments_are_counted_with_age_of_the_oldest(api, services, clock):
    first = await services.ordering.prepare(order_request())
    await services.checkouts.open(first)
    clock.advance(seconds=90)
    await services.checkouts.open(await services.ordering.prepare(order_request()))
    found = await metrics_of(api)
    assert found["campus_payments_awaited",] == 2
    assert found["campus_payments_longest_awaited_seconds",] == 90
    await pay(services, first)
    found = await metrics_of(api)
    assert found["campus_payments_awaited",] == 1
    assert found["campus_payments_longest_awaited_seconds",] == 0
    for _ in range(40):
        clock.advance(minutes=5)
        await services.payments.reconcile_due()
    found = await metrics_of(api)
    assert (found["campus_payments_awaited",], found["campus_orders", "lapsed"]) == (0, 1)


async def test_ready_jobs_are_counted_by_topic_with_their_delay(api, services, clock):
    await pay(services, await services.ordering.prepare(order_request()))
    clock.advance(seconds=-60)
    assert (await metrics_of(api))["campus_outbox_longest_overdue_seconds",] == 0
    clock.advance(seconds=90)
    found = await metrics_of(api)
    for notification in Notification:
        assert found["campus_outbox_jobs", "ready", notification.value] == 1
    assert found["campus_outbox_longest_overdue_seconds",] == 30
    await drain(services)
    found = await metrics_of(api)
    assert not [each for each in found if each[0] == "campus_outbox_jobs"]
    assert found["campus_outbox_longest_overdue_seconds",] == 0


async def test_dead_jobs_are_counted(api, services, clock):
    async def refuse(_job):
        raise DeliveryRejected("no such address")

    await pay(services, await services.ordering.prepare(order_request()))
    before = await metrics_of(api)
    worker = OutboxWorker(
        services.outbox,
        {notification.value: Effect(refuse) for notification in Notification},
        clock,
    )
    await run_batch(worker)
    found = await metrics_of(api)
    for notification in Notification:
        assert found["campus_outbox_jobs", "dead", notification.value] == 1
        counted = ("campus_outbox_effects_total", "rejected", notification.value)
        assert found[counted] - before.get(counted, 0) == 1


async def test_due_refunds_are_counted(api, services):
    stored = await services.ordering.prepare(order_request())
    await services.checkouts.open(stored)
    await press(services, stored)
    await services.statuses.set_override(
        stored.order.restaurant_id, is_open=False, message="", by=HTTP_ACTOR
    )
    await services.payments.reconcile(stored.payment)
    found = await metrics_of(api)
    assert (found["campus_refunds", "due"], found["campus_orders", "refund_due"]) == (1, 1)


async def test_failed_refund_is_counted_as_due(api, services):
    stored = await pay(services, await services.ordering.prepare(order_request()))
    refunds, now = services.payments.refunds.store, services.clock.now()
    await refunds.mark_surplus(stored.payment.id, stored.payment.amount, now)
    (marked,) = await refunds.of_payment(stored.payment.id)
    await refunds.record_state(marked.id, RefundState.FAILED, now)
    found = await metrics_of(api)
    refunds = {name: value for name, value in found.items() if name[0] == "campus_refunds"}
    assert {name: value for name, value in refunds.items() if value} == {
        ("campus_refunds", "due"): 1
    }


@sqlite_only
async def test_only_used_dependencies_have_a_metric(api):
    found = await metrics_of(api)
    states = {each[1]: value for each, value in found.items() if each[0] == "campus_dependency_up"}
    assert states == {"database": 1, "payments": 1, "mail": 1, "calls": 1}


@sqlite_only
async def test_invalid_data_files_are_counted_while_last_good_menu_is_used(
    api, new_services, data_dir, monkeypatch
):
    services = new_services(data_dir=data_dir)
    monkeypatch.setattr("campus_app.shared.current.services", lambda: services)
    found = await metrics_of(api)
    files = [name for name in found if name[0] == "campus_data_file_broken"]
    of_catalogue = {file.name for file in data_dir.glob("*.csv")} - {"tara_facts.csv"}
    assert {name for _, name in files} == of_catalogue
    assert {found[name] for name in files} == {0}
    (data_dir / "menu_1.csv").write_text("")
    (data_dir / "diet.csv").write_text("dish\n104\n")
    with (data_dir / "menu_2.csv").open("a") as file:
        file.write("299,Tea,,free,Hot\n")
    found = await metrics_of(api)
    assert {name[1] for name in files if found[name]} == {"menu_1.csv", "diet.csv"}
    assert found["campus_data_rows_left_out", "menu_2.csv"] == 1
    assert (await api.get("/api/menus/1")).status_code == 200


@sqlite_only
async def test_metrics_without_database_are_sent_when_it_is_unavailable(api, services, monkeypatch):
    unavailable = Database("postgresql+psycopg://food@127.0.0.1:1/food")
    order_admin = type(services.operations.order_admin)(unavailable, services.clock)
    operations = replace(services.operations, order_admin=order_admin)
    changed = replace(services, database=unavailable, operations=operations)
    monkeypatch.setattr("campus_app.shared.current.services", lambda: changed)
    found = await metrics_of(api)
    assert found["campus_dependency_up", "database"] == 0
    assert "process_cpu_seconds_total" in {each[0] for each in found}
    assert not [each for each in found if each[0] == "campus_orders"]
    unavailable.close()


async def test_metrics_are_prometheus_text_without_personal_data(api, services):
    stored = await pay(services, await services.ordering.prepare(order_request()))
    await drain(services)
    response = await api.get("/metrics", headers=AUTHORIZED)
    assert response.headers["content-type"].startswith("text/plain; version=0.0.4")
    assert response.headers["cache-control"] == "no-store"
    for secret in (*CUSTOMER.values(), stored.order.id, stored.order.number, OPERATOR_TOKEN):
        assert secret not in response.text


async def test_metrics_are_sent_when_a_table_is_missing(api, services):
    await services.database.execute(text("DROP TABLE refunds"))
    assert ("campus_live_sessions",) in await metrics_of(api)


async def test_operation_is_500_and_logs_an_error_when_a_table_is_missing(api, services, caplog):
    await services.database.execute(text("ALTER TABLE orders RENAME TO renamed"))
    response = await api.post("/payment/prepare-order", json=order_body())
    assert (response.status_code, response.json()["error"]["code"]) == (500, "internal_error")
    logged = [each.getMessage() for each in caplog.records if each.levelname == "ERROR"]
    assert [line for line in logged if "invalid statement or missing migration" in line]
    assert "does not answer" not in caplog.text
