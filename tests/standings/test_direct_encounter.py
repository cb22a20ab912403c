"""Direct encounter, Article 6."""

import pytest

from pairing.engine.model import TPN
from pairing.standings.crosstable import crosstable
from pairing.standings.direct_encounter import direct_encounter
from pairing.standings.editions import EDITIONS
from pairing.standings.tie_breaks import TIE_BREAKS
from tests.standings.fields import STANDARD, field

FIDE = EDITIONS["fide-2026"]


def places(
    rounds: dict[int, str], tied: str, *, forfeits_count: bool = False
) -> dict[int, int | None]:
    table = crosstable(field(rounds), STANDARD, EDITIONS["fide-2026"])
    group = [TPN(int(tpn)) for tpn in tied.split()]
    return {
        tpn: v.amount
        for tpn, v in direct_encounter(table, group, forfeits_count=forfeits_count).items()
    }


def test_c07_6_it_compares_tied_players_and_has_no_column_of_its_own() -> None:
    assert TIE_BREAKS["DE"].column is None


@pytest.mark.parametrize(
    "rounds, expected",
    [
        ({1: "+W2", 2: "-B1"}, {1: 1, 2: 2}),
        ({1: "+W2 =W3 Z", 2: "-B1 Z +W3", 3: "Z =B1 -B2"}, {1: 1, 2: 2, 3: 3}),
        # 2½; 1½, 1½ (they drew); ½.
        (
            {1: "+W2 +W3 =W4", 2: "-B1 =W3 +B4", 3: "=B2 -B1 +W4", 4: "-B3 -W2 =B1"},
            {1: 1, 2: 2, 3: 2, 4: 4},
        ),
        # All have 1½.
        (
            {1: "+W2 -W3 =W4", 2: "-B1 +B4 =W3", 3: "=B2 +B1 -W4", 4: "+B3 -W2 =B1"},
            {1: 1, 2: 1, 3: 1, 4: 1},
        ),
    ],
)
def test_c07_6_2_where_all_have_met_the_separate_standings_decide(
    rounds: dict[int, str], expected: dict[int, int]
) -> None:
    assert places(rounds, " ".join(str(tpn) for tpn in rounds)) == expected


def test_c07_6_2_a_tie_of_two_within_the_standings_is_broken_by_their_game() -> None:
    # 1: beat 2 and 3; 2: beat 3 and 4; 3: beat 4; 4: beat 1. 1 and 2 have 2, and 1 beat 2; 3 and 4
    # have 1, 3 beat 4.
    field_ = {1: "+W2 +W3 -W4", 2: "-B1 +W4 +W3", 3: "+W4 -B1 -B2", 4: "-B3 -B2 +B1"}
    assert places(field_, "1 2 3 4") == {1: 1, 2: 2, 3: 3, 4: 4}


def test_c07_6_3_a_player_who_is_first_whatever_the_missing_games_give_is_placed() -> None:
    # 1 beat 2 and 3; 2 and 3 have not met.
    assert places({1: "+W2 +W3", 2: "-B1 Z", 3: "Z -B1"}, "1 2 3") == {1: 1, 2: 2, 3: 2}
    # 1 beat 2, and 3 has met nobody: 3 could have 2.
    assert places({1: "+W2", 2: "-B1", 3: "U"}, "1 2 3") == {1: 1, 2: 1, 3: 1}


def test_c07_6_3_the_second_place_likewise_and_then_again_for_the_rest() -> None:
    # 1 beat 2, 3 and 4; 2 beat 3 and 4; 3 and 4 have not met: 1, 2, then 3 and 4 tied.
    field_ = {1: "+W2 +W3 +W4", 2: "-B1 +W4 +W3", 3: "Z -B1 -B2", 4: "Z -B2 -B1"}
    assert places(field_, "1 2 3 4") == {1: 1, 2: 2, 3: 3, 4: 3}
    # 1 beat everybody else. 2 has not met 3; 4 lost to 2 and drew with 3. In the next step 2 has 1
    # to 2 and 3 has ½ to 1½.
    field_ = {1: "+W2 +W3 +W4", 2: "-B1 +W4 Z", 3: "=W4 -B1 Z", 4: "=B3 -B2 -B1"}
    assert places(field_, "1 2 3 4") == {1: 1, 2: 2, 3: 2, 4: 2}


def test_c07_6_3_remaining_players_who_have_all_met_are_ranked_by_6_2() -> None:
    # Only 4 and 1 have not met. 1 has 2 of 2 and the others can reach 2, so 1 is not alone in first
    # place.
    field_ = {1: "+W2 +W3 Z", 2: "-B1 +W4 -W3", 3: "+W4 -B1 +B2", 4: "-B3 -B2 Z"}
    assert places(field_, "1 2 3 4") == {1: 1, 2: 1, 3: 1, 4: 1}
    # 5 beat 1, 2 and 3, and has not met 4, who lost every game: 5 is first, and the rest have all
    # met.
    field_ = {
        5: "+W1 +W2 Z Z Z +W3",
        1: "-B5 Z +W3 =W2 +W4 Z",
        2: "+B4 -B5 Z =B1 =W3 Z",
        3: "Z +W4 -B1 Z =B2 -B5",
        4: "-W2 -B3 Z Z -B1 Z",
    }
    assert places(field_, "1 2 3 4 5") == {5: 1, 1: 2, 2: 3, 3: 4, 4: 5}


def test_c07_6_1_1_forfeited_games_are_left_out_unless_the_regulations_say_otherwise() -> None:
    assert places({1: "+F2", 2: "-F1"}, "1 2") == {1: 1, 2: 1}
    assert places({1: "+F2", 2: "-F1"}, "1 2", forfeits_count=True) == {1: 1, 2: 2}


def test_c07_6_1_2_repeated_meetings_count_their_average() -> None:
    # 1 and 2: a forfeit and a game, 1½ of 2, counts as ¾; 1 lost to 3, 2 drew with 3: 1 has ¾, 2
    # has ¾, 3 has 1½.
    field_ = {1: "+F2 =W2 -W3 Z", 2: "-F1 =B1 Z =W3", 3: "Z Z +B1 =B2"}
    assert places(field_, "1 2 3", forfeits_count=True) == {3: 1, 1: 2, 2: 3}
    assert places(field_, "1 2 3") == {3: 1, 2: 2, 1: 3}


def test_c07_6_1_the_parts_name_the_round_the_opponent_and_the_points() -> None:
    table = crosstable(
        field({1: "+W2 =W3 +F4", 2: "-B1 Z +W3", 3: "Z =B1 -B2", 4: "Z Z -F1"}), STANDARD, FIDE
    )

    def parts(*, forfeits_count: bool) -> list[tuple[int, int | None, int]]:
        tied = [TPN(tpn) for tpn in (1, 3, 4)]
        value = direct_encounter(table, tied, forfeits_count=forfeits_count)[TPN(1)]
        return [(part.round, part.opponent, part.amount) for part in value.parts]

    assert parts(forfeits_count=False) == [(2, 3, 5)]
    assert parts(forfeits_count=True) == [(2, 3, 5), (3, 4, 10)]


def test_a_game_without_a_result_has_not_been_played() -> None:
    assert places({1: "?W2", 2: "?B1"}, "1 2") == {1: 1, 2: 1}


@pytest.mark.parametrize("tied", ["1 2 3 4", "4 3 2 1", "3 1 4 2"])
def test_the_order_of_the_tied_does_not_matter(tied: str) -> None:
    field_ = {1: "+W2 +W3 +W4", 2: "-B1 +W4 +W3", 3: "Z -B1 -B2", 4: "Z -B2 -B1"}
    assert places(field_, tied) == {1: 1, 2: 2, 3: 3, 4: 3}
