"""Create the shop in a migrated database: one product for each dish of a menu.

Runs in oscar's own environment: `python seed.py MENU`, where MENU is a CSV file with the columns
name, description and price.
"""

import csv
import os
import sys
from pathlib import Path

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "project.settings")
django.setup()

from oscar.core.loading import get_model  # noqa: E402 - the settings must be loaded first


def main(menu: Path) -> None:
    kind = get_model("catalogue", "ProductClass").objects.create(
        name="Dish", requires_shipping=True, track_stock=False
    )
    kitchen = get_model("partner", "Partner").objects.create(name="Kitchen")
    with menu.open(newline="", encoding="utf-8") as file:
        for number, dish in enumerate(csv.DictReader(file)):
            product = get_model("catalogue", "Product").objects.create(
                title=dish["name"], description=dish["description"], product_class=kind
            )
            get_model("partner", "StockRecord").objects.create(
                product=product,
                partner=kitchen,
                partner_sku=f"dish-{number}",
                price=dish["price"],
                price_currency="INR",
            )
    # Forms need no choice of a country when there is one.
    get_model("address", "Country").objects.create(
        iso_3166_1_a2="IN",
        iso_3166_1_a3="IND",
        iso_3166_1_numeric="356",
        printable_name="India",
        name="India",
        is_shipping_country=True,
    )


if __name__ == "__main__":
    main(Path(sys.argv[1]))
