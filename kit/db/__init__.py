"""The database: engine, transactions, schema version."""
