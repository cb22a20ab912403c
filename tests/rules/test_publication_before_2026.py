"""Published pairings under the rules before 2026 [C.04.2/2017 D.10; C.04.3/pre2017 F6, F7]."""

from dataclasses import replace

import pytest

from pairing.engine.model import TPN
from pairing.rules.handling import HANDLING, HandlingRules
from pairing.rules.published import SITUATIONS_2026, Published, Situation
from tests.rules.test_publication import (
    NOW,
    ODD,
    SWAPPED,
    arrangement,
    pairs,
    published,
    verdict,
)


class TestBefore2026:
    C2017 = HANDLING["c04_2_2017"]
    PRE2017 = HANDLING["pre2017"]

    def under(self, rules: HandlingRules, **facts) -> Published:
        return published(NOW, situations=rules.situations, forbids=rules.changes, **facts)

    @pytest.mark.parametrize(
        "situation",
        [situation for situation in Situation if situation is not Situation.ALREADY_MET],
    )
    def test_c04_2_2017_d_10_only_for_a_repeated_game(self, situation):
        facts = self.under(self.C2017, clause="7.3", is_last=True, top_boards=9, met=pairs("1-2"))
        assert verdict(facts, SWAPPED, situation) == "change.no_such_situation [C.04.2 D.10]"
        assert verdict(facts, SWAPPED, Situation.ALREADY_MET) == "allowed"
        assert (
            verdict(self.under(self.C2017), SWAPPED, Situation.ALREADY_MET)
            == "change.nobody_met [C.04.2 D.10]"
        )

    @pytest.mark.parametrize("situation", SITUATIONS_2026)
    def test_c04_3_pre2017_f6_none_of_the_situations_of_today(self, situation):
        facts = self.under(self.PRE2017, clause="7.3", is_last=True, top_boards=9, met=pairs("1-2"))
        assert verdict(facts, SWAPPED, situation) == "change.no_such_situation [C.04.3 F6]"

    @pytest.mark.parametrize(
        "broken, after, expected",
        [
            ({1}, SWAPPED, "allowed"),
            ({1}, arrangement("1-4 3-6 5-2"), "change.not_minimal [C.04.3 F6]"),
            (set(), SWAPPED, "change.nothing_broken [C.04.3 F6]"),
            ({1, 3}, SWAPPED, "change.still_broken [C.04.3 F6]"),
        ],
    )
    def test_c04_3_pre2017_f6_a_broken_absolute_criterion(self, broken, after, expected):
        """Both players of board 1 had White in the two previous rounds."""
        facts = self.under(
            self.PRE2017, broken=frozenset(broken), barred={TPN(1): "w", TPN(2): "w"}
        )
        assert verdict(facts, after, Situation.ABSOLUTE_CRITERION) == expected

    def test_c04_3_pre2017_f6_colours_alone_are_corrected_at_their_board(self):
        facts = self.under(self.PRE2017, broken=frozenset({1}), barred={TPN(1): "w"})
        assert verdict(facts, arrangement("2-1 3-4 5-6"), Situation.ABSOLUTE_CRITERION) == "allowed"
        assert (
            verdict(facts, SWAPPED, Situation.ABSOLUTE_CRITERION)
            == "change.not_minimal [C.04.3 F6]"
        )

    @pytest.mark.parametrize(
        "after, expected",
        [
            (arrangement("1-7 3-4 5-6", U="2", Z="8"), "allowed"),
            (arrangement("1-4 3-2 5-6", U="7", Z="8"), "change.bye_still_broken [C.04.3 F6]"),
            (arrangement("1-7 3-2 5-6", U="4", Z="8"), "change.not_minimal [C.04.3 F6]"),
            (arrangement("7-2 3-4 5-6", U="1", Z="8"), "change.second_bye [C.04.1 4]"),
        ],
    )
    def test_c04_3_pre2017_f6_a_bye_that_breaks_it(self, after, expected):
        facts = replace(
            self.under(self.PRE2017, broken=frozenset({None}), no_bye=frozenset({TPN(7), TPN(1)})),
            now=ODD,
        )
        assert verdict(facts, after, Situation.ABSOLUTE_CRITERION) == expected

    @pytest.mark.parametrize(
        "after, facts, expected",
        [
            (SWAPPED, {}, "allowed"),
            (SWAPPED, {"corrected": False}, "change.nothing_corrected [C.04.3 F7]"),
            (SWAPPED, {"results": {3: "10"}}, "change.being_played [C.04.3 F7]"),
            (SWAPPED, {"begun": True}, "change.begun [C.04.3 F7]"),
            # The engine pairs as before, or differently from these boards.
            (SWAPPED, {"follows": None}, "change.nothing_follows [C.04.3 F7]"),
            (
                SWAPPED,
                {"follows": arrangement("5-6 1-2 3-4")},
                "change.nothing_follows [C.04.3 F7]",
            ),
            (arrangement("1-6 3-4 5-2"), {}, "change.does_not_follow [C.04.3 F7]"),
            (arrangement("1-4 3-2 6-5"), {}, "change.does_not_follow [C.04.3 F7]"),
        ],
    )
    def test_c04_3_pre2017_f7_what_follows_from_a_correction_and_a_round_not_yet_played(
        self, after, facts, expected
    ):
        given = {"corrected": True, "follows": arrangement("3-2 1-4 5-6")} | facts
        assert verdict(self.under(self.PRE2017, **given), after, Situation.CORRECTION) == expected

    def test_c04_3_pre2017_f7_the_bye_follows_too(self):
        facts = self.under(self.PRE2017, corrected=True, follows=arrangement("1-7 3-4 5-6", U="2"))
        right = arrangement("1-7 3-4 5-6", U="2", Z="8")
        assert verdict(replace(facts, now=ODD), right, Situation.CORRECTION) == "allowed"
        wrong = replace(facts, now=ODD, follows=arrangement("1-7 3-4 5-6", U="8"))
        assert verdict(wrong, right, Situation.CORRECTION) == "change.does_not_follow [C.04.3 F7]"
