"""The quality criteria of the 2026 edition, one by one, in the order of Article 2.4.

Each criterion says what one pair (the higher ranked player first) or one downfloater adds to it. Some are
counts; the others are lists of score differences or scores "taken in descending order", of which a pair or a
downfloater adds one item, or None. A candidate is better the smaller its counts, and its lists compared item
by item from the largest.

[C1]-[C3] are in ``field``, [C4] and [C5] in ``completion``; [C8] is of the whole candidate and encoded
in ``weights``, which turns all of them into the cost of a matching.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from pairing.engine.basics.colours import ColourRecord, Strength
from pairing.engine.model import Colour

from .bracket import Bracket
from .colours import colour_of_higher
from .field import RankedPlayer
from .floats import Float

ONE_POINT = 10
"""In tenths."""


@dataclass(frozen=True, slots=True)
class View:
    """What a criterion may look at: the bracket, and the initial colour for the colours a pair would get."""

    bracket: Bracket
    initial_colour: Colour


PairMeasure = Callable[[View, RankedPlayer, RankedPlayer], int | None]
DownfloaterMeasure = Callable[[View, RankedPlayer], int | None]


def _nothing(_view: View, *_players: RankedPlayer) -> int | None:
    return None


@dataclass(frozen=True, slots=True)
class Criterion:
    """One quality criterion. ``is_list``: items compared in descending order, instead of a sum."""

    name: str
    article: str
    of_pair: PairMeasure = _nothing
    of_downfloater: DownfloaterMeasure = _nothing
    is_list: bool = False


def c6_downfloater(_view: View, _player: RankedPlayer) -> int:
    """[C6] the number of downfloaters [C.04.3/2026 2.4.1]."""
    return 1


def c7_downfloater_score(_view: View, player: RankedPlayer) -> int:
    """[C7] the scores of the downfloaters [C.04.3/2026 2.4.2]."""
    return player.score


def c9_unplayed_games(_view: View, player: RankedPlayer) -> int:
    """[C9] the unplayed games of who will receive the PAB [C.04.3/2026 2.4.4]."""
    return player.unplayed


def _concerns_topscorer(higher: RankedPlayer, lower: RankedPlayer) -> bool:
    return higher.is_topscorer or lower.is_topscorer


def _new_colours(view: View, higher: RankedPlayer, lower: RankedPlayer) -> list[tuple[ColourRecord, Colour]]:
    """What the two have played, with the colour each would get."""
    colour = colour_of_higher(higher.colours, lower.colours, higher.number, view.initial_colour)
    return [(higher.colours, colour), (lower.colours, colour.opposite)]


def c10_colour_difference_beyond_two(view: View, higher: RankedPlayer, lower: RankedPlayer) -> int:
    """[C10] topscorers or their opponents who get a colour difference beyond ±2 [C.04.3/2026 2.4.5]."""
    if not _concerns_topscorer(higher, lower):
        return 0
    return sum(
        abs(played.difference + (1 if colour is Colour.WHITE else -1)) > 2
        for played, colour in _new_colours(view, higher, lower)
    )


def c11_same_colour_three_times(view: View, higher: RankedPlayer, lower: RankedPlayer) -> int:
    """[C11] topscorers or their opponents who get a colour three times in a row [C.04.3/2026 2.4.6]."""
    if not _concerns_topscorer(higher, lower):
        return 0
    return sum(played.history[-2:] == 2 * colour.letter for played, colour in _new_colours(view, higher, lower))


def c12_colour_preference_refused(_view: View, higher: RankedPlayer, lower: RankedPlayer) -> int:
    """[C12] players who do not get their colour preference: one of two with the same [C.04.3/2026 2.4.7]."""
    preference = higher.colours.preference
    return int(preference is not None and preference is lower.colours.preference)


def c13_strong_preference_refused(view: View, higher: RankedPlayer, lower: RankedPlayer) -> int:
    """[C13] players who do not get their strong colour preference, absolute ones included [C.04.3/2026 2.4.8].

    The stronger preference is granted, so one is refused only where both are strong (docs/rules, R4).
    """
    if not c12_colour_preference_refused(view, higher, lower):
        return 0
    return int(min(higher.colours.strength, lower.colours.strength) >= Strength.STRONG)


def c14_resident_downfloated_last_round(view: View, player: RankedPlayer) -> int:
    """[C14] resident downfloaters who had a downfloat the previous round [C.04.3/2026 2.4.9]."""
    return int(not view.bracket.is_mdp(player) and player.last_float is Float.DOWN)


def c15_opponent_upfloated_last_round(view: View, higher: RankedPlayer, lower: RankedPlayer) -> int:
    """[C15] MDP opponents who had an upfloat the previous round [C.04.3/2026 2.4.10]."""
    return int(view.bracket.is_mdp(higher) and lower.last_float is Float.UP)


def c16_resident_downfloated_before_last(view: View, player: RankedPlayer) -> int:
    """[C16] resident downfloaters who had a downfloat two rounds before [C.04.3/2026 2.4.11]."""
    return int(not view.bracket.is_mdp(player) and player.float_before_last is Float.DOWN)


def c17_opponent_upfloated_before_last(view: View, higher: RankedPlayer, lower: RankedPlayer) -> int:
    """[C17] MDP opponents who had an upfloat two rounds before [C.04.3/2026 2.4.12]."""
    return int(view.bracket.is_mdp(higher) and lower.float_before_last is Float.UP)


def _difference(view: View, higher: RankedPlayer, lower: RankedPlayer, concerned: bool) -> int | None:
    """The score difference of a pair with an MDP, if that pair is *concerned*."""
    return higher.score - lower.score if concerned and view.bracket.is_mdp(higher) else None


def _limbo_difference(view: View, player: RankedPlayer, concerned: bool) -> int | None:
    """An MDP left in the limbo counts as if paired one point below the residents (docs/rules, R5)."""
    if not concerned or not view.bracket.is_mdp(player):
        return None
    return player.score - view.bracket.resident_score + ONE_POINT


def c18_mdp_downfloated_last_round(view: View, higher: RankedPlayer, lower: RankedPlayer) -> int | None:
    """[C18] score differences of MDPs who had a downfloat the previous round [C.04.3/2026 2.4.13]."""
    return _difference(view, higher, lower, higher.last_float is Float.DOWN)


def c18_limbo(view: View, player: RankedPlayer) -> int | None:
    """[C18] for an MDP left in the limbo."""
    return _limbo_difference(view, player, player.last_float is Float.DOWN)


def c19_opponent_upfloated_last_round(view: View, higher: RankedPlayer, lower: RankedPlayer) -> int | None:
    """[C19] score differences of MDP opponents who had an upfloat the previous round [C.04.3/2026 2.4.14]."""
    return _difference(view, higher, lower, lower.last_float is Float.UP)


def c20_mdp_downfloated_before_last(view: View, higher: RankedPlayer, lower: RankedPlayer) -> int | None:
    """[C20] score differences of MDPs who had a downfloat two rounds before [C.04.3/2026 2.4.15]."""
    return _difference(view, higher, lower, higher.float_before_last is Float.DOWN)


def c20_limbo(view: View, player: RankedPlayer) -> int | None:
    """[C20] for an MDP left in the limbo."""
    return _limbo_difference(view, player, player.float_before_last is Float.DOWN)


def c21_opponent_upfloated_before_last(view: View, higher: RankedPlayer, lower: RankedPlayer) -> int | None:
    """[C21] score differences of MDP opponents who had an upfloat two rounds before [C.04.3/2026 2.4.16]."""
    return _difference(view, higher, lower, lower.float_before_last is Float.UP)


C6 = Criterion("C6", "2.4.1", of_downfloater=c6_downfloater)
C7 = Criterion("C7", "2.4.2", of_downfloater=c7_downfloater_score, is_list=True)
C9 = Criterion("C9", "2.4.4", of_downfloater=c9_unplayed_games)
AFTER_C9: tuple[Criterion, ...] = (
    Criterion("C10", "2.4.5", of_pair=c10_colour_difference_beyond_two),
    Criterion("C11", "2.4.6", of_pair=c11_same_colour_three_times),
    Criterion("C12", "2.4.7", of_pair=c12_colour_preference_refused),
    Criterion("C13", "2.4.8", of_pair=c13_strong_preference_refused),
    Criterion("C14", "2.4.9", of_downfloater=c14_resident_downfloated_last_round),
    Criterion("C15", "2.4.10", of_pair=c15_opponent_upfloated_last_round),
    Criterion("C16", "2.4.11", of_downfloater=c16_resident_downfloated_before_last),
    Criterion("C17", "2.4.12", of_pair=c17_opponent_upfloated_before_last),
    Criterion("C18", "2.4.13", c18_mdp_downfloated_last_round, c18_limbo, is_list=True),
    Criterion("C19", "2.4.14", of_pair=c19_opponent_upfloated_last_round, is_list=True),
    Criterion("C20", "2.4.15", c20_mdp_downfloated_before_last, c20_limbo, is_list=True),
    Criterion("C21", "2.4.16", of_pair=c21_opponent_upfloated_before_last, is_list=True),
)
"""[C10]-[C21] in descending priority."""
