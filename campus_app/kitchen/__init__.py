"""The kitchens' boards: tickets, presses, devices, unseen orders, and 'ready' messages.

Read `rules/kitchen.py`, `services/kitchen_boards.py` and `sql/tickets.py`, then `updates.py`, which
sends what has changed to open pages, and `screens/kitchen_page.py`. `services/ready_push.py` tells
customers that their order is ready.

May import all rooms but `operators`.
"""
