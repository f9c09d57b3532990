"""What travels with a demo request: valid parts are kept, all others are left out."""

import pytest

from voice_site.content.samples import CALLS
from voice_site.domain.estimate import FIGURES
from voice_site.domain.journey import Journey, read_journey

FIGURES_SENT = {each.name: each.initial for each in FIGURES} | {"conversations": 25_000}


def read(journey=None, **sent):
    return read_journey(sent | {"journey": journey}, "hi", {"1": "…"}, CALLS)


def test_read_journey_keeps_every_valid_part():
    journey = {
        "figures": FIGURES_SENT | {"unknown": 1},
        "call": "hi-clinic",
        "tried": True,
        "referrer": "news.example",
        "campaign": {"utm_source": " Autumn\nnews ", "utm_term": "x" * 200, "utm_id": "7"},
    }
    assert read(journey, consent="1") == Journey(
        language="hi",
        consent="1",
        figures=FIGURES_SENT,
        call="hi-clinic",
        tried=True,
        referrer="news.example",
        campaign={"utm_source": "Autumn news", "utm_term": "x" * 100},
    )


@pytest.mark.parametrize("journey", [None, [], "x", 5, {}, {"figures": [], "campaign": "x"}])
def test_read_journey_is_empty_when_nothing_travels(journey):
    assert read(journey, consent=["1"]) == Journey(language="hi")


@pytest.mark.parametrize(
    "journey",
    [
        pytest.param({"figures": {"agents": 2}}, id="some figures"),
        pytest.param({"figures": FIGURES_SENT | {"agents": 0}}, id="below its limit"),
        pytest.param({"figures": FIGURES_SENT | {"agents": "2"}}, id="a text"),
        pytest.param({"figures": FIGURES_SENT | {"agents": True}}, id="a truth value"),
        pytest.param({"figures": FIGURES_SENT | {"agents": 2.5}}, id="a fraction"),
        pytest.param({"tried": "yes"}, id="no truth value"),
        pytest.param({"call": "en-nothing"}, id="an unknown call"),
        pytest.param({"referrer": "news.example/path?mail=a@b"}, id="a whole address"),
        pytest.param({"referrer": "a" * 254}, id="a long host"),
        pytest.param({"referrer": "<script>"}, id="markup"),
        pytest.param({"campaign": {"utm_source": 5, "utm_term": "\u200b"}}, id="no texts"),
    ],
)
def test_read_journey_leaves_invalid_parts_out(journey):
    assert read(journey) == Journey(language="hi")


def test_unknown_version_of_the_consent_is_not_stored():
    assert read(consent="2").consent == ""
