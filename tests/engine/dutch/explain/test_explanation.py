"""Compare every number of an explanation with a second computation,
over random positions and the corpus.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest

from pairing.engine.dutch.explain import BracketExplanation, explain_round
from pairing.engine.dutch.explain.explanation import Value
from pairing.engine.errors import InputError, NoLegalPairingError
from pairing.engine.model import TPN, TournamentState
from pairing.engine.systems import pair
from pairing.json_io import state_from_json
from pairing.trf.convert import state_before_round
from pairing.trf.reader import read
from pairing.trf.rounds import next_round
from tests.engine.compact import position
from tests.engine.dutch.explain.explanation_reference import NAMES, Reference, pairs_of_shape
from tests.engine.literal_dutch import Bracket, exchanges_4_3
from tests.engine.position_json import Json
from tests.engine.positions import random_state
from tests.engine.test_decisive_positions import EACH
from tests.examples import first
from tests.plugins.shared import shared_params

CHUNK = 100
SAMPLE = 24
"""One file of the corpus in this many is used in an ordinary run."""
FILES = shared_params("corpus/2026/*.trf")
EVERY_FILE = [
    pytest.param(
        *one.values, id=one.id, marks=[*one.marks, *([pytest.mark.slow] if place % SAMPLE else [])]
    )  # type: ignore[attr-defined]
    for place, one in enumerate(FILES)
]
LARGE = shared_params("corpus/large_events_2026/x300*.trf")
EXCHANGES_UP_TO = 10


def explained_positions(chunk: int, players: tuple[int, int] = (4, 8)) -> Iterator[Reference]:
    for seed in range(chunk * CHUNK, (chunk + 1) * CHUNK):
        state = random_state(Random(seed), players=players)
        try:
            yield Reference(state, explain_round(state))
        except NoLegalPairingError:
            continue


def rounds_of(path: Path) -> Iterator[TournamentState]:
    document = read(path.read_bytes())
    for number in range(1, next_round(document)):
        yield state_before_round(document, number)


# -- numbers that can be recomputed for a field of any size
# ----------------------------------------------


def assert_every_number(reference: Reference) -> int:
    """Check composition, criteria, shape and boards of a whole round;
    return the number of criteria not at zero.
    """
    explained, count = reference.explained, 0
    assert explained.pairing == pair(reference.state)
    for one, values in reference.values():
        assert {criterion.name: criterion.value for criterion in one.criteria} == values
        count += sum(any(value) for value in values.values())
        assert pairs_of_shape(one) == set(one.pairs)
        assert len(one.pairs) == one.max_pairs
        assert_bounds_are_bounds(one)
        assert_first_by_the_text(one)
    for board in explained.pairs:
        assert (
            len(
                {
                    one.number
                    for one in explained.brackets
                    if {board.white.tpn, board.black.tpn} <= tpns(one)
                }
            )
            >= 1
        )
        described, true = reference.board(board)
        assert described == true
    assert (
        tuple((one.white.tpn, one.black.tpn) for one in explained.pairs) == explained.pairing.pairs
    )
    assert [one.board for one in explained.pairs] == list(range(1, len(explained.pairs) + 1))
    if explained.bye is not None:
        rank = reference.rank[explained.bye.tpn]
        true_bye = (
            explained.pairing.bye,
            reference.literal.scores[rank],
            reference.literal.unplayed[rank],
        )
        assert (explained.bye.tpn, explained.bye.score, explained.bye.unplayed) == true_bye
    return count


def tpns(one: BracketExplanation) -> set[TPN]:
    return {tpn for chosen in one.pairs for tpn in chosen}


def assert_bounds_are_bounds(one: BracketExplanation) -> None:
    above: list[str] = []
    for criterion in one.criteria:
        assert criterion.best_alone <= criterion.value
        assert (criterion.held_by is None) == (criterion.best_alone == criterion.value)
        assert criterion.held_by is None or criterion.held_by in (*above, "M1")
        above.append(criterion.name)


def assert_first_by_the_text(one: BracketExplanation) -> None:
    """Check S1 and S2 by Article 3.2, and the exchange and transposition by Article 4."""
    shape = one.subgroups
    numbers = tuple(range(1, len(shape.players) + 1))
    count = len(shape.s1)
    assert tuple(seat.bsn for seat in shape.players) == numbers
    assert (shape.original_s1, shape.original_s2) == (numbers[:count], numbers[count:])
    assert set(shape.s1) == set(shape.original_s1) - set(shape.to_s2) | set(shape.to_s1)
    assert sorted(shape.s1 + shape.s2) == list(numbers)
    if one.mdp_pairing is None:
        assert (one.mdps, [seat.tpn for seat in shape.players]) == (
            (),
            [seat.tpn for seat in one.residents],
        )
        return
    mdps = one.mdp_pairing
    m0, residents = len(one.mdps), [seat.bsn for seat in one.residents]
    assert (
        sorted(mdps.s1 + mdps.limbo)
        == sorted(mdps.original_s1 + mdps.original_limbo)
        == list(range(1, m0 + 1))
    )
    assert len(mdps.s1) == len(mdps.original_s1)
    assert list(mdps.s2) == residents
    left = [seat.tpn for seat in one.residents if seat.bsn not in mdps.opponents]
    assert [seat.tpn for seat in shape.players] == left


@pytest.mark.costly
@pytest.mark.parametrize("chunk", first(range(4), 2))
def test_every_number_of_random_positions_is_recomputed(chunk: int) -> None:
    assert sum(assert_every_number(one) for one in explained_positions(chunk, (4, 16))) > CHUNK


@pytest.mark.parametrize("path", EVERY_FILE)
def test_every_number_of_the_corpus_is_recomputed(path: Path) -> None:
    rounds = [
        assert_every_number(Reference(state, explain_round(state))) for state in rounds_of(path)
    ]
    assert len(rounds) > 0


@pytest.mark.slow
@pytest.mark.parametrize("path", LARGE)
def test_every_number_of_large_events_is_recomputed(path: Path) -> None:
    rounds = [
        assert_every_number(Reference(state, explain_round(state))) for state in rounds_of(path)
    ]
    assert len(rounds) == 9


# -- by enumeration: the best value of a criterion, and the criterion that holds it
# ------------------------


def recomputed_bounds(
    candidates: list[dict[str, Value]], chosen: dict[str, Value]
) -> dict[str, tuple[Value, object]]:
    """Return, for each criterion from [C6], the least value over all
    *candidates* and the criterion that prevents it.

    That is the first criterion above it that, kept together with all before it, excludes the least
    value.
    """
    bounds: dict[str, tuple[Value, object]] = {}
    for place, name in enumerate(NAMES[1:], start=1):
        best = min(candidate[name] for candidate in candidates)
        left, held_by = candidates, None
        for higher in NAMES[1:place]:
            left = [candidate for candidate in left if candidate[higher] == chosen[higher]]
            if held_by is None and min(candidate[name] for candidate in left) != best:
                held_by = higher
        bounds[name] = (best, held_by)
    return bounds


def assert_bounds(reference: Reference, one: BracketExplanation, bracket: Bracket) -> Counter[str]:
    chosen = {criterion.name: criterion.value for criterion in one.criteria}
    chosen["C9"] = chosen["C9"] or (0,)
    found = {
        criterion.name: (criterion.best_alone or chosen[criterion.name], criterion.held_by)
        if criterion.name == "C9"
        else (criterion.best_alone, criterion.held_by)
        for criterion in one.criteria[1:]
    }
    assert found == recomputed_bounds(reference.enumerated(bracket, one.max_pairs), chosen)
    return Counter(criterion.name for criterion in one.criteria if criterion.held_by)


def held_in(chunk: int) -> Counter[str]:
    held: Counter[str] = Counter()
    for reference in explained_positions(chunk):
        for one, bracket, _ in reference.brackets():
            held += assert_bounds(reference, one, bracket)
    return held


@pytest.mark.costly
@pytest.mark.parametrize("chunk", first(range(100, 103), 2))
def test_c04_3_2_4_bounds_and_their_holders_are_those_of_all_candidates(chunk: int) -> None:
    assert sum(held_in(chunk).values()) > 10


@pytest.mark.slow
@pytest.mark.parametrize("chunk", range(103, 203))
def test_c04_3_2_4_bounds_of_many_positions_are_those_of_all_candidates(chunk: int) -> None:
    assert sum(held_in(chunk).values()) > 0


@pytest.mark.parametrize("case", EACH)
def test_c04_3_2_4_bounds_of_the_decisive_positions_are_those_of_all_candidates(case: Json) -> None:
    state = state_from_json(case)
    reference = Reference(state, explain_round(state))
    seen = [
        assert_bounds(reference, one, bracket)
        for one, bracket, _ in reference.brackets()
        if len(one.players) < 10
    ]
    assert len(seen) > 0


# -- the order of generation, against the enumeration of the text
# ------------------------------------------


@pytest.mark.costly
@pytest.mark.parametrize("chunk", first(range(200, 203), 2))
def test_c04_3_4_s1_and_the_partners_are_the_first_ones_by_the_text(chunk: int) -> None:
    exchanged = 0
    for reference in explained_positions(chunk, (4, 12)):
        for one, bracket, _ in reference.brackets():
            if len(bracket.players) > EXCHANGES_UP_TO:
                continue
            chosen = reference.literal.bracket_pairing_3(bracket)
            own = {seat.tpn: seat.bsn for seat in one.subgroups.players}
            bsn = {reference.rank[tpn]: number for tpn, number in own.items()}
            pairs = [(bsn[u], bsn[v]) for u, v in chosen.resident_pairs]
            assert list(zip(one.subgroups.s1, one.subgroups.s2, strict=False)) == pairs
            if one.subgroups.is_exchanged:
                exchanged += 1
                order = [
                    tuple(place + 1 for place in s1)
                    for s1, _ in exchanges_4_3(len(bsn), len(pairs))
                ]
                assert order.index(one.subgroups.s1) > 0
            assert one.subgroups.is_exchanged == (one.subgroups.s1 != one.subgroups.original_s1)
            if one.mdp_pairing is not None:
                places = {rank: number for number, rank in enumerate(bracket.players, start=1)}
                mdps = [(places[u], places[v]) for u, v in chosen.mdp_pairs]
                assert list(zip(one.mdp_pairing.s1, one.mdp_pairing.opponents, strict=True)) == mdps
                scores = reference.literal.c7(chosen.downfloaters)
                first, limbo = next(reference.literal.mdp_sets_4_4(bracket, scores))
                assert one.mdp_pairing.original_s1 == tuple(places[rank] for rank in first)
                assert one.mdp_pairing.original_limbo == tuple(places[rank] for rank in limbo)
    assert exchanged > 0


# -- explanations in part, and systems without explanations
# ------------------------------------------------


def test_only_the_brackets_and_boards_of_some_players() -> None:
    state = random_state(Random(4711), players=(14, 14))
    whole = explain_round(state)
    tpn = whole.brackets[-1].pairs[0][0]
    part = explain_round(state, [tpn])
    assert part.pairing == whole.pairing
    assert part.brackets == tuple(
        one for one in whole.brackets if tpn in {seat.tpn for seat in one.players}
    )
    assert part.pairs == tuple(one for one in whole.pairs if tpn in (one.white.tpn, one.black.tpn))
    assert (len(part.pairs), part.bye) == (1, None)


def test_a_field_without_players_has_nothing_to_explain() -> None:
    explained = explain_round(position({1: ""}, absent=(1,)))
    assert (explained.brackets, explained.pairs, explained.bye) == ((), (), None)


def test_only_the_modern_dutch_systems_are_explained_by_criteria() -> None:
    with pytest.raises(InputError) as caught:
        explain_round(TournamentState(1, 3, (), system="dutch_pre2017"))
    assert caught.value.code == "explain.system"
