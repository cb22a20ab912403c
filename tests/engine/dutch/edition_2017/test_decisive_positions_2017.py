"""Test each criterion of 2017 on positions that it decides: without it, the text pairs differently.

Random positions rarely meet some criteria, so a few positions for each are kept. They need no file
of ../shared.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from pairing.engine.model import TournamentState
from pairing.engine.systems import pair
from pairing.json_io import pairing_to_json, state_from_json
from tests.engine.literal_dutch import Bracket, Candidate, Group, Scores
from tests.engine.literal_dutch_2017 import LiteralDutch2017, LookAhead, pair_literally_2017
from tests.engine.position_json import Json

FILE = Path(__file__).resolve().parents[3] / "golden" / "dutch_2017_decisive.json"
CASES: list[Json] = json.loads(FILE.read_text(encoding="utf-8"))
EACH = [pytest.param(case, id=case["id"]) for case in CASES]


class Without(LiteralDutch2017):
    """Pair by the text without one criterion, [C.6] to [C.19]."""

    def __init__(self, state: TournamentState, criterion: int) -> None:
        super().__init__(state)
        self.criterion = criterion

    def psd_a_8(self, bracket: Bracket, candidate: Candidate) -> Scores:
        return () if self.criterion == 6 else super().psd_a_8(bracket, candidate)

    def psd_of_downfloaters(self, bracket: Bracket, downfloaters: Group) -> Scores:
        return () if self.criterion == 6 else super().psd_of_downfloaters(bracket, downfloaters)

    def bracket_pairing_b(self, bracket: Bracket, sets: frozenset[frozenset[int]]) -> Candidate:
        """Without [C.6] the sets may differ in the number of paired MDPs:
        the largest comes first, as for M1.
        """
        most = max(len(set(bracket.mdps) - one) for one in sets)
        return super().bracket_pairing_b(
            bracket, frozenset(one for one in sets if len(set(bracket.mdps) - one) == most)
        )

    def c7_2017(self, bracket: Bracket, downfloaters: Group) -> LookAhead:
        return LookAhead(0, ()) if self.criterion == 7 else super().c7_2017(bracket, downfloaters)

    def c8_to_c19(self, bracket: Bracket, candidate: Candidate) -> tuple[object, ...]:
        value = super().c8_to_c19(bracket, candidate)
        return tuple(
            0 if criterion == self.criterion else one
            for criterion, one in enumerate(value, start=8)
        )


def test_c04_3_2017_c_there_are_positions_for_every_criterion_from_c6() -> None:
    assert {case["article"] for case in CASES} == {f"[C.{criterion}]" for criterion in range(6, 20)}


@pytest.mark.parametrize("case", EACH)
def test_c04_3_2017_c_the_engine_follows_the_criterion(case: Json) -> None:
    assert pairing_to_json(pair(state_from_json(case))) == case["expected"]


@pytest.mark.parametrize("case", EACH)
def test_c04_3_2017_c_the_text_pairs_differently_without_the_criterion(case: Json) -> None:
    state = state_from_json(case)
    assert pairing_to_json(pair_literally_2017(state)) == case["expected"]
    without = pairing_to_json(
        Without(state, int(case["article"].strip("[C.]"))).round_pairing_a_9()
    )
    assert without == case["without"]
    assert without != case["expected"]
