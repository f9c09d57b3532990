"""The visitor's device."""

import reflex as rx

from kit.reflex.binding import of_module, variable

_LIBRARY = rx.asset("js/campus_app/shell/home_device.js").importable_path

is_home_blocked = variable("isHomeBlocked()", of_module(_LIBRARY, "isHomeBlocked"), bool)
"""Whether "/" shows its block screen on this device."""
