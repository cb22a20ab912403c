"""From the highest score bracket to the lowest [C.04.3/pre2017 C]."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from pairing.engine.basics.board_order import publication_order
from pairing.engine.basics.validation import validate
from pairing.engine.errors import InvariantError, NoLegalPairingError
from pairing.engine.model import TPN, Colour, Pairing, TournamentState

from . import NO_LEGAL_PAIRING
from .backtracking import another_set, another_set_for_lowest, best_of_lowest, fewer_pairs
from .bracket import Bracket, bit_set
from .candidates import BracketPairing, Outside, OutsideVertex, best, very_first
from .colours import colour_of_higher
from .field import FieldBefore2017
from .requirements import Costs

FirstTry = Callable[[Bracket], BracketPairing | None]


def pair_dutch_pre2017(state: TournamentState) -> Pairing:
    """Pair a round by the FIDE Dutch System in force until 30 June 2017 [C.04.3/pre2017].

    Boards come in publication order [C.04.3/pre2017 F1], White first. Raises :class:`InputError`
    for a state that contradicts itself, :class:`NoLegalPairingError` where even all brackets joined
    into one have no pairing (C13). Cost: a few weighted matchings per bracket, and one of two
    brackets for each pair given up (C12).
    """
    validate(state)
    field = FieldBefore2017.from_state(state)
    if not field.players:
        return Pairing(pairs=())
    return _publish(pair_field(field), field)


def pair_field(field: FieldBefore2017, first_try: FirstTry = very_first) -> list[BracketPairing]:
    """The pairings of the brackets, from the top.

    *first_try* gives the pairing of a bracket if no search is needed for it, otherwise None; tests
    leave it out.
    """
    *groups, last = field.score_brackets
    done: list[BracketPairing] = []
    for residents in groups:
        _pair_bracket(done, Bracket(field, _downfloaters(done), residents), first_try)
    _pair_lowest(done, Bracket(field, _downfloaters(done), last, is_lowest=True), first_try)
    return done


def _downfloaters(done: list[BracketPairing]) -> tuple[int, ...]:
    return done[-1].downfloaters if done else ()


def _pair_bracket(done: list[BracketPairing], bracket: Bracket, first_try: FirstTry) -> None:
    """Pair a bracket that is not the lowest, and put it after those *done*;
    the last of these may be paired anew.

    The text takes what P1 and M1 ask (C14) from the set that came down; before it lowers them it
    looks for another set that can give it (C12).
    """
    compatible, incompatible = bracket.without_incompatible()
    if compatible.ranks and (first := first_try(compatible)) is not None:
        done.append(
            replace(
                first,
                incompatible=incompatible,
                downfloaters=_merged(first.downfloaters, incompatible),
            )
        )
        return
    other = _other_set(done, bracket, compatible)
    if other is not None:
        done[-1] = other
        bracket = replace(bracket, came_down=other.downfloaters)
        compatible, incompatible = bracket.without_incompatible()
    done.append(pair_bracket_as_it_is(compatible, incompatible))


def _other_set(
    done: list[BracketPairing], bracket: Bracket, compatible: Bracket
) -> BracketPairing | None:
    """C12: the pairing of the bracket before that brings this one nearer to P0 and M0, if any."""
    if not done or not bracket.came_down:
        return None
    p0, p1 = compatible.p0, compatible.most_pairs
    m0, m1 = (
        (0, 0) if compatible.is_homogeneous else (compatible.m0, compatible.most_moved_down_paired)
    )
    levels = [(p0, moved_down) for moved_down in range(m0, m1, -1)]  # C14.b2
    levels += [(pairs, m1) for pairs in range(p0, p1, -1)]  # C14.a, C14.b1
    for pairs, moved_down in levels:
        other = another_set(done[-1], bracket, pairs=pairs, moved_down=moved_down)
        if other is not None:
            return other
    return None


def pair_bracket_as_it_is(bracket: Bracket, incompatible: tuple[int, ...]) -> BracketPairing:
    """C2-C10 with P1 and M1 of C14; homogeneous if M1 = 0; if P1 = 0 everybody moves down."""
    if not bracket.most_pairs:
        return BracketPairing(bracket, (), _merged(bracket.ranks, incompatible), incompatible)
    as_heterogeneous = not bracket.is_homogeneous and bracket.most_moved_down_paired > 0
    leftover = len(bracket.ranks) - 2 * bracket.most_pairs
    anybody = OutsideVertex(joins=bit_set(bracket.ranks))
    found = best(
        bracket, Costs(bracket, as_heterogeneous=as_heterogeneous), Outside([anybody] * leftover)
    )
    if found is None:
        raise InvariantError("a bracket has fewer pairs than a matching of it")
    return found.first(incompatible)


def _pair_lowest(done: list[BracketPairing], lowest: Bracket, first_try: FirstTry) -> None:
    """Pair the lowest bracket, where only the bye may be left over [C.04.3/pre2017 C13].

    If necessary, another set is moved down (C12), or the penultimate bracket is paired differently,
    or the two brackets are joined, with the penultimate one as S1, and so on upwards.
    """
    while True:
        found = first_try(lowest) or _of_lowest(done, lowest)
        if found is not None:
            break
        if not done:
            raise NoLegalPairingError(NO_LEGAL_PAIRING)
        other = fewer_pairs(done[-1], lowest)
        if other is not None:
            done[-1] = other
            found = _first_of_lowest(replace(lowest, came_down=other.downfloaters))
            break
        previous = done.pop()
        lowest = Bracket(
            lowest.field,
            came_down=previous.bracket.came_down,
            joined=_merged(
                previous.bracket.residents + previous.bracket.joined, previous.incompatible
            ),
            residents=_merged(lowest.joined, lowest.residents),
            is_lowest=True,
        )
    if found is None:
        raise InvariantError(
            "the lowest bracket was paired with the one before, and cannot be paired"
        )
    done.append(found)


def _of_lowest(done: list[BracketPairing], lowest: Bracket) -> BracketPairing | None:
    """The pairing of *lowest* with the set that came down, or with another of the same size (C12),
    then to be found in *done*. None: neither has one.

    A resident who has neither an opponent nor the bye sends the text to C13 at once (C1).
    """
    found = best_of_lowest(lowest)
    reached = -1 if found is None else found.moved_down_paired
    wanted = 0 if lowest.is_homogeneous else lowest.m0
    alone = lowest.first_incompatible()
    if reached < wanted and done and lowest.came_down and alone not in lowest.residents:
        other = another_set_for_lowest(done[-1], lowest, more_than=reached)
        if other is not None:
            done[-1] = other
            return _first_of_lowest(replace(lowest, came_down=other.downfloaters))
    return None if found is None else found.first()


def _first_of_lowest(lowest: Bracket) -> BracketPairing | None:
    found = best_of_lowest(lowest)
    return None if found is None else found.first()


def _merged(ones: tuple[int, ...], others: tuple[int, ...]) -> tuple[int, ...]:
    return tuple(sorted(ones + others))


def _publish(brackets: list[BracketPairing], field: FieldBefore2017) -> Pairing:
    """Give the colours (E) and sort the boards (F1)."""
    pairs: list[tuple[TPN, TPN]] = []
    for bracket in brackets:
        for above, below in bracket.pairs:
            higher, lower = field.players[above], field.players[below]
            colour = colour_of_higher(higher, lower, field.initial_colour)
            white, black = (higher, lower) if colour is Colour.WHITE else (lower, higher)
            pairs.append((white.tpn, black.tpn))
    bye = brackets[-1].downfloaters
    if len(bye) != len(field) % 2:
        raise InvariantError(f"{len(bye)} players were left unpaired")
    scores = {player.tpn: player.score for player in field.players}
    return Pairing(publication_order(pairs, scores), field.players[bye[0]].tpn if bye else None)
