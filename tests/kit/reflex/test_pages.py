"""A page's entry in the route table."""

import pytest
import reflex as rx

from kit.reflex.pages import Page


class VisitState(rx.State):
    """A state with handlers that only Reflex could run."""

    @rx.event
    def count(self, by: int):
        pass

    @rx.event
    def count_slowly(self):
        yield

    @rx.event
    async def count_in_turns(self):
        yield

    @rx.event(background=True)
    async def count_later(self):
        pass


@pytest.mark.parametrize(
    "handler",
    [
        VisitState.count(1),
        VisitState.count_slowly,
        VisitState.count_in_turns,
        VisitState.count_later,
    ],
)
def test_handler_that_needs_an_event_of_its_own_is_refused(handler):
    with pytest.raises(TypeError, match="needs an event of its own, on_load of menu: "):
        Page(route="menu", title="Menu", description="", content=rx.fragment, on_load=[handler])
