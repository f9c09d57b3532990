"""Scripts of `assets/js` inside the page."""

import re

from kit.reflex.inline_script import inline_script

MODULE = "voice_site/device_view.js"


def code_of(script):
    (content,) = script.children
    return str(content)


def test_inline_script_omits_exports_and_comment_lines():
    code = code_of(inline_script(MODULE))
    assert "function decideView()" in code
    assert "export " not in code
    assert not re.search(r"\\n\s*//", code)


def test_inline_script_has_what_the_module_imports_before_it():
    code = code_of(inline_script(MODULE))
    assert "import " not in code
    assert code.index("function decideDevice(") < code.index("function decideView()")


def test_inline_script_ends_with_the_call():
    assert "decideView();" in code_of(inline_script(MODULE, "decideView();"))[-30:]


def test_inline_script_has_the_given_attributes():
    script = inline_script(MODULE, data_key="selectedCampus")
    assert any('"data-key":"selectedCampus"' in prop for prop in script.render()["props"])
