"""The bare app."""
