"""The parts of screens that know no feature: layout, buttons, overlays, toasts, banners, timers.

Read `layout.py`, `button.py` and `overlay.py` first. `banner.py` and `banner_state.py` are the
message above a screen; a `*_react.py` has the Python names of React components in
`assets/js/campus_app/shell`. `slots.py` names the places that rooms to the right fill.

May import `shared`.
"""
