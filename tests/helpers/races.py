"""What the tests of races share."""

PROCESSES = 5
"""Service instances on one database, as processes of one product."""
