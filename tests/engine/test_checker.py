"""The findings of the checker, rule by rule: each wrong pairing with exactly its findings."""

from typing import Any

import pytest

from pairing.engine.checker import Finding, check, legal_pairing_exists
from pairing.engine.errors import InputError
from pairing.engine.model import Pairing, PointSystem, TournamentState

from .compact import pairing, position
from .compact_matches import match_position

SIX_AFTER_TWO = {1: "6w1 4b=", 2: "5w= 6b1", 3: "4b1 5b=", 4: "3w0 1w=", 5: "2b= 3w=", 6: "1b0 2w0"}
"""The example of reading R2; its pairing is 3-2, 1-5, 6-4."""

FRESH = {1: "", 2: "", 3: "", 4: ""}


def found(state: TournamentState, wrong: Pairing) -> list[tuple[str, str, dict[str, Any]]]:
    """Return code, article and parameters of every finding."""
    return [
        (finding.code, finding.article, dict(finding.params)) for finding in check(state, wrong)
    ]


# -- agreed ----------------------------------------------------------------------------------------


def test_c04_3_2_4_3_the_pairing_of_the_reading_is_agreed() -> None:
    assert check(position(SIX_AFTER_TWO, total_rounds=6), pairing((3, 2), (1, 5), (6, 4))) == ()


def test_a_finding_has_its_rule_place_and_reason() -> None:
    assert check(position(FRESH), pairing((1, 3))) == (
        Finding(
            "check.player_missing",
            "C.04.3 1.9.1",
            "Player 2 is present and not paired.",
            {"tpn": 2},
        ),
        Finding(
            "check.player_missing",
            "C.04.3 1.9.1",
            "Player 4 is present and not paired.",
            {"tpn": 4},
        ),
    )


def test_a_system_without_a_checker_is_refused() -> None:
    state = TournamentState(round_number=1, total_rounds=1, players=(), system="unheard_of")
    with pytest.raises(InputError) as refused:
        check(state, pairing())
    assert refused.value.code == "system.unchecked"


# -- who is paired ---------------------------------------------------------------------------------


def test_c04_3_1_9_1_nobody_is_paired_twice() -> None:
    assert found(position(FRESH), pairing((1, 3), (4, 2), (1, 2))) == [
        ("check.player_twice", "C.04.3 1.9.1", {"tpn": 1, "places": 2}),
        ("check.player_twice", "C.04.3 1.9.1", {"tpn": 2, "places": 2}),
        ("check.board_order", "C.04.2 3.6", {"board": 2, "white": 1, "black": 2}),
    ]


def test_c04_3_1_9_1_nobody_plays_against_themselves() -> None:
    assert found(position(FRESH), pairing((1, 3), (2, 2))) == [
        ("check.player_twice", "C.04.3 1.9.1", {"tpn": 2, "places": 2}),
        ("check.player_missing", "C.04.3 1.9.1", {"tpn": 4}),
    ]


def test_c04_3_1_9_1_a_player_not_on_the_list() -> None:
    assert found(position({1: "", 2: ""}), pairing((1, 2), (3, 4))) == [
        ("check.player_unknown", "C.04.3 1.9.1", {"tpn": 3}),
        ("check.player_unknown", "C.04.3 1.9.1", {"tpn": 4}),
    ]


def test_c04_5_3_4_where_nobody_may_have_the_bye_no_other_player_is_named() -> None:
    """Each of the three has had a bye: the round has no pairing,
    and only the second bye is an error of this one.
    """
    state = match_position({1: "U 3w11 2w11", 2: "3w11 U 1b00", 3: "2b00 1b00 U"})
    articles = {finding.article for finding in check(state, pairing((2, 1), bye=3))}
    assert articles == {"C.04.5 2.1.1", "C.04.5 2.1.2"}


def test_c04_2_3_3_an_absent_player_is_not_paired() -> None:
    state = position({**FRESH, 5: "", 6: ""}, absent=(5, 6))
    assert found(state, pairing((1, 3), (4, 2), (5, 6))) == [
        ("check.player_absent", "C.04.2 3.3", {"tpn": 5}),
        ("check.player_absent", "C.04.2 3.3", {"tpn": 6}),
    ]


def test_c04_1_3_an_odd_number_needs_the_bye() -> None:
    assert found(position({1: "", 2: "", 3: ""}), pairing((1, 2))) == [
        ("check.player_missing", "C.04.3 1.9.1", {"tpn": 3}),
        ("check.bye_missing", "C.04.1 3", {"present": 3}),
    ]


def test_c04_1_3_an_even_number_has_no_bye() -> None:
    assert found(position(FRESH), pairing((1, 3), bye=2)) == [
        ("check.player_missing", "C.04.3 1.9.1", {"tpn": 4}),
        ("check.bye_superfluous", "C.04.1 3", {"present": 4, "tpn": 2}),
    ]


# -- absolute criteria -----------------------------------------------------------------------------


def test_c04_3_2_1_1_c1_nobody_meets_twice() -> None:
    state = position({1: "2w=", 2: "1b=", 3: "4w=", 4: "3b="})
    assert found(state, pairing((2, 1), (4, 3))) == [
        ("check.c1_rematch", "C.04.3 2.1.1", {"white": 2, "black": 1}),
        ("check.c1_rematch", "C.04.3 2.1.1", {"white": 4, "black": 3}),
    ]


@pytest.mark.parametrize("result", ["??", "WL", "DD"])
def test_c04_3_2_1_1_c1_an_adjourned_or_unrated_game_is_a_meeting(result: str) -> None:
    state = position({1: f"2w{result[0]}", 2: f"1b{result[1]}"}, total_rounds=2)
    assert [finding.code for finding in check(state, pairing((2, 1)))] == ["check.c1_rematch"]


@pytest.mark.parametrize("result", ["+-", "-+", "--"])
def test_c04_2_3_5_a_forfeited_game_is_not_a_meeting(result: str) -> None:
    state = position({1: f"2w{result[0]}", 2: f"1b{result[1]}"})
    assert check(state, pairing((1, 2))) == ()


def test_prohibited_pairs_are_kept_apart() -> None:
    assert found(position(FRESH, prohibited=((4, 2),)), pairing((1, 3), (4, 2))) == [
        ("check.prohibited_pair", "TRF 260", {"white": 4, "black": 2}),
    ]


@pytest.mark.parametrize("barring", ["U", "F", "4b+"])
def test_c04_3_2_1_2_c2_a_bye_or_a_wins_points_without_play_bar_from_the_bye(barring: str) -> None:
    state = position(
        {1: "2w1", 2: "1b0", 3: barring, 4: "3w-" if barring == "4b+" else "H"}, absent=(4,)
    )
    barred = ("check.c2_bye_barred", "C.04.3 2.1.2", {"tpn": 3})
    assert barred in found(state, pairing((2, 1), bye=3))


@pytest.mark.parametrize("harmless", ["H", "Z", "4b-", "4bW", "4b1"])
def test_c04_3_2_1_2_c2_other_results_do_not_bar_from_the_bye(harmless: str) -> None:
    other = {"4b-": "3w+", "4bW": "3wL", "4b1": "3w0"}.get(harmless, "Z")
    state = position({1: "Z", 2: "Z", 3: harmless, 4: other}, absent=(4,))
    assert "check.c2_bye_barred" not in [
        finding.code for finding in check(state, pairing((1, 2), bye=3))
    ]


def test_c04_3_2_1_2_c2_a_bye_worth_less_than_a_win_bars_too() -> None:
    points = PointSystem.from_values(pairing_allocated_bye=0)
    state = position({1: "2w=", 2: "1b=", 3: "U"}, points=points)
    assert found(state, pairing((2, 1), bye=3)) == [
        ("check.c1_rematch", "C.04.3 2.1.1", {"white": 2, "black": 1}),
        ("check.c2_bye_barred", "C.04.3 2.1.2", {"tpn": 3}),
    ]


TWO_WHITES = {1: "3w0 4w0", 2: "4w0 3w0", 3: "1b1 2b1", 4: "2b1 1b1"}
"""1 and 2 lost twice with White: both must have Black."""


def test_c04_3_2_1_3_c3_two_with_the_same_absolute_preference_do_not_meet() -> None:
    assert found(position(TWO_WHITES), pairing((3, 4), (1, 2)))[:2] == [
        ("check.c3_colours", "C.04.3 2.1.3", {"white": 3, "black": 4}),
        ("check.c3_colours", "C.04.3 2.1.3", {"white": 1, "black": 2}),
    ]


def test_c04_3_1_8_c3_topscorers_may_meet_in_the_last_round() -> None:
    state = position(TWO_WHITES, total_rounds=3)
    clashes = [
        finding.params
        for finding in check(state, pairing((3, 4), (1, 2)))
        if finding.code == "check.c3_colours"
    ]
    assert clashes == [{"white": 1, "black": 2}]


def test_c04_3_1_8_c3_one_topscorer_is_enough() -> None:
    lines = {1: "3w1 4w1", 2: "4w0 3w0", 3: "1b0 2b1", 4: "2b1 1b0"}
    last = [
        finding.code for finding in check(position(lines, total_rounds=3), pairing((1, 2), (3, 4)))
    ]
    assert last.count("check.c3_colours") == 1  # 3-4, one point of two each: not more than half
    earlier = [
        finding.code for finding in check(position(lines, total_rounds=4), pairing((1, 2), (3, 4)))
    ]
    assert earlier.count("check.c3_colours") == 2


# -- the bye's score -------------------------------------------------------------------------------


def test_c04_3_2_3_1_c5_the_bye_goes_to_the_lowest_possible_score() -> None:
    state = position(
        {1: "5b1", 2: "4b=", 3: "U", 4: "2w=", 5: "1w0"}, total_rounds=4, initial_colour="b"
    )
    assert check(state, pairing((1, 4), (2, 3), bye=5)) == ()
    assert found(state, pairing((1, 3), (2, 5), bye=4)) == [
        ("check.c5_bye_score", "C.04.3 2.3.1", {"tpn": 4, "score": 5, "lowest": 0}),
    ]


def test_c04_3_2_3_1_c5_a_lower_score_whose_bye_leaves_the_others_unpairable_does_not_count() -> (
    None
):
    state = position(
        {1: "2w-", 2: "1b-", 3: "4w=", 4: "3b="}, total_rounds=2, initial_colour="b", absent=(1,)
    )
    assert check(state, pairing((2, 3), bye=4)) == ()


def test_c04_3_2_3_1_c5_a_lower_score_that_may_not_have_the_bye_does_not_count() -> None:
    points = PointSystem.from_values(pairing_allocated_bye=0)
    state = position({1: "2w=", 2: "1b=", 3: "U"}, points=points)
    assert check(state, pairing((2, 3), bye=1)) == ()


def test_c04_3_2_3_1_c5_reached_only_by_changing_every_pair() -> None:
    # 1, 2 and 3 may meet one another and one more each: 4, 5, 6; 7 may meet 6 only.
    # The bye of 7 (no points) leaves 1-4, 2-5, 3-6.
    prohibited = [(4, 5), (4, 6), (5, 6), (4, 2), (4, 3), (5, 1), (5, 3), (6, 1), (6, 2)]
    prohibited += [(7, player) for player in (1, 2, 3, 4, 5)]
    lines = {1: "H", 2: "H", 3: "H", 4: "H", 5: "H", 6: "H", 7: "Z"}
    state = position(lines, prohibited=tuple(prohibited))
    codes = [finding.code for finding in check(state, pairing((1, 2), (3, 4), (6, 7), bye=5))]
    assert codes.count("check.c5_bye_score") == 1


# -- colours ---------------------------------------------------------------------------------------


def meeting(first: str, second: str) -> TournamentState:
    """Return 1 and 2 before their game, with these earlier colours (``-``:
    not played), all on the same score.
    """
    lines = {1: "", 2: ""}
    for number, history in ((1, first), (2, second)):
        words = [
            f"{2 * place + number}{colour}=" if colour != "-" else "H"
            for place, colour in enumerate(history, 1)
        ]
        lines[number] = " ".join(words)
    others = range(3, 2 * len(first) + 3)
    bye = " ".join("H" * len(first))
    return position({**lines, **dict.fromkeys(others, bye)}, absent=tuple(others))


def colour_articles(state: TournamentState, right: tuple[int, int]) -> list[str]:
    """Return the articles found when *right*, the only board, has its colours reversed;
    the right colours give none.
    """
    white, black = right
    assert [
        finding for finding in check(state, pairing(right)) if finding.code == "check.colours"
    ] == []
    reversed_ = [one for one in found(state, pairing((black, white))) if one[0] == "check.colours"]
    assert [params for _, _, params in reversed_] == [{"white": black, "black": white}]
    return [article for _, article, _ in reversed_]


@pytest.mark.parametrize(
    "first, second, right",
    [
        pytest.param("w", "b", (2, 1), id="mild"),
        pytest.param("ww", "b-", (2, 1), id="absolute and strong"),
        pytest.param("w", "-", (2, 1), id="1.7.4 no preference: the opponent's is granted"),
        pytest.param("-", "w", (1, 2), id="1.7.4 the other way round"),
        pytest.param(
            "wwwwbb", "wbwbwb", (2, 1), id="1.7.1 a difference beyond 1 before two in a row"
        ),
    ],
)
def test_c04_3_5_2_1_both_preferences_are_granted(
    first: str, second: str, right: tuple[int, int]
) -> None:
    assert colour_articles(meeting(first, second), right) == ["C.04.3 5.2.1"]


@pytest.mark.parametrize(
    "first, second, right",
    [
        pytest.param("w-b", "wbb", (2, 1), id="absolute before mild"),
        pytest.param("b-", "bb", (2, 1), id="absolute before strong"),
        pytest.param("wb", "b-", (2, 1), id="strong before mild"),
        pytest.param(
            "bwb--", "wwwbb", (2, 1), id="1.7.1 two in a row against the difference are absolute"
        ),
        pytest.param("wbb", "-bb", (2, 1), id="of two absolute ones the wider difference (R14)"),
        pytest.param("bbb", "-bb", (1, 2), id="R14 beyond two"),
    ],
)
def test_c04_3_5_2_2_the_stronger_preference_is_granted(
    first: str, second: str, right: tuple[int, int]
) -> None:
    assert colour_articles(meeting(first, second), right) == ["C.04.3 5.2.2"]


@pytest.mark.parametrize(
    "first, second, right",
    [
        pytest.param("bwwb", "wbwb", (2, 1), id="mild"),
        pytest.param("wwbbb", "wbwbb", (1, 2), id="equal absolute ones (R14)"),
        pytest.param("bwwb-", "-wbwb", (2, 1), id="aligned at the latest game (R12)"),
    ],
)
def test_c04_3_5_2_3_colours_alternate_to_the_latest_difference(
    first: str, second: str, right: tuple[int, int]
) -> None:
    assert colour_articles(meeting(first, second), right) == ["C.04.3 5.2.3"]


def test_c04_2_3_4_unplayed_rounds_are_removed_before_colours_are_compared() -> None:
    assert colour_articles(meeting("bw-b", "-bwb"), (1, 2)) == ["C.04.3 5.2.4"]


def test_c04_3_5_2_4_the_higher_ranked_player_gets_the_preference() -> None:
    assert colour_articles(meeting("w", "w"), (2, 1)) == ["C.04.3 5.2.4"]
    higher_score = position({1: "3w=", 2: "4w1", 3: "1b=", 4: "2b0"}, absent=(3, 4))
    assert colour_articles(higher_score, (1, 2)) == ["C.04.3 5.2.4"]


@pytest.mark.parametrize("initial_colour, right", [("w", (1, 2)), ("b", (2, 1))])
def test_c04_3_5_2_5_an_odd_number_gets_the_initial_colour(
    initial_colour: str, right: tuple[int, int]
) -> None:
    state = position({1: "", 2: ""}, initial_colour=initial_colour)
    assert colour_articles(state, right) == ["C.04.3 5.2.5"]


def test_c04_3_5_2_5_numbers_count_those_who_have_taken_part() -> None:
    state = position({1: "", 2: "", 3: "", 4: "", 5: ""}, absent=(1,))
    assert check(state, pairing((2, 4), (5, 3))) == ()


@pytest.mark.parametrize(
    "first, right",
    [
        ("H", (2, 3)),
        ("F", (2, 3)),
        ("Z", (2, 3)),
        ("U", (3, 2)),
        ("4b-", (3, 2)),
        ("4b+", (3, 2)),
        ("4b0", (3, 2)),
    ],
)
def test_c04_3_5_2_5_a_forfeit_or_a_bye_of_the_pairing_is_taking_part(
    first: str, right: tuple[int, int]
) -> None:
    fourth = {"4b-": "1w+", "4b+": "1w-", "4b0": "1w1"}.get(first, "Z")
    state = position({1: first, 2: "Z", 3: "Z", 4: fourth}, absent=(1, 4))
    assert colour_articles(state, right) == ["C.04.3 5.2.5"]


# -- the order of the boards -----------------------------------------------------------------------


def first_out_of_place(state: TournamentState, wrong: Pairing) -> list[dict[str, Any]]:
    """Return the first board in the wrong place; there is no other finding."""
    findings = check(state, wrong)
    assert [(finding.code, finding.article) for finding in findings] == [
        ("check.board_order", "C.04.2 3.6")
    ]
    return [dict(finding.params) for finding in findings]


def test_c04_2_3_6_1_the_score_of_the_higher_ranked_player_comes_first() -> None:
    # 1 (1 point) and 2 (0) before 3 (½) and 4 (½), though both sums are one point.
    state = position({1: "F", 2: "Z", 3: "H", 4: "H"}, absent=())
    assert check(state, pairing((1, 2), (3, 4))) == ()
    assert first_out_of_place(state, pairing((3, 4), (1, 2))) == [
        {"board": 1, "white": 1, "black": 2}
    ]


def test_c04_2_3_6_2_then_the_sum_of_the_scores() -> None:
    state = position({1: "F", 2: "Z", 3: "F", 4: "H"})
    assert check(state, pairing((3, 4), (1, 2))) == ()
    assert first_out_of_place(state, pairing((1, 2), (3, 4))) == [
        {"board": 1, "white": 3, "black": 4}
    ]


def test_c04_2_3_6_3_then_the_smallest_number_of_the_higher_ranked_player() -> None:
    # 4 is the higher ranked of 4-1, so 2-3 comes first although player 1 has the smallest number of
    # all.
    state = position({1: "Z", 2: "F", 3: "Z", 4: "F"}, initial_colour="b")
    assert check(state, pairing((2, 3), (4, 1))) == ()
    assert first_out_of_place(state, pairing((4, 1), (2, 3))) == [
        {"board": 1, "white": 2, "black": 3}
    ]


def test_c04_2_3_6_scores_include_virtual_points() -> None:
    state = position({1: "Z", 2: "Z", 3: "F", 4: "F"}, virtual_points={1: (0, 15), 2: (0, 15)})
    assert check(state, pairing((1, 2), (3, 4))) == ()
    assert first_out_of_place(state, pairing((3, 4), (1, 2))) == [
        {"board": 1, "white": 1, "black": 2}
    ]


# -- no legal pairing ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "lines, exists",
    [
        pytest.param({1: "2w=", 2: "1b="}, False, id="two who have met"),
        pytest.param({1: "2w+", 2: "1b-"}, True, id="a forfeited game is no meeting"),
        pytest.param({1: "U", 2: "F", 3: "Z"}, True, id="one may still have the bye"),
        pytest.param({1: "U", 2: "F", 3: "U"}, False, id="nobody may have the bye [C2]"),
        pytest.param(
            {1: "3w= 4w=", 2: "4w= 3w=", 3: "1b= 2b=", 4: "2b= 1b="}, False, id="colours [C3]"
        ),
        pytest.param({1: "2w=", 2: "1b=", 3: "U"}, True, id="a bye for one of two who have met"),
    ],
)
def test_c04_3_1_9_3_whether_a_legal_pairing_exists(lines: dict[int, str], exists: bool) -> None:
    assert legal_pairing_exists(position(lines)) is exists
