"""The return from the payment page: the next step after each status answer or error."""

from dataclasses import dataclass, replace
from enum import StrEnum

from campus_app.ordering.rules.payment import FAILURE_MESSAGE, PublicStatus
from campus_app.shared.rules import constants
from campus_app.shared.rules.messages import PaymentMessage


class ReturnAction(StrEnum):
    """The next step of the return page."""

    WAIT = "wait"
    CONFIRM = "confirm"
    NEEDS_VERIFICATION = "needs_verification"
    HAS_ERROR = "has_error"
    PAYMENT_FAILED = "payment_failed"
    HOME = "home"


@dataclass(frozen=True)
class ReturnProgress:
    """How many status answers and errors there were so far."""

    attempts: int = 0
    errors: int = 0


@dataclass(frozen=True)
class ReturnStep:
    """The next action, its delay in seconds, and the message shown meanwhile."""

    action: ReturnAction
    seconds: int
    message: str
    progress: ReturnProgress


def after_answer(
    progress: ReturnProgress,
    status: PublicStatus,
    *,
    is_processed: bool,
    is_refund_due: bool = False,
) -> ReturnStep:
    """Return the step after the server reported the payment's status.

    An order whose payment is refunded goes to the confirmation, which shows the refund.

    Source: specification 4.16 to 4.20, S3, S16.
    """
    tried = replace(progress, attempts=progress.attempts + 1)
    if is_refund_due or (status is PublicStatus.SUCCESS and is_processed):
        return ReturnStep(ReturnAction.CONFIRM, 0, PaymentMessage.CHECKING, tried)
    if status is PublicStatus.NOT_FOUND:
        return return_home(PaymentMessage.ORDER_NOT_FOUND, tried)
    if status in FAILURE_MESSAGE:
        return ReturnStep(ReturnAction.PAYMENT_FAILED, 0, FAILURE_MESSAGE[status], tried)
    if tried.attempts >= constants.PAYMENT_POLL_ATTEMPTS:
        return ReturnStep(
            ReturnAction.NEEDS_VERIFICATION,
            constants.PROBLEM_REDIRECT_SECONDS,
            PaymentMessage.TAKING_LONGER,
            tried,
        )
    return ReturnStep(
        ReturnAction.WAIT, constants.PAYMENT_POLL_SECONDS, PaymentMessage.CHECKING, tried
    )


def after_error(progress: ReturnProgress) -> ReturnStep:
    """Return the step after a status request failed.

    Source: specification 4.21, 8.15, 8.16, S16.
    """
    failed = replace(progress, errors=progress.errors + 1)
    if failed.errors > constants.PAYMENT_POLL_ATTEMPTS:
        return ReturnStep(
            ReturnAction.HAS_ERROR,
            constants.PROBLEM_REDIRECT_SECONDS,
            PaymentMessage.VERIFICATION_FAILED,
            failed,
        )
    return ReturnStep(
        ReturnAction.WAIT,
        constants.PAYMENT_RETRY_SECONDS,
        PaymentMessage.RETRYING.of(attempt=failed.errors),
        failed,
    )


def return_home(message: str, progress: ReturnProgress | None = None) -> ReturnStep:
    """Return the step that shows a message and redirects home.

    Source: specification 4.18, 4.22, 8.17.
    """
    return ReturnStep(
        ReturnAction.HOME,
        constants.PROBLEM_REDIRECT_SECONDS,
        message,
        progress or ReturnProgress(),
    )
