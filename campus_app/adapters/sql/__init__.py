"""Orders and everything that belongs to them, in SQLite or PostgreSQL."""
