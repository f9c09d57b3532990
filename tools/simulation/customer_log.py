"""The orders, amounts and payment statuses that each customer was shown."""

import time
from dataclasses import dataclass, field

SUCCESS = "SUCCESS"


@dataclass
class CustomerLog:
    """The log of one customer; money in paise, times in seconds since 1970."""

    email: str
    outcome: str
    minute: float
    restaurant_id: int
    subtotal_paise: int
    """The price of the dishes by the menu file; 0 if it is not compared."""
    key: str = ""
    number: str = ""
    online_paise: int = 0
    remaining_paise: int = 0
    total_paise: int = 0
    rejection: str = ""
    """The error code or reason if there is no order, or none that can be paid."""
    paid_at: float = 0.0
    """When the customer last pressed the pay button."""
    observations: list[tuple[float, str]] = field(default_factory=list)
    """Each payment status, with the time when it was shown."""

    def record_status(self, status: str) -> None:
        """Record a payment status that was shown."""
        self.observations.append((time.time(), status))

    @property
    def statuses(self) -> list[str]:
        return [status for _at, status in self.observations]

    @property
    def wait_seconds(self) -> float | None:
        """Seconds between payment and the first SUCCESS, or None."""
        success_times = (
            at for at, status in self.observations if status == SUCCESS and self.paid_at
        )
        return next((max(at - self.paid_at, 0.0) for at in success_times), None)
