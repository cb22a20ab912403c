"""Define the quality criteria of the 2026 edition, in the order of Article 2.4.

``solver.criterion`` explains their form. [C10]-[C13] are in ``solver.colour_criteria``, [C1]-[C3]
in ``field``, [C4] and [C5] in ``completion``. [C8] depends on the whole candidate; it is part of
``costs``, which turns all criteria into the cost of a matching.
"""

from __future__ import annotations

from pairing.engine.dutch.field import RankedPlayer
from pairing.engine.dutch.floats import Float
from pairing.engine.dutch.solver.colour_criteria import (
    colour_difference_beyond_two,
    colour_preference_refused,
    same_colour_three_times,
    strong_preference_refused,
)
from pairing.engine.dutch.solver.criterion import ONE_POINT, Criterion, View


def c6_downfloater(_view: View, _player: RankedPlayer) -> int:
    """[C6] the number of downfloaters [C.04.3/2026 2.4.1]."""
    return 1


def c7_downfloater_score(_view: View, player: RankedPlayer) -> int:
    """[C7] the scores of the downfloaters [C.04.3/2026 2.4.2]."""
    return player.score


def c9_unplayed_games(_view: View, player: RankedPlayer) -> int:
    """[C9] the unplayed games of the player who will receive the PAB [C.04.3/2026 2.4.4]."""
    return player.unplayed


def c14_resident_downfloated_last_round(view: View, player: RankedPlayer) -> int:
    """[C14] resident downfloaters who had a downfloat the previous round [C.04.3/2026 2.4.9]."""
    return int(not view.bracket.is_mdp(player) and player.last_float is Float.DOWN)


def c15_opponent_upfloated_last_round(view: View, higher: RankedPlayer, lower: RankedPlayer) -> int:
    """[C15] MDP opponents who had an upfloat the previous round [C.04.3/2026 2.4.10]."""
    return int(view.bracket.is_mdp(higher) and lower.last_float is Float.UP)


def c16_resident_downfloated_before_last(view: View, player: RankedPlayer) -> int:
    """[C16] resident downfloaters who had a downfloat two rounds before [C.04.3/2026 2.4.11]."""
    return int(not view.bracket.is_mdp(player) and player.float_before_last is Float.DOWN)


def c17_opponent_upfloated_before_last(
    view: View, higher: RankedPlayer, lower: RankedPlayer
) -> int:
    """[C17] MDP opponents who had an upfloat two rounds before [C.04.3/2026 2.4.12]."""
    return int(view.bracket.is_mdp(higher) and lower.float_before_last is Float.UP)


def _difference(
    view: View, higher: RankedPlayer, lower: RankedPlayer, concerned: bool
) -> int | None:
    """Return the score difference of a pair with an MDP if *concerned*, otherwise None."""
    return higher.score - lower.score if concerned and view.bracket.is_mdp(higher) else None


def _limbo_difference(view: View, player: RankedPlayer, concerned: bool) -> int | None:
    """Count an MDP in the limbo as if paired a point below the residents (docs/rules, R5)."""
    if not concerned or not view.bracket.is_mdp(player):
        return None
    return player.score - view.bracket.resident_score + ONE_POINT


def c18_mdp_downfloated_last_round(
    view: View, higher: RankedPlayer, lower: RankedPlayer
) -> int | None:
    """[C18] score differences of MDPs who had a downfloat the
    previous round [C.04.3/2026 2.4.13].
    """
    return _difference(view, higher, lower, higher.last_float is Float.DOWN)


def c18_limbo(view: View, player: RankedPlayer) -> int | None:
    """[C18] for an MDP left in the limbo."""
    return _limbo_difference(view, player, player.last_float is Float.DOWN)


def c19_opponent_upfloated_last_round(
    view: View, higher: RankedPlayer, lower: RankedPlayer
) -> int | None:
    """[C19] score differences of MDP opponents who had an upfloat
    the previous round [C.04.3/2026 2.4.14].
    """
    return _difference(view, higher, lower, lower.last_float is Float.UP)


def c20_mdp_downfloated_before_last(
    view: View, higher: RankedPlayer, lower: RankedPlayer
) -> int | None:
    """[C20] score differences of MDPs who had a downfloat two
    rounds before [C.04.3/2026 2.4.15].
    """
    return _difference(view, higher, lower, higher.float_before_last is Float.DOWN)


def c20_limbo(view: View, player: RankedPlayer) -> int | None:
    """[C20] for an MDP left in the limbo."""
    return _limbo_difference(view, player, player.float_before_last is Float.DOWN)


def c21_opponent_upfloated_before_last(
    view: View, higher: RankedPlayer, lower: RankedPlayer
) -> int | None:
    """[C21] score differences of MDP opponents who had an upfloat
    two rounds before [C.04.3/2026 2.4.16].
    """
    return _difference(view, higher, lower, lower.float_before_last is Float.UP)


C6 = Criterion("C6", "2.4.1", of_downfloater=c6_downfloater)
C7 = Criterion("C7", "2.4.2", of_downfloater=c7_downfloater_score, is_list=True)
C9 = Criterion("C9", "2.4.4", of_downfloater=c9_unplayed_games)
AFTER_C9: tuple[Criterion, ...] = (
    Criterion("C10", "2.4.5", of_pair=colour_difference_beyond_two),
    Criterion("C11", "2.4.6", of_pair=same_colour_three_times),
    Criterion("C12", "2.4.7", of_pair=colour_preference_refused),
    Criterion("C13", "2.4.8", of_pair=strong_preference_refused),
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
