"""Read docs/rules/handling-checklist.md: every named test and file exists."""

from __future__ import annotations

import re
from typing import Final

import pytest

from tests.policy.test_audit import ROOT
from tests.policy.test_findings import all_tests

PAGE: Final = ROOT / "docs" / "rules" / "handling-checklist.md"
ROWS: Final = re.findall(r"^\| (\d[^|]*) \| [^|]+ \| [^|]+ \| ([^|]+) \| ([^|]+) \|$", PAGE.read_text(), re.MULTILINE)


def test_the_page_claims_no_endorsement() -> None:
    assert "not endorsed" in PAGE.read_text(encoding="utf-8")
    assert len(ROWS) > 20


@pytest.mark.parametrize("row", ROWS, ids=[number for number, *_ in ROWS])
def test_the_evidence_exists(row: tuple[str, str, str]) -> None:
    _, where, evidence = row
    places, tests = (re.findall(r"`([^`]+)`", text) for text in (where, evidence))
    assert places
    assert tests
    assert [place for place in places if not (ROOT / place).is_file()] == []
    there = all_tests()
    assert [name for name in tests if name not in there and not (ROOT / name).is_file()] == []
