"""The threat model names tests that exist, and is found from the pages about security and operations."""

from __future__ import annotations

import re
from pathlib import Path

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


def every_test() -> set[str]:
    """Return the names of all tests."""
    return {
        name
        for path in (ROOT / "tests").rglob("test_*.py")
        for name in re.findall(r"^\s*(?:async )?def (test_\w+)\(", path.read_text(encoding="utf-8"), re.MULTILINE)
    }


def test_every_named_test_exists() -> None:
    named = set(re.findall(r"`(test_\w+)`", PAGE))
    assert len(named) > 40
    assert named - every_test() == set()


def test_everybody_has_wishes_with_tests_and_what_is_not_stopped() -> None:
    parts = dict(part.split("\n", 1) for part in PAGE.split("\n## ")[1:])
    assert parts.keys() == ACTORS
    for actor, text in parts.items():
        rows = re.findall(r"^\| (?!wants|---)(.+) \|$", text.replace("|---|---|---|\n", ""), re.MULTILINE)
        assert len(rows) >= 4, actor
        assert all("`test_" in row for row in rows), actor
        assert "\nNot stopped: " in text, actor


def test_it_is_linked() -> None:
    assert "(docs/threat-model.md)" in (ROOT / "SECURITY.md").read_text(encoding="utf-8")
    assert "(threat-model.md)" in (ROOT / "docs" / "operations.md").read_text(encoding="utf-8")
