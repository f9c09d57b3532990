"""A session keeps the fields that it has set, and a default of its own of each that it has read."""

import pytest
import reflex as rx
from reflex.istate.manager.memory import StateManagerMemory

from kit.reflex.unset_fields import share_defaults

pytestmark = pytest.mark.anyio


class ShelfState(rx.State):
    """A state with a default that can be changed in place."""

    books: list[str] = ["first"]
    is_open: bool = False

    @rx.var
    def count(self) -> int:
        return len(self.books)


class InnerState(ShelfState):
    """A state that inherits the fields of another one."""

    note: str = ""


@pytest.fixture
async def open_session(monkeypatch):
    monkeypatch.setattr(rx.State, "get_value", rx.State.get_value)
    share_defaults()
    manager = StateManagerMemory()

    async def open_(token):
        return await manager.get_state(rx.BaseStateToken(ident=token, cls=rx.State))

    yield open_
    await manager.close()


async def shelf(root):
    return await root.get_state(ShelfState)


async def test_snapshot_stores_no_default_in_session(open_session):
    root = await open_session("first")
    snapshot = root.dict()
    assert snapshot[ShelfState.get_full_name()] == {
        "books_rx_state_": ["first"],
        "count_rx_state_": 1,
        "is_open_rx_state_": False,
    }
    assert snapshot[InnerState.get_full_name()] == {"note_rx_state_": ""}
    state = await shelf(root)
    assert "is_open" not in vars(state)
    assert vars(await root.get_state(InnerState)) == {}


async def test_default_changed_in_place_is_that_of_its_session(open_session):
    changed, other = await open_session("changed"), await open_session("other")
    before = changed.dict()[ShelfState.get_full_name()]["books_rx_state_"]
    (await shelf(changed)).books.append("second")
    assert changed.dict()[ShelfState.get_full_name()]["books_rx_state_"] == ["first", "second"]
    assert other.dict()[ShelfState.get_full_name()]["books_rx_state_"] == ["first"]
    assert before == ["first"]


async def test_snapshot_and_changes_show_fields_that_are_set(open_session):
    root = await open_session("set")
    root.dict()
    inner = await root.get_state(InnerState)
    inner.is_open, inner.note = True, "on loan"
    changes = root.get_delta()
    assert changes[ShelfState.get_full_name()]["is_open_rx_state_"] is True
    assert changes[InnerState.get_full_name()]["note_rx_state_"] == "on loan"
    snapshot = root.dict()
    assert snapshot[ShelfState.get_full_name()]["is_open_rx_state_"] is True
    assert snapshot[InnerState.get_full_name()]["note_rx_state_"] == "on loan"
