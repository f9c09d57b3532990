"""The telephone service Twilio."""
