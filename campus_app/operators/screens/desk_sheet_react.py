"""The input of a restaurant's file, and of rows that are pasted."""

import reflex as rx


def _part(
    name: rx.Var[str], place: rx.Var[int], count: rx.Var[int], text: rx.Var[str]
) -> tuple[rx.Var[str], rx.Var[int], rx.Var[int], rx.Var[str]]:
    return name, place, count, text


class SheetInput(rx.Component):
    """A file input with a `label`, and a field for rows, which are read when they are pasted.

    The button `read` reads rows that are typed. What was chosen arrives in parts: the file's name,
    the part's place and the number of parts, and its base64.
    """

    library = rx.asset("js/campus_app/operators/sheet_input.jsx").importable_path
    tag = "SheetInput"
    label: rx.Var[str]
    paste: rx.Var[str]
    hint: rx.Var[str]
    read: rx.Var[str]
    on_part: rx.EventHandler[_part]
    on_refused: rx.EventHandler[rx.event.no_args_event_spec]
