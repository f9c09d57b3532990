"""Visitors whose events run through Reflex's event processor."""

from tests.helpers.screen_fixtures import *  # noqa: F403
