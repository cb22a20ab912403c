"""The page about public pages on phones names tests that exist,
for each thing asked for and each old fault.
"""

from __future__ import annotations

import re

import pytest

from tests.docs.test_threat_model import ROOT
from tests.stress.security import places

PAGE = (ROOT / "docs" / "developer" / "phones.md").read_text(encoding="utf-8")


@pytest.mark.costly
def test_every_named_test_exists() -> None:
    named = set(re.findall(r"`(test_\w+)`", PAGE))
    assert len(named) > 30
    assert named - places().keys() == set()


def test_every_line_has_a_test() -> None:
    rows = [
        row
        for row in PAGE.splitlines()
        if row.startswith("| ") and not row.endswith("|---|---|---|")
    ]
    lines = [row for row in rows if not row.startswith(("| asked for |", "| fault |"))]
    assert [row for row in lines if "`test_" not in row] == []
    assert [f"V{number}:" for number in range(3, 14)] == re.findall(
        r"^\| (V\d+:)", PAGE, re.MULTILINE
    )
