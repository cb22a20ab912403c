"""Pair a round by the rules of 2017 [C.04.3/2017 A.9], bracket by bracket from the top.

If the players left after a bracket cannot complete the round, that bracket is paired again, and
everybody below it becomes one last bracket.
"""

from __future__ import annotations

from collections.abc import Callable

from pairing.engine.basics.validation import validate
from pairing.engine.dutch.boards import publish
from pairing.engine.dutch.bracket import Bracket, BracketPairing
from pairing.engine.dutch.completion import Completion, pairability
from pairing.engine.dutch.field import Field
from pairing.engine.errors import NoLegalPairingError
from pairing.engine.model import Pairability, Pairing, TournamentState

from . import NO_LEGAL_PAIRING
from .fast_path import pair_fast_or_exact_2017
from .place import Place
from .records import RULES_2017

PairBracket2017 = Callable[[Bracket, Completion, Place], BracketPairing]


def pair_dutch_2017(
    state: TournamentState, pair_one: PairBracket2017 = pair_fast_or_exact_2017
) -> Pairing:
    """Pair a round by the FIDE Dutch System in force until 31 January 2026 [C.04.3/2017].

    Boards and errors are as in :func:`pair_dutch_2026`. If the round cannot be completed, A.9
    leaves it to the Chief Arbiter.
    """
    validate(state)
    field = Field.from_state(state, RULES_2017)
    if not field.tpns:
        return Pairing(pairs=())
    completion = completion_2017(field)
    paired: list[tuple[int, int]] = []
    downfloaters: tuple[int, ...] = ()
    groups = field.scoregroups
    for residents, following in zip(groups, [*groups[1:], range(0)], strict=True):
        bracket = Bracket(field, downfloaters, residents, following)
        if not bracket.has_later:
            pairing = pair_one(bracket, completion, Place.LAST)
        else:
            pairing = pair_one(bracket, completion, Place.ORDINARY)
            if not completes_the_round(bracket, pairing, completion):
                penultimate = pair_one(bracket, completion, Place.PENULTIMATE)
                paired.extend(penultimate.pairs)
                pairing = pair_one(
                    collapsed_last_bracket(bracket, penultimate), completion, Place.LAST
                )
                paired.extend(pairing.pairs)
                return publish(paired, pairing.downfloaters, field)
        paired.extend(pairing.pairs)
        downfloaters = pairing.downfloaters
    return publish(paired, downfloaters, field)


def completion_2017(field: Field) -> Completion:
    """Return the completion of *field* by [C.1]-[C.3] alone [C.04.3/2017 A.9].

    Raises :class:`NoLegalPairingError` if there is none.
    """
    try:
        return Completion(field, bye_at_any_score=True)
    except NoLegalPairingError:
        raise NoLegalPairingError(NO_LEGAL_PAIRING) from None


def completes_the_round(bracket: Bracket, pairing: BracketPairing, completion: Completion) -> bool:
    """Tell whether downfloaters and all others can complete the round [C.04.3/2017 A.9]."""
    left = (
        bracket.following_set
        | bracket.below_set
        | (0 if completion.bye is None else 1 << completion.bye)
    )
    return completion.completes(left | sum(1 << rank for rank in pairing.downfloaters))


def collapsed_last_bracket(penultimate: Bracket, pairing: BracketPairing) -> Bracket:
    """Combine the downfloaters of the penultimate bracket and all below it [C.04.3/2017 A.9]."""
    field = penultimate.field
    residents = range(penultimate.resident_ranks.stop, len(field))
    return Bracket(field, pairing.downfloaters, residents, range(0))


def pairable_dutch_2017(state: TournamentState) -> Pairability:
    """Tell whether *state* has a legal round-pairing, and list the possible
    receivers of the bye [C.04.3/2017 A.9, C.1-C.3].

    The bye may go to a player with any score.
    """
    validate(state)
    field = Field.from_state(state, RULES_2017)
    return pairability(field, lambda: completion_2017(field))
