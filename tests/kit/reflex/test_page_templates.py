"""The build turns example pages into Jinja templates, and fails when a page has no examples."""

import jinja2
import pytest

from kit.reflex.page_templates import (
    Loop,
    PageTemplatesPlugin,
    page_templates_of,
    template_environment,
    template_from,
)

ITEM = '<li class="item"><b>{kind}</b>⟦item.name⟧</li>'
GROUP = '<section class="group" id="⟦group.id⟧"><ul>{items}</ul></section>'
ITEMS = [ITEM.format(kind=kind) for kind in ("new", "other")]
GROUPS = [GROUP.format(items="".join(ITEMS))]
PAGE = "<html><body><h1>⟦name⟧</h1>{groups}</body></html>"
LOOPS = [
    Loop(
        "section",
        "group",
        "group in groups",
        [],
        Loop("li", "item", "item in group.entries", ["item.new"]),
    )
]


def test_build_replaces_example_page_by_template_outside_served_folder(tmp_path):
    static = tmp_path / "build" / "client"
    (static / "list" / "example").mkdir(parents=True)
    for name in ("list/example.html", "list/example/index.html", "list/0.html"):
        (static / name).write_text(PAGE.format(groups="".join(GROUPS)), encoding="utf-8")
    PageTemplatesPlugin(["/list/example"], LOOPS, "hi").post_build(static_dir=static)
    assert [file.name for file in (static / "list").iterdir()] == ["0.html"]
    folder = page_templates_of(static)
    assert not folder.is_relative_to(static.parent)
    template = template_environment(folder).get_template("hi/list/example.html")
    entries = [{"name": "a<b", "new": False}, {"name": "c", "new": True}]
    groups = [{"id": 1, "entries": entries}, {"id": 2, "entries": []}]
    assert template.render(name="N", groups=groups) == (
        '<html><body><h1>N</h1><section class="group" id="1"><ul>'
        '<li class="item"><b>other</b>a&lt;b</li><li class="item"><b>new</b>c</li>'
        '</ul></section><section class="group" id="2"><ul></ul></section></body></html>'
    )
    with pytest.raises(jinja2.UndefinedError):
        template.render(groups=[])


@pytest.mark.parametrize(
    "groups",
    [
        pytest.param([], id="no example"),
        pytest.param([GROUP.format(items=ITEMS[0])], id="a missing example"),
        pytest.param([GROUP.format(items="<hr>".join(ITEMS))], id="separated examples"),
    ],
)
def test_build_fails_when_page_lacks_examples(groups):
    with pytest.raises(RuntimeError, match="example page"):
        template_from(PAGE.format(groups="".join(groups)), LOOPS)


def test_build_fails_when_page_is_no_valid_template():
    with pytest.raises(jinja2.TemplateSyntaxError):
        template_from(PAGE.format(groups="".join(GROUPS)) + "⟦% if %⟧", LOOPS)
