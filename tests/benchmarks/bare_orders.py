"""What SQLModel alone needs for an order: `bare_orders.py <template> <database> <seconds> <rows>`.

Stores copies of the rows that the product stored for its first order in the template, each order
in a transaction of its own: those of an order that is `prepared`, or all that a `complete` one
leaves. Prints how many orders there were and how much of a core they took, in seconds.
"""

import secrets
import sys
import time
import uuid
from typing import Any

from sqlalchemy import Engine, event
from sqlmodel import Session, SQLModel, create_engine, func, or_, select

from campus_app.adapters.sandbox.tables import SandboxPaymentRow
from campus_app.adapters.sql.tables import OrderNumberRow, OrderRow, PaymentRow
from kit.outbox.models import OutboxRow

_FIRST_NUMBER = 100
_TOKEN_BYTES = 24

Row = dict[str, Any]
Rows = list[tuple[type[SQLModel], Row]]


def main(template: str, database: str, seconds: float, *, is_complete: bool) -> None:
    """Store orders until the time is over."""
    rows = _template(_engine(template), is_complete=is_complete)
    engine = _engine(database)
    with Session(engine) as session:
        number = session.exec(select(func.count()).select_from(OrderNumberRow)).one()
    number += _FIRST_NUMBER
    stored, end, began = 0, time.perf_counter() + seconds, time.process_time()
    while time.perf_counter() < end:
        _store(engine, rows, number + stored)
        stored += 1
    print(stored, time.process_time() - began)


def _engine(url: str) -> Engine:
    engine = create_engine(url)
    if engine.dialect.name == "sqlite":

        @event.listens_for(engine, "connect")
        def configure(connection: Any, _record: object) -> None:
            connection.execute("PRAGMA journal_mode=WAL")
            connection.execute("PRAGMA synchronous=NORMAL")
            connection.execute("PRAGMA foreign_keys=ON")

    return engine


def _template(engine: Engine, *, is_complete: bool) -> Rows:
    with Session(engine) as session:
        order = session.exec(select(OrderRow).order_by(OrderRow.created_at)).first()
        payment = session.exec(select(PaymentRow).where(PaymentRow.order_id == order.id)).one()
        number = session.exec(
            select(OrderNumberRow).where(OrderNumberRow.order_id == order.id)
        ).one()
        found = [number, order, payment]
        if is_complete:
            about_it = or_(OutboxRow.subject == order.id, OutboxRow.subject == payment.reference)
            paid = SandboxPaymentRow.reference == payment.reference
            found += session.exec(select(SandboxPaymentRow).where(paid)).all()
            found += session.exec(select(OutboxRow).where(about_it)).all()
        return [(type(row), row.model_dump()) for row in found]


def _store(engine: Engine, rows: Rows, number: int) -> None:
    order_id, payment_id = uuid.uuid4().hex, uuid.uuid4().hex
    own = {
        OrderNumberRow: {"value": number, "order_id": order_id},
        OrderRow: {
            "id": order_id,
            "number": f"AS_{number}",
            "response_token": secrets.token_urlsafe(_TOKEN_BYTES),
            "idempotency_key": f"once:{order_id}",
        },
        PaymentRow: {"id": payment_id, "order_id": order_id, "reference": f"AS-{payment_id}"},
        SandboxPaymentRow: {"reference": f"AS-{payment_id}", "order_number": f"AS_{number}"},
    }
    with Session(engine) as session:
        for kind, row in rows:
            new = own.get(kind) or {
                "id": None,
                "dedupe_key": f"{row['topic']}:{uuid.uuid4().hex}",
                "subject": order_id,
            }
            session.add(kind(**{**row, **new}))
        session.commit()


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], float(sys.argv[3]), is_complete=sys.argv[4] == "complete")
