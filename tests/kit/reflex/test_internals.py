"""The private names of Reflex that kit/reflex uses: a test fails when an upgrade changes one."""

import ast
import asyncio
import dataclasses
import inspect
import re
from pathlib import Path
from types import SimpleNamespace

import pytest
import reflex as rx
from redis.asyncio import Redis
from reflex.app import EventNamespace
from reflex.constants import ReactRouter, Templates
from reflex.istate.manager.memory import StateManagerMemory
from reflex.istate.manager.redis import StateManagerRedis
from reflex.state import StateUpdate
from reflex.utils.exec import is_prod_mode, should_prerender_routes
from reflex.utils.token_manager import RedisTokenManager
from reflex_base.event.context import EventContext

import kit.reflex
from kit.reflex.broadcast import broadcast
from kit.reflex.session_states import MemoryStates, RedisStates

pytestmark = pytest.mark.anyio

FOLDER = Path(kit.reflex.__file__).parent
PRIVATE = re.compile(r"reflex_base\b|reflex\.(utils|state|istate|constants)\b")
TOKEN = "a-session-token"


class SampleState(rx.State):
    """A state with a variable."""

    value: str = "default"


def private_names(file):
    """Return the private names of Reflex that a module imports."""
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and PRIVATE.match(node.module or ""):
            yield from (f"{node.module}.{alias.name}" for alias in node.names)
        elif isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names if PRIVATE.match(alias.name))


def test_docstring_lists_every_private_name_with_its_modules():
    used = {}
    for file in sorted(FOLDER.rglob("*.py")):
        module = ".".join(file.relative_to(FOLDER).with_suffix("").parts).removesuffix(".__init__")
        for name in private_names(file):
            used.setdefault(name, []).append(module)
    listed = {
        name: modules.split(", ")
        for name, modules in re.findall(
            r"^\| `(reflex[\w.]+)` \| ([\w, ]+) \|", kit.reflex.__doc__, re.MULTILINE
        )
    }
    assert used == listed
    assert len(used) <= 10


def test_build_files_have_expected_names():
    assert ReactRouter.VITE_CONFIG_FILE == "vite.config.js"
    assert ReactRouter.CONFIG_FILE == "react-router.config.js"
    assert ReactRouter.SPA_FALLBACK == "__spa-fallback.html"


def test_reflex_ships_its_browser_script():
    assert (Templates.Dirs.WEB_TEMPLATE / "utils" / "state.js").is_file()


@pytest.mark.parametrize(("mode", "is_prod"), [("prod", True), ("dev", False)])
def test_mode_is_read_from_environment_variable(monkeypatch, mode, is_prod):
    monkeypatch.setenv("REFLEX_ENV_MODE", mode)
    assert is_prod_mode() is is_prod
    assert should_prerender_routes() is is_prod


def test_event_context_has_its_own_id_and_its_parents_id():
    assert {"txid", "parent_txid"} <= set(EventContext.__dataclass_fields__)


@pytest.mark.parametrize(
    ("handler", "parameters"),
    [
        ("on_connect", ["self", "sid", "environ", "auth"]),
        ("on_disconnect", ["self", "sid"]),
        ("link_token_to_sid", ["self", "sid", "token", "update_state"]),
    ],
)
def test_socket_handlers_have_expected_parameters(handler, parameters):
    assert list(inspect.signature(getattr(EventNamespace, handler)).parameters) == parameters
    assert isinstance(EventNamespace.sid_to_token, property)


async def test_memory_states_deletes_and_renews_sessions():
    manager = StateManagerMemory()
    states, key = MemoryStates(manager), rx.BaseStateToken(ident=TOKEN, cls=rx.State)
    async with manager.modify_state(key) as root:
        (await root.get_state(SampleState)).value = "changed"
    assert states.tokens() == [TOKEN]
    await states.renew([TOKEN, "unknown"])
    assert states.tokens() == [TOKEN]
    await states.delete(TOKEN)
    assert states.tokens() == []
    root = await manager.get_state(key)
    assert (await root.get_state(SampleState)).value == "default"
    await manager.close()


async def test_redis_states_deletes_session_only_when_it_has_no_socket(redis):
    manager = StateManagerRedis(redis=Redis.from_url(redis.url))
    sockets = RedisTokenManager(Redis.from_url(redis.url))
    states, key = RedisStates(manager), rx.BaseStateToken(ident=TOKEN, cls=rx.State)

    async def value():
        root = await manager.get_state(key)
        return (await root.get_state(SampleState)).value

    async with manager.modify_state(key) as root:
        (await root.get_state(SampleState)).value = "changed"
    assert await sockets.link_token_to_sid(TOKEN, "a socket") is None
    await states.delete(TOKEN)
    assert await value() == "changed", "its socket is open"
    keys = states._keys(TOKEN)
    await asyncio.gather(*(manager.redis.expire(each, 5) for each in keys))
    await states.renew([TOKEN])
    stored = [ttl for ttl in [await manager.redis.ttl(each) for each in keys] if ttl != -2]
    assert min(stored) > 5
    await sockets.disconnect_token(TOKEN, "a socket")
    await states.delete(TOKEN)
    assert await value() == "default"
    await sockets.close()
    await manager.close()


async def test_broadcast_sends_same_message_as_reflex_for_changed_variable():
    sent = []

    async def emit(name, message, namespace):
        sent.append((name, message, namespace))

    app = SimpleNamespace(
        event_namespace=SimpleNamespace(namespace="/_event"), sio=SimpleNamespace(emit=emit)
    )
    await broadcast(app, SampleState, "value", "new")
    state = SampleState(_reflex_internal_init=True)
    state.value = "new"
    ((name, message, namespace),) = sent
    assert (name, namespace) == ("event", "/_event")
    assert message["delta"] == {
        SampleState.get_full_name(): state.get_delta()[state.get_full_name()]
    }
    own = {"isPush"}  # patches/connection_events.patch
    assert set(message) - own <= {field.name for field in dataclasses.fields(StateUpdate)}
