"""What SQLModel alone needs for an order: `bare_orders.py <template> <database> <seconds>`.

Stores copies of the first order that the product stored in the template, each in a transaction
of its own, and prints how many there were and how much of a core they took, in seconds.
"""

import secrets
import sys
import time
import uuid
from typing import Any

from sqlalchemy import Engine, event
from sqlmodel import Session, create_engine, func, select

from campus_app.adapters.tables import OrderNumberRow, OrderRow, PaymentRow

_FIRST_NUMBER = 100
_TOKEN_BYTES = 24

Row = dict[str, Any]


def main(template: str, database: str, seconds: float) -> None:
    """Store orders until the time is over."""
    rows = _template(_engine(template))
    engine = _engine(database)
    with Session(engine) as session:
        number = session.exec(select(func.count()).select_from(OrderNumberRow)).one()
    number += _FIRST_NUMBER
    stored, end, began = 0, time.perf_counter() + seconds, time.process_time()
    while time.perf_counter() < end:
        _store(engine, rows, number + stored)
        stored += 1
    print(stored, time.process_time() - began)


def _engine(file: str) -> Engine:
    engine = create_engine(f"sqlite:///{file}")

    @event.listens_for(engine, "connect")
    def configure(connection: Any, _record: object) -> None:
        connection.execute("PRAGMA journal_mode=WAL")
        connection.execute("PRAGMA synchronous=NORMAL")
        connection.execute("PRAGMA foreign_keys=ON")

    return engine


def _template(engine: Engine) -> tuple[Row, Row, Row]:
    with Session(engine) as session:
        order = session.exec(select(OrderRow)).first()
        payment = session.exec(select(PaymentRow).where(PaymentRow.order_id == order.id)).one()
        held = OrderNumberRow.order_id == order.id
        number = session.exec(select(OrderNumberRow).where(held)).one()
        return order.model_dump(), payment.model_dump(), number.model_dump()


def _store(engine: Engine, rows: tuple[Row, Row, Row], number: int) -> None:
    order_id, payment_id = uuid.uuid4().hex, uuid.uuid4().hex
    own = {
        "id": order_id,
        "number": f"AS_{number}",
        "response_token": secrets.token_urlsafe(_TOKEN_BYTES),
        "idempotency_key": f"once:{order_id}",
    }
    payment = {"id": payment_id, "order_id": order_id, "reference": f"AS-{payment_id}"}
    with Session(engine) as session:
        session.add(OrderNumberRow(**{**rows[2], "value": number, "order_id": order_id}))
        session.add(OrderRow(**{**rows[0], **own}))
        session.add(PaymentRow(**{**rows[1], **payment}))
        session.commit()


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], float(sys.argv[3]))
