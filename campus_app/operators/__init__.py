"""What those who run the product use: the command line, day sheets, posters, health, metrics.

Read `commands.py` and `services/operations.py`, then `entry.py`, which runs a command. `sql/` reads
and repairs orders, `api/` has the health check and the metrics.

May import every room.
"""
