"""Positions decided by one criterion: without it, the text pairs differently.

Random positions seldom depend on some criteria ([C17] in one of 30,000), so a few for each are
kept.
"""

import json
from pathlib import Path
from typing import Any

import pytest

from pairing.engine.model import TournamentState
from pairing.engine.systems import pair
from pairing.json_io import pairing_to_json, state_from_json

from .literal_dutch import Bracket, Candidate, Group, LiteralDutch, Scores, pair_literally
from .position_json import Json

FILE = Path(__file__).resolve().parents[1] / "golden" / "dutch_2026_decisive.json"
CASES: list[Json] = json.loads(FILE.read_text(encoding="utf-8"))
EACH = [pytest.param(case, id=case["id"]) for case in CASES]


class Without(LiteralDutch):
    """The text with one criterion left out, [C8] to [C21]."""

    def __init__(self, state: TournamentState, criterion: int) -> None:
        super().__init__(state)
        self.criterion = criterion

    def c8(self, bracket: Bracket, downfloaters: Group) -> tuple[int, int, Scores] | tuple[()]:
        return () if self.criterion == 8 else super().c8(bracket, downfloaters)

    def c9(self, bracket: Bracket, downfloaters: Group) -> int:
        return 0 if self.criterion == 9 else super().c9(bracket, downfloaters)

    def c10_to_c21(self, bracket: Bracket, candidate: Candidate) -> tuple[Any, ...]:
        value = super().c10_to_c21(bracket, candidate)
        return tuple(
            0 if criterion == self.criterion else one
            for criterion, one in enumerate(value, start=10)
        )


def test_there_are_positions_for_every_criterion_from_c8() -> None:
    assert {case["article"] for case in CASES} == {f"[C{criterion}]" for criterion in range(8, 22)}


@pytest.mark.parametrize("case", EACH)
def test_c04_3_2_4_the_engine_follows_the_criterion(case: Json) -> None:
    assert pairing_to_json(pair(state_from_json(case))) == case["expected"]


@pytest.mark.parametrize("case", EACH)
def test_c04_3_2_4_the_text_pairs_differently_without_the_criterion(case: Json) -> None:
    state = state_from_json(case)
    assert pairing_to_json(pair_literally(state)) == case["expected"]
    without = pairing_to_json(Without(state, int(case["article"].strip("[C]"))).round_pairing_1_9())
    assert without == case["without"]
    assert without != case["expected"]
