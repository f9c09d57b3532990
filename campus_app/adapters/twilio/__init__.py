"""Missed calls through Twilio."""
