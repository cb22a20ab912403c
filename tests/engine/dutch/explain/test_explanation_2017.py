"""Explanations by the rules of 2017: every number against the literal text, on random positions."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest

from pairing.engine.dutch.explain import BracketExplanation, explain_round, why_not
from pairing.engine.dutch.explain.as_json import round_as_json, why_not_as_json
from pairing.engine.dutch.explain.explanation import Outcome, Value
from pairing.engine.dutch.explain.sentences import round_sentences, why_not_sentences
from pairing.engine.dutch.explain.wording import ENGLISH, FRENCH, LANGUAGES
from pairing.engine.dutch.explain.wording_2017 import ENGLISH_2017, FRENCH_2017
from pairing.engine.errors import NoLegalPairingError
from pairing.engine.model import TPN, TournamentState
from pairing.trf.convert import state_before_round
from pairing.trf.reader import read
from pairing.trf.rounds import next_round
from tests.engine.dutch.edition_2017.test_dutch_2017 import M1_DECIDES
from tests.engine.dutch.explain.explanation_reference import Reference, pairs_of_shape
from tests.engine.dutch.explain.test_explanation import assert_bounds_are_bounds
from tests.engine.literal_dutch import Bracket, Candidate, Group
from tests.engine.literal_dutch_2017 import LiteralDutch2017, pair_literally_2017
from tests.engine.positions import random_state
from tests.examples import first
from tests.plugins.shared import shared_params

CHUNK = 100
NAMES = tuple(f"C{number}" for number in range(5, 20))


class Reference2017(Reference):
    """An explained round, beside the literal reading of 2017."""

    literal: LiteralDutch2017

    def __post_init__(self) -> None:
        self.literal = LiteralDutch2017(self.state)
        self.rank = {record.tpn: rank for rank, record in enumerate(self.literal.records)}

    @property
    def is_collapsed(self) -> bool:
        return len(self.explained.brackets) > 0 and any(
            len({seat.score for seat in one.residents}) > 1 for one in self.explained.brackets
        )

    def brackets(self) -> Iterator[tuple[BracketExplanation, Bracket, Candidate]]:
        """Return the final brackets: the scoregroups in order,
        and in the last bracket all remaining players [A.9].
        """
        groups = self.literal.scoregroups_1_3_1()
        downfloaters: Group = ()
        for place, one in enumerate(self.explained.brackets):
            left = groups[place:]
            is_last = place + 1 == len(self.explained.brackets)
            residents = tuple(rank for group in left for rank in group) if is_last else left[0]
            bracket = Bracket(downfloaters, residents, () if is_last else left[1:])
            assert one.number == place + 1
            assert (self.ranks(one.mdps), self.ranks(one.residents)) == (
                bracket.mdps,
                bracket.residents,
            )
            candidate = self.candidate(one, bracket)
            yield one, bracket, candidate
            downfloaters = candidate.downfloaters

    def values_2017(self) -> Iterator[tuple[BracketExplanation, dict[str, Value]]]:
        """Return the value of every criterion; [C.7] in brackets that
        are neither last nor penultimate [A.9].
        """
        last = len(self.explained.brackets)
        for one, bracket, candidate in self.brackets():
            is_ordinary = one.number < last - self.collapses()
            ahead = self.literal.c7_2017(bracket, candidate.downfloaters) if is_ordinary else None
            look_ahead = () if ahead is None else (ahead.unpaired, *without_none(ahead.difference))
            yield one, {"C7": look_ahead, **self.own_values(bracket, candidate)}

    def own_values(self, bracket: Bracket, candidate: Candidate) -> dict[str, Value]:
        """Return the value of every criterion except [C.7]."""
        found = self.literal.c8_to_c19(bracket, candidate)
        rest = [(item,) if isinstance(item, int) else without_none(item) for item in found]  # type: ignore[arg-type]
        return {
            "C5": (len(candidate.downfloaters),),
            "C6": without_none(self.literal.psd_a_8(bracket, candidate)),
            **dict(zip(NAMES[3:], rest, strict=True)),
        }

    def collapses(self) -> int:
        """Return 1 if the text collapses the round: the bracket before the last is the PPB [A.9].

        The last bracket may still be one scoregroup.
        """
        penultimate: Counter[str] = Counter()
        literal = LiteralDutch2017(self.state)
        chosen = literal.best_c4_c5_c6

        def note(bracket: Bracket) -> frozenset[frozenset[int]]:
            penultimate["PPB"] += 1
            return chosen(bracket)

        literal.best_c4_c5_c6 = note  # type: ignore[method-assign]
        literal.round_pairing_a_9()
        return penultimate["PPB"]

    # -- the best value of a criterion, by trying every candidate. For small brackets.

    def place(self, one: BracketExplanation) -> str:
        """Return the place of the bracket in the round [A.9]."""
        last = len(self.explained.brackets)
        if one.number == last:
            return "last"
        return "penultimate" if self.collapses() and one.number == last - 1 else "ordinary"

    def every_candidate(self, one: BracketExplanation, bracket: Bracket) -> list[dict[str, Value]]:
        """Return the values of *every* legal candidate with MaxPairs pairs;
        M1 as the number of unpaired MDPs.
        """
        place = self.place(one)
        found = []
        for pairs in self.all_pairs(bracket.players, bracket.mdps):
            seated = {rank for chosen in pairs for rank in chosen}
            left = tuple(rank for rank in bracket.players if rank not in seated)
            if len(pairs) != one.max_pairs or not self.is_legal(place, bracket, left):
                continue
            mdp_pairs = tuple(chosen for chosen in pairs if chosen[0] in bracket.mdps)
            candidate = Candidate(mdp_pairs, tuple(p for p in pairs if p not in mdp_pairs), left)
            values = self.own_values(bracket, candidate)
            values["M1"] = (len(set(left) & set(bracket.mdps)),)
            values["C7"] = self.look_ahead(bracket, left) if place == "ordinary" else ()
            found.append(values)
        return found

    def is_legal(self, place: str, bracket: Bracket, left: Group) -> bool:
        """Check [C.4] in the penultimate bracket and [C.2] in the last one;
        in others only C.1 and C.3.
        """
        if place == "last":
            return self.literal.may_be_left_last(left)
        return place == "ordinary" or self.literal.completes_a_9(
            frozenset(left + bracket.not_reached)
        )

    def look_ahead(self, bracket: Bracket, left: Group) -> Value:
        ahead = self.literal.c7_2017(bracket, left)
        return (ahead.unpaired, *without_none(ahead.difference))


def without_none(differences: tuple[int, ...]) -> Value:
    return tuple(difference for difference in differences if difference)


def of_2017(seed: int, players: tuple[int, int]) -> TournamentState:
    return replace(random_state(Random(seed), players=players), system="dutch_2017")


def explained_positions(chunk: int, players: tuple[int, int] = (4, 11)) -> Iterator[Reference2017]:
    for seed in range(chunk * CHUNK, (chunk + 1) * CHUNK):
        state = of_2017(seed, players)
        try:
            yield Reference2017(state, explain_round(state))
        except NoLegalPairingError:
            continue


@pytest.mark.costly
@pytest.mark.parametrize("chunk", first(range(3), 2))
def test_c04_3_2017_every_number_of_random_positions_is_recomputed(chunk: int) -> None:
    seen: Counter[str] = Counter()
    for reference in explained_positions(chunk):
        explained = reference.explained
        assert explained.pairing == pair_literally_2017(reference.state)
        for one, values in reference.values_2017():
            assert {criterion.name: criterion.value for criterion in one.criteria} == values
            assert [criterion.article for criterion in one.criteria] == [
                f"C.{name[1:]}" for name in NAMES
            ]
            seen.update(name for name, value in values.items() if any(value))
        seen["collapsed"] += reference.is_collapsed
    assert {"C5", "C6", "C7", "C10", "C12", "C13", "C16", "C17", "collapsed"} <= set(seen)


@pytest.mark.costly
@pytest.mark.parametrize("chunk", first(range(3, 6), 2))
def test_c04_3_2017_shapes_and_boards_are_recomputed(chunk: int) -> None:
    seen: Counter[str] = Counter()
    for reference in explained_positions(chunk):
        for one, bracket, _ in reference.brackets():
            assert pairs_of_shape(one) == set(one.pairs)
            if one.mdp_pairing is not None:
                s1, limbo = next(reference.literal.mdp_sets_d_3(bracket, len(one.mdp_pairing.s1)))
                places = {rank: number for number, rank in enumerate(bracket.players, start=1)}
                assert one.mdp_pairing.original_s1 == tuple(places[rank] for rank in s1)
                assert one.mdp_pairing.original_limbo == tuple(places[rank] for rank in limbo)
                seen["MDP-pairings"] += 1
        for board in reference.explained.pairs:
            found, true = reference.board(board)
            assert found == true
            assert board.article == f"E.{board.rule.value[-1]}"
            seen["boards"] += 1
    assert min(seen["MDP-pairings"], seen["boards"]) > 50, seen


def recomputed_bounds(
    candidates: list[dict[str, Value]], chosen: dict[str, Value], order: list[str]
) -> dict[str, tuple[Value, object]]:
    """Return, for each criterion, the least value over all *candidates*
    and the criterion that prevents it.

    That is the first criterion of *order* above it that, kept together with all before it, excludes
    the least value.
    """
    bounds: dict[str, tuple[Value, object]] = {}
    for place, name in enumerate(order):
        best, left, held_by = min(candidate[name] for candidate in candidates), candidates, None
        for higher in order[:place]:
            left = [candidate for candidate in left if candidate[higher] == chosen[higher]]
            if held_by is None and min(candidate[name] for candidate in left) != best:
                held_by = higher
        bounds[name] = (best, held_by)
    return bounds


def assert_bounds(
    reference: Reference2017, one: BracketExplanation, bracket: Bracket, candidate: Candidate
) -> None:
    chosen = {criterion.name: criterion.value for criterion in one.criteria}
    chosen["M1"] = (len(set(candidate.downfloaters) & set(bracket.mdps)),)
    is_last = reference.place(one) == "last"
    order = ["C5", "C6", *(["M1"] if is_last else []), *NAMES[2:]]
    true = recomputed_bounds(reference.every_candidate(one, bracket), chosen, order)
    assert {
        criterion.name: (criterion.best_alone, criterion.held_by) for criterion in one.criteria
    } == {name: true[name] for name in NAMES}


def held_in(chunk: int) -> Counter[tuple[str, object]]:
    """Count which criterion was held by which, and in which place the bracket was."""
    seen: Counter[tuple[str, object]] = Counter()
    for reference in explained_positions(chunk, (4, 9)):
        for one, bracket, candidate in reference.brackets():
            assert_bounds(reference, one, bracket, candidate)
            held = [criterion for criterion in one.criteria if criterion.held_by]
            seen.update((criterion.name, criterion.held_by) for criterion in held)
            seen["held", reference.place(one)] += len(held)
    return seen


@pytest.mark.costly
@pytest.mark.parametrize(
    "chunk, names", [(100, {"C7", "C10", "C12"}), (101, {"C7", "C10"}), (102, {"C10", "C12"})]
)
def test_c04_3_2017_c_bounds_and_their_holders_are_those_of_all_candidates(
    chunk: int, names: set[str]
) -> None:
    seen = held_in(chunk)
    assert min(seen["held", place] for place in ("ordinary", "penultimate", "last")) > 0
    assert {name for name, _ in seen} > names


@pytest.mark.slow
@pytest.mark.parametrize("chunk", range(103, 203))
def test_c04_3_2017_c_bounds_of_many_positions_are_those_of_all_candidates(chunk: int) -> None:
    assert sum(held_in(chunk).values()) > 0


def test_r7_c04_3_2017_b_1_c_a_criterion_can_be_held_by_m1() -> None:
    """1-5, 6-7 with the bye for 3 would refuse no colour, with the same score differences;
    but it pairs one MDP.
    """
    state = replace(M1_DECIDES, system="dutch_2017")
    reference = Reference2017(state, explain_round(state))
    for one, bracket, candidate in reference.brackets():
        assert_bounds(reference, one, bracket, candidate)
    c10 = {criterion.name: criterion for criterion in reference.explained.brackets[-1].criteria}[
        "C10"
    ]
    assert (c10.value, c10.best_alone, c10.held_by) == ((1,), (0,), "M1")


def collapse(state: TournamentState) -> int:
    """Return the number of the penultimate bracket by the text;
    0 if the round does not collapse [A.9].
    """
    reference = Reference2017(state, explain_round(state))
    return reference.collapses() and len(reference.explained.brackets) - 1


def differing(
    state: TournamentState, forced: TournamentState
) -> tuple[int, str, Value, Value] | None:
    """Return the first bracket, and its criterion, in which the two
    rounds differ by the text; None: in none.
    """
    rounds = [list(Reference2017(one, explain_round(one)).values_2017()) for one in (state, forced)]
    for (one, mine), (_, theirs) in zip(*rounds, strict=False):
        for name in NAMES:
            if mine[name] != theirs[name]:
                return one.number, name, mine[name], theirs[name]
    return None


@pytest.mark.costly
@pytest.mark.parametrize("chunk", first(range(6, 9), 2))
def test_c04_3_2017_why_two_players_do_not_meet_is_as_in_the_text(chunk: int) -> None:
    seen: Counter[Outcome] = Counter()
    for reference in explained_positions(chunk, (4, 10)):
        state, chance = reference.state, Random(chunk)
        first, second = chance.sample([record.tpn for record in reference.literal.records], 2)
        found = why_not(state, first, second)
        seen[found.outcome] += 1
        others = {player.tpn for player in state.players} - {first, second}
        barred = frozenset(frozenset({one, other}) for one in (first, second) for other in others)
        forced = replace(state, prohibited=state.prohibited | barred)
        if found.outcome in (Outcome.WORSE, Outcome.LATER, Outcome.COLLAPSED):
            assert found.instead == pair_literally_2017(forced)
        if found.outcome is Outcome.C4:
            with pytest.raises(NoLegalPairingError):
                pair_literally_2017(forced)
        collapses = (
            [True] if found.instead is None else [collapse(one) > 0 for one in (state, forced)]
        )
        if found.outcome is Outcome.WORSE and not any(collapses):
            assert differing(state, forced) == (
                found.bracket,
                found.worse,
                found.value,
                found.forced,
            )
        if found.outcome is Outcome.LATER and not any(collapses):
            assert differing(state, forced) is None
        for language in LANGUAGES:
            assert len(list(why_not_sentences(found, language))) >= 1
        assert why_not_as_json(found)["outcome"] == found.outcome.value
    assert {Outcome.WORSE, Outcome.LATER, Outcome.C1} <= set(seen)


@pytest.mark.parametrize(
    "seed, first, second, bracket", [(910, 6, 7, 3), (910, 5, 4, 3), (912, 5, 4, 2)]
)
def test_c04_3_2017_a_9_two_players_whose_game_collapses_it(
    seed: int, first: int, second: int, bracket: int
) -> None:
    """The pairing is as good in every criterion, but the remaining players
    could not be paired after this bracket.
    """
    state = of_2017(seed, (4, 9))
    found = why_not(state, TPN(first), TPN(second))
    assert (found.outcome, found.article, found.bracket) == (Outcome.COLLAPSED, "A.9", bracket)
    others = {player.tpn for player in state.players} - {first, second}
    barred = frozenset(frozenset({TPN(one), other}) for one in (first, second) for other in others)
    assert collapse(replace(state, prohibited=state.prohibited | barred)) == bracket
    assert collapse(state) not in range(1, bracket + 1)
    (text, instead) = why_not_sentences(found, "en")
    assert text.startswith(
        f"If {first} and {second} met, the round could not be completed after bracket {bracket} ("
    )
    assert text.endswith("[A.9]")
    assert "best round" in instead


def test_the_sentences_name_articles_of_2017_only() -> None:
    for words in (ENGLISH_2017, FRENCH_2017):
        references = {
            code: re.findall(r"\[([^\]{]+)\]", sentence) for code, sentence in words.items()
        }
        assert sum(map(len, references.values())) > 10
        for code, named in references.items():
            for reference in named:
                assert all(
                    re.fullmatch(r"[A-E]\.\d+(\.[a-z])?", part) for part in reference.split(", ")
                ), code
    assert {*ENGLISH_2017} == {*ENGLISH} == {*FRENCH_2017} == {*FRENCH}


@pytest.mark.costly
def test_a_round_is_explained_in_both_languages() -> None:
    for reference in explained_positions(9):
        for language in LANGUAGES:
            text = "\n".join(round_sentences(reference.explained, language))
            assert re.search(r"\bE\.\d\]", text)
            assert not re.search(r"\[\d", text)
        assert round_as_json(reference.explained)["system"] == "dutch_2017"


FILES = shared_params("corpus/2017/*.trf")
SAMPLE = 40
"""One file of the corpus in this many is used in an ordinary run."""


@pytest.mark.parametrize(
    "path",
    [
        pytest.param(
            *one.values,
            id=one.id,
            marks=[*one.marks, *([pytest.mark.slow] if place % SAMPLE else [])],
        )  # type: ignore[attr-defined]
        for place, one in enumerate(FILES)
    ],
)
def test_c04_3_2017_the_corpus_is_recomputed_except_the_look_ahead(path: Path) -> None:
    """[C.7] by the literal text takes too long in large brackets; everything else is recomputed."""
    document, compared = read(path.read_bytes()), 0
    for number in range(1, next_round(document)):
        state = state_before_round(document, number)
        reference = Reference2017(state, explain_round(state))
        for one, bracket, candidate in reference.brackets():
            fields = {criterion.name: criterion.value for criterion in one.criteria}
            assert {name: fields[name] for name in NAMES if name != "C7"} == reference.own_values(
                bracket, candidate
            )
            assert pairs_of_shape(one) == set(one.pairs)
            assert_bounds_are_bounds(one)
            compared += 1
    assert compared > 0
