"""Use cases that several rooms share."""
