"""The error response of an order at other prices than the customer was shown."""

from typing import Any, Final

from fastapi import Request
from fastapi.responses import JSONResponse

from campus_app.ordering.api.response_models import PaymentBreakdown
from campus_app.ordering.rules.errors import PriceMismatch
from campus_app.shared.api.errors import ordering_error_status
from kit.http.errors import error_response


async def _price_mismatch(_request: Request, error: PriceMismatch) -> JSONResponse:
    breakdown = PaymentBreakdown.model_validate(error.bill).model_dump(by_alias=True)
    return error_response(
        ordering_error_status(error),
        error.code,
        error.message,
        more={"paymentBreakdown": breakdown},
    )


ERROR_HANDLERS: Final[dict[int | type[Exception], Any]] = {PriceMismatch: _price_mismatch}
