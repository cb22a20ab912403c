"""Positions decided by one rule of the text before July 2017:
without it, the text pairs differently.

Random positions seldom depend on some rules (C12 in a bracket above the lowest in one of 200), so a
few are kept.
"""

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from pairing.engine.errors import NoLegalPairingError
from pairing.engine.model import Player, Result
from pairing.engine.systems import pair
from pairing.json_io import pairing_to_json, state_from_json

from .literal_dutch_pre2017 import Literal, pair_literally
from .literal_dutch_pre2017_brackets import Bracket, Candidate, Done, Ranks
from .position_json import Json

FILE = Path(__file__).resolve().parents[1] / "golden" / "dutch_pre2017_decisive.json"
CASES: list[Json] = json.loads(FILE.read_text(encoding="utf-8"))
EACH = [pytest.param(case, id=case["id"]) for case in CASES]


class WithoutA3(Literal):
    def homogeneous_a3(self, bracket: Bracket) -> bool:
        return not bracket.moved


class WithoutHalfPointByes(Literal):
    """B1.b as later texts have it: a point, not half a point."""

    def bye_allowed(self, rank: int) -> bool:
        player = self.given[self.players[rank].tpn]
        return not any(
            self.bars_b1_b(player, index) and record.result is not Result.HALF_POINT_BYE
            for index, record in enumerate(player.rounds)
        )


class WithoutFloatsOfByes(Literal):
    """A4 without B1.b: only games make floats."""

    def bars_b1_b(self, player: Player, index: int) -> bool:
        return False

    def bye_allowed(self, rank: int) -> bool:
        player = self.given[self.players[rank].tpn]
        return not any(
            Literal.bars_b1_b(self, player, index) for index in range(len(player.rounds))
        )


class WithoutC1(Literal):
    def c1(self, bracket: Bracket) -> tuple[Bracket, Ranks]:
        return bracket, ()


class WithoutC12(Literal):
    def going_on(self, previous: Done) -> Iterator[Done]:
        return iter(())


class WithoutC13(Literal):
    """The two lowest brackets are joined at once."""

    def penultimate_c13(self, previous: Done) -> Iterator[Done]:
        return iter(())


class WithoutD4(Literal):
    def b3_factor_d4(self, candidate: Candidate) -> int:
        return 0


class WithoutWheel(Literal):
    """Without one requirement, counted from the end of C10's list."""

    wheel = 0

    def wheels_c10(self, bracket: Bracket) -> list[Callable[[Candidate], int]]:
        wheels = super().wheels_c10(bracket)
        if self.left_out():
            wheels[self.wheel] = lambda _candidate: 0
        return wheels

    def left_out(self) -> bool:
        return True


class WithoutB6Up(WithoutWheel):
    wheel = -1


class WithoutB5Up(WithoutWheel):
    wheel = -2


class WithoutB6Down(WithoutWheel):
    wheel = -3


class WithoutB5Down(WithoutWheel):
    wheel = -4


class WithoutZ(WithoutWheel):
    wheel = -5

    def left_out(self) -> bool:
        return not self.odd_round


class WithoutX(WithoutWheel):
    @property
    def wheel(self) -> int:  # type: ignore[override]
        return -5 if self.odd_round else -6


class WithoutA7d(WithoutWheel):
    wheel = -6

    def left_out(self) -> bool:
        return self.odd_round


class WithoutB2(WithoutWheel):
    """Topscorers of the same absolute preference meet as if they had none."""

    wheel = -7


RULES: dict[str, type[Literal]] = {
    "A3": WithoutA3,
    "A7.d": WithoutA7d,
    "A7.e": WithoutZ,
    "B1.b, bye": WithoutHalfPointByes,
    "B1.b, float": WithoutFloatsOfByes,
    "B2": WithoutB2,
    "B4": WithoutX,
    "B5, downfloaters": WithoutB5Down,
    "B6, downfloaters": WithoutB6Down,
    "B5, upfloaters": WithoutB5Up,
    "B6, upfloaters": WithoutB6Up,
    "C1": WithoutC1,
    "C12": WithoutC12,
    "C13": WithoutC13,
    "D4": WithoutD4,
}


def answer(state: Any, read: type[Literal]) -> Json:
    try:
        return pairing_to_json(pair_literally(state, read))
    except NoLegalPairingError:
        return {"error": {"code": "no_legal_pairing"}}


def test_there_are_positions_for_every_rule() -> None:
    assert {case["article"] for case in CASES} == set(RULES)


@pytest.mark.parametrize("case", EACH)
def test_c04_3_pre2017_the_engine_follows_the_rule(case: Json) -> None:
    assert pairing_to_json(pair(state_from_json(case))) == case["expected"]


@pytest.mark.parametrize("case", EACH)
def test_c04_3_pre2017_the_text_pairs_differently_without_the_rule(case: Json) -> None:
    state = state_from_json(case)
    assert answer(state, Literal) == case["expected"]
    without = answer(state, RULES[case["article"]])
    assert without == case["without"]
    assert without != case["expected"]
