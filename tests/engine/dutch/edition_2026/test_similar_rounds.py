"""Test that rounds that differ in results of the last round are
paired together as each is paired alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import product
from random import Random

import pytest

from pairing.engine.dutch.bracket import Bracket, BracketPairing
from pairing.engine.dutch.completion import Completion
from pairing.engine.dutch.edition_2026.fast_path import pair_fast_or_exact
from pairing.engine.dutch.edition_2026.procedure import pair_dutch_2026
from pairing.engine.dutch.edition_2026.records import RULES_2026
from pairing.engine.dutch.edition_2026.similar_rounds import (
    KnownBrackets,
    SimilarFields,
    SimilarRounds,
    is_completed_by_others,
)
from pairing.engine.dutch.field import Field
from pairing.engine.errors import InputError, NoLegalPairingError
from pairing.engine.event_plan import EventPlan
from pairing.engine.generator import generate
from pairing.engine.model import TPN, Colour, Pairing, Points, Result, TournamentState
from pairing.engine.systems import SYSTEMS, pair_similar
from tests.engine.events import PLAYED, late_plan
from tests.engine.path_report import Report
from tests.engine.paths import whole_problem
from tests.engine.positions import random_state
from tests.examples import Examples

OPEN = 4
"""The games of a position that end in every way: 81 outcomes."""


def test_c04_7_in_round_one_virtual_points_make_another_round() -> None:
    """Nobody has a result yet, so two states of round 1 are alike only if they are the same."""
    state = generate(EventPlan(players=9, rounds=5, played=0), Random(1)).state
    first, *others = state.players
    ahead = replace(state, players=(*others, replace(first, virtual_points=(Points(10),))))
    pair_one = SimilarRounds()
    assert [pair_one(each) for each in (state, ahead, state)] == [
        pair_dutch_2026(each) for each in (state, ahead, state)
    ]
    assert pair_dutch_2026(ahead) != pair_dutch_2026(state)


def outcomes(state: TournamentState, chance: Random, games: int = OPEN) -> list[TournamentState]:
    """Return the states after every outcome of some *games* of the last round, in any order."""
    white = [
        p.tpn
        for p in state.players
        if p.rounds and p.rounds[-1].is_played and p.rounds[-1].colour is Colour.WHITE
    ]
    open_ = chance.sample(white, min(games, len(white)))
    found = []
    for results in product(PLAYED, repeat=len(open_)):
        own: dict[TPN, Result] = {}
        for tpn, result in zip(open_, results, strict=True):
            opponent = state.by_tpn()[tpn].rounds[-1].opponent
            assert opponent is not None
            own |= {tpn: result, opponent: PLAYED[result]}
        players = [
            replace(p, rounds=(*p.rounds[:-1], replace(p.rounds[-1], result=own[p.tpn])))
            if p.tpn in own
            else p
            for p in state.players
        ]
        found.append(replace(state, players=tuple(players)))
    chance.shuffle(found)
    return found


class TopBoards(Random):
    """Draw the open games among the players with the highest scores."""

    def __init__(self, state: TournamentState, seed: int) -> None:
        super().__init__(seed)
        self.scores = {
            p.tpn: sum(state.points.value(record.result) for record in p.rounds)
            for p in state.players
        }

    def sample(self, population: Sequence[TPN], k: int) -> list[TPN]:  # type: ignore[override]
        return super().sample(sorted(population, key=lambda tpn: -self.scores[tpn])[:7], k)


def small_top(seed: int) -> TournamentState:
    """Return a position whose upper scoregroups are small and whose
    lower brackets are completed by others.
    """
    chance = Random(seed)
    plan = EventPlan(
        players=chance.randint(30, 60),
        rounds=9,
        played=chance.choice([3, 4]),
        draws=chance.choice([2_500, 4_000]),
        forfeits=chance.choice([0, 500]),
    )
    return generate(plan, Random(seed)).state


def large(seed: int) -> TournamentState:
    """Return a position with so many players that the lower brackets are completed by others."""
    chance = Random(seed)
    plan = EventPlan(
        players=chance.randint(40, 110),
        rounds=chance.choice([5, 6, 9]),
        played=chance.choice([1, 2, 3, 4]),
        draws=chance.choice([2_000, 3_500, 7_000]),
        forfeits=chance.choice([0, 200, 1_000]),
        byes=chance.choice([0, 300]),
        withdrawals=chance.choice([0, 1_000]),
        prohibitions=chance.choice([0, 0, 300]),
        accelerated=chance.random() < 0.2,
    )
    return generate(plan, Random(seed)).state


def late(seed: int) -> TournamentState:
    """Return a position in which most players have met, often before the last round."""
    plan = late_plan(Random(seed))
    played = Random(seed).choice([plan.rounds - 1, plan.rounds - 2, plan.rounds // 2])
    return generate(replace(plan, played=played), Random(seed)).state


def alone(state: TournamentState) -> Pairing | None:
    try:
        return pair_dutch_2026(state)
    except NoLegalPairingError:
        return None


def together(states: list[TournamentState]) -> list[Pairing | None]:
    pair = SimilarRounds()
    found: list[Pairing | None] = []
    for state in states:
        try:
            found.append(pair(state))
        except NoLegalPairingError:
            found.append(None)
    return found


KINDS = ("by the following scoregroup", "by all below")


class Brackets(Report):
    """Compare every bracket that is known with its pairing, and count those that come again."""

    def __init__(self, *, whole: bool) -> None:
        super().__init__()
        self.exact = whole_problem if whole else pair_fast_or_exact

    def play(self, state: TournamentState, chance: Random) -> None:
        self.known = KnownBrackets()
        for outcome in outcomes(state, chance):
            try:
                pair_dutch_2026(outcome, self.pair_one)
            except NoLegalPairingError:
                self.left["no legal pairing"] += 1

    def pair_one(self, bracket: Bracket, completion: Completion) -> BracketPairing:
        brackets = len(self.known)
        answer = self.known(bracket, completion)
        if len(self.known) == brackets:
            kind = KINDS[0 if is_completed_by_others(bracket, completion) else 1]
            kind += ", with a bye" if completion.bye is not None else ""
            self.compare(kind, answer, self.exact(bracket, completion))
        return answer


@pytest.mark.costly
def test_c04_3_2_2_1_a_bracket_that_comes_again_is_paired_as_before(examples: Examples) -> None:
    report = Brackets(whole=False)
    for seed in examples(range(120), 10):
        report.play(large(seed), Random(seed))
    report.require(60, *KINDS, *[f"{kind}, with a bye" for kind in KINDS])


@pytest.mark.parametrize("seed", [1_262, 2_703, 2_819, 3_472, 3_617, 4_505])
def test_c04_3_2_4_3_the_following_scoregroup_decides_who_floats(seed: int) -> None:
    """In these positions the same bracket comes with two following scoregroups,
    and another player floats [C8].
    """
    state = small_top(seed)
    states = outcomes(state, TopBoards(state, seed), games=2)
    assert together(states) == [alone(each) for each in states]


@pytest.mark.costly
def test_c04_3_2_2_1_a_bracket_that_comes_again_is_paired_as_the_whole_problem(
    examples: Examples,
) -> None:
    report = Brackets(whole=True)
    for seed in examples(range(150), 8):
        report.play(random_state(Random(seed), players=(6, 16)), Random(seed))
    for seed in examples(range(20), 2):
        report.play(late(seed), Random(seed))
    report.require(150, "by all below", "by all below, with a bye")


@pytest.mark.costly
def test_c04_3_1_9_outcomes_are_paired_together_as_each_alone(examples: Examples) -> None:
    for seed in examples(range(40), 3):
        for state in (
            large(1_000 + seed),
            late(1_000 + seed),
            random_state(Random(seed), players=(4, 20)),
        ):
            states = outcomes(state, Random(seed), games=3)
            assert together(states) == [alone(each) for each in states], seed


def test_any_other_state_is_read_anew() -> None:
    """Only results of games played in the last round may differ."""
    state = large(3)
    one, *_, other = outcomes(state, Random(1), games=1)
    first = state.players[0]
    decided = replace(first, decided=Points(5), virtual_points=(Points(5),) * state.round_number)
    changed = [
        replace(one, total_rounds=state.round_number),
        replace(one, absent=one.absent | {first.tpn}),
        replace(one, players=(decided, *one.players[1:])),
        replace(one, prohibited=frozenset({frozenset(pair_dutch_2026(one).pairs[0])})),
        replace(other, players=tuple(reversed(other.players))),
        large(4),
        with_game(one, -1, Result.FORFEIT_WIN, Result.FORFEIT_LOSS),
        with_game(one, 0, Result.LOSS, Result.WIN),
        with_game(one, 0, Result.WIN, Result.LOSS),
    ]
    similar = SimilarFields(one)
    assert similar.field(other) is not None
    for each in changed:
        if each != one:
            assert similar.field(each) is None
            assert SimilarFields(each).field(one) is None
    assert together([one, *changed, other]) == [alone(each) for each in (one, *changed, other)]


def with_game(
    state: TournamentState, place: int, result: Result, theirs: Result
) -> TournamentState:
    """Return *state* with another result for the first game of
    the round at *place* among the rounds.
    """
    white = next(
        p
        for p in state.players
        if p.rounds[place].is_played and p.rounds[place].colour is Colour.WHITE
    )
    own = {white.tpn: result, white.rounds[place].opponent: theirs}
    players = []
    for player in state.players:
        rounds = list(player.rounds)
        if player.tpn in own:
            rounds[place] = replace(rounds[place], result=own[player.tpn])
        players.append(replace(player, rounds=tuple(rounds)))
    return replace(state, players=tuple(players))


def test_a_state_that_contradicts_itself_is_refused_after_others_too() -> None:
    pair = SimilarRounds()
    state = large(3)
    pair(state)
    with pytest.raises(InputError):
        pair(replace(state, absent=frozenset({TPN(10_000)})))
    assert pair(state) == alone(state)


@pytest.mark.parametrize("system", SYSTEMS)
def test_every_system_pairs_similar_rounds(system: str) -> None:
    state = generate(EventPlan(players=14, rounds=5, played=2, system=system), Random(1)).state
    pair = pair_similar(system)
    states = outcomes(state, Random(1), games=2)
    assert [pair(each) for each in states] == [SYSTEMS[system].pair(each) for each in states]


def test_the_field_of_a_similar_state_is_the_field_read_anew() -> None:
    for seed in range(5):
        first, *others = outcomes(large(seed), Random(seed), games=2)
        similar = SimilarFields(first)
        for state in others:
            field, again = similar.field(state), Field.from_state(state, RULES_2026)
            assert field is not None
            histories = [[record.history for record in each.colours] for each in (field, again)]
            assert histories[0] == histories[1]
            assert replace(field, colours=[]) == replace(again, colours=[])
