"""Which colour each player of a pair receives: Article 5, for the checker."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from pairing.engine.errors import InvariantError
from pairing.engine.model import Colour, TournamentState

from .finding import Finding
from .legality import Board
from .records import PlayerRecord, Strength


def colours_5_2(state: TournamentState, boards: Sequence[Board]) -> Iterator[Finding]:
    """Every board has its colours by the first rule of Article
    5.2 that decides [C.04.3/2026 5.2].
    """
    for white, black in boards:
        colour, article = colour_of(white, black, state.initial_colour)
        if colour is not Colour.WHITE:
            message = f"Player {black.tpn} must have White against player {white.tpn}."
            yield Finding(
                "check.colours", article, message, {"white": white.tpn, "black": black.tpn}
            )


def colour_of(one: PlayerRecord, other: PlayerRecord, initial_colour: Colour) -> tuple[Colour, str]:
    """The colour of *one* against *other*, and the article that decided [C.04.3/2026 5.2]."""
    wishes = (one.preference, other.preference)
    if wishes[0].colour is not wishes[1].colour:
        return _grant(one, other), "C.04.3 5.2.1"
    stronger = _stronger_5_2_2(one, other)
    if stronger is not None:
        return _own_wish(stronger, one), "C.04.3 5.2.2"
    alternated = alternated_5_2_3(one, other)
    if alternated is not None:
        return alternated, "C.04.3 5.2.3"
    higher = min(one, other, key=lambda record: record.rank_key)
    if higher.preference.colour is not None:
        return _own_wish(higher, one), "C.04.3 5.2.4"
    if higher.number is None:
        raise InvariantError(f"player {higher.tpn} is not present in the round")
    colour = initial_colour if higher.number % 2 else initial_colour.opposite
    return (colour if higher is one else colour.opposite), "C.04.3 5.2.5"


def _grant(one: PlayerRecord, other: PlayerRecord) -> Colour:
    """The colour of *one* if both preferences can be granted; who has none yields [1.7.4]."""
    if one.preference.colour is not None:
        return one.preference.colour
    return _own_wish(other, one)


def _own_wish(player: PlayerRecord, one: PlayerRecord) -> Colour:
    """The colour of *one* when *player*, one of the pair, gets the preference he has."""
    colour = player.preference.colour
    if colour is None:
        raise InvariantError(f"player {player.tpn} has no colour preference to grant")
    return colour if player is one else colour.opposite


def _stronger_5_2_2(one: PlayerRecord, other: PlayerRecord) -> PlayerRecord | None:
    """Return who has the stronger preference; of absolute ones, the wider difference (R14)."""
    if one.preference.strength is not other.preference.strength:
        return max(one, other, key=lambda record: record.preference.strength)
    if one.preference.strength is Strength.ABSOLUTE:
        widths = abs(one.colour_difference), abs(other.colour_difference)
        if widths[0] != widths[1]:
            return one if widths[0] > widths[1] else other
    return None


def alternated_5_2_3(one: PlayerRecord, other: PlayerRecord) -> Colour | None:
    """The colour of *one* that alternates to the latest time the two had different colours.

    Games played are compared from the latest backwards, unplayed rounds removed (reading R12)
    [C.04.2/2026 3.4].
    """
    for mine, theirs in zip(reversed(one.colours), reversed(other.colours), strict=False):
        if mine is not theirs:
            return mine.opposite
    return None
