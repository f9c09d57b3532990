"""Constants of the race tests."""

PROCESSES = 5
"""The number of service instances on one database, which represent processes."""
