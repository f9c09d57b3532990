"""The campus that the browser has chosen: a script in the head, and components that follow it."""

import json
from collections.abc import Mapping
from typing import Any

import reflex as rx

from kit.reflex.binding import of_module, variable

_LIBRARY = rx.asset("js/campus_app/campus.jsx").importable_path
CHOICE = "data-campus-choice"
"""The attribute of a button that chooses the campus it names."""
LIST_LINK = "data-list-link"
"""The attribute of a link to the restaurants, whichever campus is chosen."""

_FOLLOW_CAMPUS = """
(function (key, lists) {
const root = document.documentElement;
const mark = (campus) => {
  const value = Object.hasOwn(lists, campus) ? campus : "";
  if (root.dataset.campus === value) return;
  root.dataset.campus = value;
  dispatchEvent(new Event("campuschange"));
};
const choose = (campus) => {
  localStorage.setItem(key, campus);
  mark(campus);
};
const follow = () => {
  const listed = Object.keys(lists).find((each) => lists[each] === location.pathname);
  if (listed) choose(listed);
  else mark(localStorage.getItem(key));
};
window.campus = { lists, choose, ask: () => mark("") };
follow();
addEventListener("pageshow", ({ persisted }) => persisted && follow());
addEventListener("storage", (event) => {
  if (event.key === key || event.key === null) mark(localStorage.getItem(key));
});
addEventListener("click", ({ target }) => {
  const button = target.closest?.("[CHOICE]");
  if (button) choose(button.getAttribute("CHOICE"));
  const link = target.closest?.("a[LIST_LINK]");
  if (link && root.dataset.campus) link.href = lists[root.dataset.campus];
});
})(KEY, LISTS);
"""


def follow_campus(key: str, lists: Mapping[str, str]) -> rx.Component:
    """Mark the page with the stored campus before its first paint, and store each choice.

    `key` is the entry of the browser's storage; `lists` are the addresses of the campuses' lists:
    opening one chooses its campus. The script also handles clicks before React does, on a button
    that chooses a campus and on a link to the restaurants; it listens on the window, where events
    bubble last, so that the components' own handlers have run.
    """
    code = _FOLLOW_CAMPUS.replace("CHOICE", CHOICE).replace("LIST_LINK", LIST_LINK)
    code = code.replace("KEY", json.dumps(key)).replace("LISTS", json.dumps(dict(lists)))
    return rx.el.script(code)


def list_address(chooser: str) -> Any:
    """Return the address of the chosen campus' list, or of the chooser before a choice."""
    hook = f'const listAddress = useListAddress("{chooser}");'
    return variable("listAddress", of_module(_LIBRARY, "useListAddress", hook=hook), str)


class SelectCampus(rx.Component):
    """Chooses a campus when it appears."""

    library = _LIBRARY
    tag = "SelectCampus"
    campus: rx.Var[str]


class CampusPrompt(rx.Component):
    """Asks for a campus in place of a screen's content until one is chosen."""

    library = _LIBRARY
    tag = "CampusPrompt"
    missing: rx.Var[bool]
