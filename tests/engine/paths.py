"""Check that every fast path gives the result of the exact path, and report which path answered.

``python -m tests.engine.paths 100`` plays 100 tournaments in each edition and prints how often each
path answered. The paths of the Double-Swiss System and of the Dutch System before July 2017 are in
modules of their own.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from random import Random

from pairing.engine.dutch.bracket import Bracket, BracketPairing
from pairing.engine.dutch.completion import Completion
from pairing.engine.dutch.edition_2017.collapsed_bracket import LOW, STAND_INS, pair_by_levels
from pairing.engine.dutch.edition_2017.exact_path import first_of, pair_exactly_2017, remaining
from pairing.engine.dutch.edition_2017.fast_path import fast_pairing_2017
from pairing.engine.dutch.edition_2017.graphs import completing_graph, following_graph_2017
from pairing.engine.dutch.edition_2017.place import Place
from pairing.engine.dutch.edition_2017.procedure import pair_dutch_2017
from pairing.engine.dutch.edition_2017.remaining_parts import remaining_parts
from pairing.engine.dutch.edition_2026.bye import gives_bye, sole_receiver
from pairing.engine.dutch.edition_2026.exact_path import (
    pair_alone,
    pair_exactly,
    pair_with_everybody_below,
    pair_with_following,
)
from pairing.engine.dutch.edition_2026.fast_path import (
    fast_pairing,
    pair_fast_or_exact,
    stranded_players,
)
from pairing.engine.dutch.edition_2026.procedure import pair_dutch_2026
from pairing.engine.dutch.edition_2026.remaining_brackets import pair_for_remaining_brackets
from pairing.engine.dutch.solver.downfloaters import fewest_downfloaters
from pairing.engine.errors import InvariantError
from pairing.engine.generator import generate

from .events import late_plan, play_events
from .path_report import Report
from .paths_double_swiss import PathsDoubleSwiss
from .paths_pre2017 import PathsPre2017

Answer = tuple[str, BracketPairing | None]
"""The name of a path, with the kind of bracket where that matters, and its pairing,
or None if it does not decide.
"""
Path2026 = Callable[[Bracket, Completion], Iterator[Answer]]
Path2017 = Callable[[Bracket, Completion, Place], Iterator[Answer]]

ALL_AT_ONCE = 1_000_000
"""More edges than any graph has: all criteria are solved in one step."""


# -- 2026 ------------------------------------------------------------------------------------------


def whole_problem(bracket: Bracket, completion: Completion) -> BracketPairing:
    """Pair *bracket* in the graph of everybody left, with all criteria in one step:
    no fast path is used.
    """
    return pair_with_everybody_below(bracket, completion, ALL_AT_ONCE)


def by_fast_path(bracket: Bracket, completion: Completion) -> Iterator[Answer]:
    """Use the fast path, which most brackets take."""
    yield "fast path", fast_pairing(bracket, completion)


def by_exact_path(bracket: Bracket, completion: Completion) -> Iterator[Answer]:
    """Use the exact path, by the smallest graph that decides."""
    yield "exact path", pair_exactly(bracket, completion)


def in_two_steps(bracket: Bracket, completion: Completion) -> Iterator[Answer]:
    """Solve the whole problem in two steps."""
    yield "in two steps", pair_with_everybody_below(bracket, completion, 0)


def alone(bracket: Bracket, completion: Completion) -> Iterator[Answer]:
    """Use the graph of the bracket alone."""
    if bracket.has_later:
        yield "bracket alone", pair_alone(bracket, completion)


def with_following(bracket: Bracket, completion: Completion) -> Iterator[Answer]:
    """Use the graph of the bracket and the following scoregroup."""
    if bracket.below_set:
        yield "with the following scoregroup", pair_with_following(bracket, completion)


def for_remaining_brackets(bracket: Bracket, completion: Completion) -> Iterator[Answer]:
    """Look at the remaining brackets first; several downfloaters
    are allowed even in small brackets.
    """
    if not bracket.below_set:
        return
    pairing = pair_for_remaining_brackets(bracket, completion, one_in=2)
    kind = ""
    if pairing is not None and gives_bye(bracket, completion):
        kind = ", with the bye"
    elif pairing is not None:
        size = len(bracket.mdp_ranks) + len(bracket.resident_ranks)
        near = len(bracket.following_ranks) + bracket.below_set.bit_count() > 2 * size
        kind = ", following only" if near else ", all"
        kind += ", one floats" if len(pairing.downfloaters) == 1 else ", several float"
    yield f"remaining brackets{kind}", pairing


def with_sole_receiver(bracket: Bracket, completion: Completion) -> Iterator[Answer]:
    """Set aside the only player who can have the bye."""
    if sole_receiver(bracket, completion) is not None:
        yield "sole receiver of the bye", pair_fast_or_exact(bracket, completion)


def with_stranded(bracket: Bracket, completion: Completion) -> Iterator[Answer]:
    """Set aside the players who may meet nobody in their bracket."""
    stranded = stranded_players(bracket)
    if not stranded:
        return
    if len(stranded) == len(bracket.mdp_ranks) + len(bracket.resident_ranks):
        kind = "everybody"
    else:
        kind = "MDPs" if stranded[-1] < bracket.resident_ranks.start else "residents"
    yield f"stranded {kind}", fast_pairing(bracket, completion)


ALL_2026: tuple[Path2026, ...] = (
    by_fast_path,
    by_exact_path,
    in_two_steps,
    alone,
    with_following,
    for_remaining_brackets,
    with_sole_receiver,
    with_stranded,
)


class Paths2026(Report):
    """Pair each bracket by the whole problem, compare the given *paths* with it, and play on."""

    def __init__(self, *paths: Path2026) -> None:
        super().__init__()
        self.paths = paths

    def __call__(self, bracket: Bracket, completion: Completion) -> BracketPairing:
        exact = whole_problem(bracket, completion)
        for path in self.paths:
            for name, answer in path(bracket, completion):
                self.compare(name, answer, exact)
        return exact

    def play(self, seeds: range) -> Paths2026:
        """Play an ordinary tournament for each of *seeds*."""
        play_events(seeds, self)
        return self

    def play_late(self, seeds: range) -> Paths2026:
        """Play for each of *seeds* a tournament with nearly as many rounds as possible."""
        for seed in seeds:
            generate(
                late_plan(Random(seed)), Random(seed), lambda state: pair_dutch_2026(state, self)
            )
        return self


# -- 2017 ------------------------------------------------------------------------------------------


def whole_problem_2017(bracket: Bracket, completion: Completion, place: Place) -> BracketPairing:
    """Pair *bracket* in the largest graph that its place asks for: no fast path is used."""
    if place is Place.ORDINARY:
        graph = following_graph_2017(bracket, completion, fewest_downfloaters(bracket))
    else:
        graph = completing_graph(bracket, completion)
    pairing = first_of(bracket, graph)
    if pairing is None:
        raise InvariantError("a bracket has no candidate")
    return pairing


def by_fast_path_2017(bracket: Bracket, completion: Completion, place: Place) -> Iterator[Answer]:
    """Use the fast path, which most brackets take."""
    kind = place.name.lower()
    if place is Place.PENULTIMATE:
        wanting = remaining_parts(completion, remaining(bracket, completion)).wanting
        kind += ", one wanted" if wanting < 2 else ", several wanted"
    yield f"fast path, {kind}", fast_pairing_2017(bracket, completion, place)


def by_exact_path_2017(bracket: Bracket, completion: Completion, place: Place) -> Iterator[Answer]:
    """Use the exact path, by the smallest graph that decides."""
    kind = place.name.lower()
    if (
        place is Place.LAST
        and len({player.score for player in bracket.players[len(bracket.mdps) :]}) > 1
    ):
        kind = "collapsed"
    yield f"exact path, {kind}", pair_exactly_2017(bracket, completion, place)


def by_levels(low: int = LOW, stand_ins: int = STAND_INS) -> Path2017:
    """Pair the last bracket by score levels, with *low* players below the level instead of many."""

    def path(bracket: Bracket, completion: Completion, place: Place) -> Iterator[Answer]:
        if place is Place.LAST:
            pairing = pair_by_levels(bracket, completion, low=low, stand_ins=stand_ins)
            kind = "" if pairing is None else ", odd" if pairing.downfloaters else ", even"
            yield f"by levels{kind}", pairing

    return path


class Paths2017(Report):
    """Pair each bracket by the whole problem, compare the given *paths* with it, and play on."""

    def __init__(self, *paths: Path2017) -> None:
        super().__init__()
        self.paths = paths

    def __call__(self, bracket: Bracket, completion: Completion, place: Place) -> BracketPairing:
        exact = whole_problem_2017(bracket, completion, place)
        for path in self.paths:
            for name, answer in path(bracket, completion, place):
                self.compare(name, answer, exact)
        return exact

    def play_late(self, seeds: range) -> Paths2017:
        """Play for each of *seeds* a tournament with nearly as many rounds as possible."""
        for seed in seeds:
            generate(
                late_plan(Random(seed)), Random(seed), lambda state: pair_dutch_2017(state, self)
            )
        return self


def main(count: int) -> None:
    """Play *count* tournaments in each edition and print the reports."""
    print(Paths2026(*ALL_2026).play(range(count)).play_late(range(count // 4)))
    print(
        Paths2017(by_fast_path_2017, by_exact_path_2017, by_levels(3, 2)).play_late(
            range(count // 4)
        )
    )
    print(PathsDoubleSwiss().play(range(10 * count)).play_late(range(count // 4)))
    print(PathsPre2017().play(range(10 * count)).play_late(range(count // 4)))


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 40)
