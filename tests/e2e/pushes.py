"""What the server sends to open pages."""

GOAL_MS = 10_000
"""A busy machine is slower than the second that people wait at most; less than between two heartbeats."""
