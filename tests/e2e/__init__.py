"""Journeys through the running product in a real browser; a package, so that its fixtures end with it."""
