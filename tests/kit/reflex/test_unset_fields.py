"""A session keeps the fields that it has set, and a default of its own of each that it has read."""

import uuid

import pytest
import reflex as rx
from reflex.istate.manager.memory import StateManagerMemory
from reflex.istate.proxy import StateProxy
from reflex_base.event.context import EventContext

from kit.reflex.unset_fields import share_defaults

pytestmark = pytest.mark.anyio


class ShelfState(rx.State):
    """A state with a default that can be changed in place."""

    books: list[str] = ["first"]
    is_open: bool = False
    token: str = rx.field(default_factory=lambda: uuid.uuid4().hex)

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
    shown = snapshot[ShelfState.get_full_name()]
    assert (shown["books_rx_state_"], shown["is_open_rx_state_"]) == (["first"], False)
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


async def test_default_of_a_function_is_another_one_in_each_session(open_session):
    first, second = await open_session("one"), await open_session("two")
    tokens = [
        root.dict()[ShelfState.get_full_name()]["token_rx_state_"] for root in (first, second)
    ]
    assert tokens[0] != tokens[1]
    assert tokens == [(await shelf(root)).token for root in (first, second)]


async def test_changed_default_of_the_class_is_that_of_new_sessions(open_session):
    (await open_session("earlier")).dict()
    field = ShelfState.get_fields()["is_open"]
    field.set_default(True)
    later = await open_session("later")
    assert later.dict()[ShelfState.get_full_name()]["is_open_rx_state_"] is True
    field.set_default(False)


async def test_proxy_of_a_background_task_reads_a_field(open_session):
    state = await shelf(await open_session("background"))
    with EventContext(token="background", state_manager=None, enqueue_impl=None):
        assert StateProxy(state).get_value("is_open") is False
