"""The claims in the documents, and the tests that they name."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
FAULTS = ROOT / "docs" / "developer" / "faults.md"
THREATS = ROOT / "docs" / "threat-model.md"
TEST = re.compile(r"`(test_\w+)`")


def claims() -> dict[str, list[str]]:
    """Return the names of the tests by claim: ``S1`` … of the page of faults, ``curious-player`` … of the threats."""
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
            found.setdefault(name, []).append("::".join([str(path.relative_to(ROOT)), *inside, name]))
    return found


def _tests_of(body: list[ast.stmt], inside: tuple[str, ...] = ()) -> Iterator[tuple[str, tuple[str, ...]]]:
    for node in body:
        if isinstance(node, ast.ClassDef):
            yield from _tests_of(node.body, (*inside, node.name))
        elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.name.startswith("test_"):
            yield node.name, inside
