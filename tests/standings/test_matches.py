"""Standings of matches: game points, and tie-breaks in which a match is a round [C.04.5/2026 0]."""

from __future__ import annotations

import pytest

from pairing.engine.errors import InputError
from pairing.engine.model import TPN, Colour, Player, PointSystem, Result, RoundRecord
from pairing.standings.codes import DEFAULT_LIST, default_list, parse_code
from pairing.standings.crosstable import crosstable
from pairing.standings.editions import EDITIONS
from pairing.standings.ranking import Rules, standings
from pairing.standings.tie_breaks import TIE_BREAKS
from pairing.standings.unplayed import Unplayed
from tests.standings.fields import column_of

PRESENT = EDITIONS["fide-2026"]
MATCHES = PointSystem().for_matches()
LETTERS = {result.value: result for result in Result}


def match(text: str) -> RoundRecord:
    """Return a match from ``2w1=`` (against 2, White first, won and drew);
    a single letter is a bye.
    """
    if len(text) == 1:
        return RoundRecord(None, None, LETTERS[text])
    return RoundRecord(TPN(int(text[0])), Colour(text[1]), LETTERS[text[2]], LETTERS[text[3]])


def field(rounds: dict[int, str]) -> list[Player]:
    return [
        Player(TPN(tpn), tuple(match(text) for text in line.split()))
        for tpn, line in rounds.items()
    ]


def amounts(rounds: dict[int, str], code: str) -> dict[int, int | None]:
    table = crosstable(field(rounds), MATCHES, PRESENT)
    return {
        tpn: value.amount
        for tpn, value in column_of(table, parse_code(code, PRESENT)).values.items()
    }


# 1 beats 2 by 1½-½ and draws with 3; 4 has the bye, then beats 2 by 2-0.
FOUR = {1: "2w1= 3b10", 2: "1b0= 4w00", 3: "4w01 1w01", 4: "3b10 2b11"}


def test_c04_5_0_points_are_of_games() -> None:
    table = standings(field(FOUR), MATCHES, Rules.from_codes("BH"))
    assert [(line.rank, line.tpn, line.points) for line in table.lines] == [
        (1, 4, 30),
        (2, 1, 25),
        (3, 3, 20),
        (4, 2, 5),
    ]


def test_c04_5_0_an_opponent_counts_once_for_a_match() -> None:
    assert amounts(FOUR, "BH") == {1: 25, 2: 55, 3: 55, 4: 25}
    # Points of the match times the opponent's score: 15 x 5 + 10 x 20.
    assert amounts(FOUR, "SB") == {1: 275, 2: 125, 3: 550, 4: 300}
    assert amounts(FOUR, "PS") == {1: 40, 2: 10, 3: 30, 4: 40}


def test_c07_7_7_standard_points_of_matches_are_match_points() -> None:
    assert amounts(FOUR, "STD") == {1: 15, 2: 0, 3: 10, 4: 15}


def test_c07_9_2_half_of_the_maximum_refers_to_all_games() -> None:
    # Two matches are four games, so players with two points count.
    assert amounts(FOUR, "KS") == {1: 10, 2: 5, 3: 20, 4: 10}


def test_c07_6_direct_encounter_is_by_the_points_of_the_match() -> None:
    # 2 and 4 have two points each; 2 won their match.
    rounds = {1: "2w1= 3w00", 2: "1b0= 4b1=", 3: "4w0= 1b11", 4: "3b1= 2w0="}
    table = standings(field(rounds), MATCHES, Rules.from_codes("DE"))
    assert [(line.rank, line.tpn, line.points) for line in table.lines] == [
        (1, 3, 25),
        (2, 2, 20),
        (3, 4, 20),
        (4, 1, 15),
    ]
    assert [line.values[0].amount for line in table.lines] == [None, 1, 2, None]


def test_c04_5_0_a_match_ends_by_forfeit_only_if_both_games_do() -> None:
    rounds = {1: "2w++ 3w1+", 2: "1b-- Z", 3: "4w-+ 1b0-", 4: "3b+- H"}
    table = crosstable(field(rounds), MATCHES, PRESENT)
    assert {tpn: list(row.kinds) for tpn, row in table.rows.items()} == {
        1: [Unplayed.FORFEIT_WIN, None],
        2: [Unplayed.FORFEIT_LOSS, Unplayed.REQUESTED_BYE_TO_THE_END],
        3: [None, None],
        4: [None, Unplayed.REQUESTED_BYE_TO_THE_END],
    }
    assert {tpn: row.score for tpn, row in table.rows.items()} == {1: 40, 2: 0, 3: 10, 4: 20}


def test_c04_5_0_winning_one_game_of_a_forfeited_match_wins_it_by_forfeit() -> None:
    table = crosstable(field({1: "2w+-", 2: "1b--"}), MATCHES, PRESENT)
    assert [row.kinds[0] for row in table.rows.values()] == [
        Unplayed.FORFEIT_WIN,
        Unplayed.FORFEIT_LOSS,
    ]
    assert [row.score for row in table.rows.values()] == [10, 0]


def test_c04_5_1_4_a_bye_replaces_a_whole_match() -> None:
    rounds = {1: "U", 2: "F", 3: "H", 4: "Z"}
    assert {
        line.tpn: line.points
        for line in standings(field(rounds), MATCHES, Rules.from_codes("BH")).lines
    } == {
        1: 15,
        2: 20,
        3: 10,
        4: 0,
    }
    # A dummy is worth at most a draw in every round, which is two drawn games [C.07/2026 16.4.2].
    assert amounts(rounds, "BH") == {1: 10, 2: 10, 3: 10, 4: 0}


def test_c04_2_3_1_a_game_without_a_result_gives_no_points() -> None:
    table = crosstable(field({1: "2w1?", 2: "1b0?"}), MATCHES, PRESENT)
    assert [row.score for row in table.rows.values()] == [10, 0]
    assert [row.rounds[0].result for row in table.rows.values()] == [Result.UNKNOWN, Result.UNKNOWN]


def test_c07_8_3_the_last_match_is_drawn_for_the_fore_buchholz() -> None:
    table = crosstable(field(FOUR), MATCHES, PRESENT).with_last_round_drawn
    assert {tpn: list(row.points) for tpn, row in table.rows.items()} == {
        1: [15, 10],
        2: [5, 10],
        3: [10, 10],
        4: [10, 10],
    }
    assert amounts(FOUR, "FB") == {1: 35, 2: 45, 3: 45, 4: 35}


@pytest.mark.parametrize("code", [code for code, row in TIE_BREAKS.items() if row.counts_games])
def test_tie_breaks_of_single_games_are_refused_with_their_article(code: str) -> None:
    with pytest.raises(InputError, match=f"C.07 {TIE_BREAKS[code].article}") as caught:
        standings(field(FOUR), MATCHES, Rules.from_codes(code))
    assert caught.value.code == "tie_break.of_games"


def test_the_default_list_for_matches_has_no_tie_breaks_of_single_games() -> None:
    assert default_list(1) == DEFAULT_LIST == ("BH/C1", "BH", "SB", "DE", "WIN")
    assert default_list(2) == ("BH/C1", "BH", "SB", "DE")


def test_whole_rounds_are_worth_their_games() -> None:
    whole = MATCHES.of_whole_rounds()
    assert (whole.win, whole.draw, whole.loss, whole.games) == (20, 10, 0, 1)
    assert (whole.pairing_allocated_bye, whole.half_point_bye) == (15, 10)
    assert PointSystem().of_whole_rounds() == PointSystem()
