"""What can be ordered, and when: restaurants, hours, menus, search, sold-out dishes.

Read `rules/restaurant.py` and `rules/menu.py`, then `csv/catalogue.py`, which reads `data/`, and
`services/availability.py`, which knows what is open and sold out now. `sql/` stores overrides,
`api/` answers with menus and statuses, `screens/` are the choice of a campus and the list of its
restaurants.

May import `shared` and `shell`.
"""
