"""The language in which an event is answered."""

from types import SimpleNamespace

import pytest

from campus_app.translations import chosen_language, language, set_locale, use_locale
from kit.reflex.event_locale import EventLocale


@pytest.mark.parametrize(
    ("headers", "spoken"),
    [
        pytest.param({"cookie": "a=b; language=hi"}, "hi", id="chosen"),
        pytest.param({"cookie": "a=b"}, "en", id="not chosen"),
        pytest.param({}, "en", id="no cookies"),
        pytest.param(None, "en", id="no headers"),
    ],
)
def test_event_is_answered_in_the_language_of_its_pages_cookie(headers, spoken):
    state = SimpleNamespace(router_data={} if headers is None else {"headers": headers})
    with use_locale("en"):
        EventLocale(chosen_language, set_locale).preprocess(None, state, None)
        assert language() == spoken
