"""The round-pairing [C.04.3/2026 1.9]: from the top scoregroup down, bracket by bracket."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import groupby

from pairing.engine.basics.board_order import publication_order
from pairing.engine.basics.validation import validate
from pairing.engine.errors import InvariantError
from pairing.engine.model import TPN, Pairing, TournamentState

from .bracket import Bracket, BracketPairing
from .colours import white_of
from .completion import Completion
from .exact import pair_bracket
from .field import Field, RankedPlayer

PairBracket = Callable[[Bracket, Field, Completion], BracketPairing]


def pair_dutch_2026(state: TournamentState, pair_one: PairBracket = pair_bracket) -> Pairing:
    """Pair a round by the FIDE Dutch System in force from 1 February 2026 [C.04.3/2026].

    Boards come in publication order [C.04.2/2026 3.6], White first. *pair_one* pairs one bracket; any that
    is not the exact one has to give the same answer. Raises :class:`InputError` for a state that contradicts
    itself, :class:`NoLegalPairingError` where no round-pairing is complete [C.04.3/2026 1.9.3].
    """
    validate(state)
    field = Field.of(state)
    if not field.players:
        return Pairing(pairs=())
    completion = Completion(field)
    paired: list[tuple[RankedPlayer, RankedPlayer]] = []
    downfloaters: tuple[RankedPlayer, ...] = ()
    for residents, following, below in _scoregroups(field):
        bracket = Bracket(downfloaters, residents, following, below)
        pairing = pair_one(bracket, field, completion)
        paired.extend(pairing.pairs)
        downfloaters = pairing.downfloaters
    return _publish(paired, downfloaters, field)


def _scoregroups(
    field: Field,
) -> Iterator[tuple[tuple[RankedPlayer, ...], tuple[RankedPlayer, ...], tuple[RankedPlayer, ...]]]:
    """Each scoregroup from the top with the one that follows and all below that [C.04.3/2026 1.3.1]."""
    groups = [tuple(group) for _, group in groupby(field.players, key=lambda player: player.score)]
    for index, residents in enumerate(groups):
        following = groups[index + 1] if index + 1 < len(groups) else ()
        below = tuple(player for group in groups[index + 2 :] for player in group)
        yield residents, following, below


def _publish(
    paired: list[tuple[RankedPlayer, RankedPlayer]], unpaired: tuple[RankedPlayer, ...], field: Field
) -> Pairing:
    """Give the colours [C.04.3/2026 Article 5] and sort the boards."""
    if len(unpaired) > 1:
        raise InvariantError(f"{len(unpaired)} players were left unpaired")
    pairs: list[tuple[TPN, TPN]] = []
    for higher, lower in paired:
        white = white_of(higher, lower, field.initial_colour)
        pairs.append((white.tpn, (lower if white is higher else higher).tpn))
    scores = {player.tpn: player.score for player in field.players}
    return Pairing(publication_order(pairs, scores), unpaired[0].tpn if unpaired else None)
