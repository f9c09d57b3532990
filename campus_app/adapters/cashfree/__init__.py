"""Payments through Cashfree."""
