"""Point adjustments are part of the score, so they can make a player a topscorer or not."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from random import Random

import pytest

from pairing.engine.checker import check
from pairing.engine.checker.records import read_records
from pairing.engine.dutch.edition_2026.records import RULES_2026
from pairing.engine.dutch.field import Field
from pairing.engine.dutch_pre2017.field import FieldBefore2017
from pairing.engine.errors import NoLegalPairingError
from pairing.engine.model import TPN, Player, Points, PointSystem, TournamentState
from pairing.engine.systems import pair
from pairing.json_io import state_from_json, state_to_json
from tests.engine.dutch.edition_2017 import test_dutch_2017

from . import test_against_literal, test_dutch_pre2017_literal
from .compact import position
from .positions import random_state

LITERAL: dict[str, tuple[Callable[[list[TournamentState]], list[str]], tuple[int, int]]] = {
    "dutch_2026": (
        lambda states: test_against_literal.disagreements(
            test_against_literal.with_pairings(states)
        ),
        (4, 12),
    ),
    "dutch_2017": (test_dutch_2017.disagreements, (4, 10)),
    "dutch_pre2017": (test_dutch_pre2017_literal.disagreements, (4, 8)),
}
"""For each system, the comparison of the engine with the literal text,
and the number of players it can take.
"""


def decide(player: Player, rng: Random, number: int) -> Player:
    """Return *player* with point adjustments in some of the rounds before round *number*."""
    given = [rng.choice((0, 0, 0, -15, -10, -5, 5, 10)) for _ in range(number - 1)]
    virtual = tuple(
        Points(player.virtual_points_in(n) + sum(given[: n - 1])) for n in range(1, number + 1)
    )
    return replace(player, virtual_points=virtual, decided=Points(sum(given)))


def last_rounds(system: str, *, count: int) -> Iterator[TournamentState]:
    """Random positions with point adjustments, paired as the last round."""
    for seed in range(count):
        rng = Random(7_000_000 + seed)
        state = random_state(rng, players=LITERAL[system][1])
        number = state.round_number
        players = tuple(decide(player, rng, number) for player in state.players)
        yield replace(state, system=system, total_rounds=number, players=players)


def topscorers(state: TournamentState) -> set[int]:
    """Return the topscorers by the definition: present players with
    more than half of a winner's points.
    """
    half = (state.round_number - 1) * state.points.win
    return {
        player.tpn
        for player in state.players
        if player.tpn not in state.absent
        and 2
        * (sum(state.points.value(record.result) for record in player.rounds) + player.decided)
        > half
    }


@pytest.mark.costly
@pytest.mark.parametrize("system", sorted(LITERAL))
def test_c04_3_1_8_last_rounds_are_paired_by_the_text(system: str) -> None:
    disagreements, _ = LITERAL[system]
    states = list(last_rounds(system, count=150))
    assert disagreements(states) == []
    made = [topscorers(state) != topscorers(without_decisions(state)) for state in states]
    assert sum(made) > len(states) // 2


def without_decisions(state: TournamentState) -> TournamentState:
    return replace(
        state, players=tuple(replace(player, decided=Points(0)) for player in state.players)
    )


@pytest.mark.costly
@pytest.mark.parametrize("system", sorted(LITERAL))
def test_c04_3_1_8_both_witnesses_find_the_topscorers_of_the_definition(system: str) -> None:
    for state in last_rounds(system, count=150):
        expected = topscorers(state)
        present = {record.tpn for record in read_records(state).values() if record.present}
        found = {
            tpn
            for tpn, record in read_records(state).items()
            if record.is_topscorer and tpn in present
        }
        assert found == expected
        if system == "dutch_pre2017":
            assert {
                player.tpn
                for player in FieldBefore2017.from_state(state).players
                if player.is_topscorer
            } == expected
        else:
            field = Field.from_state(state, RULES_2026)
            assert {
                tpn for rank, tpn in enumerate(field.tpns) if field.topscorers >> rank & 1
            } == expected
        try:
            paired = pair(state)
        except NoLegalPairingError:
            continue
        assert check(state, paired) == ()


def test_c04_3_2_4_2_a_downfloater_with_nothing_counts_where_others_have_less() -> None:
    """Of 9 (1 point), 3 (0), 7 and 8 (-1) two float to 2 and 6 (-2½):
    9, and by [C7] 8 rather than 3.
    """
    rounds = {
        1: "Z 4w= 5w= 3b=", 2: "5b= 3w= 6b= 9w-", 3: "8w= 2b= H 1w=", 4: "6wD 1b= 7w= 8b=", 5: "2w= 8b= 1b= H",
        6: "4bD 9b= 2w= 7w=", 7: "9w= F 4b= 6b=", 8: "3b= 5w= 9b= 4w=", 9: "7b= 6w= 8w= 2b+", 10: "Z Z Z U",
    }  # fmt: skip
    taken = {2: -40, 3: -20, 4: 10, 5: -5, 6: -45, 7: -35, 8: -30, 9: -15, 10: 10}
    before = {2: (0, 0, -15, -30), 3: (0, 0, -15, -25), 4: (0, 0, 5, 0), 5: (0, 0, -10, 0), 6: (0, -15, -25, -30),
              7: (0, -5, -20, -35), 8: (0, -10, -25, -30), 9: (0, 10, 10, -5), 10: (0, 0, 0, 0)}  # fmt: skip
    virtual = {tpn: (*before[tpn], total) for tpn, total in taken.items()} | {1: (0, 5, 0, 0, 0)}
    state = position(
        rounds,
        total_rounds=5,
        initial_colour="b",
        points=PointSystem.from_values(pairing_allocated_bye=5),
        prohibited=((2, 7), (3, 4), (3, 5), (3, 10), (4, 8)),
        virtual_points=virtual,
    )
    players = tuple(
        replace(player, decided=Points(taken.get(player.tpn, 0))) for player in state.players
    )
    assert pair(replace(state, players=players)).pairs == ((5, 4), (10, 1), (2, 9), (7, 3), (8, 6))


def test_virtual_points_alone_do_not_make_a_topscorer() -> None:
    state = position({1: "2w=", 2: "1b=", 3: "4w0", 4: "3b1"}, virtual_points={1: (0, 10)})
    state = replace(state, total_rounds=state.round_number)
    assert topscorers(state) == {4}
    assert {tpn for tpn, record in read_records(state).items() if record.is_topscorer} == {4}


def test_a_position_in_json_has_them() -> None:
    for state in last_rounds("dutch_2026", count=20):
        assert state_from_json(state_to_json(state)) == state
    taken = Player(TPN(1), virtual_points=(Points(-5),), decided=Points(-5))
    state = replace(position({1: "", 2: ""}), players=(taken, Player(TPN(2))))
    assert state_to_json(state)["players"][0] == {
        "tpn": 1,
        "rounds": [],
        "virtual_points": [-0.5],
        "decided": -0.5,
    }
