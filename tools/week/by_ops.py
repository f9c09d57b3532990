"""The operator with a terminal: `ops`, and an editor of lines for the files of `data/`."""

import csv
import json
from collections.abc import Mapping
from datetime import date
from decimal import Decimal

from tools.week.effort import Effort
from tools.week.operator_work import Operator, SheetDish


class OpsOperator(Operator):
    """Types every command as it is written here, and reads what it prints."""

    name = "ops"

    def enrol_board(self, restaurant_id: int) -> str:
        with self.work("a board for a kitchen") as effort:
            self._run(effort, f"ops kitchen-link {restaurant_id}")
            effort.read()
        return json.loads(self.world.shell(f"ops kitchen-link {restaurant_id} --json"))["url"]

    def look(self) -> list[str]:
        with self.work("what needs somebody") as effort:
            self._run(effort, "ops today")
            lines = json.loads(self.world.shell("ops today --json"))["lines"]
            effort.read(max(1, len(lines)))
        return [f"{each['what']} {each['detail']}" for each in lines]

    def find(self, phone: str) -> str:
        with self.work("where is my order?") as effort:
            self._run(effort, f"ops order {phone.replace(' ', '')}")
            number = json.loads(self.world.shell(f"ops order {phone.replace(' ', '')} --json"))
            effort.read()
            known = self._run(effort, f"ops order {number['orders'][0]['orderId']}")
            effort.read(2)
        return known

    def refund_due(self, number: str) -> None:
        with self.work("a refund that is due") as effort:
            self._run(effort, f"ops refund {number}")
            effort.read()

    def refund_part(self, number: str, rupees: str) -> None:
        with self.work("a part of the money back") as effort:
            self._run(effort, f"ops refund {number} --part {rupees} <<<y")
            effort.read(2)

    def pause(self, restaurant_id: int) -> None:
        with self.work("a kitchen pauses") as effort:
            self._run(effort, f"ops close {restaurant_id} --for 30m")
            effort.read()

    def reopen(self, restaurant_id: int) -> None:
        with self.work("a kitchen opens again") as effort:
            self._run(effort, f"ops open {restaurant_id}")
            effort.read()

    def mark_sold_out(self, restaurant_id: int, dish_id: str, dish: str) -> None:
        with self.work("a dish is sold out") as effort:
            self._run(effort, f'grep "{dish}" data/menu_{restaurant_id}.csv')  # its id
            effort.read()
            self._run(effort, f"ops sold-out {restaurant_id} {dish_id}")
            effort.read()

    def retry_mail(self) -> None:
        with self.work("e-mails after an outage") as effort:
            self._run(effort, "ops retry-mail")
            effort.read()

    def change_price(self, restaurant_id: int, dish_id: str, dish: str, price: str) -> None:
        with self.work("a price changes") as effort:
            file = f"data/menu_{restaurant_id}.csv"
            row = self._run(effort, f'grep "{dish}" {file}').strip().splitlines()[0]
            effort.read()
            before = next(csv.reader([row]))[3]
            self._run(effort, f'sed -i "/^{dish_id},/s/,{before},/,{price},/" {file}')
            self._run(effort, "ops check-menus")
            effort.read()

    def import_sheet(self, restaurant_id: int, sheet: str, wanted: Mapping[str, SheetDish]) -> None:
        """Write each row by hand: the file needs an id, a name, a price and a category."""
        with self.work("a restaurant's new sheet") as effort:
            file = f"data/menu_{restaurant_id}.csv"
            self._run(effort, f"cat {file}")
            effort.read(len(wanted))
            header = self.world.shell(f"head -1 {file}").strip()
            commas = "," * (header.count(",") - 4)
            rows: list[str] = []
            for each in wanted.values():
                if each.dish_id:
                    change = f'sed -i -E "/^{each.dish_id},/s/,[0-9.]+,/,{each.price},/" {file}'
                    self._run(effort, change)
                else:
                    new_id = f"{restaurant_id}{90 + len(rows)}"
                    rows.append(f"{new_id},{each.name},,{each.price},New{commas}")
            self._run(effort, "cat >> " + file + " <<END\n" + "\n".join(rows) + "\nEND")
            self._run(effort, "ops check-menus")
            effort.read(len(wanted))

    def answer_lead(self, reference: str, note: str) -> None:
        with self.work("a buyer was phoned") as effort:
            self._run(effort, "ops demo-requests")
            effort.read()
            self._run(
                effort, f'ops lead {reference} --state contacted --owner Asha --note "{note}"'
            )
            effort.read()

    def day_account(self) -> None:
        with self.work("the account of the day") as effort:
            self._run(effort, "ops day-sheet")
            effort.read(3)

    def figures(self, first: date, last: date) -> dict[str, Decimal]:
        with self.work("how the week went") as effort:
            command = f"ops figures --first {first} --last {last}"
            self._run(effort, command)
            effort.read(10)
        sums = json.loads(self.world.shell(f"{command} --json"), parse_float=Decimal)["sums"]
        return {name: Decimal(value) for name, value in sums.items()}

    def _run(self, effort: Effort, command: str) -> str:
        """Type a line and wait for its result."""
        effort.type(f"{command}\n")
        with effort.waiting():
            return self.world.shell(command)
