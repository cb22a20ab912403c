"""Check docs/glossary.md against the code and the message catalogue."""

from __future__ import annotations

import ast
import re
from functools import cache
from pathlib import Path

import pytest
from babel.messages.pofile import read_po

from pairing.engine.systems import SYSTEMS
from pairing.rules.corrections import CorrectionEffect, CorrectionKind
from pairing.rules.handling import HANDLING
from pairing.rules.published import Situation
from pairing.rules.rounds import RoundState
from tournaments.models import Action, ByeKind, ListState, TieBreakEdition

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs" / "glossary.md").read_text(encoding="utf-8")
CATALOGUE = ROOT / "locale" / "fr" / "LC_MESSAGES" / "django.po"
ENGINE = ROOT / "pairing" / "engine"
"""The engine knows the strength of a colour preference."""
QUOTING = {
    ROOT / "docs" / "glossary.md",
    ROOT / "docs" / "rules" / "c04-2-handling-rules.md",  # quotes the text of 2.1
    ROOT / "docs" / "arbiter" / "fr" / "day-of-the-event.md",  # "touches" are keys in French
    ROOT / "docs" / "arbiter" / "fr" / "pages.md",
}
TERMS = (
    "People and places",
    "Entries",
    "Rounds and pairings",
    "Results and byes",
    "Standings and reports",
    "Record and undo",
)


def rows(heading: str) -> list[list[str]]:
    """Return the cells of the table under *heading*, without its two header lines."""
    section = PAGE.partition(f"\n## {heading}\n")[2].partition("\n## ")[0]
    lines = [line for line in section.splitlines() if line.startswith("|")]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines[2:]]


def codes(cell: str) -> list[str]:
    return re.findall(r"`([^`]+)`", cell)


@cache
def modules() -> dict[Path, str]:
    """Return the text of every Python module of the program."""
    return {
        path: path.read_text(encoding="utf-8")
        for folder in ("pairing", "tournaments")
        for path in (ROOT / folder).rglob("*.py")
    }


@cache
def words_of(path: Path) -> frozenset[str]:
    """Return every name and every dotted string in the code of a module."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(modules()[path])):
        match node:
            case (
                ast.Name(id=name)
                | ast.Attribute(attr=name)
                | ast.arg(arg=name)
                | ast.alias(name=name)
            ):
                found.add(name)
            case ast.FunctionDef(name=name) | ast.ClassDef(name=name):
                found.add(name)
            case ast.Constant(value=str(text)) if len(text) < 60:
                found.add(text)
    return frozenset(found)


def is_in_the_code(word: str) -> bool:
    """Return whether the code has *word*; a comment is not enough.

    Only modules whose text has it are parsed, until one has it in its code.
    """
    return any(word in text and word in words_of(path) for path, text in modules().items())


@cache
def catalogue() -> tuple[tuple[str, str], ...]:
    """Return English source and French translation of every message, in lower case."""
    with CATALOGUE.open("rb") as file:
        messages = list(read_po(file))
    flat = []
    for message in messages:
        sources = message.id if isinstance(message.id, tuple) else (message.id,)
        targets = message.string if isinstance(message.string, tuple) else (message.string,)
        flat += [
            (source.lower(), target.lower())
            for source, target in zip(sources, targets, strict=False)
            if source
        ]
    return tuple(flat)


def term_rows() -> list[list[str]]:
    return [row for heading in TERMS for row in rows(heading)]


def test_the_tables_are_complete() -> None:
    assert all(
        rows(heading) for heading in (*TERMS, "Pairing systems", "Actions in the record", "States")
    )
    assert [row for row in term_rows() if len(row) != 5 or not all(row)] == []


@pytest.mark.parametrize("row", term_rows(), ids=lambda row: row[0])
def test_a_term_is_in_the_code_or_in_the_catalogue(row: list[str]) -> None:
    english, _, _, _, names = row
    if names != "–":
        assert codes(names)
        assert [name for name in codes(names) if not is_in_the_code(name)] == []
        return
    word = english.partition(" (")[0].lower().replace("'", "’")
    assert any(word in source.replace("'", "’") for source, _ in catalogue()), (
        f"{english}: not in the catalogue"
    )


def test_no_term_is_defined_twice() -> None:
    terms = [row[0] for row in term_rows()]
    assert len(terms) == len(set(terms))


def test_every_pairing_system_is_here() -> None:
    assert sorted(code for row in rows("Pairing systems") for code in codes(row[0])) == sorted(
        SYSTEMS
    )


def test_every_action_code_is_here() -> None:
    listed = [code for row in rows("Actions in the record") for code in codes(row[0])]
    missing = [f"| `{each}` | {each.row.words} | … | – |" for each in Action if each not in listed]
    assert sorted(listed) == sorted(Action), (
        f"Missing in docs/glossary.md, with the French and the article: {missing}"
    )


def test_every_state_is_here() -> None:
    listed = {(row[0], code) for row in rows("States") for code in codes(row[1])}
    wanted = {("round", state.value) for state in RoundState}
    wanted |= {("list of participants", state.value) for state in ListState}
    assert wanted <= listed
    assert [code for _, code in listed if not is_in_the_code(code)] == []


def test_every_edition_is_here() -> None:
    listed = [code for row in rows("Editions") for code in codes(row[1])]
    assert sorted(listed) == sorted([*HANDLING, *TieBreakEdition.values])


def test_every_situation_and_every_effect_is_here() -> None:
    listed = [code for row in rows("Situations and effects") for code in codes(row[1])]
    wanted = [*(situation.value for situation in Situation), *CorrectionKind, *CorrectionEffect]
    assert sorted(listed) == sorted(wanted)


def test_every_kind_of_bye_is_here() -> None:
    assert {kind.name for kind in ByeKind} <= {
        name for row in rows("Results and byes") for name in codes(row[4])
    }


def test_every_retired_name_has_a_replacement() -> None:
    retired = rows("Retired names")
    assert retired
    assert [row for row in retired if len(row) != 3 or not all(row)] == []
    current = {row[0].lower() for row in term_rows()}
    assert [row[0] for row in retired if row[0].lower() in current] == []


@pytest.mark.costly
def test_no_file_uses_a_retired_name() -> None:
    words = [word for row in rows("Retired names") for word in codes(row[2])]
    pattern = re.compile(rf"(?<![\w-])(?:{'|'.join(map(re.escape, words))})(?![\w-])")
    found = [
        f"{path.relative_to(ROOT)}: {match[0]}"
        for folder in ("pairing", "tournaments", "config", "templates", "docs")
        for path in sorted((ROOT / folder).rglob("*"))
        if path.suffix in (".py", ".html", ".md")
        and path not in QUOTING
        and ENGINE not in path.parents
        for match in pattern.finditer(path.read_text(encoding="utf-8"))
    ]
    assert found == []
