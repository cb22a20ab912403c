"""The literal reference itself: the golden positions, and the examples the text gives."""

import json
from pathlib import Path
from typing import Any

from pairing.engine.checker import check
from pairing.engine.model import Pairing

from .literal_dutch import pair_literally
from .position_json import Json, pairing_of, state_of


def golden_cases(shared: Path) -> list[Json]:
    """The positions of the 2026 edition; there are some, or nothing would be proved."""
    cases: list[Json] = json.loads((shared / "golden" / "dutch_2026.json").read_text(encoding="utf-8"))
    assert len(cases) > 0
    return cases


def in_any_order(pairing: Pairing) -> tuple[Any, ...]:
    """The pairs with their colours and the bye: the golden files list the pairs by White's number."""
    return sorted(pairing.pairs), pairing.bye


def test_every_golden_position_of_2026_has_its_expected_pairing(shared: Path) -> None:
    cases = golden_cases(shared)
    found = {case["id"]: in_any_order(pair_literally(state_of(case))) for case in cases}
    assert found == {case["id"]: in_any_order(pairing_of(case["expected"])) for case in cases}


def test_the_checker_agrees_with_every_golden_position_of_2026(shared: Path) -> None:
    cases = golden_cases(shared)
    findings = {case["id"]: check(state_of(case), pair_literally(state_of(case))) for case in cases}
    assert findings == {case["id"]: () for case in cases}
