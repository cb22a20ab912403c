"""Define the quality criteria of the 2017 edition, in the order of section C.

``solver.criterion`` explains their form. Floats depend on the scores alone here: in a collapsed
last bracket two residents may have different scores, and then they float too. The text of
[C.8]-[C.11] is that of [C10]-[C13] of 2026.

[C.1]-[C.3] are in ``field`` and ``completion``. [C.4] is a condition on the graph (``graphs``).
[C.7] depends on the following bracket and is part of ``costs``.
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


def score_difference(higher: RankedPlayer, lower: RankedPlayer) -> int | None:
    """Return the score difference of a pair [C.04.3/2017 A.8], or None if the scores are equal."""
    return higher.score - lower.score or None


def downfloater_difference(player: RankedPlayer, lowest: int) -> int:
    """Return the score difference of a downfloater [C.04.3/2017 A.8].

    It is the difference to one point less than the *lowest* score of the bracket.
    """
    return player.score - lowest + ONE_POINT


def _lowest(view: View) -> int:
    return view.bracket.field.scores[view.bracket.resident_ranks.stop - 1]


def c5_downfloater(_view: View, _player: RankedPlayer) -> int:
    """[C.5] the number of downfloaters, the fewer the more pairs [C.04.3/2017 C.5]."""
    return 1


def c6_pair_difference(_view: View, higher: RankedPlayer, lower: RankedPlayer) -> int | None:
    """[C.6] the pairing score difference: what a pair adds to it [C.04.3/2017 C.6]."""
    return score_difference(higher, lower)


def c6_downfloater_difference(view: View, player: RankedPlayer) -> int:
    """[C.6] the pairing score difference: what a downfloater adds to it [C.04.3/2017 C.6]."""
    return downfloater_difference(player, _lowest(view))


def m1_mdp_not_paired(view: View, player: RankedPlayer) -> int:
    """M1 is the largest number of MDPs that can be paired, as [C.6] allows (docs/rules,
    R7) [C.04.3/2017 B.1.c].
    """
    return int(player.rank in view.bracket.mdp_ranks)


def c12_downfloat_as_last_round(_view: View, higher: RankedPlayer, lower: RankedPlayer) -> int:
    """[C.12] players who receive the same downfloat as the previous round:
    in a pair [C.04.3/2017 C.12].
    """
    return int(higher.score > lower.score and higher.last_float is Float.DOWN)


def c12_downfloater_as_last_round(_view: View, player: RankedPlayer) -> int:
    """[C.12] the same for a downfloater."""
    return int(player.last_float is Float.DOWN)


def c13_upfloat_as_last_round(_view: View, higher: RankedPlayer, lower: RankedPlayer) -> int:
    """[C.13] players who receive the same upfloat as the previous round [C.04.3/2017 C.13]."""
    return int(higher.score > lower.score and lower.last_float is Float.UP)


def c14_downfloat_as_two_rounds_before(
    _view: View, higher: RankedPlayer, lower: RankedPlayer
) -> int:
    """[C.14] players who receive the same downfloat as two rounds before:
    in a pair [C.04.3/2017 C.14].
    """
    return int(higher.score > lower.score and higher.float_before_last is Float.DOWN)


def c14_downfloater_as_two_rounds_before(_view: View, player: RankedPlayer) -> int:
    """[C.14] the same for a downfloater."""
    return int(player.float_before_last is Float.DOWN)


def c15_upfloat_as_two_rounds_before(_view: View, higher: RankedPlayer, lower: RankedPlayer) -> int:
    """[C.15] players who receive the same upfloat as two rounds before [C.04.3/2017 C.15]."""
    return int(higher.score > lower.score and lower.float_before_last is Float.UP)


def c16_downfloat_difference_last_round(
    _view: View, higher: RankedPlayer, lower: RankedPlayer
) -> int | None:
    """[C.16] score differences of those with the same downfloat as the previous round: in a pair
    [C.04.3/2017 C.16]."""
    return score_difference(higher, lower) if higher.last_float is Float.DOWN else None


def c16_downfloater_difference_last_round(view: View, player: RankedPlayer) -> int | None:
    """[C.16] the same for a downfloater, by A.8 (docs/rules, R10)."""
    return c6_downfloater_difference(view, player) if player.last_float is Float.DOWN else None


def c17_upfloat_difference_last_round(
    _view: View, higher: RankedPlayer, lower: RankedPlayer
) -> int | None:
    """[C.17] score differences of those with the same upfloat as
    the previous round [C.04.3/2017 C.17].
    """
    return score_difference(higher, lower) if lower.last_float is Float.UP else None


def c18_downfloat_difference_two_rounds_before(
    _view: View, higher: RankedPlayer, lower: RankedPlayer
) -> int | None:
    """[C.18] score differences of those with the same downfloat as two rounds before: in a pair
    [C.04.3/2017 C.18]."""
    return score_difference(higher, lower) if higher.float_before_last is Float.DOWN else None


def c18_downfloater_difference_two_rounds_before(view: View, player: RankedPlayer) -> int | None:
    """[C.18] the same for a downfloater, by A.8 (docs/rules, R10)."""
    return (
        c6_downfloater_difference(view, player) if player.float_before_last is Float.DOWN else None
    )


def c19_upfloat_difference_two_rounds_before(
    _view: View, higher: RankedPlayer, lower: RankedPlayer
) -> int | None:
    """[C.19] score differences of those with the same upfloat as
    two rounds before [C.04.3/2017 C.19].
    """
    return score_difference(higher, lower) if lower.float_before_last is Float.UP else None


C5 = Criterion("C5", "C.5", of_downfloater=c5_downfloater)
C6 = Criterion("C6", "C.6", c6_pair_difference, c6_downfloater_difference, is_list=True)
M1 = Criterion("M1", "B.1.c", of_downfloater=m1_mdp_not_paired)
COLOURS: tuple[Criterion, ...] = (
    Criterion("C8", "C.8", of_pair=colour_difference_beyond_two),
    Criterion("C9", "C.9", of_pair=same_colour_three_times),
    Criterion("C10", "C.10", of_pair=colour_preference_refused),
    Criterion("C11", "C.11", of_pair=strong_preference_refused),
)
"""[C.8]-[C.11] in descending priority."""
FLOATS: tuple[Criterion, ...] = (
    Criterion("C12", "C.12", c12_downfloat_as_last_round, c12_downfloater_as_last_round),
    Criterion("C13", "C.13", of_pair=c13_upfloat_as_last_round),
    Criterion(
        "C14", "C.14", c14_downfloat_as_two_rounds_before, c14_downfloater_as_two_rounds_before
    ),
    Criterion("C15", "C.15", of_pair=c15_upfloat_as_two_rounds_before),
    Criterion(
        "C16",
        "C.16",
        c16_downfloat_difference_last_round,
        c16_downfloater_difference_last_round,
        is_list=True,
    ),
    Criterion("C17", "C.17", of_pair=c17_upfloat_difference_last_round, is_list=True),
    Criterion(
        "C18",
        "C.18",
        c18_downfloat_difference_two_rounds_before,
        c18_downfloater_difference_two_rounds_before,
        is_list=True,
    ),
    Criterion("C19", "C.19", of_pair=c19_upfloat_difference_two_rounds_before, is_list=True),
)
"""[C.12]-[C.19] in descending priority."""
