"""Stand-ins for a payment provider and a telephone service."""
