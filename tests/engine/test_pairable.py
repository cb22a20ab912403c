"""Whether a round can be paired, and the players who can get the bye,
against enumeration of all legal pairings.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from random import Random

import pytest
from hypothesis import given, settings

from pairing import InputError, NoLegalPairingError, Pairability, pair, pairable
from pairing.engine.checker import legal_pairing_exists
from pairing.engine.checker.legality import may_meet
from pairing.engine.checker.records import PlayerRecord, read_records
from pairing.engine.event_plan import EventPlan
from pairing.engine.generator import generate
from pairing.engine.model import TPN, Colour, Player, Result, RoundRecord, TournamentState
from tests.examples import first

from .positions import random_state, states

IMPOSSIBLE = Pairability(can_pair=False, bye_candidates=())


def legal_byes(
    state: TournamentState, left: Sequence[PlayerRecord], bye: PlayerRecord | None
) -> Iterator[TPN | None]:
    """Return the bye of every legal round-pairing of the players *left*, without [C5];
    one result per round-pairing.
    """
    if not left:
        yield None if bye is None else bye.tpn
        return
    first, *others = left
    for other in others:
        if may_meet(first, other, state):
            yield from legal_byes(state, [record for record in others if record is not other], bye)
    if bye is None and len(left) % 2 and not first.pab_barred:
        yield from legal_byes(state, others, first)


def enumerated(state: TournamentState) -> Pairability:
    """Return the answer of :func:`pairable`, by trying everything [C.04.3/2026 2.1, 2.3.1]."""
    records = read_records(state)
    found = set(legal_byes(state, [record for record in records.values() if record.present], None))
    if not found:
        return IMPOSSIBLE
    byes = sorted(tpn for tpn in found if tpn is not None)
    lowest = min((records[tpn].score for tpn in byes), default=0)
    return Pairability(
        can_pair=True, bye_candidates=tuple(tpn for tpn in byes if records[tpn].score == lowest)
    )


@pytest.mark.parametrize("chunk", first(range(5), 2))
def test_c04_3_2_3_1_pairable_agrees_with_enumeration(chunk: int) -> None:
    answers = []
    for seed in range(200 * chunk, 200 * (chunk + 1)):
        state = random_state(Random(seed), players=(3, 9))
        answers.append(pairable(state))
        assert answers[-1] == enumerated(state), seed
    assert IMPOSSIBLE in answers
    assert {0, 1, 2, 3} < {len(answer.bye_candidates) for answer in answers}


@pytest.mark.costly
@given(state=states(players=(2, 7)))
@settings(max_examples=100)
def test_pairable_agrees_with_enumeration_in_positions_that_shrink(state: TournamentState) -> None:
    assert pairable(state) == enumerated(state)


@pytest.mark.costly
@pytest.mark.parametrize("players, rounds", [(7, 6), (15, 13), (31, 9), (60, 9)])
def test_the_pairing_gives_the_bye_to_one_of_the_candidates(players: int, rounds: int) -> None:
    for seed in range(6):
        for played in range(rounds):
            plan = EventPlan(
                players, rounds, played=played, byes=500, forfeits=500, prohibitions=1_000
            )
            state = generate(plan, Random(seed)).state
            answer = pairable(state)
            assert answer.can_pair == legal_pairing_exists(state)
            if not answer.can_pair:
                with pytest.raises(NoLegalPairingError):
                    pair(state)
                break
            bye = pair(state).bye
            assert (bye in answer.bye_candidates) is (bye is not None)
            assert bool(answer.bye_candidates) is (bye is not None)


def test_c04_3_2_1_2_everybody_in_a_first_round_can_get_the_bye() -> None:
    odd = TournamentState(1, 9, tuple(Player(TPN(tpn)) for tpn in range(1, 302)))
    assert pairable(odd) == Pairability(
        can_pair=True, bye_candidates=tuple(player.tpn for player in odd.players)
    )
    even = TournamentState(1, 9, odd.players[:-1])
    assert pairable(even) == Pairability(can_pair=True, bye_candidates=())


def test_nobody_to_pair_is_a_round_that_can_be_paired() -> None:
    state = TournamentState(1, 1, (Player(TPN(1)),), absent=frozenset({TPN(1)}))
    assert pairable(state) == Pairability(can_pair=True, bye_candidates=())


def test_c04_3_1_9_3_two_who_have_met_cannot_be_paired() -> None:
    state = TournamentState(
        2,
        3,
        (
            Player(TPN(1), (RoundRecord(TPN(2), Colour.WHITE, Result.WIN),)),
            Player(TPN(2), (RoundRecord(TPN(1), Colour.BLACK, Result.LOSS),)),
        ),
    )
    assert pairable(state) == IMPOSSIBLE


def test_a_state_that_contradicts_itself_is_refused() -> None:
    with pytest.raises(InputError):
        pairable(TournamentState(2, 3, (Player(TPN(1)),)))
