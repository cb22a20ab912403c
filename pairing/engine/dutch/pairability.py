"""Whether a round can be paired at all, and who can get the bye: for looking, while entries still come and go."""

from __future__ import annotations

from collections.abc import Callable

from pairing.engine.basics.validation import validate
from pairing.engine.errors import NoLegalPairingError
from pairing.engine.matching.cardinality import bits, maximum_matching, missable
from pairing.engine.model import Pairability, TournamentState

from .completion import Completion
from .field import RULES_2017, Field
from .procedure_2017 import completion_2017


def pairable_dutch_2026(state: TournamentState) -> Pairability:
    """Whether *state* has a legal round-pairing, and who has the bye in one [C.04.3/2026 1.9, 2.1-2.3].

    A round-pairing is legal if it is complete, complies with [C1]-[C3] and the prohibited pairs, and gives the
    bye to somebody with the lowest score for which it can be complete [C5]; that every bracket leaves it
    complete [C4] follows. Quality criteria may then choose among those named, so who is named may get the bye,
    and who is not named does not.

    Raises :class:`InputError` for a state that contradicts itself. Cost: deriving the field, and in a small
    one a matching and one search.
    """
    validate(state)
    field = Field.of(state)
    return _pairability(field, lambda: Completion(field))


def pairable_dutch_2017(state: TournamentState) -> Pairability:
    """The same by the rules of 2017: the bye may go to a player with any score [C.04.3/2017 A.9, C.1-C.3]."""
    validate(state)
    field = Field.of(state, RULES_2017)
    return _pairability(field, lambda: completion_2017(field))


def _pairability(field: Field, complete: Callable[[], Completion]) -> Pairability:
    try:
        completion = complete()
    except NoLegalPairingError:
        return Pairability(can_pair=False, bye_candidates=())
    candidates = sorted(field.tpns[rank] for rank in bits(_bye_candidates(field, completion)))
    return Pairability(can_pair=True, bye_candidates=tuple(candidates))


def _bye_candidates(field: Field, completion: Completion) -> int:
    """Those among the receivers [C2], in 2026 at the lowest score [C5], without whom all others can be paired.

    With the bye's vertex taken out of a perfect matching its mate is the only one free, and who can be free
    instead is told by one search (``missable``). Where any even number of players that large completes, it is
    every receiver.
    """
    if completion.bye is None:
        return 0
    players = completion.everybody & ~(1 << completion.bye)
    some = completion.receivers & -completion.receivers
    if completion.is_large(players & ~some):
        return completion.receivers
    mate = maximum_matching(completion.rows, completion.everybody)
    exposed = mate[completion.bye]
    mate[exposed] = mate[completion.bye] = -1
    return missable(completion.rows, players, mate, exposed) & completion.receivers
