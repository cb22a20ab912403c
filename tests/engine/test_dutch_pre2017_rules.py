"""The printed examples of the text before July 2017, and the work of a round."""

from random import Random

import pytest

from pairing.engine.basics.colours import colour_record
from pairing.engine.dutch.floats import Float
from pairing.engine.dutch_pre2017.backtracking import best_of_lowest
from pairing.engine.dutch_pre2017.bracket import Bracket
from pairing.engine.dutch_pre2017.field import FieldBefore2017, RankedPlayer
from pairing.engine.errors import NoLegalPairingError
from pairing.engine.event_plan import EventPlan
from pairing.engine.generator import generate
from pairing.engine.hard_cases import crowded_top, late_round
from pairing.engine.model import TPN, Colour, Pairing, Points, TournamentState
from pairing.engine.systems import system_by_code
from tests.work import work_of

pair_by_the_text = system_by_code("dutch_pre2017").pair


def field_of(scores: list[int], met: dict[int, set[int]], bye: set[int]) -> FieldBefore2017:
    """Return players without colours or floats; *met* are ranks that may not meet,
    *bye* are ranks that may have it.
    """
    everybody = range(len(scores))
    barred = {(one, other) for one, others in met.items() for other in others}
    return FieldBefore2017(
        players=tuple(
            RankedPlayer(
                tpn=TPN(rank + 1),
                rank=rank,
                score=Points(scores[rank]),
                number=rank + 1,
                colours=colour_record(""),
                is_topscorer=False,
                may_have_bye=rank in bye,
                last_float=Float.NONE,
                float_before_last=Float.NONE,
            )
            for rank in everybody
        ),
        may_meet=[
            sum(
                1 << two
                for two in everybody
                if two != one and (one, two) not in barred and (two, one) not in barred
            )
            for one in everybody
        ],
        is_odd_round=True,
        initial_colour=Colour.WHITE,
    )


A, B, C, D, E, F, G = range(7)


def test_c04_3_pre2017_d4_the_printed_example() -> None:
    """3 points A, 2½ B and C, 2 D, 1½ E, 1 F; F can meet A only:
    A-F, B-C, D-E (4.25), not A-F, B-D, C-E (5.25).
    """
    field = field_of([30, 25, 25, 20, 15, 10], {F: {B, C, D, E}}, bye=set())
    lowest = Bracket(field, came_down=(), joined=(A, B, C), residents=(D, E, F), is_lowest=True)
    found = best_of_lowest(lowest)
    assert found is not None
    assert set(found.first().pairs) == {(A, F), (B, C), (D, E)}


def test_c04_3_pre2017_d4_the_printed_example_with_a_seventh_player() -> None:
    """G alone may have the bye: the bracket is heterogeneous,
    its S1 is paired first: A-F, B-D, C-E.
    """
    field = field_of([30, 25, 25, 20, 15, 10, 5], {F: {B, C, D, E, G}}, bye={G})
    lowest = Bracket(field, came_down=(), joined=(A, B, C), residents=(D, E, F, G), is_lowest=True)
    found = best_of_lowest(lowest)
    assert found is not None
    first = found.first()
    assert (set(first.pairs), first.downfloaters) == ({(A, F), (B, D), (C, E)}, (G,))


EVENTS = [
    EventPlan(60, 11, system="dutch_pre2017"),
    EventPlan(
        59, 20, byes=500, forfeits=500, late=1_000, withdrawals=1_000, system="dutch_pre2017"
    ),
    EventPlan(60, 30, prohibitions=5_000, draws=9_000, system="dutch_pre2017"),
]
HARDEST = [
    crowded_top(top=26, floaters=10, drawn=8, by_colour=True),
    crowded_top(top=24, floaters=8, drawn=12, by_colour=False),
    late_round(players=60, played=58, draws=20, chance=Random(1)),
]
MOST = 300_000
"""Calls of functions in a round of up to 60 players; at most 105,000 are needed here."""


def counted(state: TournamentState, most: list[int]) -> Pairing:
    pairing, calls = work_of(lambda: pair_by_the_text(state))
    most.append(calls)
    return pairing


@pytest.mark.costly
@pytest.mark.parametrize(
    "plan", EVENTS, ids=lambda plan: f"{plan.players}-players-{plan.rounds}-rounds"
)
def test_rounds_of_sixty_players_need_few_calls(plan: EventPlan) -> None:
    calls: list[int] = []
    generate(plan, Random(1), lambda state: counted(state, calls))
    assert len(calls) > plan.rounds // 2
    assert max(calls) < MOST


@pytest.mark.parametrize(
    "state", HARDEST, ids=["crowded-colours", "crowded-club", "last-round-of-59"]
)
def test_the_hardest_rounds_of_sixty_players_need_few_calls(state: TournamentState) -> None:
    calls: list[int] = []
    try:
        paired = counted(state, calls)
    except NoLegalPairingError:
        pytest.fail("these rounds can be paired")
    assert len(paired.pairs) == 30
    assert calls[0] < MOST
