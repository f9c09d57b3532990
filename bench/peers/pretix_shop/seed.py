"""Create the shop in a migrated pretix: one event whose 60 items are the dishes of a menu.

Runs in pretix's own environment: `python seed.py MENU TOKEN`, where MENU is a CSV file with the
columns name, description and price, and TOKEN is the secret of the REST API.
"""

import csv
import os
import sys
from datetime import timedelta
from pathlib import Path

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "pretix.settings")
django.setup()

from django.utils.timezone import now  # noqa: E402 - the settings must be loaded first
from django_scopes import scopes_disabled  # noqa: E402
from pretix.base.models import Event, Organizer, Team, TeamAPIToken  # noqa: E402

_PAYMENT = "pretix.plugins.banktransfer"
_SETTINGS = {
    "payment_banktransfer__enabled": True,
    "payment_banktransfer_bank_details_type": "other",
    "payment_banktransfer_bank_details": "Account 0000 at the bank of the benchmark",
    "payment_banktransfer_ack": True,
    "max_items_per_order": 100,
    "contact_mail": "kitchen@example.com",
    "imprint_url": "https://example.com/imprint",
    "timezone": "Asia/Kolkata",
    "locale": "en",
    "locales": ["en"],
}


def main(menu: Path, token: str) -> None:
    organizer = Organizer.objects.create(name="Campus", slug="campus", plugins=_PAYMENT)
    event = Event.objects.create(
        organizer=organizer,
        name="Menu",
        slug="menu",
        currency="INR",
        date_from=now() + timedelta(days=30),
        plugins=_PAYMENT,
        live=False,
    )
    event.set_defaults()
    for name, value in _SETTINGS.items():
        event.settings.set(name, value)
    quota = event.quotas.create(name="Unlimited", size=None)
    with menu.open(newline="", encoding="utf-8") as file:
        for position, dish in enumerate(csv.DictReader(file)):
            item = event.items.create(
                name=dish["name"],
                description=dish["description"],
                default_price=dish["price"],
                admission=False,
                position=position,
            )
            quota.items.add(item)
    event.live = True
    event.save()
    team = Team.objects.create(
        organizer=organizer, name="Kitchen", all_events=True, all_event_permissions=True
    )
    TeamAPIToken.objects.create(team=team, name="benchmark", token=token)


if __name__ == "__main__":
    with scopes_disabled():
        main(Path(sys.argv[1]), sys.argv[2])
