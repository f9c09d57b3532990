"""All registered event handlers and stored variables, which any client can call and set."""

import importlib
import inspect
import pkgutil
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from types import ModuleType
from typing import Any

from reflex.istate.storage import ClientStorageBase
from reflex_base.registry import RegistrationContext

import campus_app
import voice_site
from tests.hostile.raw_socket_client import ROOT

_VALID_ARGUMENTS = {
    "restaurant_id": 5,
    "name": "fullName",
    "var_name": "cart",
    "form": {},
    "vars": {},
}


@dataclass(frozen=True)
class Handler:
    """An event handler: its full name and parameters."""

    name: str
    parameters: tuple[str, ...]

    @property
    def short_name(self) -> str:
        return self.name.removeprefix(f"{ROOT}.").rpartition("____")[2]

    @property
    def is_ours(self) -> bool:
        return self.name.startswith((f"{ROOT}.campus_app", f"{ROOT}.voice_site"))

    @property
    def is_written_by_us(self) -> bool:
        """Reflex gives each state a `setvar`; our states have no variable that it may set."""
        return self.is_ours and not self.name.endswith(".setvar")

    def arguments(self, **changes: Any) -> dict[str, Any]:
        """Return arguments of valid types, except for the changed ones."""
        valid = {name: _VALID_ARGUMENTS.get(name, "501") for name in self.parameters}
        return valid | {name: changes[name] for name in valid if name in changes}


def import_states() -> None:
    """Import every module that defines a state, including the framework's, without the app."""
    importlib.import_module("reflex.istate.shared")
    for product in (campus_app, voice_site):
        for module in _modules(product):
            if module.rpartition(".")[0].endswith((".states", ".screens", ".shell")):
                importlib.import_module(module)


def handlers() -> list[Handler]:
    """Return every event handler, including the framework's."""
    return [
        Handler(name, tuple(inspect.signature(registered.handler.fn).parameters)[1:])
        for name, registered in sorted(_context().event_handlers.items())
        if not name.startswith((f"{ROOT}.tests", f"{ROOT}.test_"))  # states of other tests
    ]


def storage() -> dict[str, str]:
    """Return the state key of each browser storage variable, by its storage name."""
    return {
        field.default.name: f"{state.get_full_name()}.{name}"
        for state in _our_states()
        for name, field in state.get_fields().items()
        if isinstance(field.default, ClientStorageBase) and name in state.base_vars
    }


def variables() -> dict[str, str]:
    """Return our state variables that browsers do not store: the state's name by the full name."""
    stored = set(storage().values())
    return {
        f"{state.get_full_name()}.{name}": state.get_full_name()
        for state in _our_states()
        for name in state.get_fields()
        if f"{state.get_full_name()}.{name}" not in stored
    }


def _our_states() -> list[Any]:
    """Return the states of the product, without those that tests have defined."""
    states = _context().base_states.values()
    return [each for each in states if each.__module__.startswith(("campus_app", "voice_site"))]


def _context() -> Any:
    return RegistrationContext.get()


def _modules(product: ModuleType) -> Iterator[str]:
    for module in pkgutil.walk_packages(product.__path__, f"{product.__name__}."):
        yield module.name


def storage_payload(values: Mapping[str, Any]) -> dict[str, Any]:
    """Return browser storage under the keys that a page sends."""
    keys = storage()
    return {keys[name]: value for name, value in values.items()}
