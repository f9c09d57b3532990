"""What a paid order tells: e-mails, missed calls, and reactions registered to orders' events.

Read `services/notifications.py`, then `rules/missed_call.py` and `services/missed_calls.py`.
`services/order_events.py` runs what `campus_app/extensions.py` registers. `providers/` place calls,
`templates/` are the e-mails.

May import `shared`, `shell`, `catalogue` and `ordering`.
"""
