"""What a refused change of published pairings names:
the article, and the players or boards [C.04.2/2026 4.4].
"""

from __future__ import annotations

from dataclasses import replace

import pytest

from pairing.engine.basics.colours import colour_record
from pairing.engine.due_colours import DueColours
from pairing.engine.dutch.colours import colour_of_higher
from pairing.engine.model import TPN, Colour
from pairing.rules.handling import HANDLING
from pairing.rules.publication import is_larger, may_change, may_deviate
from pairing.rules.published import SITUATIONS_2026, Arrangement, Published, Situation
from pairing.rules.rounds import RoundState
from pairing.rules.situations import NOTHING, Given
from pairing.rules.smallest import proposal
from pairing.rules.verdict import ALLOWED, Refused, Verdict
from tests.rules.test_publication import (
    LATE,
    MISSING_4,
    NOW,
    ODD,
    SWAPPED,
    arrangement,
    pairs,
    published,
)

PRE2017 = HANDLING["pre2017"]
F6_F7 = {"situations": PRE2017.situations, "forbids": PRE2017.changes}
EVERYBODY = frozenset(TPN(n) for n in range(1, 12))
THREE = arrangement("1-4 3-6 5-2")


def players(*numbers: int) -> frozenset[TPN]:
    return frozenset(TPN(n) for n in numbers)


def verdict(
    facts: Published,
    after: Arrangement,
    situation: Situation,
    given: Given = NOTHING,
    agreed: frozenset[TPN] = EVERYBODY,
) -> Verdict:
    return may_change(facts, after, situation, consents=agreed, given=given)


@pytest.mark.parametrize(
    "now, facts, after, expected",
    [
        (
            NOW,
            {"state": RoundState.DRAFT},
            SWAPPED,
            Refused("change.not_published", "", {"round": 3}),
        ),
        (
            NOW,
            {"state": RoundState.RESULTS_PUBLISHED},
            SWAPPED,
            Refused("change.round_over", "C.04.2 4.4", {"round": 3}),
        ),
        (
            NOW,
            {},
            arrangement("1-2 3-4 5-1 2-6"),
            Refused("change.two_places", "", {"players": [1, 2]}),
        ),
        (NOW, {}, arrangement("1-2 3-4"), Refused("change.no_place", "", {"players": [5, 6]})),
        (
            NOW,
            {},
            arrangement("1-2 3-4", U="5 6"),
            Refused("change.two_allocated_byes", "C.04.1 3"),
        ),
        (NOW, {}, NOW, Refused("change.nothing", "")),
        (
            NOW,
            {"results": {1: "10", 2: "01"}},
            SWAPPED,
            Refused("change.played", "C.04.2 4.4", {"boards": [1, 2]}),
        ),
        (
            NOW,
            {"met": pairs("2-3")},
            SWAPPED,
            Refused("change.would_meet_again", "C.04.1 2", {"board": 2}),
        ),
        (
            NOW,
            {"prohibited": pairs("1-4")},
            SWAPPED,
            Refused("change.prohibited", "C.04.2 1.5", {"board": 1}),
        ),
        (
            ODD,
            {"no_bye": players(2, 7)},
            arrangement("1-7 3-4 5-6", U="2", Z="8"),
            Refused("change.second_bye", "C.04.1 4", {"players": [2]}),
        ),
        (
            NOW,
            {"late": players(7, 8)},
            arrangement("1-7 8-4 5-6", Z="2 3"),
            Refused("change.newcomer", "C.04.2 4.4.4", {"players": [7, 8]}),
        ),
        # A late entry with zero points in the published round joins it too.
        (
            arrangement("1-2 3-4", Z="9"),
            {"late": players(9)},
            arrangement("1-9 3-4", Z="2"),
            Refused("change.newcomer", "C.04.2 4.4.4", {"players": [9]}),
        ),
        (
            ODD,
            {},
            arrangement("1-3 . 5-6", U="7", Z="8 2 4"),
            Refused("change.sent_home", "C.04.2 4.4", {"players": [2, 4]}),
        ),
        (
            ODD,
            {},
            arrangement("3-4 1-2 6-5", U="7", Z="8"),
            Refused("change.board_moved", "C.04.2 4.4", {"boards": [1, 2]}),
        ),
        (NOW, {"clause": ""}, SWAPPED, Refused("change.no_clause", "C.04.2 4.4.2")),
        (
            NOW,
            {"begun": True},
            SWAPPED,
            Refused("change.begun", "C.04.2 4.4.2", {"boards": [1, 2]}),
        ),
        (
            NOW,
            {"begun": True, "results": {1: "", 2: ""}},
            SWAPPED,
            Refused("change.begun", "C.04.2 4.4.2", {"boards": [1, 2]}),
        ),
        # Boards 1 and 2 each change more than board 1 needs: its players can meet the holder of the
        # bye.
        (
            ODD,
            {},
            arrangement("1-7 3-2 5-6", U="4", Z="8"),
            Refused("change.not_minimal", "C.04.2 4.4.2", {"broken": 2, "least": 1}),
        ),
        # Two players without a board may get one; no published game changes.
        (ODD, {}, arrangement("1-2 3-4 5-6 7-8"), ALLOWED),
    ],
)
def test_c04_2_4_4_2_what_a_refusal_names(now, facts, after, expected):
    facts = published(now, **({"clause": "7.3"} | facts))
    assert verdict(facts, after, Situation.REGULATIONS) == expected


@pytest.mark.parametrize(
    "now, facts, after, expected",
    [
        (NOW, {}, SWAPPED, Refused("change.nobody_met", "C.04.2 4.4.1")),
        (
            NOW,
            {"met": pairs("1-2", "3-4")},
            arrangement("1-2 3-4 6-5"),
            Refused("change.still_meet", "C.04.2 4.4.1", {"boards": [1, 2]}),
        ),
        (
            ODD,
            {"met": pairs("1-2")},
            arrangement("1-8 3-4 5-6 2-7"),
            Refused("change.more_than_needed", "C.04.2 4.4.1", {"players": [8]}),
        ),
        (
            NOW,
            {"met": pairs("1-2"), "begun": True},
            THREE,
            Refused("change.not_minimal", "C.04.2 4.4.1", {"broken": 3, "least": 2}),
        ),
    ],
)
def test_c04_2_4_4_1_what_a_refusal_names(now, facts, after, expected):
    assert verdict(published(now, **facts), after, Situation.ALREADY_MET) == expected


def test_c04_2_4_4_1_boards_with_missing_players_have_not_begun():
    """A further reason may break them up after the start: nobody plays there.

    One of them, and a bye, would do.
    """
    now = arrangement("1-2 3-4 5-6 7-8 9-10")
    facts = published(now, met=pairs("1-2"), begun=True, results=dict.fromkeys((2, 3, 4, 5), "+-"))
    after = arrangement("1-3 2-5 7-9", Z="4 6 8 10")
    refused = Refused("change.not_minimal", "C.04.2 4.4.1", {"broken": 5, "least": 2})
    assert verdict(facts, after, Situation.ALREADY_MET) == refused
    assert verdict(facts, after, Situation.ALREADY_MET, Given(further=True)) == ALLOWED


def test_c04_2_4_4_2_a_further_reason_allows_a_larger_change():
    facts = published(NOW, clause="7.3")
    refused = Refused("change.not_minimal", "C.04.2 4.4.2", {"broken": 3, "least": 2})
    assert verdict(facts, THREE, Situation.REGULATIONS) == refused
    assert verdict(facts, THREE, Situation.REGULATIONS, Given(further=True)) == ALLOWED


@pytest.mark.parametrize(
    "after, facts, expected",
    [
        (
            arrangement("1-2 3-5", U="7", Z="4 6 8"),
            {},
            Refused("change.not_alone", "C.04.2 4.4.3", {"players": (3, 7, 8)}),
        ),
        (arrangement("1-2 3-7 6-5", Z="4 8"), {}, Refused("change.others_touched", "C.04.2 4.4.3")),
        (
            arrangement("1-2 7-3 5-6", Z="4 8"),
            {"points": {TPN(n): 10 for n in range(1, 9)} | {TPN(7): 21}},
            Refused("change.not_close", "C.04.2 4.4.3", {"one": 3, "other": 7}),
        ),
    ],
)
def test_c04_2_4_4_3_what_a_refusal_names(after, facts, expected):
    facts = published(ODD, results=MISSING_4, **facts)
    assert verdict(facts, after, Situation.WITHOUT_OPPONENT) == expected


@pytest.mark.parametrize(
    "now, after, agreed, expected",
    [
        (NOW, SWAPPED, EVERYBODY, Refused("change.no_late_entry", "C.04.2 4.4.4")),
        (
            ODD,
            arrangement("1-9 3-4 5-6 7-2", Z="8"),
            EVERYBODY,
            Refused("change.not_minimal", "C.04.2 4.4.4", {"broken": 1, "least": 0}),
        ),
        (
            ODD,
            arrangement("1-2 3-4 5-6 7-9", H="8"),
            EVERYBODY,
            Refused("change.more_than_needed", "C.04.2 4.4.4", {"players": [8]}),
        ),
        # 11 is not a late entry of this round.
        (
            NOW,
            arrangement("1-2 3-4 5-6 9-11"),
            EVERYBODY,
            Refused("change.newcomer", "C.04.2 4.4.4", {"players": [9, 11]}),
        ),
        (
            ODD,
            arrangement("1-2 3-4 5-6 7-9", Z="8"),
            players(1),
            Refused("change.consent_missing", "C.04.2 4.4.4", {"players": [7, 9]}),
        ),
    ],
)
def test_c04_2_4_4_4_what_a_refusal_names(now, after, agreed, expected):
    assert verdict(published(now, **LATE), after, Situation.LATE_ENTRY, agreed=agreed) == expected


def test_c04_2_4_4_3_the_new_board_may_have_a_new_number():
    facts = published(ODD, results=MISSING_4)
    assert (
        verdict(facts, arrangement("1-2 . 5-6 3-7", Z="4 8"), Situation.WITHOUT_OPPONENT) == ALLOWED
    )


def test_c04_2_4_4_5_what_a_refusal_names():
    refused = Refused("change.not_last_round", "C.04.2 4.4.5", {"round": 3})
    assert verdict(published(NOW), SWAPPED, Situation.TOP_BOARDS) == refused
    refused = Refused("change.below_top_boards", "C.04.2 4.4.5", {"boards": [2], "top": 1})
    assert (
        verdict(published(NOW, is_last=True, top_boards=1), SWAPPED, Situation.TOP_BOARDS)
        == refused
    )


@pytest.mark.parametrize(
    "now, facts, after, expected",
    [
        (NOW, {}, SWAPPED, Refused("change.nothing_broken", "C.04.3 F6")),
        (
            NOW,
            {"broken": frozenset({3, None, 1})},
            arrangement("1-2 4-3 5-6"),
            Refused("change.still_broken", "C.04.3 F6", {"boards": [1, 3]}),
        ),
        (
            ODD,
            {"broken": frozenset({None})},
            arrangement("1-4 3-2 5-6", U="7", Z="8"),
            Refused("change.bye_still_broken", "C.04.3 F6"),
        ),
        # The bye is not one of the boards.
        (
            ODD,
            {"broken": frozenset({None})},
            arrangement("1-7 3-2 5-6", U="4", Z="8"),
            Refused("change.not_minimal", "C.04.3 F6", {"broken": 2, "least": 1}),
        ),
        # The bye may stay if only a board breaks a criterion.
        (ODD, {"broken": frozenset({1})}, arrangement("2-1 3-4 5-6", U="7", Z="8"), ALLOWED),
        # These rules have no article for late entries.
        (
            NOW,
            {"broken": frozenset({1})},
            arrangement("1-7 3-4 5-6", Z="2"),
            Refused("change.newcomer", "C.04.3 F6", {"players": [7]}),
        ),
    ],
)
def test_c04_3_pre2017_f6_what_a_refusal_names(now, facts, after, expected):
    assert (
        verdict(published(now, **F6_F7, **facts), after, Situation.ABSOLUTE_CRITERION) == expected
    )


FOLLOWS = {"corrected": True, "follows": arrangement("3-2 1-4 5-6")}


@pytest.mark.parametrize(
    "facts, after, expected",
    [
        (FOLLOWS | {"corrected": False}, SWAPPED, Refused("change.nothing_corrected", "C.04.3 F7")),
        (
            FOLLOWS | {"results": {2: "", 3: "10"}},
            SWAPPED,
            Refused("change.being_played", "C.04.3 F7", {"boards": [3]}),
        ),
        (FOLLOWS | {"follows": None}, SWAPPED, Refused("change.nothing_follows", "C.04.3 F7")),
        (FOLLOWS, THREE, Refused("change.does_not_follow", "C.04.3 F7", {"boards": (2, 3)})),
        # The boards are those of the engine, but not the bye: the boards that had to change are
        # named.
        (
            {"now": ODD, "corrected": True, "follows": arrangement("1-7 3-4 5-6", U="8")},
            arrangement("1-7 3-4 5-6", U="2", Z="8"),
            Refused("change.does_not_follow", "C.04.3 F7", {"boards": (1,)}),
        ),
        (FOLLOWS | {"results": {2: ""}}, SWAPPED, ALLOWED),
        (
            FOLLOWS | {"begun": True},
            SWAPPED,
            Refused("change.begun", "C.04.3 F7", {"boards": [1, 2]}),
        ),
    ],
)
def test_c04_3_pre2017_f7_what_a_refusal_names(facts, after, expected):
    assert (
        verdict(replace(published(NOW, **F6_F7), **facts), after, Situation.CORRECTION) == expected
    )


def test_c04_2_4_4_what_is_not_entered_allows_nothing():
    """Without a clause, top boards or a correction the situations about them do not apply."""
    facts = published(NOW, is_last=True)
    assert verdict(facts, SWAPPED, Situation.REGULATIONS) == Refused(
        "change.no_clause", "C.04.2 4.4.2"
    )
    below = Refused("change.below_top_boards", "C.04.2 4.4.5", {"boards": [1, 2], "top": 0})
    assert verdict(facts, SWAPPED, Situation.TOP_BOARDS) == below
    facts = published(NOW, follows=arrangement("3-2 1-4 5-6"), **F6_F7)
    assert verdict(facts, SWAPPED, Situation.CORRECTION) == Refused(
        "change.nothing_corrected", "C.04.3 F7"
    )


def test_c04_2_4_4_the_names_of_the_situations_are_kept_in_the_record():
    assert {
        situation: f"C.04.2 {situation.value}" for situation in SITUATIONS_2026
    } == SITUATIONS_2026
    assert (Situation.ABSOLUTE_CRITERION.value, Situation.CORRECTION.value) == (
        "absolute",
        "correction",
    )


def test_c04_2_4_4_what_is_refused_for_another_reason_is_not_larger():
    facts = published(NOW)
    assert verdict(facts, THREE, Situation.REGULATIONS) == Refused(
        "change.no_clause", "C.04.2 4.4.2"
    )
    assert not is_larger(facts, THREE, Situation.REGULATIONS)
    assert is_larger(replace(facts, clause="7.3"), THREE, Situation.REGULATIONS)


class TestColours:
    REFUSED = "change.colours_need_not_break"

    def test_c04_3_pre2017_f6_colours_that_the_smallest_change_does_not_need_are_refused(self):
        """1 and 4 had White twice: together they break a colour rule, but 3-1 2-4 does not."""
        facts = published(NOW, broken=frozenset({1}), barred={TPN(1): "w", TPN(4): "w"}, **F6_F7)
        verdict = may_deviate(
            facts, SWAPPED, Situation.ABSOLUTE_CRITERION, given=Given(exception=True)
        )
        assert verdict == Refused(self.REFUSED, "C.04.1 7", {"boards": [1]})

    def test_c04_2_4_4_1_without_any_sufficient_change_colours_need_a_reason(self):
        """The players of board 1 have met and have begun, so no change is proposed."""
        facts = published(
            NOW, met=pairs("1-2"), results={1: "10"}, barred={TPN(1): "w", TPN(4): "w"}
        )
        assert proposal(facts, Situation.ALREADY_MET) is None
        missing = Refused("change.exception_missing", "C.04.1 7", {"boards": [1]})
        assert may_deviate(facts, SWAPPED, Situation.ALREADY_MET, given=NOTHING) == missing

    def test_c04_1_7_a_board_that_disappears_has_no_colours(self):
        facts = published(ODD, clause="7.3", results={2: "--"}, barred={TPN(3): "w", TPN(4): "b"})
        after = arrangement("1-2 . 5-6", U="7", Z="8 3 4")
        assert may_deviate(facts, after, Situation.REGULATIONS, given=NOTHING) == ALLOWED

    def test_c04_2_4_4_4_colours_of_the_late_entries_who_are_admitted_now(self):
        """7 and 9 had White twice.

        Alone 9 must meet 7; with 10 there is a board for the two late entries.
        """
        now = arrangement("", U="7")
        facts = published(now, barred={TPN(7): "w", TPN(9): "w"}, **LATE)
        missing = Refused("change.exception_missing", "C.04.1 7", {"boards": [1]})
        both = arrangement("7-9", U="10")
        needless = Refused(self.REFUSED, "C.04.1 7", {"boards": [1]})
        assert (
            may_deviate(facts, arrangement("7-9"), Situation.LATE_ENTRY, given=NOTHING) == missing
        )
        assert (
            may_deviate(facts, both, Situation.LATE_ENTRY, given=Given(exception=True)) == needless
        )


class TestProposals:
    def test_c04_2_4_4_1_of_two_equal_changes_the_first_is_proposed(self):
        found = proposal(published(NOW, met=pairs("3-4")), Situation.ALREADY_MET)
        assert found is not None
        assert found.games == (1, 2)

    def test_c04_2_4_4_4_the_first_board_of_a_round_without_boards(self):
        facts = published(arrangement("", U="7"), late=players(9))
        found = proposal(facts, Situation.LATE_ENTRY)
        assert found is not None
        assert found.after == arrangement("7-9")

    def test_c04_3_pre2017_f7_the_bye_of_the_proposal_follows_too(self):
        facts = published(ODD, corrected=True, follows=arrangement("1-7 3-4 5-6", U="2"), **F6_F7)
        found = proposal(facts, Situation.CORRECTION)
        assert found is not None
        assert found.after == arrangement("1-7 3-4 5-6", U="2", Z="8")

    def test_c04_2_4_4_a_mild_preference_counts_more_than_any_difference_of_score(self):
        """1 and 2 would like Black, as 5 and 6 do;
        3 and 4, nine points above them, would like White.
        """
        points = {TPN(n): 100 if n in (3, 4) else 10 for n in range(1, 7)}
        records = {tpn: colour_record("wb" if tpn in (3, 4) else "bw") for tpn in points}

        def by_the_rules(higher: TPN, lower: TPN) -> Colour:
            return colour_of_higher(records[higher], records[lower], higher, Colour.WHITE)

        facts = published(
            NOW,
            met=pairs("1-2"),
            points=points,
            due=lambda _new: DueColours(records, points, by_the_rules),
        )
        found = proposal(facts, Situation.ALREADY_MET)
        assert found is not None
        assert found.games == (1, 2)
