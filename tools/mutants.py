"""Prints the score of each mutated module, and the diff of each surviving mutant.

`python tools/mutants.py` reads the results of `mutmut run` in `mutants/`; `--table` leaves out the
survivors. A mutant that exceeds the time limit counts as killed, one that no test runs as survived.
"""

import argparse
import json
import sys
from collections import Counter
from pathlib import Path

from mutmut.mutation.data import SourceFileMutationData
from mutmut.mutation.diff_apply import get_diff_for_mutant
from mutmut.stats import status_by_exit_code
from mutmut.utils.file_utils import walk_mutatable_files

_KILLED = {"killed", "timeout"}
_UNKNOWN = {"not checked"}
_TESTS = Path("mutants/mutmut-stats.json")


def verdicts() -> dict[Path, dict[str, str]]:
    """Return the status of each mutant, by module and by its name."""
    found: dict[Path, dict[str, str]] = {}
    for path in sorted(walk_mutatable_files()):
        mutants = SourceFileMutationData(path=path)
        mutants.load()
        if mutants.exit_code_by_key:
            found[path] = {
                name: status_by_exit_code[code] for name, code in mutants.exit_code_by_key.items()
            }
    return found


def row(title: str, counted: Counter[str]) -> str:
    """Return a row of the table."""
    tried = counted.total() - sum(counted[status] for status in _UNKNOWN)
    killed = sum(counted[status] for status in _KILLED)
    score = f"{killed / tried:.1%}" if tried else "-"
    figures = (counted.total(), killed, counted["timeout"], tried - killed, score)
    return f"| {title} | " + " | ".join(map(str, figures)) + " |"


def table(found: dict[Path, dict[str, str]]) -> str:
    """Return the scores of all modules and folders, and the total, as a Markdown table."""
    lines = ["| module | mutants | killed | of them by time | survived | score |"]
    lines.append("|---|--:|--:|--:|--:|--:|")
    folders: dict[str, Counter[str]] = {}
    for path, mutants in found.items():
        counted = Counter(mutants.values())
        folders.setdefault(str(path.parent), Counter()).update(counted)
        lines.append(row(f"`{path}`", counted))
    lines += [row(f"**{folder}**", counted) for folder, counted in folders.items()]
    lines.append(row("**all**", sum(folders.values(), Counter())))
    return "\n".join(lines)


def survivors(found: dict[Path, dict[str, str]]) -> str:
    """Return each surviving mutant, with the lines that it changes."""
    lines: list[str] = []
    for path, mutants in found.items():
        for name, status in mutants.items():
            if status in _KILLED | _UNKNOWN:
                continue
            lines.append(f"\n{name}: {status}")
            diff = get_diff_for_mutant(name, path=path).splitlines()
            lines += [line for line in diff[2:] if line.startswith(("-", "+"))]
    return "\n".join(lines)


def tests_with_backslash() -> list[str]:
    """Return the tests with a backslash in their id, which pytest can't select by it.

    Its error would count as a killed mutant.
    """
    names = json.loads(_TESTS.read_text(encoding="utf-8"))["duration_by_test"]
    return [name for name in names if "\\\\" in name]


def main() -> None:
    """Print the table, then the survivors."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--table", action="store_true", help="leave the survivors out")
    chosen = parser.parse_args()
    if found := tests_with_backslash():
        sys.exit("\n".join(["Give these tests an id without a backslash:", *found]))
    statuses = verdicts()
    print(table(statuses))
    if not chosen.table:
        print(survivors(statuses))


if __name__ == "__main__":
    main()
