"""Python's names for the exports of a JavaScript module."""

import reflex as rx

from kit.reflex.binding import StyleSheets, action, of_module, variable

MENU = of_module("$/menu.js", "useMenu", hook="const menu = useMenu();")


class State(rx.State):
    dish: str = "104"


def needs(var):
    """Return the modules, the hooks and the state that a page gets with a Var."""
    data = var._get_all_var_data()
    return {library for library, _ in data.imports}, data.hooks, data.state


def test_variable_brings_along_its_module_and_its_hook():
    name = variable("menu.name", MENU, str)
    assert str(name) == "menu.name"
    assert needs(name) == ({"$/menu.js"}, ("const menu = useMenu();",), "")
    assert isinstance(name, rx.vars.StringVar)


def test_variable_brings_along_what_the_vars_in_its_expression_need():
    quantity = variable("menu.quantity", MENU, int)
    total = variable(f"total({quantity}, {State.dish})", of_module("$/cart.js", "total"), str)
    libraries, hooks, state = needs(total)
    assert str(total) == f"total(menu.quantity, {State.dish!s})"
    assert {"$/menu.js", "$/cart.js"} <= libraries
    assert "const menu = useMenu();" in hooks
    assert state == State.get_full_name()


def test_action_is_a_handler_without_an_event_for_the_server():
    button = rx.el.button(on_click=action("print()", of_module("$/page.js", "print")))
    assert any("() => print()" in each for each in button.render()["props"])
    assert "$/page.js" in button._get_all_imports()


def test_style_sheets_are_imported_for_their_side_effect():
    class Sheets(StyleSheets):
        paths = ["$/public/css/a.css"]

    (imported,) = Sheets.create()._get_all_imports()[""]
    assert imported.tag == "$/public/css/a.css"
