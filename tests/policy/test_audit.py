"""Read docs/rules/audit.md: every article is there, and every named test exists and runs."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final

import pytest

from tests.policy.test_findings import all_tests, source
from tests.test_rule_traceability import ARTICLES, INDEX

ROOT: Final = Path(__file__).resolve().parents[2]
PAGE: Final = ROOT / "docs" / "rules" / "audit.md"
DUTY: Final = "arbiter's duty outside the program"
LINE: Final = r"^\| (\d[^|]*) \| ([^|]+) \| ([^|]+) \| ([^|]+) \|$"
ASSERTS: Final = re.compile(r"\bassert\b|\brefused\(|\bpage_refuses\(|\braises\(|\bassert_\w+\(")
ELSEWHERE: Final[frozenset[str]] = frozenset({"C.04.2 1.2.1", "C.04.2 1.2.2"})
"""Rows about other systems, whose tests are named after the
article on the report, or after none.
"""
STATUSES: Final = {"enforced", "recorded", DUTY}


def rows() -> list[tuple[str, str, str, str]]:
    """Return (article with its chapter, what it asks, status, evidence) for every row."""
    return [
        (f"{section.split()[0]} {article}", asks, status, evidence)
        for section in PAGE.read_text(encoding="utf-8").split("\n## ")[1:]
        for article, asks, status, evidence in re.findall(LINE, section, re.MULTILINE)
    ]


ROWS: Final = rows()


def test_every_article_has_a_row() -> None:
    named = {re.split(r",", article)[0] for article, *_ in ROWS}
    named |= {
        f"C.04.2 {number}"
        for article, *_ in ROWS
        for number in re.findall(r", (4\.4\.\d)", article)
    }
    articles = [
        f"{chapter} {article}" for chapter, numbers in ARTICLES.items() for article in numbers
    ]
    assert [
        each
        for each in articles
        if not any(name == each or name.startswith(f"{each}.") for name in named)
    ] == []
    assert len({article for article, *_ in ROWS}) == len(ROWS)


def test_every_row_has_a_status_and_none_is_ignored() -> None:
    assert {status for *_, status, _ in ROWS} == STATUSES
    assert "| ignored" not in PAGE.read_text(encoding="utf-8")


@pytest.mark.parametrize("row", ROWS, ids=[article for article, *_ in ROWS])
def test_the_evidence_exists(row: tuple[str, str, str, str]) -> None:
    quoted = re.findall(r"`([^`]+)`", row[3])
    assert quoted, "a row names the test that proves it"
    there = all_tests()
    for name in quoted:
        assert name in there or (name.startswith("tests/") and (ROOT / name).is_file()), name


@pytest.mark.costly
@pytest.mark.parametrize("row", ROWS, ids=[article for article, *_ in ROWS])
def test_the_evidence_is_about_the_article_and_asserts_something(
    row: tuple[str, str, str, str],
) -> None:
    """A row that names test functions has one with its article,
    or with the article above it, in its name.
    """
    article, _, _, evidence = row
    names = [name for name in re.findall(r"`([^`]+)`", evidence) if name.startswith("test_")]
    assert [name for name in names if not ASSERTS.search(source(name))] == []
    numbers = [*re.findall(r"\b4\.4\.\d", article), re.split(r",", article.split()[1])[0]]
    chapter = article.split()[0].lower().replace(".", "_").replace("c_", "c")
    wanted = {f"{chapter}_{number.replace('.', '_')}" for number in numbers}
    wanted |= {each.rpartition("_")[0] for each in wanted if each.count("_") > 3}
    assert (
        not names or row[0] in ELSEWHERE or any(each in name for each in wanted for name in names)
    ), wanted


def test_what_the_audit_calls_enforced_is_not_outside_in_the_index() -> None:
    outside = {article for article, (status, _) in INDEX.items() if status == "outside"}
    assert outside <= {"C.04.2 1.1", "C.04.2 1.2"}
