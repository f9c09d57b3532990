"""Reads this room's files of `data/`."""
