"""`GET /metrics`: metrics for Prometheus.

Source: specification C3.14; docs/operations.md.
"""

from collections.abc import Iterable, Mapping

from fastapi import APIRouter, Depends, Response

from campus_app.operators import wiring
from campus_app.operators.api.health import dependencies, waiting_mails
from campus_app.operators.rules.order_admin import OrderTotals
from campus_app.ordering.rules.order import OrderState
from campus_app.ordering.rules.refund import RefundState
from campus_app.shared.api.dependencies import operator
from kit.db.errors import DatabaseUnavailable, InvalidQuery
from kit.http.errors import error_responses
from kit.observability.metrics import CONTENT_TYPE, Figure, exposition, figure

router = APIRouter(tags=["health"])


@router.get(
    "/metrics",
    summary="Metrics for Prometheus",
    dependencies=[Depends(operator)],
    response_class=Response,
    responses={200: {"content": {"text/plain": {"schema": {"type": "string"}}}}}
    | error_responses(401, 422),
)
async def metrics() -> Response:
    """Described in docs/operations.md. Metrics read from the database are missing without it."""
    waiting = await waiting_mails()
    metrics = [
        _dependency_metrics(await dependencies(waiting)),
        _mail_metrics(waiting),
        *_data_file_metrics(),
        *await _database_metrics(),
    ]
    headers = {"content-type": CONTENT_TYPE, "cache-control": "no-store"}
    return Response(exposition(metrics), headers=headers)


def _dependency_metrics(states: Mapping[str, str]) -> Figure:
    return Figure(
        "campus_dependency_up",
        "Last known state of each dependency that is in use: 1 if it answers.",
        ("dependency",),
        {(name,): float(state == "ok") for name, state in states.items() if state != "disabled"},
    )


def _mail_metrics(waiting: Mapping[str, int]) -> Figure:
    return Figure(
        "campus_mails_waiting",
        "E-mails that wait for another attempt, by the reason of the last.",
        ("reason",),
        {(reason,): float(count) for reason, count in waiting.items()},
    )


def _data_file_metrics() -> Iterable[Figure]:
    states = list(wiring.services().catalogue.file_states())
    return (
        Figure(
            "campus_data_file_broken",
            "1 if a data file cannot be read, so that its last good copy or no copy is in use.",
            ("file",),
            {(state.name,): float(state.is_broken) for state in states},
        ),
        Figure(
            "campus_data_rows_left_out",
            "Invalid rows of a data file.",
            ("file",),
            {(state.name,): float(state.rows_left_out) for state in states},
        ),
    )


async def _database_metrics() -> Iterable[Figure]:
    """Return nothing while the database is unavailable."""
    services = wiring.services()
    try:
        totals = await services.operations.order_admin.totals(services.clock.now())
    except (DatabaseUnavailable, InvalidQuery):
        return ()
    return _order_metrics(totals)


def _order_metrics(totals: OrderTotals) -> Iterable[Figure]:
    return (
        Figure(
            "campus_orders",
            "Orders by state since the first one.",
            ("state",),
            {(state.value,): totals.orders.get(state, 0) for state in OrderState},
        ),
        figure(
            "campus_payments_awaited",
            "Unpaid orders whose payment is still queried at the provider.",
            totals.payments_pending,
        ),
        figure(
            "campus_payments_longest_awaited_seconds",
            "Age of the oldest of them.",
            totals.longest_pending.total_seconds(),
        ),
        figure(
            "campus_payments_unreadable",
            "Orders that the provider reports as paid with an unreadable amount.",
            totals.payments_unreadable,
        ),
        figure(
            "campus_unseen_orders",
            "Paid orders that no device of their kitchen has marked as seen for five minutes.",
            totals.orders_unseen,
        ),
        Figure(
            "campus_refunds",
            "Unfinished refunds by state.",
            ("state",),
            {
                (state.value,): totals.refunds.get(state, 0)
                for state in RefundState
                if state is not RefundState.DONE
            },
        ),
        Figure(
            "campus_outbox_jobs",
            "Unfinished jobs by topic and state.",
            ("topic", "state"),
            totals.jobs,
        ),
        figure(
            "campus_outbox_longest_overdue_seconds",
            "Delay of the job that is overdue longest.",
            totals.longest_job_delay.total_seconds(),
        ),
    )
