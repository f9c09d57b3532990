"""This room's clients of outside systems."""
