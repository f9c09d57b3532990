"""The world outside, one module per technology."""
