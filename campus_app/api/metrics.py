"""`GET /metrics`: what operators' monitoring reads.

Source: specification C3.14; docs/operations.md.
"""

from collections.abc import Iterable, Mapping

from fastapi import APIRouter, Depends, Response

from campus_app import wiring
from campus_app.api.access import operator
from campus_app.api.health import dependencies
from campus_app.domain.order import OrderState
from campus_app.domain.order_admin import OrderTotals
from campus_app.domain.refund import RefundState
from kit.db.errors import DatabaseUnavailable, InvalidQuery
from kit.http.errors import refusals
from kit.observability.metrics import CONTENT_TYPE, Figure, exposition, figure

router = APIRouter(tags=["health"])


@router.get(
    "/metrics",
    summary="What monitoring reads",
    dependencies=[Depends(operator)],
    response_class=Response,
    responses={200: {"content": {"text/plain": {"schema": {"type": "string"}}}}}
    | refusals(401, 422),
)
async def metrics() -> Response:
    figures = [
        _of_dependencies(await dependencies()),
        *_of_the_files(),
        *await _of_the_books(),
    ]
    headers = {"content-type": CONTENT_TYPE, "cache-control": "no-store"}
    return Response(exposition(figures), headers=headers)


def _of_dependencies(states: Mapping[str, str]) -> Figure:
    return Figure(
        "campus_dependency_up",
        "Whether what orders need answers, as far as is known; what is not used is not told.",
        ("dependency",),
        {(name,): float(state == "ok") for name, state in states.items() if state != "disabled"},
    )


def _of_the_files() -> Iterable[Figure]:
    states = list(wiring.services().catalogue.file_states())
    return (
        Figure(
            "campus_data_file_broken",
            "Whether a data file can't be used: its last good copy is, or its marks are missing.",
            ("file",),
            {(state.name,): float(state.is_broken) for state in states},
        ),
        Figure(
            "campus_data_rows_left_out",
            "Rows of a data file that make no sense.",
            ("file",),
            {(state.name,): float(state.rows_left_out) for state in states},
        ),
    )


async def _of_the_books() -> Iterable[Figure]:
    """Return what the database knows: nothing, while it is away."""
    services = wiring.services()
    try:
        figures = await services.operations.order_admin.totals(services.clock.now())
    except (DatabaseUnavailable, InvalidQuery):
        return ()
    return _told(figures)


def _told(books: OrderTotals) -> Iterable[Figure]:
    return (
        Figure(
            "campus_orders",
            "Orders by state, of all time.",
            ("state",),
            {(state.value,): books.orders.get(state, 0) for state in OrderState},
        ),
        figure(
            "campus_payments_awaited",
            "Unpaid orders whose payment the provider is asked after.",
            books.payments_pending,
        ),
        figure(
            "campus_payments_longest_awaited_seconds",
            "How old the oldest of them is.",
            books.longest_pending.total_seconds(),
        ),
        figure(
            "campus_payments_unreadable",
            "Orders that the provider calls paid in figures that cannot be read.",
            books.payments_unreadable,
        ),
        Figure(
            "campus_refunds",
            "Refunds that are not done, by state.",
            ("state",),
            {
                (state.value,): books.refunds.get(state, 0)
                for state in RefundState
                if state is not RefundState.DONE
            },
        ),
        Figure(
            "campus_outbox_jobs",
            "Effects that are not done, by topic and state.",
            ("topic", "state"),
            books.effects,
        ),
        figure(
            "campus_outbox_longest_overdue_seconds",
            "How late the effect is that should have been carried out first.",
            books.longest_job_delay.total_seconds(),
        ),
    )
