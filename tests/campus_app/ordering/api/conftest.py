"""SQLite, and PostgreSQL where a test asserts SQL or a race."""

from tests.helpers.databases import sqlite_by_default  # noqa: F401
