"""The round-pairing: the bye, the brackets from the top, the colours [C.04.5/2026 3.3]."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from pairing.engine.basics.board_order import publication_order
from pairing.engine.errors import NoLegalPairingError
from pairing.engine.model import TPN, Colour, Pairability, Pairing, TournamentState

from .bracket import pair_bracket
from .bye import assigned_bye
from .colours import colour_and_rule
from .field import MatchField
from .upfloaters import select_upfloaters
from .validation import validate_matches

SelectUpfloaters = Callable[[MatchField, int], tuple[int, int]]
PairBracket = Callable[[MatchField, int, int], list[tuple[int, int]]]


def pair_double_swiss_2026(
    state: TournamentState,
    select: SelectUpfloaters = select_upfloaters,
    pair_one: PairBracket = pair_bracket,
) -> Pairing:
    """Pair a round of matches by the Double-Swiss Pairing System [C.04.5/2026].

    Boards come in publication order [C.04.2/2026 3.6]; the first player of a pair has White in the
    first game [C.04.5/2026 4.4]. *select* and *pair_one* apply Articles 3.5 and 3.6; tests pass the
    exact paths here. Raises :class:`InputError` for a state that contradicts itself, and
    :class:`NoLegalPairingError` if no round-pairing is complete [C.04.5/2026 3.3.3].
    """
    validate_matches(state)
    field = MatchField.from_state(state)
    bye = assigned_bye(field)
    unpaired = field.everybody
    if bye is not None:
        unpaired &= ~(1 << bye)
    pairs: list[tuple[int, int]] = []
    while unpaired:
        residents, upfloaters = select(field, unpaired)
        pairs += pair_one(field, residents, upfloaters)
        unpaired &= ~(residents | upfloaters)
    boards = publication_order(
        _with_colours(pairs, field), dict(zip(field.tpns, field.scores, strict=True))
    )
    return Pairing(boards, None if bye is None else field.tpns[bye])


def pairable_double_swiss_2026(state: TournamentState) -> Pairability:
    """Whether *state* has a complete round-pairing [C.04.5/2026 3.3.1], and who receives the PAB.

    In this system the bye is the first thing decided, so there is one candidate. Raises
    :class:`InputError` for a state that contradicts itself. Cost: a matching.
    """
    validate_matches(state)
    field = MatchField.from_state(state)
    try:
        bye = assigned_bye(field)
    except NoLegalPairingError:
        return Pairability(can_pair=False, bye_candidates=())
    return Pairability(can_pair=True, bye_candidates=() if bye is None else (field.tpns[bye],))


def _with_colours(pairs: Iterable[tuple[int, int]], field: MatchField) -> list[tuple[TPN, TPN]]:
    """The *pairs* (by rank) as TPNs, White of the first game first [C.04.5/2026 Article 4].

    The higher ranked player has the smaller rank: the higher score, then the smaller TPN
    [C.04.5/2026 4.2].
    """
    boards = []
    for pair in pairs:
        higher, lower = min(pair), max(pair)
        own, theirs = field.colours[higher], field.colours[lower]
        colour, _ = colour_and_rule(own, theirs, field.tpns[higher], field.initial_colour)
        white, black = (higher, lower) if colour is Colour.WHITE else (lower, higher)
        boards.append((field.tpns[white], field.tpns[black]))
    return boards
