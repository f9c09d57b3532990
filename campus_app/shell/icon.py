"""The icons of the ordering screens, drawn with one stroke and square ends."""

import reflex as rx

_PATHS = {
    "arrow": "M4 12h15M13 6l6 6-6 6",
    "back": "M20 12H5M11 6l-6 6 6 6",
    "bell": "M6 17V11a6 6 0 0 1 12 0v6l2 2H4zM10 21.5h4",
    "bill": "M6 3h12v18l-3-2-3 2-3-2-3 2zM9 8h6M9 12h6",
    "clock": "M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18zM12 7v5l3 3",
    "mail": "M3 6h18v12H3zM3 7l9 7 9-7",
    "minus": "M5 12h14",
    "more": "M5 9l7 7 7-7",
    "note": "M5 3h14v18l-4-3H5zM9 8h6M9 12h6",
    "order": "M7 4v15M3.5 15.5L7 19l3.5-3.5M14 6h7M14 11h5M14 16h3",
    "phone": "M5 4h4l2 5-3 2a12 12 0 0 0 5 5l2-3 5 2v4c-9 2-17-6-15-15z",
    "plus": "M12 5v14M5 12h14",
    "print": "M7 8V3h10v5M7 17H4V9h16v8h-3M7 14h10v7H7z",
    "refresh": "M19 12a7 7 0 1 1-2-5l2 2M19 4v5h-5",
    "scooter": (
        "M6 19a3 3 0 1 0 0-6 3 3 0 0 0 0 6zM18 19a3 3 0 1 0 0-6 3 3 0 0 0 0 6zM6 16h6l4-8h-3M9 10h3"
    ),
    "sound": "M4 9v6h4l5 5V4L8 9zM16 9c1.3 1.7 1.3 4.3 0 6M18.5 6.5c2.7 3.2 2.7 7.8 0 11",
    "star": "M12 3l2.7 6 6.3.6-4.8 4.3 1.5 6.3L12 16.8 6.3 20.2l1.5-6.3L3 9.6l6.3-.6z",
    "table": "M3 9h18M6 9v11M18 9v11M12 9v6",
    "tick": "M4 12l6 6L20 6",
    "cross": "M5 5l14 14M19 5L5 19",
    "warning": "M12 3L22 20H2zM12 10v4M12 17v.01",
}


def icon(name: str) -> rx.Component:
    """Render an icon by its name in `_PATHS`; decoration beside a text of the same meaning."""
    return rx.el.svg(
        rx.el.path(d=_PATHS[name]), class_name="icon", view_box="0 0 24 24", aria_hidden="true"
    )
