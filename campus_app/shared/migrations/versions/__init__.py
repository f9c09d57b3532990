"""One module per step of the database's history, oldest first."""
