"""The language in which an event is answered."""

from types import SimpleNamespace

import pytest

from kit.reflex.event_locale import EventLocale
from kit.translations import language, set_locale, use_locale


@pytest.mark.parametrize(
    ("headers", "spoken"),
    [
        pytest.param({"cookie": "a=b; language=hi"}, "hi", id="chosen"),
        pytest.param({"cookie": "a=b"}, "en", id="not chosen"),
        pytest.param({}, "en", id="no cookies"),
        pytest.param({"accept-language": "hi-IN,en;q=0.5"}, "hi", id="the browser's"),
        pytest.param({"accept-language": "hi", "cookie": "language=en"}, "en", id="chosen, though"),
        pytest.param(None, "en", id="no headers"),
    ],
)
def test_event_is_answered_in_the_language_of_its_connection(headers, spoken, catalogues):
    state = SimpleNamespace(router_data={} if headers is None else {"headers": headers})
    with use_locale("en"):
        EventLocale(catalogues.language_of_headers, set_locale).preprocess(None, state, None)
        assert language() == spoken
