"""The commands about today's hours and seats of a kitchen."""

from datetime import time

import click

from campus_app.catalogue.rules.restaurant import Restaurant
from campus_app.operators import json_output, options, output
from campus_app.operators.command import Answer, command
from campus_app.operators.entry import operator
from campus_app.operators.wiring import Services
from campus_app.shared.rules.constants import MAXIMUM_SEATS_PER_SLOT


@command(
    options.restaurant_id,
    options.time_of_day("--open", "opens", "When it opens today: 11:00."),
    options.time_of_day("--close", "closes", "When it closes today: 18:00, or 00:30 at night."),
    options.usual("Open and close as usual again."),
)
async def hours(
    services: Services,
    restaurant_id: int,
    opens: time | None,
    closes: time | None,
    *,
    usual: bool,
) -> Answer:
    """Change today's hours of a restaurant, or take that back with --usual."""
    if usual is bool(opens or closes):
        raise click.UsageError("choose --open or --close or both, or --usual")
    days, by = services.restaurant_days, operator()
    if usual:
        changed = await days.set_usual_hours(restaurant_id, by)
    else:
        changed = await days.set_hours(restaurant_id, by, opens=opens, closes=closes)
    return await _shown(services, changed)


@command(
    options.restaurant_id,
    click.argument(
        "seats", metavar="[N]", type=click.IntRange(0, MAXIMUM_SEATS_PER_SLOT), required=False
    ),
    options.usual("Have as many as usual again."),
)
async def seats(
    services: Services, restaurant_id: int, seats: int | None, *, usual: bool
) -> Answer:
    """Change how many seats each slot of today has, or take that back with --usual."""
    if usual is (seats is not None):
        raise click.UsageError("choose a number of seats, or --usual")
    changed = await services.restaurant_days.set_seats(restaurant_id, seats, operator())
    return await _shown(services, changed)


async def _shown(services: Services, restaurant: Restaurant) -> Answer:
    statuses = await services.operations.load_statuses()
    status = next(each for each in statuses if each.restaurant_id == restaurant.id)
    day = json_output.restaurant_day(restaurant, status.state, services.clock.now())
    return Answer(day, lambda: output.show_restaurant_day(restaurant, day))
