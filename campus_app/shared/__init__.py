"""What every room stands on: money, texts, addresses, settings, audit trail, the current services.

Read `rules/money.py`, `rules/messages.py`, `rules/routes.py` and `settings.py` first, then
`wiring.py` and `current.py`. `sql/` stores the audit trail, `api/` has what all operations of the
HTTP interface share, `migrations/` the schema of both products' database.

May import `kit`.
"""
