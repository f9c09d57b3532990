"""What an operator has to do in the week, whichever way."""

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import date
from decimal import Decimal

from tools.week.effort import Effort
from tools.week.world import World


@dataclass(frozen=True)
class SheetDish:
    """A dish of a restaurant's sheet as it should be sold; `dish_id` is empty for a new one."""

    dish_id: str
    name: str
    price: str


class Operator(ABC):
    """Someone who runs the business; each method is one piece of work."""

    name = ""

    def __init__(self, world: World) -> None:
        self.world = world
        self.efforts: list[Effort] = []

    @contextmanager
    def work(self, task: str) -> Iterator[Effort]:
        """Count what a piece of work costs."""
        effort = Effort(task)
        yield effort
        self.efforts.append(effort)

    @abstractmethod
    def enrol_board(self, restaurant_id: int) -> str:
        """Return a link that opens a kitchen's board."""

    @abstractmethod
    def look(self) -> list[str]:
        """Return what needs somebody, as it is told."""

    @abstractmethod
    def find(self, phone: str) -> str:
        """Find the order of a customer who phones; return what is known of it."""

    @abstractmethod
    def refund_due(self, number: str) -> None:
        """Give back what is due for an order."""

    @abstractmethod
    def refund_part(self, number: str, rupees: str) -> None:
        """Give back a part."""

    @abstractmethod
    def pause(self, restaurant_id: int) -> None:
        """Close a kitchen for 30 minutes."""

    @abstractmethod
    def reopen(self, restaurant_id: int) -> None:
        """Open it again."""

    @abstractmethod
    def mark_sold_out(self, restaurant_id: int, dish_id: str, dish: str) -> None:
        """Mark a dish as sold out."""

    @abstractmethod
    def retry_mail(self) -> None:
        """Send the e-mails that waited for the mail server."""

    @abstractmethod
    def change_price(self, restaurant_id: int, dish_id: str, dish: str, price: str) -> None:
        """Change the price of a dish."""

    @abstractmethod
    def import_sheet(self, restaurant_id: int, sheet: str, wanted: Mapping[str, SheetDish]) -> None:
        """Sell what a restaurant has sent: a sheet with faults.

        `wanted` has the dishes as they should be sold, by the words of their row's price.
        """

    @abstractmethod
    def answer_lead(self, reference: str, note: str) -> None:
        """Note that a buyer was phoned."""

    @abstractmethod
    def day_account(self) -> None:
        """Look at the account of the day."""

    @abstractmethod
    def figures(self, first: date, last: date) -> dict[str, Decimal]:
        """Return the sums of a span of days: orders, revenue, online, door, givenBack."""
