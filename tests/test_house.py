"""Consistency of the repository: settings, top level, lock files, commands and documents."""

import hashlib
import json
import re
import subprocess
import tomllib
from pathlib import Path

import pytest

from campus_app.shared.settings import Settings
from voice_site.settings import VoiceSettings

ROOT = Path(__file__).parents[1]
TOP_LEVEL = {
    "rxconfig.py",
    "kit",
    "campus_app",
    "voice_site",
    "assets",
    "data",
    "tests",
    "bench",
    "requirements.txt",
    "requirements-dev.txt",
    "README.md",
    "CONTRIBUTING.md",
    "Makefile",
    "pyproject.toml",
    "docs",
    "reflex.lock",
    "tools",
    "deploy",
}
EXTERNAL_PAGE = re.compile(
    r"\.\./[s]hared|\b[D]ECISIONS\b|\b[C]ONTRACT\b|\b[S]TRUCTURE\b|\b[L]ANGUAGE\.md|\b[S]TYLE\.md"
    r"|\b[r]esearch/|\b[Ii]ssue [\d]"
)
"""Names of documents and issues that are not in the repository."""
NUMBER = r"(?:[VCP]?\d+\.\d+|[MRSHVCP]\d+)"
SOURCE = re.compile(rf"Source: specification (?:{NUMBER}(?:, | to )?)+(?=[.;]|\s|$)")
COMMANDS = ("run", "test", "dev", "check", "bench", "ops", "lock", "sbom", "drill")


def tracked_files():
    listed = subprocess.run(
        ["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=True
    )
    return [ROOT / name for name in listed.stdout.split("\0") if name]


def text_files():
    suffixes = {".py", ".md", ".toml", ".txt", ".json", ".jsx", ".css", ".html", ".csv", ""}
    return [file for file in tracked_files() if file.suffix in suffixes and file.is_file()]


def test_each_setting_is_documented():
    example = (ROOT / ".env.example").read_text(encoding="utf-8")
    documented = set(re.findall(r"^#? ?([A-Z_]+)=", example, re.MULTILINE))
    known = {*Settings.model_fields, *VoiceSettings.model_fields}
    assert documented == {name.upper() for name in known}


def test_font_file_names_contain_content_hash():
    fonts = {f"/fonts/{file.name}": file for file in (ROOT / "assets" / "fonts").glob("*.woff2")}
    for file in fonts.values():
        digest = hashlib.sha256(file.read_bytes()).hexdigest()
        assert file.suffixes[0][1:] == digest[:8], file.name
    sheets = "".join(file.read_text() for file in (ROOT / "assets" / "css").glob("*.css"))
    assert set(re.findall(r"/fonts/[\w.-]+", sheets)) == set(fonts)


def test_top_level_contains_only_known_entries():
    names = {file.relative_to(ROOT).parts[0] for file in tracked_files()}
    assert {name for name in names if not name.startswith(".")} <= TOP_LEVEL


def test_generated_files_are_not_tracked():
    generated = (".web", "var", ".states", "node_modules", "__pycache__", ".cache")
    assert [
        file for file in tracked_files() if set(file.relative_to(ROOT).parts) & set(generated)
    ] == []


def test_lock_file_names_no_registry():
    locks = [file.read_text(encoding="utf-8") for file in (ROOT / "reflex.lock").iterdir()]
    assert all('"resolved": "http' not in lock and "registry" not in lock for lock in locks)
    assert all(isinstance(json.loads(lock), dict) for lock in locks)


LOCKS = {
    "requirements.txt": ("project", "dependencies"),
    "requirements-dev.txt": ("dependency-groups", "dev"),
    "tests/cashfree_models/requirements.txt": ("dependency-groups", "cashfree-models"),
    "tools/voices/requirements.txt": ("dependency-groups", "voices"),
}
"""The locked requirements, and the names in pyproject.toml that they are made from."""


PEERS = [str(file.relative_to(ROOT)) for file in ROOT.glob("bench/peers/*/requirements.txt")]


@pytest.mark.parametrize("lock", [*LOCKS, *PEERS])
def test_packages_are_pinned_exactly_and_with_hashes(lock):
    text = (ROOT / lock).read_text(encoding="utf-8")
    pins = re.findall(r"^[a-z].*(?:\n    --hash=.*)*", text, re.MULTILINE)
    pinned = re.compile(
        r"[a-z0-9.-]+==[\w.]+(?: ; .+)? \\(?:\n    --hash=sha256:[0-9a-f]{64}(?: \\(?=\n)|$))+"
    )
    assert [pin for pin in pins if not pinned.fullmatch(pin)] == []
    assert "://" not in text, "no address of a registry"
    names = [pin.split("==")[0] for pin in pins]
    assert len(names) == len(set(names))


@pytest.mark.parametrize(("lock", "table"), LOCKS.items())
def test_lock_has_each_package_that_pyproject_names(lock, table):
    section, key = table
    named = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))[section][key]
    pinned = re.findall(r"^(\S+==[^ ;]+)", (ROOT / lock).read_text(encoding="utf-8"), re.MULTILINE)
    assert named
    assert {each.lower().replace("_", "-") for each in named} <= set(pinned)


@pytest.mark.parametrize("command", COMMANDS)
def test_makefile_has_each_documented_command(command):
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    assert re.search(rf"^{command}:", makefile, re.MULTILINE)
    assert f"make {command}" in (ROOT / "README.md").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("tests", "needs_pages"),
    [
        ("", True),
        ("-k receipt", True),
        ("tests/e2e -k receipt", True),
        ("tests/hostile", True),
        ("tests/campus_app", True),
        ("tests/campus_app/operators", True),
        ("tests/campus_app/ordering/rules tests/deploy", True),
        ("tests/campus_app/ordering/rules", False),
        ("tests/campus_app/ordering/rules/test_bill.py tests/kit -x", False),
        ("tests/tools/test_sbom.py::test_name", False),
    ],
)
def test_make_test_builds_pages_only_when_tests_need_them(tests, needs_pages):
    command = ["make", "--dry-run", "--no-print-directory", "test", f"TESTS={tests}"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    assert "-m pytest --numprocesses" in done.stdout
    assert ("-m campus_app.build" in done.stdout) is needs_pages


def test_make_check_ends_with_what_it_could_not_audit():
    command = ["make", "--dry-run", "--no-print-directory", "check"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1].endswith("tools/audit.py")


def test_readme_links_point_to_existing_files():
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    targets = [t for t in re.findall(r"\]\(([^)]+)\)", readme) if not t.startswith("http")]
    assert targets
    assert [t for t in targets if not (ROOT / t.partition("#")[0]).exists()] == []


def test_architecture_names_existing_files():
    page = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
    rooms = (ROOT / "campus_app").glob("*/")
    bases = (ROOT, ROOT / "campus_app", ROOT / "voice_site", *rooms)
    named = re.findall(r"`((?:[a-z_]+/)*[a-z_0-9]+(?:/|\.(?:py|js|jsx|md|toml)))`", page)
    tree = re.findall(r"^((?:[a-z_]+/)+|[a-z_]+\.py) ", page, re.MULTILINE)
    missing = [
        name
        for name in (*named, *tree)
        if "/" in name and not any((base / name).exists() for base in bases)
    ]
    assert len(named) > 30
    assert missing == []


def test_no_file_names_an_absolute_machine_path():
    machine = re.compile(r"(?<![\w.~/-])/(?:work|root|home|Users)/\w")
    found = [
        file.relative_to(ROOT)
        for file in text_files()
        if machine.search(file.read_text(encoding="utf-8", errors="ignore"))
    ]
    assert found == []


def test_no_file_refers_to_a_page_outside_the_repository():
    found = [
        f"{file.relative_to(ROOT)}: {match[0]}"
        for file in text_files()
        if not file.name.endswith("-OFL.txt")
        for match in EXTERNAL_PAGE.finditer(file.read_text(encoding="utf-8", errors="ignore"))
    ]
    assert found == []


def test_waits_of_browser_tests_neither_throw_nor_are_async():
    # An async predicate is always true; a page that is being replaced has no document element.
    unsafe = re.compile(r"""wait_for_function\(\s*f?["'](async|[^"]*document\.(documentEl|body))""")
    assert unsafe.search("wait_for_function('async () => await caches.has(1)')")
    assert unsafe.search('wait_for_function("() => document.documentElement.lang")')
    files = [*(ROOT / "tests/e2e").glob("*.py"), *(ROOT / "bench").rglob("*.py")]
    assert [file.name for file in files if unsafe.search(file.read_text(encoding="utf-8"))] == []


def test_sources_cite_numbers_that_the_specification_has():
    page = (ROOT / "docs" / "specification.md").read_text(encoding="utf-8")
    numbers = set(re.findall(rf"^\| ({NUMBER}) \|", page, re.MULTILINE))
    numbers |= set(re.findall(r"^## ([VCP]\d)\. ", page, re.MULTILINE))
    wrong = []
    for file in text_files():
        lines = file.read_text(encoding="utf-8", errors="ignore").splitlines()
        for line in (line for line in lines if "Source: specification" in line):
            source = SOURCE.search(line)
            cited = re.findall(NUMBER, source[0]) if source else []
            if file != Path(__file__) and (not cited or set(cited) - numbers):
                wrong.append(f"{file.relative_to(ROOT)}: {line.strip()}")
    assert numbers
    assert wrong == []


def test_decisions_are_numbered_and_short():
    files = sorted((ROOT / "docs" / "decisions").glob("*.md"))
    assert [file.name[:4] for file in files] == [f"{n:04}" for n in range(1, len(files) + 1)]
    for file in files:
        text = file.read_text(encoding="utf-8")
        assert all(f"**{word}.**" in text for word in ("Context", "Decision", "Consequences"))
        assert len(text.splitlines()) <= 25
