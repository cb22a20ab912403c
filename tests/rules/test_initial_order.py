"""The ranking from which pairing numbers are assigned [C.04.2/2026 2]."""

from itertools import permutations

import pytest

from pairing.rules.initial_order import (
    TITLES,
    Participant,
    initial_order,
    list_closes_itself,
    list_for_all,
    may_assign_numbers,
    may_change_rating,
    tournament_rating,
    with_late_entries,
)
from pairing.rules.rounds import RoundFacts, RoundState
from pairing.rules.verdict import ALLOWED, Refused


def names(participants):
    return [participant.name for participant in participants]


def test_c04_2_2_2_1_rating_comes_first():
    weak_gm = Participant(1, 2400, "GM", "Aaa")
    strong = Participant(2, 2401, "", "Zzz")
    assert initial_order([weak_gm, strong]) == (strong, weak_gm)


def test_c04_2_2_2_2_then_titles_in_the_order_of_the_article():
    players = [Participant(i, 2000, title, "Same Name") for i, title in enumerate(reversed(TITLES))]
    assert [player.title for player in initial_order(players)] == [
        "GM", "IM", "WGM", "FM", "WIM", "CM", "WFM", "WCM", "",
    ]  # fmt: skip


def test_c04_2_2_2_3_then_the_alphabet_without_case_and_accents():
    players = [
        Participant(i, 0, "", name)
        for i, name in enumerate(["Zoe", "émile", "Eva", "Ångström", "abel", "Ødegaard"])
    ]
    assert names(initial_order(players)) == ["abel", "Ångström", "émile", "Eva", "Ødegaard", "Zoe"]


def test_the_order_of_the_list_does_not_matter():
    players = [
        Participant(1, 10, "", "A"),
        Participant(2, 10, "FM", "B"),
        Participant(3, 11, "", "C"),
    ]
    assert {initial_order(order) for order in permutations(players)} == {
        (players[2], players[1], players[0])
    }


def test_an_unknown_title_is_an_error():
    with pytest.raises(ValueError, match="not in tuple"):
        initial_order([Participant(1, 10, "XM", "A")])


@pytest.mark.parametrize("rating, expected", [(2500, 1), (2100, 2), (2000, 3), (1000, 4)])
def test_c04_2_2_4_a_late_entry_gets_the_number_it_would_have_had(rating, expected):
    numbered = [
        Participant(1, 2200, "", "A"),
        Participant(2, 2000, "", "B"),
        Participant(3, 1800, "", "C"),
    ]
    order = with_late_entries([Participant(9, rating, "", "M")], numbered)
    assert [participant.key for participant in order].index(9) == expected - 1


def test_c04_2_2_4_late_entries_of_one_list_move_the_others_down_and_keep_their_order():
    # 2 and 3 are in the order of the day when numbers were assigned; the rating of 3 was corrected
    # upwards later.
    numbered = [
        Participant(1, 2200, "", "A"),
        Participant(2, 2000, "", "B"),
        Participant(3, 2100, "", "C"),
    ]
    newcomers = [
        Participant(9, 2050, "", "L"),
        Participant(8, 2050, "", "K"),
        Participant(7, 2500, "", "T"),
    ]
    order = with_late_entries(newcomers, numbered)
    assert [participant.key for participant in order] == [7, 1, 2, 8, 9, 3]


def states(fourth: RoundState):
    return [RoundFacts(n, RoundState.RESULTS_PUBLISHED) for n in (1, 2, 3)] + [
        RoundFacts(4, fourth),
        RoundFacts(5, RoundState.PLANNED),
    ]


@pytest.mark.parametrize(
    "fourth, expected",
    [
        (RoundState.PLANNED, ALLOWED),
        (RoundState.DRAFT, Refused("numbers.frozen", "C.04.2 2.3", {"round": 4})),
        (RoundState.PAIRINGS_PUBLISHED, Refused("numbers.frozen", "C.04.2 2.3", {"round": 4})),
    ],
)
def test_c04_2_2_3_no_number_moves_after_the_fourth_round_is_paired(fourth, expected):
    assert may_assign_numbers(states(fourth), participants=8) == expected


@pytest.mark.parametrize("ever_paired, moves", [(0, True), (3, True), (4, False), (5, False)])
def test_c04_2_2_3_a_fourth_round_that_was_paired_and_discarded_counts(ever_paired, moves):
    verdict = may_assign_numbers(
        states(RoundState.PLANNED), participants=8, ever_paired=ever_paired
    )
    assert (verdict == ALLOWED) is moves


def test_c04_2_2_3_no_number_moves_after_the_final_standings():
    over = [
        RoundFacts(1, RoundState.RESULTS_PUBLISHED),
        RoundFacts(2, RoundState.RESULTS_PUBLISHED),
    ]
    assert may_assign_numbers(over, participants=8) == Refused("numbers.final", "C.04.2 2.3")


@pytest.mark.parametrize(
    "last, over_rating, decides, expected",
    [
        (RoundState.PLANNED, False, True, "allowed"),
        (RoundState.PLANNED, False, False, "rating.chief_arbiter_decides C.04.2 2.1"),
        (RoundState.PLANNED, True, True, "rating.results_published D.8"),
        (RoundState.RESULTS_PUBLISHED, False, True, "rating.final D.8"),
    ],
)
def test_c04_2_2_1_changing_a_rating_once_a_round_was_paired(last, over_rating, decides, expected):
    rounds = [RoundFacts(1, RoundState.RESULTS_PUBLISHED), RoundFacts(2, last)]
    verdict = may_change_rating(rounds, over_rating=over_rating, decides=decides, article="D.8")
    assert (
        f"{verdict.code} {verdict.article}" if isinstance(verdict, Refused) else "allowed"
    ) == expected


def test_c04_2_4_3_3_an_estimate_over_a_rating_before_any_results():
    rounds = [RoundFacts(1, RoundState.PAIRINGS_PUBLISHED), RoundFacts(2, RoundState.PLANNED)]
    assert may_change_rating(rounds, over_rating=True, decides=True, article="") == ALLOWED


def test_numbers_need_at_least_one_player():
    assert may_assign_numbers([RoundFacts(1, RoundState.PLANNED)], participants=0) == Refused(
        "numbers.nobody", "C.04.2 2.2"
    )


@pytest.mark.parametrize(
    "ratings, expected",
    [
        ([(2000, 1900), (2100, None)], "fide"),
        ([(2000, 1900), (None, 1800)], "national"),
        ([(2000, None), (None, 1800)], ""),
        ([], ""),
    ],
)
def test_c04_2_2_1_one_list_for_all(ratings, expected):
    assert list_for_all(ratings) == expected


def test_c04_2_2_2_3_another_criterion_is_compared_before_the_name():
    players = [
        Participant(1, 10, "", "A", third=2),
        Participant(2, 10, "", "B", third=1),
        Participant(3, 9, "", "C"),
    ]
    assert names(initial_order(players)) == ["B", "A", "C"]


@pytest.mark.parametrize(
    "method, both, fide_only, national_only",
    [
        ("FIDON", "fide", "fide", "national"),
        ("NIDOF", "national", "fide", "national"),
        ("HBFN", "national", "fide", "national"),
        ("LBFN", "fide", "fide", "national"),
        ("FIDE", "fide", "fide", ""),
        ("NRO", "national", "", "national"),
        ("OTHER", "", "", ""),
    ],
)
def test_c04_2_2_1_the_rating_that_ranks_a_player(method, both, fide_only, national_only):
    """The national rating is the higher one."""
    ratings = {"fide": 1800, "national": 1900, "": 0}
    found = [
        tournament_rating(method, *pair) for pair in ((1800, 1900), (1800, None), (None, 1900))
    ]
    assert found == [(source, ratings[source]) for source in (both, fide_only, national_only)]
    assert tournament_rating(method, None, None) == ("", 0)


def test_c04_2_2_1_the_higher_and_the_lower_rating():
    assert tournament_rating("HBFN", 2000, 1900) == ("fide", 2000)
    assert tournament_rating("LBFN", 2000, 1900) == ("national", 1900)
    assert (
        tournament_rating("HBFN", 1900, 1900)
        == tournament_rating("LBFN", 1900, 1900)
        == ("fide", 1900)
    )


def test_c04_2_2_4_the_best_newcomer_may_come_first_in_the_list():
    numbered = [
        Participant(1, 2200, "", "A"),
        Participant(2, 2000, "", "B"),
        Participant(3, 1800, "", "C"),
    ]
    newcomers = [
        Participant(9, 2500, "", "K"),
        Participant(8, 2100, "", "L"),
        Participant(7, 1900, "", "M"),
    ]
    order = with_late_entries(newcomers, numbered)
    assert [participant.key for participant in order] == [9, 1, 8, 2, 7, 3]


def test_c04_2_2_1_a_player_without_a_rating_by_the_first_method_has_the_second():
    assert tournament_rating("FIDE", None, 1900, 1700) == ("second", 1700)
    assert tournament_rating("FIDE", 1800, None, 1700) == ("fide", 1800)


def test_c04_2_2_2_3_names_that_are_folded_alike_are_ordered_as_written_and_then_by_key():
    players = [
        Participant(3, 10, "", "Muller"),
        Participant(1, 10, "", "Müller"),
        Participant(2, 10, "", "Müller"),
    ]
    for given in (players, players[::-1], [players[1], players[2], players[0]]):
        assert [player.key for player in initial_order(given)] == [3, 1, 2]


@pytest.mark.parametrize(
    "total, last_late, closes",
    [
        (3, None, [3]),
        (5, None, [5]),
        (9, None, [9]),
        (9, 3, [4, 5, 6, 7, 8, 9]),
        (3, 3, [3]),
        (2, 3, [2]),
    ],
)
def test_c04_2_2_5_the_list_closes_itself_when_nobody_can_enter_and_no_number_changes(
    total, last_late, closes
):
    found = [
        n for n in range(1, total + 1) if list_closes_itself(n, total, last_late_round=last_late)
    ]
    assert found == closes
