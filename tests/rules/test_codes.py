"""The codes of the rules that records, files and pages keep:
another word would make old records unreadable.
"""

from __future__ import annotations

from enum import Enum

import pytest

from pairing.rules.check_in import ARTICLE, Answer, Consequence
from pairing.rules.corrections import CorrectionEffect, CorrectionKind, Moment
from pairing.rules.draws import Draw
from pairing.rules.entries import ByeWarning
from pairing.rules.hand_over import HANDED_OVER, WHILE_AWAY
from pairing.rules.manual import COLOUR_CODES
from pairing.rules.number_of_rounds import LastPaired
from pairing.rules.plausible import PLAYED
from pairing.rules.rounds import RoundState
from pairing.rules.second_reading import ReadingState


@pytest.mark.parametrize(
    "kind, codes",
    [
        (RoundState, "planned draft pairings_published results_published"),
        # What happens to players who have not confirmed [C.04.2/2026 4.1]: Z and H as in a report
        # to FIDE.
        (Consequence, "excluded Z H paired"),
        (Answer, "skip withdraw coming"),
        # Mistakes, when they are reported, and what they affect [C.04.2/2026 4.3].
        (CorrectionKind, "result colours rating"),
        (CorrectionEffect, "next_round next_pairing rating_only"),
        (
            Moment,
            (
                "before_publication in_time overtaken silent after_pairing after_next_round "
                "entered_late"
            ),
        ),
        # The draws of [C.04.3/2026 5.1] and [C.07/2026 4.2]; the words are part of the computation.
        (Draw, "colour lots"),
        (ReadingState, "no_result unread agreed different decided"),
        # A second bye with points, and a full point without a game [C.04.2/2026 3.3].
        (ByeWarning, "second full_point"),
        (LastPaired, "becomes_last no_longer_last neither"),
    ],
)
def test_the_codes_never_change(kind: type[Enum], codes: str) -> None:
    assert [each.value for each in kind] == codes.split()


def test_c04_2_4_1_the_check_in_names_its_article() -> None:
    assert ARTICLE == "C.04.2 4.1"


def test_only_a_hand_over_is_followed_by_these_two_actions() -> None:
    assert HANDED_OVER == "tournament.handed_over"
    assert {"tournament.taken_over", "tournament.brought_back"} == WHILE_AWAY


def test_c04_1_6_7_the_two_rules_about_colours_that_no_board_may_break() -> None:
    assert {"third_colour", "colour_difference"} == COLOUR_CODES


def test_the_results_of_played_games() -> None:
    """In the letters of a report to FIDE: rated, and unrated of one move;
    a win, a draw and a loss of White.
    """
    assert PLAYED == {"10": 1, "WL": 1, "==": 0.5, "DD": 0.5, "01": 0, "LW": 0}
