"""``python -m tests.stress.security [CLAIM …] [-- OPTION …]``:
run the tests of these claims, or of all.

The claims are the numbers of docs/developer/faults.md and the people of docs/threat-model.md, such
as ``S4`` and ``internet-scanner``. Options go to pytest. ``--list`` prints the claims with their
tests. Slow tests run too.
"""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
FAULTS = ROOT / "docs" / "developer" / "faults.md"
THREATS = ROOT / "docs" / "threat-model.md"
TEST = re.compile(r"`(test_\w+)`")


def claims() -> dict[str, list[str]]:
    """Return the names of the tests by claim: ``S1`` … of the page of faults,
    ``curious-player`` … of the threats.
    """
    rows = re.findall(r"^\| ([A-Z]\d) \|(.+)\|$", FAULTS.read_text(encoding="utf-8"), re.MULTILINE)
    found = {number: TEST.findall(row) for number, row in rows}
    for part in THREATS.read_text(encoding="utf-8").split("\n## ")[1:]:
        actor, _, text = part.partition("\n")
        found[re.sub(r"^An? ", "", actor).lower().replace(" ", "-")] = TEST.findall(text)
    return found


@cache
def places() -> dict[str, list[str]]:
    """Return the addresses of all tests by name, as pytest takes them."""
    found: dict[str, list[str]] = {}
    for path in sorted((ROOT / "tests").rglob("test_*.py")):
        for name, inside in _tests_of(ast.parse(path.read_text(encoding="utf-8")).body):
            found.setdefault(name, []).append(
                "::".join([str(path.relative_to(ROOT)), *inside, name])
            )
    return found


def _tests_of(
    body: list[ast.stmt], inside: tuple[str, ...] = ()
) -> Iterator[tuple[str, tuple[str, ...]]]:
    for node in body:
        if isinstance(node, ast.ClassDef):
            yield from _tests_of(node.body, (*inside, node.name))
        elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.name.startswith(
            "test_"
        ):
            yield node.name, inside


def main(arguments: list[str]) -> int:
    """Run the tests; return the exit code of pytest, or 2 for a claim that does not exist."""
    end = arguments.index("--") if "--" in arguments else len(arguments)
    chosen, options = arguments[:end], arguments[end + 1 :]
    known = claims()
    if chosen == ["--list"]:
        for claim, names in known.items():
            print(claim, *names, sep="\n    ")
        return 0
    if unknown := [claim for claim in chosen if claim not in known]:
        line = f"There is no claim {', '.join(unknown)}. The claims are {', '.join(known)}."
        print(line, file=sys.stderr)
        return 2
    wanted = dict.fromkeys(name for claim in chosen or known for name in known[claim])
    addresses = [place for name in wanted for place in places()[name]]
    return int(pytest.main(["--run-slow", *options, *addresses]))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
