"""Redis: clients and pub/sub."""
