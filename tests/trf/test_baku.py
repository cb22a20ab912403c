"""Recognising Baku acceleration in a report [C.04.7/2026]."""

from __future__ import annotations

from dataclasses import replace
from itertools import chain, combinations
from random import Random

import pytest

from pairing.engine.acceleration import last_of_group_a
from pairing.engine.event_plan import EventPlan
from pairing.engine.generator import generate
from pairing.engine.model import TPN, Points, PointSystem, Result
from pairing.trf.baku import last_of_baku
from pairing.trf.document import (
    PlayerRecord,
    RequestedByes,
    RoundCell,
    TrfDocument,
    VirtualPoints,
    VirtualPointsHistory,
)
from pairing.trf.generated import document_of

STANDARD = PointSystem.from_values(win=10, draw=5)
GAME = RoundCell(None, None, Result.FULL_POINT_BYE)
"""The cell of a player who was present in round 1."""


def listed(there: str, *records: VirtualPoints | VirtualPointsHistory) -> TrfDocument:
    """Return players 1, 2, … before round 1; ``-`` marks those announced as absent from it."""
    players = (PlayerRecord(tpn=TPN(tpn), name=f"Player {tpn}") for tpn in range(1, len(there) + 1))
    absent = tuple(TPN(tpn) for tpn, mark in enumerate(there, 1) if mark == "-")
    announced = [RequestedByes("240", Result.ZERO_POINT_BYE, 1, absent)] if absent else []
    return TrfDocument((*players, *announced, *records))


def ranges(last: int) -> tuple[VirtualPoints, VirtualPoints]:
    """Return the ranges of Baku over five rounds."""
    return (
        VirtualPoints(Points(10), 1, 2, TPN(1), TPN(last)),
        VirtualPoints(Points(5), 3, 3, TPN(1), TPN(last)),
    )


def found(document: TrfDocument, points: PointSystem = STANDARD) -> int | None:
    return last_of_baku(document, total_rounds=5, points=points)


@pytest.mark.parametrize("seed", range(6))
def test_c04_7_accelerated_generated_tournaments_are_recognised(seed: int) -> None:
    event = generate(
        EventPlan(players=21, rounds=5, late=3_000, byes=1_000, accelerated=True), Random(seed)
    )
    last = event.accelerations[0].last_tpn
    assert found(document_of(event, name="Generated")) == last


@pytest.mark.parametrize("size", range(1, 20))
def test_c04_7_without_absences_only_one_group_a_is_possible(size: int) -> None:
    last = last_of_group_a(range(1, size + 1))
    assert [n for n in range(1, size + 1) if found(listed("x" * size, *ranges(n))) == n] == [last]


@pytest.mark.parametrize(
    "there", ["xxxxxxxx", "-xxxxxxx", "xxxxxxx-", "xxxxx---", "xxx-----", "-x-x-x-x-", "--------"]
)
def test_c04_7_late_entries_limit_the_possible_groups_a(there: str) -> None:
    """Compare with every choice of late entries among the players
    announced as absent from round 1.
    """
    absent = [tpn for tpn, mark in enumerate(there, 1) if mark == "-"]
    choices = chain.from_iterable(combinations(absent, size) for size in range(len(absent) + 1))
    lists = ([TPN(tpn) for tpn in range(1, len(there) + 1) if tpn not in late] for late in choices)
    possible = {last_of_group_a(on_time) for on_time in lists} - {None}
    document = {n: listed(there, *ranges(n)) for n in range(1, len(there) + 1)}
    assert {n for n in document if found(document[n]) == n} == possible


def test_c04_7_a_withdrawn_player_may_be_in_no_group_before_round_1() -> None:
    """One of eight listed players has withdrawn and is announced as absent in round 1 (240)."""
    assert last_of_group_a([TPN(tpn) for tpn in range(1, 9) if tpn != 2]) == 5
    for last, named in ((4, 4), (5, None)):
        assert found(listed("xxxxxxxx", *ranges(last))) == named
    assert found(listed("x-xxxxxx", *ranges(5))) == 5


def test_c04_2_2_4_a_late_entry_may_have_half_a_point_for_round_1() -> None:
    half = RequestedByes("240", Result.HALF_POINT_BYE, 1, (TPN(2),))
    assert found(listed("xxxxxxxx", half, *ranges(5))) == 5


@pytest.mark.parametrize("last", range(1, 9))
def test_c04_2_2_3_once_a_round_is_paired_numbers_may_have_moved_across_group_a(last: int) -> None:
    """No record shows late entries to round 1 either [C.04.2/2026 4.4.4]."""
    players = [
        PlayerRecord(tpn=TPN(tpn), name=f"Player {tpn}", rounds=(GAME,)) for tpn in range(1, 9)
    ]
    assert found(TrfDocument((*players, *ranges(last)))) == last


def test_records_by_player_are_baku_too() -> None:
    own = (Points(10), Points(10), Points(5), Points(0), Points(0))
    records = [VirtualPointsHistory(TPN(tpn), own) for tpn in (1, 2)]
    assert found(listed("xxx", *records)) == 2
    assert found(listed("xxx", *records[1:])) is None
    assert found(listed("xxx", records[0], replace(records[1], points=own[:2]))) is None


def test_c04_7_points_for_which_baku_is_not_defined() -> None:
    assert found(listed("xxxx", *ranges(2))) == 2
    assert found(listed("xxxx", *ranges(2)), PointSystem.from_values(win=30, draw=10)) is None
    assert found(listed("xxxx")) is None
