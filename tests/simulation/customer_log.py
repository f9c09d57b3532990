"""What each customer was told: the third side of the books, which nobody but they have."""

import time
from dataclasses import dataclass, field

SUCCESS = "SUCCESS"


@dataclass
class Told:
    """One customer's memory; money is paise, moments are seconds since 1970."""

    email: str
    fate: str
    minute: float
    restaurant_id: int
    subtotal_paise: int
    """What the dishes cost by the menu's file; 0 for who did not look."""
    key: str = ""
    number: str = ""
    online_paise: int = 0
    remaining_paise: int = 0
    total_paise: int = 0
    refused: str = ""
    """Why no order came about, or none that could be paid; empty where one did."""
    paid_at: float = 0.0
    """When this customer pressed the button that pays, last."""
    said: list[tuple[float, str]] = field(default_factory=list)
    """Each word on the payment, when it was said."""

    def hear(self, word: str) -> None:
        """Take note of a word on the payment."""
        self.said.append((time.time(), word))

    @property
    def words(self) -> list[str]:
        return [word for _at, word in self.said]

    @property
    def waited_seconds(self) -> float | None:
        """How long after paying the customer was told so, if at all."""
        heard = (at for at, word in self.said if word == SUCCESS and self.paid_at)
        return next((max(at - self.paid_at, 0.0) for at in heard), None)
