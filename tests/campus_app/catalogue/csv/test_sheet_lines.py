"""Dishes of messages and other lists. Source: specification 12.4."""

import pytest

from campus_app.catalogue.csv.sheet_lines import listed_dishes


@pytest.mark.parametrize(
    ("line", "name", "price"),
    [
        ("Masala Dosa - 85", "Masala Dosa", "85"),
        ("Idli 2 pcs ... 40", "Idli 2 pcs", "40"),
        ("1. Vada – ₹35/-", "Vada", "₹35/-"),
        ("2) Rava Dosa: Rs. 90", "Rava Dosa", "Rs. 90"),
        ("• Uttapam Rs 95/- only", "Uttapam", "Rs 95/- only"),
        ("Medu Vada…60", "Medu Vada", "60"),
        ("*Idli - Vada combo* - 80", "Idli - Vada combo", "80"),
        ("Biryani - half 80 / full 140", "Biryani", "half 80 / full 140"),
        ("Thali = 120/150", "Thali", "120/150"),
        ("Pepsi - MRP", "Pepsi", "MRP"),
        ("7-Up - 40", "7-Up", "40"),
        ("1.5 L water - 20", "1.5 L water", "20"),
        ("[13:05, 18/11/2026] Asha: Lassi - 45", "Lassi", "45"),
        ("दोसा - ८०", "दोसा", "८०"),
        ("Combo (dosa, vada, tea) @99.50", "Combo (dosa, vada, tea)", "99.50"),
        ("Coke 500", "Coke", "Coke 500"),  # which may be its size
        ("STARTERS", "STARTERS", ""),
        ("Open until 22:00 - call us", "Open until 22:00 - call us", ""),
    ],
)
def test_line_of_a_list_is_split_into_name_and_price(line, name, price):
    table = [["Name", "Price"], ["Tea", "15"], ["Chai", "20"], [name, price]]
    assert listed_dishes(f"Tea - 15\n\nChai - 20\n{line}\n") == table


def test_number_after_a_space_is_the_price_where_no_line_has_a_sign():
    assert listed_dishes("Dosa 80\nTEA\nVada 35.50")[1:] == [
        *(["Dosa", "80"], ["TEA", ""], ["Vada", "35.50"])
    ]


@pytest.mark.parametrize(
    "text",
    [
        *("Item,Rate\nDosa - plain,80\nIdli - 2,40", "Dosa - A\t80\nVada - B\t40"),
        *("Dosa - 8;80\nIdli - 4;40", "Dosa | 80\nIdli | 40", "Dosa\nIdli\nVada - 35"),
        *("", "- 80\n12 - 30", "Menu of 2026\nOpen daily\nCome in"),
    ],
)
def test_table_or_other_text_is_no_list(text):
    assert listed_dishes(text) == []
