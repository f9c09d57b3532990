"""The checks of built pages and of scripts reject unsupported features and defects."""

import subprocess
import sys

from tests.helpers.product import ROOT

SCRIPTS = {
    "AbortSignal timeout": "fetch('/', { signal: AbortSignal.timeout(1_000) });",
    "findLast": "[1].findLast((each) => each);",
    "toSorted": "[1].toSorted();",
    "Object groupBy": "Object.groupBy([], String);",
    "Promise withResolvers": "Promise.withResolvers();",
    "TextDecoderStream": "new TextDecoderStream();",
    "inert": "document.body.inert = true;",
    "a popover": "document.body.showPopover();",
    "lookbehind": "/(?<=a)b/.test('ab');",
    "a static initialization block": "class A { static { this.b = 1; } }",
    "a regular expression with set notation": "/[a--b]/v.test('a');",
}
STYLES = {
    "a media query range": "@media (width >= 64rem) { a { color: red } }",
    "has": "label:has(:checked) { color: red }",
    "a dynamic viewport unit": "a { min-height: 100dvh }",
    "a fallback before a value with a variable": "a { top: 1vh; top: calc(1dvh * var(--b)) }",
    "a container query unit": "a { width: 3cqi }",
    "color mix": "a { color: color-mix(in srgb, red, blue) }",
    "subgrid": "a { grid-template-rows: subgrid }",
    "a nested rule": "a { & b { color: red } }",
    "a registered property": "@property --a { syntax: '*'; inherits: false }",
    "an individual transform property": "a { rotate: 3deg }",
}
UNSUPPORTED_FILES = {
    **{f"{name.replace(' ', '-')}.js": code for name, code in SCRIPTS.items()},
    **{f"{name.replace(' ', '-')}.css": code for name, code in STYLES.items()},
    "a-script.html": "<script>AbortSignal.timeout(1)</script>",
    "a-style.html": "<style>a:has(b) { color: red }</style>",
}
SUPPORTED_FILES = {
    "a.js": "const late = new AbortController(); [1].at(-1); structuredClone({}); late?.abort();",
    "a.css": "@media (min-width: 64rem) { a { height: 100vh; height: 100dvh; inset: 0 } }"
    "@supports selector(:has(*)) { a:has(b) { color: red } }",
    "a.html": "<script>addEventListener('click', () => {})</script><style>a { color: red }</style>",
}


DEFECTIVE_SCRIPTS = {
    "a variable that is not used": "// Why.\nconst a = 1;\n",
    "an equality with conversion": "// Why.\nexport const is = (a) => a == 1;\n",
    "no comment at the top": "export const a = 1;\n",
    "more than 150 lines": "// Why.\n" + "export default 1;\n" + "\n" * 150,
    "a hook under a condition": """// Why.
import { useState } from "react";
export const A = ({ is }) => (is ? useState(1)[0] : 0);
""",
    "an effect without its dependency": """// Why.
import { useEffect } from "react";
export function A({ id }) {
  useEffect(() => console.log(id), []);
  return <p />;
}
""",
}


def run_check(folder, check="build"):
    command = [sys.executable, "-m", "tools.browser_checks", check, folder]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)


def test_check_rejects_build_when_oldest_browser_lacks_feature(tmp_path):
    for name, content in UNSUPPORTED_FILES.items():
        (tmp_path / name).write_text(content)
    done = run_check(tmp_path)
    assert done.returncode == 1, done.stdout
    assert [name for name in UNSUPPORTED_FILES if f"/{name}:1:" not in done.stderr] == []


def test_check_accepts_build_when_features_are_known_or_have_fallbacks(tmp_path):
    for name, content in SUPPORTED_FILES.items():
        (tmp_path / name).write_text(content)
    done = run_check(tmp_path)
    assert done.returncode == 0, done.stderr


RULES = {
    "a variable that is not used": "no-unused-vars",
    "an equality with conversion": "eqeqeq",
    "no comment at the top": "ours/first-comment",
    "more than 150 lines": "max-lines",
    "a hook under a condition": "react-hooks/rules-of-hooks",
    "an effect without its dependency": "react-hooks/exhaustive-deps",
    "campus_app/an import of the other product": "no-restricted-imports",
    "kit/an import of the other product": "no-restricted-imports",
}


def test_linter_rejects_script_with_defect(tmp_path):
    for name, content in DEFECTIVE_SCRIPTS.items():
        (tmp_path / f"{name.replace(' ', '-')}.jsx").write_text(content)
    for product, other in (("campus_app", "voice_site"), ("kit", "campus_app")):
        (tmp_path / product).mkdir()
        script = f'// Why.\nexport {{ a }} from "../{other}/a.js";\n'
        (tmp_path / product / "an-import-of-the-other-product.js").write_text(script)
    done = run_check(tmp_path, "scripts")
    assert done.returncode == 1, done.stdout
    for name, rule in RULES.items():
        _, _, findings = done.stdout.partition(f"/{name.replace(' ', '-')}.js")
        assert rule in findings.split("\n\n")[0], name
