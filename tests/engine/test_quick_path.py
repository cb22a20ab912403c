"""The quick path gives what the exact path gives, bracket by bracket."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from random import Random

import pytest

from pairing.engine.dutch.bracket import Bracket, BracketPairing
from pairing.engine.dutch.completion import Completion
from pairing.engine.dutch.exact import pair_bracket, pair_with_everybody_below
from pairing.engine.dutch.procedure import pair_dutch_2026
from pairing.engine.dutch.quick import quick_pairing
from pairing.engine.errors import NoLegalPairingError
from pairing.engine.model import ABSENT, TPN, Colour, Pairing, Player, PointSystem, Result, RoundRecord, TournamentState

SYSTEMS = (
    PointSystem(),
    PointSystem.of(win=30, draw=10),
    PointSystem.of(pairing_allocated_bye=5),
    PointSystem.of(pairing_allocated_bye=0),
)
FORFEITS = {Result.FORFEIT_WIN: Result.FORFEIT_LOSS, Result.FORFEIT_LOSS: Result.FORFEIT_WIN}
PLAYED = {Result.WIN: Result.LOSS, Result.DRAW: Result.DRAW, Result.LOSS: Result.WIN}


def random_round(
    random: Random, state: TournamentState, pairing: Pairing, draws: float, forfeits: float
) -> TournamentState:
    """The state after the round is played at random, with some absent from the next."""
    added: dict[TPN, RoundRecord] = {}
    for white, black in pairing.pairs:
        table = FORFEITS if random.random() < forfeits else PLAYED
        result = Result.DRAW if table is PLAYED and random.random() < draws else random.choice(list(table))
        added[white] = RoundRecord(black, Colour.WHITE, result)
        added[black] = RoundRecord(white, Colour.BLACK, table[result])
    if pairing.bye is not None:
        added[pairing.bye] = RoundRecord(None, None, Result.PAIRING_ALLOCATED_BYE)
    for tpn in state.absent:
        bye = random.choice([Result.HALF_POINT_BYE, Result.ZERO_POINT_BYE, Result.FULL_POINT_BYE])
        added[tpn] = RoundRecord(None, None, bye)
    return replace(
        state,
        round_number=state.round_number + 1,
        players=tuple(replace(p, rounds=(*p.rounds, added.get(p.tpn, ABSENT))) for p in state.players),
        absent=frozenset(p.tpn for p in state.players if random.random() < 0.05),
    )


def events(seed: int) -> TournamentState:
    random = Random(seed)
    size = random.choice([5, 7, 8, 11, 14, 18, 23, 30, 41])
    players = tuple(Player(TPN(tpn)) for tpn in range(1, size + 1))
    everybody = [player.tpn for player in players]
    prohibited = [frozenset(random.sample(everybody, 2)) for _ in range(random.choice([0, 0, 0, 2, size // 3]))]
    return TournamentState(
        round_number=1,
        total_rounds=min(random.choice([5, 7, 9, size - 1]), size - 1),
        players=players,
        initial_colour=random.choice(list(Colour)),
        points=random.choice(SYSTEMS),
        prohibited=frozenset(prohibited),
    )


class Comparison:
    """Pairs each bracket both ways, counts how often the quick path answers, and remembers where they differ."""

    def __init__(self, reference: object = pair_bracket) -> None:
        self.answers: Counter[bool] = Counter()
        self.reference = reference

    def __call__(self, bracket: Bracket, completion: Completion) -> BracketPairing:
        quick = quick_pairing(bracket, completion)
        exact = self.reference(bracket, completion)  # type: ignore[operator]
        self.answers[quick is not None] += 1
        if quick is not None:
            assert set(quick.pairs) == set(exact.pairs)
            assert quick.downfloaters == exact.downfloaters
        return exact  # type: ignore[no-any-return]


def compare_events(seeds: range, reference: object) -> Counter[bool]:
    compare = Comparison(reference)
    for seed in seeds:
        random = Random(seed * 7919)
        state = events(seed)
        draws, forfeits = random.choice([0.1, 0.4, 0.7]), random.choice([0, 0.05, 0.25])
        while True:
            try:
                pairing = pair_dutch_2026(state, compare)
            except NoLegalPairingError:
                break
            if state.is_last_round:
                break
            state = random_round(random, state, pairing, draws, forfeits)
    return compare.answers


def without_large_sets(bracket: Bracket, completion: Completion) -> BracketPairing:
    """The exact path where no set is large enough to complete without a search (Dirac switched off)."""
    field = replace(bracket.field, most_barred=len(bracket.field) * len(bracket.field))
    searched = replace(bracket, field=field)
    exact = pair_bracket(searched, Completion(field))
    quick = quick_pairing(searched, Completion(field))
    assert quick is None or set(quick.pairs) == set(exact.pairs)
    return exact


def test_c04_3_2_2_1_sets_large_by_number_complete_as_a_search_says() -> None:
    """The shortcut by Dirac's theorem, in completion and in the choice of the floater, changes no pairing."""
    answers = compare_events(range(900, 1_000), without_large_sets)
    assert min(answers[True], answers[False]) > 500


def test_the_quick_path_answers_as_the_exact_one() -> None:
    answers = compare_events(range(150), pair_bracket)
    assert answers[True] > 1000
    assert answers[False] > 1000


def test_the_quick_path_answers_as_the_whole_problem() -> None:
    answers = compare_events(range(500, 560), pair_with_everybody_below)
    assert answers[True] > 1000
    assert answers[False] > 1000


@pytest.mark.slow
@pytest.mark.parametrize("block", range(80))
def test_the_quick_path_answers_as_the_exact_one_at_length(block: int) -> None:
    answers = compare_events(range(10_000 + 500 * block, 10_500 + 500 * block), pair_bracket)
    assert min(answers[True], answers[False]) > 1000
