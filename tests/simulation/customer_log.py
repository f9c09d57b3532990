"""What each customer was shown, recorded on the customer's side."""

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
    """The price of the dishes by the menu file; 0 if the customer did not compare."""
    key: str = ""
    number: str = ""
    online_paise: int = 0
    remaining_paise: int = 0
    total_paise: int = 0
    refused: str = ""
    """Why there is no order or no payable one; empty if there is."""
    paid_at: float = 0.0
    """When the customer last pressed the pay button."""
    observations: list[tuple[float, str]] = field(default_factory=list)
    """Each payment status, with the time when it was shown."""

    def record_status(self, word: str) -> None:
        """Record a payment status that was shown."""
        self.observations.append((time.time(), word))

    @property
    def statuses(self) -> list[str]:
        return [word for _at, word in self.observations]

    @property
    def wait_seconds(self) -> float | None:
        """Seconds between payment and the first SUCCESS, or None."""
        success_times = (at for at, word in self.observations if word == SUCCESS and self.paid_at)
        return next((max(at - self.paid_at, 0.0) for at in success_times), None)
