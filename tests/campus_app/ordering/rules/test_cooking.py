"""How far the kitchen is with an order, as its customer sees it. Source: specification 10.45."""

from datetime import timedelta

import pytest

from campus_app.ordering.rules.cooking import Cooking, CookingState
from campus_app.shared.rules.constants import HELD_SECONDS
from tests.helpers.builders import at

SENT, SEEN, READY, HANDED_OVER = CookingState
PRESSED = at(12)
HELD = PRESSED + timedelta(seconds=HELD_SECONDS) - timedelta(milliseconds=1)
STOOD = PRESSED + timedelta(seconds=HELD_SECONDS)


@pytest.mark.parametrize(
    ("state", "previous", "held", "stood"),
    [
        pytest.param(SEEN, SENT, SEEN, SEEN, id="seen at once"),
        pytest.param(READY, SEEN, SEEN, READY, id="ready"),
        pytest.param(READY, SENT, SENT, READY, id="ready without seen"),
        pytest.param(HANDED_OVER, READY, READY, HANDED_OVER, id="handed over"),
        pytest.param(HANDED_OVER, SENT, SENT, HANDED_OVER, id="handed over without ready"),
        pytest.param(SEEN, SEEN, SEEN, SEEN, id="ready undone"),
        pytest.param(READY, READY, READY, READY, id="handed over undone"),
    ],
)
def test_customer_is_shown_ready_once_it_can_be_no_slip(state, previous, held, stood):
    cooking = Cooking(state, previous, PRESSED)
    assert cooking.shown_at(HELD) is held
    assert cooking.shown_at(STOOD) is stood


def test_order_without_a_press_is_shown_as_sent():
    assert Cooking().shown_at(PRESSED) is SENT
