"""The commands about what needs somebody: `ops today` and `ops settle`."""

import click

from campus_app.operators import json_output, options, output
from campus_app.operators.command import Answer, command
from campus_app.operators.entry import operator
from campus_app.operators.rules.attention import SETTLED_BY_HAND, AttentionKind
from campus_app.operators.screens.desk_today_view import attention_row
from campus_app.operators.wiring import Services
from campus_app.shared.rules.messages import DeskMessage

_KINDS = [each.value for each in AttentionKind if each in SETTLED_BY_HAND]


@command()
async def today(services: Services) -> Answer:
    """List what needs somebody, the most urgent first, as the desk does."""
    now = services.clock.now()
    rows = [attention_row(each, now) for each in await services.desk.attention()]
    return Answer(json_output.attention(rows), lambda: output.show_attention(rows))


@command(
    options.order_name,
    click.argument("kind", metavar="|".join(_KINDS), type=click.Choice(_KINDS)),
    click.option("--note", required=True, metavar="TEXT", help="What was done."),
)
async def settle(services: Services, order: str, kind: str, note: str) -> Answer:
    """Take an order from what needs somebody, with a note on what was done."""
    found = (await services.operations.find_order(order)).order
    is_new = await services.desk.settle(found.id, AttentionKind(kind), note, operator())
    message = DeskMessage.SETTLED if is_new else DeskMessage.SETTLED_BEFORE
    return Answer({"orderId": found.number, "settled": is_new}, lambda: output.say(message))
