"""What those who run the product use: the desk, the command line, posters, health, metrics.

Read `services/desk.py` and `screens/desk_entry.py`, then a page: `screens/desk_today_page.py`
with its state; for the command line `commands.py`, `services/operations.py` and `entry.py`.
`figures_program.py` is a program of its own. `sql/` reads and repairs orders.

May import every room.
"""
