"""Simulations of a payment provider and a telephone service, for development."""
