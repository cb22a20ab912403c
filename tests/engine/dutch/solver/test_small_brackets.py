"""Brackets of few players: gone through one by one they give what the exact path gives."""

from __future__ import annotations

from collections import Counter

from pairing.engine.dutch.bracket import Bracket, BracketPairing
from pairing.engine.dutch.completion import Completion
from pairing.engine.dutch.edition_2026.costs import BracketCosts
from pairing.engine.dutch.edition_2026.exact_path import pair_bracket, pair_with_everybody_below
from pairing.engine.dutch.edition_2026.fast_path import quick_pairing, stranded_players
from pairing.engine.dutch.edition_2026.floaters import possible_floaters
from pairing.engine.dutch.solver.small_brackets import (
    FEW,
    Candidate,
    best_of_few,
    few_candidates,
    first_of_least_cost,
    first_tight,
)
from tests.engine.events import play_events


class Few:
    """Pairs each bracket the exact way, and the small ones, of whom all or all but one resident are paired, by going
    through their candidates: by tight pairs, and by the criteria; counts what decided."""

    def __init__(self) -> None:
        self.decided: Counter[str] = Counter()

    def __call__(self, bracket: Bracket, completion: Completion) -> BracketPairing:
        exact = pair_bracket(bracket, completion)
        size = len(bracket.mdp_ranks) + len(bracket.resident_ranks)
        floaters = possible_floaters(bracket, completion) if size % 2 else 0
        everybody_below = bracket.following_set | bracket.below_set
        if completion.bye is not None:
            everybody_below |= 1 << completion.bye
        applies = floaters if size % 2 else completion.completes(everybody_below)
        if size + size % 2 <= FEW and applies:
            self.compare(bracket, floaters, exact)
        return exact

    def compare(self, bracket: Bracket, floaters: int, exact: BracketPairing) -> None:
        best = best_of_few(bracket, floaters, BracketCosts)
        if best is None:
            assert len(exact.downfloaters) > 1 or not floaters >> exact.downfloaters[0] & 1
            self.decided["nothing"] += 1
            return
        assert set(best.pairs) == set(exact.pairs)
        assert best.downfloaters == exact.downfloaters
        candidates = few_candidates(bracket, floaters)
        by_cost, tight = (
            first_of_least_cost(bracket, candidates, BracketCosts),
            first_tight(bracket, floaters, candidates),
        )
        assert _pairs_of(bracket, by_cost) == set(exact.pairs)
        assert tight in (by_cost, None)
        if len(candidates) == 1:
            self.decided["there is one"] += 1
        else:
            self.decided["criteria" if tight is None else "tight pairs"] += 1


def _pairs_of(bracket: Bracket, candidate: Candidate) -> set[tuple[int, int]]:
    ranks = (*bracket.mdp_ranks, *bracket.resident_ranks)
    return {(ranks[u], ranks[v]) for u, v in candidate if v < len(ranks)}


def test_c04_3_3_8_1_few_candidates_one_by_one_give_the_best_generated_first() -> None:
    few = Few()
    play_events(range(2_000, 2_150), few)
    assert min(few.decided.values()) > 100, few.decided
    assert set(few.decided) == {"nothing", "there is one", "tight pairs", "criteria"}


def test_c04_3_3_8_1_who_may_meet_nobody_in_the_bracket_floats_as_in_the_whole_problem() -> None:
    seen: Counter[str] = Counter()

    def compare(bracket: Bracket, completion: Completion) -> BracketPairing:
        whole = pair_with_everybody_below(bracket, completion)
        stranded = stranded_players(bracket)
        assert set(stranded) <= set(whole.downfloaters)
        if stranded:
            quick = quick_pairing(bracket, completion)
            seen[_kind(bracket, stranded, quick)] += 1
            if quick is not None:
                assert set(quick.pairs) == set(whole.pairs)
                assert quick.downfloaters == whole.downfloaters
        return whole

    play_events(range(3_000, 3_100), compare)
    assert min(seen["all"], seen["MDPs"], seen["not told"]) > 50


def _kind(bracket: Bracket, stranded: tuple[int, ...], quick: BracketPairing | None) -> str:
    if quick is None:
        return "not told"
    if len(stranded) == len(bracket.mdp_ranks) + len(bracket.resident_ranks):
        return "all"
    return "MDPs" if quick.downfloaters == stranded and stranded[-1] < bracket.resident_ranks.start else "others"


def test_there_are_so_few_candidates_as_is_said() -> None:
    """Of six players who may all meet there are 15 candidates, the first S1 against S2 [C.04.3/2026 4.2, 4.3]."""
    sizes: set[int] = set()

    def look(bracket: Bracket, completion: Completion) -> BracketPairing:
        if not bracket.mdp_ranks and len(bracket.resident_ranks) == FEW:
            candidates = few_candidates(bracket, 0)
            sizes.add(len(candidates))
            if len(candidates) == 15:
                assert candidates[0] == ((0, 3), (1, 4), (2, 5))
        return pair_bracket(bracket, completion)

    play_events(range(4_000, 4_040), look)
    assert max(sizes) == 15
