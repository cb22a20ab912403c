"""Settings declared in advance, and the lots at the end [C.04.2/2026 1.3, 4.2, C.07/2026 4]."""

import pytest

from pairing.engine.model import PointSystem
from pairing.rules.initial_order import may_rename
from pairing.rules.regulations import (
    ACCELERATED_SYSTEMS,
    CORRECTED_BY_THE_CHIEF,
    FIXED_AT_THE_START,
    FIXED_BEFORE_THE_LAST_ROUND,
    fixed_fields,
    may_accelerate,
    may_change_fields,
    may_change_tie_breaks,
    may_draw_lots,
    may_rank_equals,
    may_reschedule,
    may_set_initial_colour,
)
from pairing.rules.rounds import RoundFacts, RoundState
from pairing.rules.verdict import ALLOWED, Refused, Verdict

STATES = dict(zip("PDAR", RoundState, strict=True))


def rounds(letters: str) -> list[RoundFacts]:
    """Planned, draft, pairings (A), results of rounds 1, 2, …"""
    return [RoundFacts(number, STATES[letter]) for number, letter in enumerate(letters, start=1)]


NOT_BEGUN, UNDER_WAY, LAST, OVER = rounds("PP"), rounds("RAP"), rounds("RD"), rounds("RR")


def code(verdict: Verdict) -> str:
    if isinstance(verdict, Refused):
        return f"{verdict.code} [{verdict.article}]"
    assert verdict == ALLOWED
    return "yes"


def test_c04_1_1_what_is_declared_and_which_article_asks_for_it() -> None:
    by_article: dict[str, set[str]] = {}
    for name, article in FIXED_AT_THE_START.items():
        by_article.setdefault(article, set()).add(name)
    assert by_article == {
        # "The number of rounds to be played is declared beforehand."
        "C.04.1 1": {"total_rounds"},
        # What a win and the bye are worth: "unless the rules of the tournament state otherwise".
        "C.04.1 3": {"points_win", "points_draw", "points_loss", "points_absence", "points_pab"},
        # "Accelerated methods are acceptable if they were announced in advance."
        "C.04.2 1.1": {"acceleration"},
        # The report declares one system for the whole tournament.
        "C.04.2 1.3": {"start_date", "system", "handling_edition"},
        # No pairing is altered in favour of anybody, so nobody chooses opponents later.
        "C.04.2 1.5": {"prohibited_pairs"},
        # "Before the start of the tournament, a measure of strength is assigned."
        "C.04.2 2.1": {"rating_method", "national_lists", "second_rating_method"},
        # "unless it has been previously stated that this criterion has been replaced by another
        # one"
        "C.04.2 2.2.3": {"third_criterion"},
        # No points for unplayed rounds, "unless the rules of the tournament say otherwise".
        "C.04.2 2.4": {"late_entry_bye"},
        "C.04.2 3.3": {"byes_in_advance", "max_byes", "last_bye_round"},
        # "The deadline shall be fixed in advance according to the timetable of the tournament."
        "C.04.2 4.3": {"correction_minutes"},
        # "the rules of the specific competition explicitly allow the Chief Arbiter to modify the
        # pairings"
        "C.04.2 4.4.2": {"change_clause"},
        "C.07 4.1.1": {"tie_break_edition", "tie_breaks"},
    }


def test_c04_2_4_what_the_chief_arbiter_alone_declares_later() -> None:
    assert FIXED_BEFORE_THE_LAST_ROUND == {"top_boards": "C.04.2 4.4.5"}
    assert CORRECTED_BY_THE_CHIEF == {"chief_arbiter": "C.04.2 4", "second_reading": ""}


def test_c04_2_1_1_every_system_can_be_accelerated_but_the_one_that_is_older_than_baku() -> None:
    assert {"dutch_2017", "dutch_2026", "double_swiss_2026"} == ACCELERATED_SYSTEMS


@pytest.mark.parametrize("name", FIXED_AT_THE_START)
def test_c04_1_1_what_is_declared_at_the_start_names_its_article(name: str) -> None:
    article = FIXED_AT_THE_START[name]
    begun = Refused("tournament.begun", article, {"field": name})
    draft_was_seen = Refused("tournament.chief_arbiter_changes", article, {"field": name})
    for decides in (True, False):
        assert may_change_fields(NOT_BEGUN, ["city", name], decides=decides) == ALLOWED
        assert may_change_fields(rounds("DP"), ["city", name], decides=decides) == begun
    assert may_change_fields(NOT_BEGUN, [name], ever_paired=True) == ALLOWED
    assert may_change_fields(NOT_BEGUN, [name], decides=False, ever_paired=True) == draft_was_seen
    assert may_change_fields(UNDER_WAY, ["city"], decides=False, ever_paired=True) == ALLOWED


def test_c04_2_4_4_5_top_boards_are_declared_before_the_last_round_by_the_chief_arbiter() -> None:
    def answer(facts: list[RoundFacts], **more: bool) -> str:
        return code(may_change_fields(facts, ["top_boards"], **more))

    for facts in (NOT_BEGUN, UNDER_WAY):
        assert answer(facts) == "yes"
        assert answer(facts, decides=False) == "tournament.chief_arbiter_declares [C.04.2 4.4.5]"
        assert answer(facts, last_was_paired=True) == "tournament.last_round [C.04.2 4.4.5]"
    for facts in (LAST, OVER):
        assert (
            answer(facts) == answer(facts, decides=False) == "tournament.last_round [C.04.2 4.4.5]"
        )


def test_c04_2_4_4_5_the_refusal_names_the_field() -> None:
    for facts, decides, code_ in (
        (LAST, True, "tournament.last_round"),
        (NOT_BEGUN, False, "tournament.chief_arbiter_declares"),
    ):
        refused = Refused(code_, "C.04.2 4.4.5", {"field": "top_boards"})
        assert may_change_fields(facts, ["top_boards"], decides=decides) == refused


def test_c04_2_4_the_chief_arbiter_alone_changes_what_is_printed_with_the_pairings() -> None:
    for name, article in CORRECTED_BY_THE_CHIEF.items():
        refused = Refused("tournament.chief_arbiter_declares", article, {"field": name})
        assert may_change_fields(UNDER_WAY, [name], decides=False) == refused
        assert may_change_fields(UNDER_WAY, [name]) == ALLOWED
        assert may_change_fields(LAST[1:], [name], decides=False) == ALLOWED


def test_the_fields_that_are_shown_as_fixed() -> None:
    start, last, chief = map(
        frozenset, (FIXED_AT_THE_START, FIXED_BEFORE_THE_LAST_ROUND, CORRECTED_BY_THE_CHIEF)
    )
    assert fixed_fields(NOT_BEGUN) == fixed_fields(NOT_BEGUN, decides=False) == frozenset()
    assert fixed_fields(NOT_BEGUN, last_was_paired=True) == last
    assert fixed_fields(UNDER_WAY) == start
    assert fixed_fields(UNDER_WAY, decides=False) == start | chief
    assert fixed_fields(LAST) == start | last


def test_c04_7_baku_acceleration_needs_a_system_and_points_that_allow_it() -> None:
    usual = PointSystem()
    for system in ACCELERATED_SYSTEMS:
        assert may_accelerate(system=system, points=usual) == ALLOWED
    refused = Refused("acceleration.system", "C.04.2 1.1", {"system": "dutch_pre2017"})
    assert may_accelerate(system="dutch_pre2017", points=usual) == refused
    odd = PointSystem.from_values(win=10, draw=4)
    assert code(may_accelerate(system="dutch_2026", points=odd)) == "acceleration.points [C.04.7]"


def test_c07_4_1_1_the_list_of_tie_breaks_changes_by_an_action_of_its_own() -> None:
    answers = [
        code(may_change_tie_breaks(facts))
        for facts in (NOT_BEGUN, rounds("DP"), UNDER_WAY, LAST, OVER)
    ]
    assert answers == [
        "tie_break.not_begun [C.07 4.1.1]",
        "yes",
        "yes",
        "yes",
        "tie_break.final [C.07 4.1.1]",
    ]


def test_c04_3_5_1_the_initial_colour_is_drawn_once_and_before_round_1() -> None:
    assert may_set_initial_colour(NOT_BEGUN) == ALLOWED
    assert (
        code(may_set_initial_colour(NOT_BEGUN, by_program=True)) == "colour.drawn_once [C.04.3 5.1]"
    )
    assert (
        code(may_set_initial_colour(rounds("DP"), by_program=True))
        == "colour.event_begun [C.04.3 5.1]"
    )
    assert (
        code(may_set_initial_colour(UNDER_WAY, article="C.04.5 1"))
        == "colour.event_begun [C.04.5 1]"
    )


def test_c04_2_4_2_announced_times_of_a_published_round_are_for_the_chief_arbiter() -> None:
    def refused(facts: RoundFacts) -> bool:
        expected = Refused("schedule.chief_arbiter_changes", "C.04.2 4.2", {"round": facts.number})
        return may_reschedule(facts, decides=False) == expected

    assert [refused(facts) for facts in rounds("PDAR")] == [False, False, True, True]
    assert {may_reschedule(facts, decides=True) for facts in rounds("PDAR")} == {ALLOWED}


@pytest.mark.parametrize(
    "facts, more, expected",
    [
        (rounds("RA"), {}, "lots.not_over [C.07 4.2]"),
        (rounds("RRA"), {}, "lots.not_over [C.07 4.2]"),
        (rounds("RD"), {"minutes_left": 5}, "lots.not_over [C.07 4.2]"),
        (OVER, {"minutes_left": 1, "drawn": True}, "lots.reports_open [C.04.2 4.3]"),
        (OVER, {"minutes_left": 0, "drawn": True}, "lots.drawn [C.07 4.2]"),
        (OVER, {"minutes_left": -1}, "yes"),
    ],
)
def test_c07_4_2_lots_and_the_order_of_equals_come_last(
    facts: list[RoundFacts], more: dict, expected: str
) -> None:
    given = {"drawn": False} | more
    assert code(may_draw_lots(facts, tied=2, **given)) == expected
    assert code(may_rank_equals(facts, groups=[[1, 2]], order=[2, 1], **given)) == expected
    if "reports" in expected:
        verdict = may_draw_lots(facts, tied=2, **given)
        assert verdict == may_rank_equals(facts, groups=[[1, 2]], order=[2, 1], **given)
        assert verdict == Refused("lots.reports_open", "C.04.2 4.3", {"minutes": 1})


def test_c07_4_2_lots_are_for_players_who_are_equal() -> None:
    assert code(may_draw_lots(OVER, drawn=False, tied=0)) == "lots.nobody_tied [C.07 4.2]"
    groups = [[1, 2], [5, 6, 7]]
    answers = {
        order: code(may_rank_equals(OVER, drawn=False, groups=groups, order=order)) == "yes"
        for order in [
            (),
            (2, 1),
            (1,),
            (1, 2, 2),
            (1, 2, 3),
            (3,),
            (6, 5, 7),
            (7, 6, 1, 2, 5),
            (1, 5, 6, 7),
        ]
    }
    assert [order for order, is_allowed in answers.items() if is_allowed] == [
        (2, 1),
        (6, 5, 7),
        (7, 6, 1, 2, 5),
    ]
    refused = may_rank_equals(OVER, drawn=False, groups=groups, order=())
    assert code(refused) == "equals.not_tied [C.07 4.2]"


def test_c04_2_2_2_3_a_name_that_moves_a_player_is_for_the_chief_arbiter() -> None:
    assert may_rename(decides=True) == ALLOWED
    assert may_rename(decides=False) == Refused("name.chief_arbiter_decides", "C.04.2 2.2.3")
