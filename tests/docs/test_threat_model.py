"""The threat model names tests that exist, and is found from
the pages about security and operations.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.policy.test_findings import all_tests
from tests.stress.security import claims, main, places

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs" / "threat-model.md").read_text(encoding="utf-8")
ACTORS = {
    "A curious player",
    "An angry parent",
    "A volunteer with a PIN",
    "A laptop thief",
    "An arbiter of another event",
    "An internet scanner",
}


def test_every_claim_names_tests_that_exist() -> None:
    """Those of the threat model, and those of the faults that an attack has found."""
    found = claims()
    assert {
        "S1",
        "S2",
        "S3",
        "S4",
        "S5",
        "S6",
        "S7",
        "S8",
        "S9",
        "R5",
        "R6",
        "R7",
        "R9",
    } < found.keys()
    assert len({name for names in found.values() for name in names}) > 80
    assert [claim for claim, names in found.items() if not names] == ["S8"]
    assert {name for names in found.values() for name in names} <= all_tests().keys()


@pytest.mark.costly
def test_the_command_lists_the_tests_of_a_claim(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--list"]) == 0
    assert "\n    test_slow_visitors_do_not_delay_others\n" in capsys.readouterr().out
    assert places()["test_c04_2_4_4_a_draft_and_its_end"] == [
        "tests/tournaments/core/test_public_state.py::TestHiddenFromVisitors::test_c04_2_4_4_a_draft_and_its_end"
    ]
    assert main(["S1", "S0"]) == 2
    assert "There is no claim S0." in capsys.readouterr().err


def test_everybody_has_wishes_with_tests_and_what_is_not_stopped() -> None:
    parts = dict(part.split("\n", 1) for part in PAGE.split("\n## ")[1:])
    assert parts.keys() == ACTORS
    for actor, text in parts.items():
        rows = re.findall(
            r"^\| (?!wants|---)(.+) \|$", text.replace("|---|---|---|\n", ""), re.MULTILINE
        )
        assert len(rows) >= 4, actor
        assert all("`test_" in row for row in rows), actor
        assert "\nNot stopped: " in text, actor


def test_it_is_linked() -> None:
    assert "(docs/threat-model.md)" in (ROOT / "SECURITY.md").read_text(encoding="utf-8")
    assert "(threat-model.md)" in (ROOT / "docs" / "operations.md").read_text(encoding="utf-8")
