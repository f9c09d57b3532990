"""Thin Reflex states, named by what they hold; every handler is a public endpoint."""
