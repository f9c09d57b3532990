"""The build check rejects features that one of the oldest browsers lacks, with file and reason."""

import subprocess
import sys

import pytest

from tests.helpers.product import ROOT

SCRIPTS = {
    "a timeout of fetch": "fetch('/', { signal: AbortSignal.timeout(1_000) });",
    "the last that fits": "[1].findLast((each) => each);",
    "a sorted copy": "[1].toSorted();",
    "groups": "Object.groupBy([], String);",
    "a promise with its ends": "Promise.withResolvers();",
    "a stream of bytes": "new TextDecoderStream();",
    "inert": "document.body.inert = true;",
    "a popover": "document.body.showPopover();",
    "lookbehind": "/(?<=a)b/.test('ab');",
    "a static block": "class A { static { this.b = 1; } }",
    "a regular expression over sets": "/[a--b]/v.test('a');",
}
STYLES = {
    "a range of widths": "@media (width >= 64rem) { a { color: red } }",
    "a parent": "label:has(:checked) { color: red }",
    "a dynamic height": "a { min-height: 100dvh }",
    "a fallback that a variable makes useless": "a { top: 1vh; top: calc(1dvh * var(--b)) }",
    "a unit of containers": "a { width: 3cqi }",
    "a mixed colour": "a { color: color-mix(in srgb, red, blue) }",
    "a grid of its parent": "a { grid-template-rows: subgrid }",
    "a nested rule": "a { & b { color: red } }",
    "a registered property": "@property --a { syntax: '*'; inherits: false }",
    "a single transform": "a { rotate: 3deg }",
}
PLANTED = {
    **{f"{name.replace(' ', '-')}.js": code for name, code in SCRIPTS.items()},
    **{f"{name.replace(' ', '-')}.css": code for name, code in STYLES.items()},
    "a-script.html": "<script>AbortSignal.timeout(1)</script>",
    "a-style.html": "<style>a:has(b) { color: red }</style>",
}
READ_BY_ALL = {
    "a.js": "const late = new AbortController(); [1].at(-1); structuredClone({}); late?.abort();",
    "a.css": "@media (min-width: 64rem) { a { height: 100vh; height: 100dvh; inset: 0 } }"
    "@supports selector(:has(*)) { a:has(b) { color: red } }",
    "a.html": "<script>addEventListener('click', () => {})</script><style>a { color: red }</style>",
}


def checked(folder):
    command = [sys.executable, "-m", "tools.browser_support", folder]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)


@pytest.fixture(scope="module")
def refusals(tmp_path_factory):
    """The check's output for a folder with one file per feature."""
    folder = tmp_path_factory.mktemp("planted")
    for name, content in PLANTED.items():
        (folder / name).write_text(content)
    done = checked(folder)
    assert done.returncode == 1, done.stdout
    return done.stderr


@pytest.mark.parametrize("name", PLANTED)
def test_check_rejects_build_when_oldest_browser_lacks_feature(refusals, name):
    assert f"/{name}:1:" in refusals


def test_check_accepts_build_when_features_are_known_or_have_fallbacks(tmp_path):
    for name, content in READ_BY_ALL.items():
        (tmp_path / name).write_text(content)
    done = checked(tmp_path)
    assert done.returncode == 0, done.stderr


def test_check_accepts_the_current_build():
    done = checked(ROOT / ".web" / "build" / "client")
    assert done.returncode == 0, done.stderr
