"""The colour criteria, [C10]-[C13] of 2026 and [C.8]-[C.11] of 2017, which read the same."""

from __future__ import annotations

from pairing.engine.basics.colours import ColourRecord, Strength
from pairing.engine.dutch.colours import colour_of_higher
from pairing.engine.dutch.field import RankedPlayer
from pairing.engine.model import Colour

from .criterion import View


def _concerns_topscorer(higher: RankedPlayer, lower: RankedPlayer) -> bool:
    return higher.is_topscorer or lower.is_topscorer


def _new_colours(
    view: View, higher: RankedPlayer, lower: RankedPlayer
) -> list[tuple[ColourRecord, Colour]]:
    """Return the colours played by each of the two, with the colour that each would get."""
    colour = colour_of_higher(higher.colours, lower.colours, higher.number, view.initial_colour)
    return [(higher.colours, colour), (lower.colours, colour.opposite)]


def colour_difference_beyond_two(view: View, higher: RankedPlayer, lower: RankedPlayer) -> int:
    """[C10] topscorers or their opponents who get a colour
    difference beyond ±2 [C.04.3/2026 2.4.5].
    """
    if not _concerns_topscorer(higher, lower):
        return 0
    return sum(
        abs(played.difference + (1 if colour is Colour.WHITE else -1)) > 2
        for played, colour in _new_colours(view, higher, lower)
    )


def same_colour_three_times(view: View, higher: RankedPlayer, lower: RankedPlayer) -> int:
    """[C11] topscorers or their opponents who get a colour three
    times in a row [C.04.3/2026 2.4.6].
    """
    if not _concerns_topscorer(higher, lower):
        return 0
    return sum(
        played.history[-2:] == 2 * colour.letter
        for played, colour in _new_colours(view, higher, lower)
    )


def colour_preference_refused(_view: View, higher: RankedPlayer, lower: RankedPlayer) -> int:
    """[C12] players who do not get their colour preference:
    one of two with the same [C.04.3/2026 2.4.7].
    """
    preference = higher.colours.preference
    return int(preference is not None and preference is lower.colours.preference)


def strong_preference_refused(view: View, higher: RankedPlayer, lower: RankedPlayer) -> int:
    """[C13] players who do not get their strong colour preference,
    absolute ones included [C.04.3/2026 2.4.8].

    The stronger preference is granted, so one is refused only where both are strong (docs/rules,
    R4).
    """
    if not colour_preference_refused(view, higher, lower):
        return 0
    return int(min(higher.colours.strength, lower.colours.strength) >= Strength.STRONG)
