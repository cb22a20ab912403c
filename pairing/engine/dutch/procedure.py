"""The round-pairing [C.04.3/2026 1.9]: from the top scoregroup down, bracket by bracket [C.04.1/2026 5]."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from pairing.engine.basics.board_order import publication_order
from pairing.engine.basics.validation import validate
from pairing.engine.errors import InvariantError
from pairing.engine.model import TPN, Colour, Pairing, TournamentState

from .bracket import Bracket, BracketPairing
from .colours import colour_of_higher
from .completion import Completion
from .field import Field
from .quick import pair_bracket_quickly

PairBracket = Callable[[Bracket, Completion], BracketPairing]


def pair_dutch_2026(state: TournamentState, pair_one: PairBracket = pair_bracket_quickly) -> Pairing:
    """Pair a round by the FIDE Dutch System in force from 1 February 2026 [C.04.3/2026].

    Boards come in publication order [C.04.2/2026 3.6], White first. *pair_one* pairs one bracket; tests
    put the exact path in its place. Raises :class:`InputError` for a state that contradicts
    itself, :class:`NoLegalPairingError` where no round-pairing is complete [C.04.3/2026 1.9.3].
    """
    validate(state)
    field = Field.of(state)
    if not field.tpns:
        return Pairing(pairs=())
    completion = Completion(field)
    paired: list[tuple[int, int]] = []
    downfloaters: tuple[int, ...] = ()
    groups = field.scoregroups
    for residents, following in zip(groups, [*groups[1:], range(0)], strict=True):
        pairing = pair_one(Bracket(field, downfloaters, residents, following), completion)
        paired.extend(pairing.pairs)
        downfloaters = pairing.downfloaters
    return publish(paired, downfloaters, field)


def publish(paired: Iterable[tuple[int, int]], unpaired: tuple[int, ...], field: Field) -> Pairing:
    """Give the colours [C.04.3/2026 Article 5] [C.04.3/2017 E] and sort the boards."""
    if len(unpaired) > 1:
        raise InvariantError(f"{len(unpaired)} players were left unpaired")
    tpns, colours = field.tpns, field.colours
    pairs: list[tuple[TPN, TPN]] = []
    for higher, lower in paired:
        colour = colour_of_higher(colours[higher], colours[lower], field.numbers[higher], field.initial_colour)
        white, black = (higher, lower) if colour is Colour.WHITE else (lower, higher)
        pairs.append((tpns[white], tpns[black]))
    scores = dict(zip(tpns, field.scores, strict=True))
    return Pairing(publication_order(pairs, scores), tpns[unpaired[0]] if unpaired else None)
